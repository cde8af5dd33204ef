// Wire, parser and packet buffer.
#include <cstring>

#include "models/ice/interrupts.h"
#include "models/ice/pump.h"
#include "models/ice/rx_engine.h"
#include "models/ice/stats.h"
#include "models/net/checksum.h"

namespace doorbell::ice {

using base::Picos;

RxEngine::RxEngine(Core& core)
    : core_(core),
      queues_(kRxQueues),
      frames_(4096),
      leaving_(4096),
      store_(core.config.rx_buffer + FrameStore::kLongest),
      fetched_(256 * kRxDescBytes) {}

void RxEngine::arrivals_changed() {
  look();
  if (frames_.empty()) core_.pump->wake(next_delivery());
}

// Notes when the wire's next frame has arrived.
void RxEngine::look() {
  const net::Arrival* a = wire_ != nullptr ? wire_->peek() : nullptr;
  next_end_ = a != nullptr ? end_of(*a) : base::kNever;
}

void RxEngine::take_arrivals(Picos t) {
  while (next_end_ <= t) {
    const net::Arrival* a = wire_->peek();
    if (a == nullptr || end_of(*a) > t) {
      look();
      continue;
    }
    take(*a, end_of(*a));
    wire_->pop();
    look();
  }
}

void RxEngine::reap(Picos t) {
  while (leaving_.next() <= t) {
    used_ -= leaving_.front().bytes;
    leaving_.pop();
  }
}

uint32_t RxEngine::buffer_used(Picos t) {
  reap(t);
  return used_;
}

void RxEngine::take(const net::Arrival& a, Picos end) {
  Counters& count = core_.count;
  const auto bytes = static_cast<uint32_t>(a.bytes.size);
  if (!core_.link_up(end)) {
    ++count.rx_link_down;
    return;
  }
  if (a.flaws != 0) {
    ++count.rx_bad_fcs;
    return;
  }
  if (bytes < net::kMinFrameBytes) {
    ++count.rx_too_short;
    return;
  }
  if (bytes > kMaxFrameBytes) {
    ++count.rx_too_long;
    return;
  }
  core_.stats->count_rx(kPfVsi, a.bytes.data, bytes);
  reap(end);
  if (used_ + bytes > core_.config.rx_buffer) {
    ++count.rx_buffer_full;
    return;
  }
  Frame frame;
  frame.at = end + core_.config.rx_pipeline_time;
  frame.place = store_.take(bytes + net::kFcsBytes);
  uint8_t* data = store_.at(frame.place);
  std::memcpy(data, a.bytes.data, bytes);
  frame.bytes = static_cast<uint16_t>(bytes);
  used_ += bytes;
  classify(a, frame);
  frames_.push(frame);
}

// Queue, hash, packet type and checksum bits of a frame.
void RxEngine::classify(const net::Arrival& a, Frame& frame) {
  const net::Layers layers = net::parse_layers(a.bytes);
  frame.ptype = packet_type(layers);
  if (layers.l3_offset != 0) {
    frame.hash = rss_.hash(a.bytes, layers);
    frame.status = rx_status0::kRssValid | rx_status0::kL3l4p;
    frame.queue = static_cast<uint16_t>(rss_.queue(frame.hash));
    const uint8_t* ip = a.bytes.data + layers.l3_offset;
    if (!layers.ipv6) {
      const size_t header = size_t{ip[0] & 0xFu} * 4;
      if (net::internet_checksum({ip, header}) != 0) frame.status |= rx_status0::kXsumIpe;
    }
    const bool udp = layers.protocol == net::kIpUdp;
    const bool checked =
        layers.l4_offset != 0 && !layers.fragment && (udp || layers.protocol == net::kIpTcp) &&
        !(udp && base::load_be16(a.bytes.data + layers.l4_offset + net::kUdpChecksumOffset) == 0);
    if (checked && net::l4_checksum(a.bytes, layers) != 0) frame.status |= rx_status0::kXsumL4e;
  }
  if ((a.bytes.data[0] & 1) != 0) {
    const bool all = (base::load_le<uint64_t>(a.bytes.data) & 0xFFFFFFFFFFFFu) == 0xFFFFFFFFFFFFu;
    frame.cast = all ? RxCast::kBroadcast : RxCast::kMulticast;
  }
  if (!layers.tagged || !core_.vlan_strip) return;
  // The tag goes from the frame to the descriptor.
  uint8_t* data = store_.at(frame.place);
  constexpr size_t kAddresses = 2 * net::kMacBytes;
  std::memmove(data + kAddresses, data + kAddresses + net::kVlanTagBytes,
               frame.bytes - kAddresses - net::kVlanTagBytes);
  frame.bytes = static_cast<uint16_t>(frame.bytes - net::kVlanTagBytes);
  used_ -= net::kVlanTagBytes;
  frame.tag = layers.vlan_tci;
  frame.status |= rx_status0::kL2tag1p;
}

void RxEngine::drop_front(probe::Counter& reason) {
  ++reason;
  starving_ = false;
  used_ -= frames_.front().bytes;
  frames_.pop();
}

// Drops frames from the front that cannot go anywhere. True if something was dropped.
bool RxEngine::drop_unwanted(Picos at) {
  const Frame& frame = frames_.front();
  RxQueue& q = queues_[frame.queue];
  if (!q.enabled) {
    drop_front(core_.count.rx_disabled);
    return true;
  }
  if (q.frozen) {
    drop_front(core_.count.rx_malicious);
    return true;
  }
  const uint32_t bytes = frame.bytes + (q.keep_crc ? net::kFcsBytes : 0);
  if (bytes > q.max_frame || buffers_for(q, bytes) > kMaxRxBuffers) {
    drop_front(core_.count.rx_too_long);
    return true;
  }
  const uint32_t need = buffers_for(q, bytes);
  if (q.asked - q.used >= need) return false;
  // Not even asked for: the ring has too few descriptors.
  fetch(q, frame.queue, at, true);
  if (q.asked - q.used >= need) return false;
  if (!starving_) ++core_.count.rx_starved;
  starving_ = true;
  if (!q.drop && !core_.config.rx_drop) return false;
  core_.stats->count_rdpc(kPfVsi);
  drop_front(core_.count.rx_no_descriptor);
  return true;
}

// When the front frame can be delivered; with an empty buffer, when the next one could be.
Picos RxEngine::next_delivery() {
  if (frames_.empty()) {
    return next_end_ == base::kNever ? base::kNever : next_end_ + core_.config.rx_pipeline_time;
  }
  const Frame& frame = frames_.front();
  const Picos at = base::max(frame.at, engine_free_);
  const RxQueue& q = queues_[frame.queue];
  if (!q.enabled || q.frozen) return at;
  const uint32_t bytes = frame.bytes + (q.keep_crc ? net::kFcsBytes : 0);
  const uint32_t need = buffers_for(q, bytes);
  if (q.arrived - q.used >= need) {
    return base::max(at, q.cache[(q.used + need - 1) & q.cache_mask].at);
  }
  if (q.asked - q.used >= need) return base::kNever;  // the read wakes us
  if (starving_) return base::kNever;                 // the doorbell does
  return at;
}

}  // namespace doorbell::ice
