// Receive queues: control, descriptors, payload, write-back.
#include <algorithm>
#include <cstring>

#include "models/ice/interrupts.h"
#include "models/ice/mdd.h"
#include "models/ice/pump.h"
#include "models/ice/rx_engine.h"
#include "models/net/checksum.h"

namespace doorbell::ice {

using base::Picos;

void RxEngine::enable(unsigned queue, const IceRxContext& context) {
  RxQueue& q = queues_[queue];
  const RxQueue before = q;
  q = RxQueue();
  q.generation = static_cast<uint16_t>(before.generation + 1);
  q.vector = before.vector;
  q.itr = before.itr;
  q.cause = before.cause;
  q.flush_listed = before.flush_listed;
  q.ring = context.base << kRingBaseShift;
  q.size = context.qlen;
  q.head = q.fetching = q.tail = context.head;
  q.buffer = context.dbuf * kRxBufferUnit;
  q.max_frame = context.rxmax;
  q.threshold = context.lrxqthresh * kLrxqThreshUnit;
  q.prefetch = context.prefena != 0;
  q.keep_crc = context.crcstrip == 0;
  q.merge = before.merge && core_.config.rx_merge;
  const uint32_t qrx = core_.regs.peek(reg::qrx_ctrl(queue));
  q.drop = (qrx & qrx_ctrl::kCde) != 0;
  q.rxdid = static_cast<uint8_t>(
      reg::get_field(qrxflxp_cntxt::kRxdidIdx, core_.regs.peek(reg::qrxflxp_cntxt(queue))));
  uint32_t cache = 1;
  while (cache < std::max(core_.config.rx_cache, kMaxRxBuffers)) cache *= 2;
  q.cache.assign(cache, RxQueue::Slot{0, Picos(0)});
  q.cache_mask = cache - 1;
  q.low = true;  // no event before the ring has been filled
  q.enabled = true;
  active_.push_back(static_cast<uint16_t>(queue));
  // A ring at address 0 or of a format the engine does not have cannot be used.
  const bool sound = context.base != 0 && context.dsize == 1 && context.dtype == 0 &&
                     q.buffer != 0 && q.size >= kRxTailStep && context.head < q.size;
  if (!sound) {
    core_.mdd->rx(queue, RxMdetCause::kDescriptorAddress);
    q.frozen = true;
  }
}

void RxEngine::disable(unsigned queue) {
  RxQueue& q = queues_[queue];
  if (!q.enabled) return;
  if (q.held) flush(queue, core_.now());
  q.enabled = false;
  ++q.generation;
  core_.pump->wake(core_.now());  // frames for it can be dropped now
}

void RxEngine::reset() {
  for (const uint16_t number : active_) {
    queues_[number].held = false;
    disable(number);
    queues_[number].merge = true;
  }
  active_.clear();
  held_frames_ = 0;
  while (!frames_.empty()) drop_front(core_.count.rx_reset);
  rss_.reset();
}

void RxEngine::route(unsigned queue, uint32_t qint) {
  RxQueue& q = queues_[queue];
  q.vector = static_cast<uint16_t>(reg::get_field(qint_ctl::kMsixIndx, qint));
  q.itr = static_cast<uint8_t>(reg::get_field(qint_ctl::kItrIndx, qint));
  q.cause = (qint & qint_ctl::kCauseEna) != 0;
  if (q.cause && q.held) core_.irq->hold_rx(q.vector, static_cast<uint16_t>(queue));
}

void RxEngine::set_no_merge(unsigned queue, bool on) {
  RxQueue& q = queues_[queue];
  q.merge = !on && core_.config.rx_merge;
  if (on && q.held) flush(queue, core_.now());
}

void RxEngine::doorbell(unsigned queue, uint32_t value) {
  RxQueue& q = queues_[queue];
  if (!q.enabled || q.frozen) {
    ++core_.count.doorbells_ignored;
    return;
  }
  const uint32_t tail = value & kTailMask & ~(kRxTailStep - 1);
  if (tail >= q.size || tail == q.tail) return;  // beyond the ring, or below the step
  ++core_.count.rx_doorbells;
  q.tail = tail;
  if (free_descriptors(q) >= q.threshold) q.low = false;
  const Picos at = core_.now();
  if (q.prefetch) fetch(q, static_cast<uint16_t>(queue), at, false);
  if (!frames_.empty() && frames_.front().queue == queue) {
    starving_ = false;
    core_.pump->wake(base::max(at, frames_.front().at));
  }
}

// Asks for rx_fetch descriptors at a time while the cache has room for them. `demand`: a frame
// waits for one.
void RxEngine::fetch(RxQueue& q, uint16_t number, Picos at, bool demand) {
  while (q.fetching != q.tail && !q.frozen) {
    const uint32_t there =
        q.tail >= q.fetching ? q.tail - q.fetching : q.tail + q.size - q.fetching;
    uint32_t n = std::min({there, core_.config.rx_fetch, q.size - q.fetching});
    const uint32_t room = core_.config.rx_cache - (q.asked - q.used);
    if (room < n) {
      if (!demand || room == 0) return;
      n = room;
    }
    Read read;
    read.kind = ReadKind::kRxDescriptors;
    read.address = q.ring + uint64_t{q.fetching} * kRxDescBytes;
    read.bytes = n * kRxDescBytes;
    read.queue = number;
    read.token = q.generation;
    q.fetching = q.fetching + n == q.size ? 0 : q.fetching + n;
    q.asked += n;
    ++core_.count.rx_desc_fetches;
    core_.reads->request(at, read);
    if (demand && !q.prefetch) return;
  }
}

uint8_t* RxEngine::descriptor_place(const Read&) {
  return fetched_.data();
}

void RxEngine::descriptors_read(const Read& read, Picos done, bool ok) {
  RxQueue& q = queues_[read.queue];
  if (q.generation != read.token) return;
  if (!ok) {
    core_.mdd->rx(read.queue, RxMdetCause::kDescriptorFetch);
    q.frozen = true;
    return;
  }
  q.last_fetched = base::max(q.last_fetched, done);
  for (uint32_t i = 0; i < read.bytes / kRxDescBytes; ++i) {
    q.cache[q.arrived++ & q.cache_mask] = {
        base::load_le<uint64_t>(fetched_.data() + i * kRxDescBytes), q.last_fetched};
  }
}

void RxEngine::deliver(Picos at) {
  absorb(at);
  if (frames_.empty()) return;
  if (frames_.front().at > at) return;
  if (drop_unwanted(at)) return;
  const Frame frame = frames_.front();
  RxQueue& q = queues_[frame.queue];
  const uint32_t bytes = frame.bytes + (q.keep_crc ? net::kFcsBytes : 0);
  const uint32_t need = buffers_for(q, bytes);
  if (q.arrived - q.used < need || q.cache[(q.used + need - 1) & q.cache_mask].at > at) return;
  frames_.pop();
  starving_ = false;
  if (core_.config.rx_packet_time != Picos(0)) {
    engine_free_ = at + core_.config.rx_packet_time;
  }
  write_frame(q, frame.queue, frame, at);
}

// Payload into its buffers, then each buffer's descriptor.
void RxEngine::write_frame(RxQueue& q, uint16_t number, const Frame& frame, Picos at) {
  uint8_t* data = store_.at(frame.place);
  uint32_t left = frame.bytes;
  if (q.keep_crc) {
    net::store_fcs(data + left, net::fcs({data, left}));
    left += net::kFcsBytes;
  }
  core_.count.rx_bytes.add(left);
  Picos accepted = at;
  while (left > 0) {
    const uint32_t piece = std::min(left, q.buffer);
    const uint64_t address = q.cache[q.used & q.cache_mask].address;
    core_.pcie.write(at, address, {data, piece});
    accepted = base::max(accepted, core_.pcie.up_free());
    data += piece;
    left -= piece;
    IceRxWriteback w;
    w.rxdid = q.rxdid;
    w.length = static_cast<uint16_t>(piece);
    w.status0 = rx_status0::kDd;
    if (left == 0) {
      w.status0 = static_cast<uint16_t>(w.status0 | rx_status0::kEof | frame.status);
      w.ptype = frame.ptype;
      w.rss_hash = frame.hash;
      w.cast = frame.cast;
      w.l2tag1 = frame.tag;
    }
    write_back(q, number, w, at);
  }
  leaving_.insert({accepted, frame.bytes});
  ++core_.count.rx_frames;
  if ((frame.status & (rx_status0::kXsumIpe | rx_status0::kXsumL4e)) != 0) {
    ++core_.count.rx_bad_checksum;
  }
  if (core_.digest != nullptr) {
    core_.digest->add_time(at);
    core_.digest->add_u64(uint64_t{number} << 32 | frame.hash);
  }
  if (core_.trace != nullptr) {
    core_.trace->span("ice rx", "Moving", frame.at, at, core_.count.rx_frames.value);
  }
  if (q.prefetch && q.fetching != q.tail) fetch(q, number, at, false);
  check_threshold(q, at);
  if (q.cause) core_.irq->event(q.vector, q.itr, at);
}

void RxEngine::check_threshold(RxQueue& q, Picos at) {
  if (q.low || q.threshold == 0 || free_descriptors(q) >= q.threshold) return;
  q.low = true;
  if (q.cause) core_.irq->immediate(q.vector, at);
}

void RxEngine::write_one(RxQueue& q, uint32_t index, const uint8_t* bytes, Picos at) {
  ++core_.count.rx_writeback_writes;
  core_.pcie.write(at, q.ring + uint64_t{index} * kRxDescBytes, {bytes, kRxDescBytes});
}

// The head's descriptor: alone, as second half of its line, or held back as first half.
void RxEngine::write_back(RxQueue& q, uint16_t number, const IceRxWriteback& w, Picos at) {
  const uint32_t index = q.head;
  q.head = index + 1 == q.size ? 0 : index + 1;
  ++q.used;
  ++core_.count.rx_writebacks;
  const bool eof = (w.status0 & rx_status0::kEof) != 0;
  const bool second = index % kRxDescPerLine != 0;
  if (q.held && second) {
    uint8_t line[kLineBytes];
    std::memcpy(line, q.held_bytes.data(), kRxDescBytes);
    encode(w, line + kRxDescBytes);
    ++core_.count.rx_writeback_writes;
    core_.pcie.write(at, q.ring + uint64_t{q.held_index} * kRxDescBytes, {line, kLineBytes});
    q.held = false;
    if (q.held_eof) --held_frames_;
    return;
  }
  if (!q.merge || second || q.head == 0) {
    uint8_t bytes[kRxDescBytes];
    encode(w, bytes);
    write_one(q, index, bytes, at);
    return;
  }
  encode(w, q.held_bytes.data());
  q.held = true;
  q.held_eof = eof;
  q.held_index = index;
  if (eof) ++held_frames_;
  if (q.cause && !q.flush_listed) core_.irq->hold_rx(q.vector, number);
}

bool RxEngine::flush(unsigned queue, Picos at) {
  RxQueue& q = queues_[queue];
  if (!q.enabled || !q.held) return false;
  write_one(q, q.held_index, q.held_bytes.data(), at);
  q.held = false;
  if (q.held_eof) --held_frames_;
  return true;
}

}  // namespace doorbell::ice
