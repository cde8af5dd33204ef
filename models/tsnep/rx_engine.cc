#include "models/tsnep/rx_engine.h"

#include "models/net/checksum.h"
#include "models/tsnep/interrupts.h"
#include "models/tsnep/link.h"
#include "models/tsnep/statistics.h"

namespace doorbell::tsnep {

using base::Picos;

namespace {
// While nothing can be delivered, arrivals are worked through at least this often, so that a wire
// that stores its frames never has to store many.
constexpr Picos kHousekeeping{1'000'000'000};
constexpr uint32_t kSmallest = kRxMetadataBytes + net::kMinFrameBytes + kFcsBytes;
}  // namespace

RxEngine::RxEngine(Core& core)
    : core_(core),
      frames_(core.config.rx_fifo_bytes / kSmallest + 2),
      releases_(core.config.rx_fifo_bytes / kSmallest + 2),
      store_(core.config.rx_fifo_bytes) {
  step_.bind<&RxEngine::on_step>(*this);
  add_queues();
}

void RxEngine::connect(net::WireIn* wire) {
  wire_ = wire;
  if (wire != nullptr) wire->set_listener(this);
  arrivals_changed();
}

void RxEngine::arrivals_changed() {
  next_look_ = Picos(0);
  plan();
}

void RxEngine::reload() {
  uint8_t octets[8] = {};
  base::store_le(octets, core_.value(reg::kMacAddressLow));
  const uint32_t high = core_.value(reg::kMacAddressHigh);
  base::store_le(octets + 4, static_cast<uint16_t>(high));
  own_ = net::MacAddress::from(octets).as_u48();
  all_multicast_ = (high >> 16 & rx_filter::kAllMulticast) != 0;
  all_unicast_ = (high >> 16 & rx_filter::kAllUnicast) != 0;
  const uint32_t assign = core_.value(reg::kRxAssign);
  const uint32_t types = core_.value(reg::kRxAssignEtherType);
  for (unsigned i = 0; i < kRxAssignRules; ++i) {
    const auto rule = static_cast<uint8_t>(assign >> (8 * i));
    rules_[i].active = (rule & rx_assign::kActive) != 0;
    rules_[i].queue = static_cast<uint8_t>((rule & rx_assign::kQueue) >> 1);
    rules_[i].type = static_cast<uint16_t>(types >> (16 * i));
  }
}

// Arrivals and decisions on the FIFO's head, in order of time.
void RxEngine::work(Picos t) {
  for (;;) {
    const Picos drop = head_drop_time();
    const net::Arrival* a = wire_ == nullptr ? nullptr : wire_->peek();
    const Picos end = a == nullptr ? base::kNever : end_of(*a);
    if (drop <= t && drop <= end) {
      drop_head();
    } else if (end <= t) {
      take(*a);
      wire_->pop();
    } else {
      next_look_ = base::min(drop, end);
      return;
    }
  }
}

bool RxEngine::address_matches(const uint8_t* destination) const {
  const net::MacAddress to = net::MacAddress::from(destination);
  if (to.is_broadcast()) return true;
  if (to.is_multicast()) return all_multicast_;
  return all_unicast_ || to.as_u48() == own_;
}

unsigned RxEngine::steer(base::ByteView bytes) const {
  const uint16_t type = base::load_be16(bytes.data + net::kEtherTypeOffset);
  for (const Rule& rule : rules_) {
    if (rule.active && rule.type == type) return rule.queue;
  }
  return 0;
}

// Length and FCS.
bool RxEngine::well_formed(const net::Arrival& a, unsigned queue) {
  const auto total = static_cast<uint32_t>(a.bytes.size) + kRxMetadataBytes + kFcsBytes;
  if (a.bytes.size < net::kMinFrameBytes) {
    ++core_.count.rx_too_short;
  } else if (a.flaws != 0) {
    ++core_.count.rx_bad_fcs;
    if ((a.flaws & net::kTxError) != 0) core_.statistics->count(stat::kRxErrors);
    if (core_.config.rx_cut_through) core_.statistics->count(stat::kForwardedErrors);
  } else if (total > kLengthMax) {
    ++core_.count.rx_too_long;
  } else {
    return true;
  }
  core_.statistics->count(stat::kInvalidFrames);
  if (queue < queues_.size()) core_.statistics->count_rx(queue, rx_statistic::kInvalidFrame);
  return false;
}

// The whole frame is in.
void RxEngine::take(const net::Arrival& a) {
  Counters& count = core_.count;
  if (!core_.link->carrier()) {
    ++count.rx_no_link;
    return;
  }
  const bool has_type = a.bytes.size >= net::kEtherHeaderBytes;
  const unsigned queue = has_type ? steer(a.bytes) : 0;
  if (!well_formed(a, queue)) return;
  if (!address_matches(a.bytes.data)) {
    ++count.rx_filtered;
  } else if (queue >= queues_.size()) {
    ++count.rx_no_queue;
  } else if (!queues_[queue]->running) {
    ++count.rx_disabled;
  } else {
    store(a, queue);
  }
}

void RxEngine::release(Picos now) {
  while (!releases_.empty() && releases_.front().at <= now) {
    used_ -= releases_.front().bytes;
    releases_.pop();
  }
}

uint32_t RxEngine::fifo_bytes(Picos now) {
  release(now);
  return used_;
}

void RxEngine::store(const net::Arrival& a, unsigned queue) {
  const auto size = static_cast<uint32_t>(a.bytes.size);
  const uint32_t bytes = kRxMetadataBytes + size + kFcsBytes;
  const Picos end = end_of(a);
  release(end);
  if (used_ + bytes > core_.config.rx_fifo_bytes || frames_.full()) {
    ++core_.count.rx_fifo_overflow;
    core_.statistics->count_rx(queue, rx_statistic::kFifoOverflow);
    if (core_.trace != nullptr) {
      core_.trace->instant(kRxTracks[queue], "rx_fifo_overflow", end, a.id);
    }
    return;
  }
  used_ += bytes;
  Frame& frame = frames_.push();
  frame.start = a.start;
  frame.visible = end + core_.config.rx_mac_time;
  frame.place = store_.take(bytes);
  frame.bytes = bytes;
  frame.queue = static_cast<uint8_t>(queue);
  frame.id = a.id;
  uint8_t* out = store_.at(frame.place);
  const Picos stamp = a.start + core_.line.time(net::kPreambleBytes);
  encode(TsnepRxMetadata{SystemClock::counter(stamp), core_.clock.time(stamp)}, out);
  std::memcpy(out + kRxMetadataBytes, a.bytes.data, size);
  net::store_fcs(out + kRxMetadataBytes + size, net::fcs(a.bytes));
}

// When the FIFO's head is dropped without the DMA; kNever while it may still be delivered.
Picos RxEngine::head_drop_time() const {
  if (frames_.empty()) return base::kNever;
  const Frame& frame = frames_.front();
  const Queue& q = *queues_[frame.queue];
  if (frame.forgotten) return Picos(0);
  if (!q.running) return frame.visible;
  if (!q.cache.empty() || !q.idle) return base::kNever;
  if (core_.config.rx_looks_with_frames && !frame.looked) return base::kNever;
  return base::max(frame.visible, q.idle_from);
}

void RxEngine::forget_head(Picos at) {
  Release& r = releases_.push();
  r.at = at;
  r.bytes = frames_.front().bytes;
  frames_.pop();
}

void RxEngine::drop_head() {
  const Frame& frame = frames_.front();
  const Queue& q = *queues_[frame.queue];
  const char* reason = "rx_disabled";
  if (frame.forgotten) {
    reason = "rx_reset";
    ++core_.count.rx_reset;
  } else if (!q.running) {
    ++core_.count.rx_disabled;
  } else {
    reason = "rx_no_descriptor";
    ++core_.count.rx_no_descriptor;
    core_.statistics->count_rx(frame.queue, rx_statistic::kNoDescriptor);
  }
  const Picos at = frame.forgotten ? core_.now()
                   : q.running     ? base::max(frame.visible, q.idle_from)
                                   : frame.visible;
  if (core_.trace != nullptr) core_.trace->instant(kRxTracks[frame.queue], reason, at, frame.id);
  forget_head(at);
}

unsigned RxEngine::live_queues() const {
  unsigned live = 0;
  for (const auto& q : queues_) {
    const bool looks = !q->idle || !q->cache.empty() || core_.config.rx_looks_with_frames;
    live += q->running && looks ? 1 : 0;
  }
  return live;
}

// When the next step can be taken; kNever: none, or something else happens first and plans.
Picos RxEngine::step_time() const {
  if (!frames_.empty()) {
    const Frame& frame = frames_.front();
    const Queue& q = *queues_[frame.queue];
    const Picos ready = base::max(frame.visible, free_at_);
    if (q.running && !q.cache.empty()) return base::max(ready, q.cache.front().available);
    if (q.running && !q.idle) return base::kNever;  // its fetch is under way
    if (q.running && core_.config.rx_looks_with_frames && !frame.looked) return ready;
    return live_queues() == 0 ? base::kNever : head_drop_time();
  }
  const net::Arrival* a = wire_ == nullptr ? nullptr : wire_->peek();
  if (a == nullptr || live_queues() == 0) return base::kNever;
  return base::max(free_at_, end_of(*a) + core_.config.rx_mac_time);
}

void RxEngine::plan() {
  Picos at = step_time();
  if (at == base::kNever && wire_ != nullptr && wire_->peek() != nullptr) {
    at = core_.now() + kHousekeeping;
    if (step_.pending() && step_.time() <= at) return;
  }
  if (at == base::kNever) {
    core_.calendar.cancel(step_);
  } else {
    at = base::max(at, core_.now());
    if (!step_.pending() || step_.time() != at) core_.calendar.schedule(step_, at);
  }
}

void RxEngine::on_step() {
  catch_up(core_.now());
  if (!frames_.empty()) {
    Frame& frame = frames_.front();
    Queue& q = *queues_[frame.queue];
    const Picos now = core_.now();
    if (q.running && now >= frame.visible && now >= free_at_) {
      if (!q.cache.empty() && now >= q.cache.front().available) {
        deliver(q);
      } else if (q.cache.empty() && q.idle && core_.config.rx_looks_with_frames && !frame.looked) {
        frame.looked = true;
        start_fetch(q, base::max(now, q.idle_from) + core_.request_time());
      }
    }
  }
  plan();
}

void RxEngine::deliver(Queue& q) {
  const Frame frame = frames_.front();
  const Desc d = q.cache.front();
  const Picos now = core_.now();
  if (frame.bytes > d.size()) {
    ++core_.count.rx_buffer_too_small;
    core_.statistics->count_rx(q.index, rx_statistic::kBufferTooSmall);
    forget_head(now);
    next_look_ = Picos(0);
    return;
  }
  bool ok = true;
  const Picos left = write_payload(q, frame, d, ok);
  if (ok) write_back(q, frame, d, left + core_.config.step_time);
  if (!q.running) return;  // a DMA error
  free_at_ = left + core_.config.step_time;
  busy_ += free_at_ - now;
  forget_head(left);
  next_look_ = Picos(0);
  q.cache.pop();
  refill(q);
}

// Returns when the last octet has left the device.
Picos RxEngine::write_payload(Queue& q, const Frame& frame, const Desc& d, bool& ok) {
  const Picos now = core_.now();
  uint8_t* data = store_.at(frame.place);
  uint32_t early = 0;
  if (core_.config.rx_cut_through) {
    // All but the last of it went out while the frame arrived.
    constexpr uint32_t kTail = 64;
    early = frame.bytes > kTail ? frame.bytes - kTail : 0;
    const Picos issue = base::max(frame.start + core_.line.time(net::kPreambleBytes), free_at_);
    if (early != 0) ok = core_.dma.write(base::min(issue, now), d.buffer, {data, early}).ok;
  }
  fabric::DmaPort::Done done;
  if (ok) {
    done = core_.dma.write(now, d.buffer + early, {data + early, frame.bytes - early});
    ok = done.ok;
  }
  if (!ok) {
    ++core_.count.rx_dma_error;
    forget_head(now);
    fail(q, control::kRxDmaError);
    return now;
  }
  core_.count.rx_bytes.add(frame.bytes);
  if (core_.trace != nullptr) {
    core_.trace->span(kRxTracks[q.index], "Moving", now, done.time, frame.id);
  }
  return done.time - core_.dma.forward_latency();
}

void RxEngine::write_back(Queue& q, const Frame& frame, const Desc& d, Picos issue) {
  std::array<uint8_t, kWritebackBytes> image;
  const uint32_t properties = frame.bytes | (d.properties & props::kOwnerCounter);
  encode(TsnepRxWriteback{properties}, image.data());
  const fabric::DmaPort::Done done =
      core_.dma.write(issue, d.block + kOffWriteback, {image.data(), core_.config.writeback_bytes});
  if (!done.ok) {
    ++core_.count.rx_dma_error;
    forget_head(core_.now());
    fail(q, control::kRxDmaError);
    return;
  }
  ++core_.count.rx_frames;
  q.visible_at = done.time;
  if ((d.properties & props::kInterrupt) != 0) core_.irq->post_rx(q.index, done.time);
  if (core_.digest != nullptr) {
    core_.digest->add_time(done.time);
    core_.digest->add_u64(d.block);
    core_.digest->add_u64(uint64_t{properties} << 32 | frame.bytes);
  }
  if (core_.trace != nullptr) {
    core_.trace->span(kRxTracks[q.index], "WritingBack", issue, done.time, frame.id);
    core_.trace->instant(kRxTracks[q.index], "Returned", done.time, frame.id);
  }
}

}  // namespace doorbell::tsnep
