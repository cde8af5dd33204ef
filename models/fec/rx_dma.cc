#include "models/fec/rx_dma.h"

#include <algorithm>

#include "models/desc/desc_state.h"
#include "models/fec/interrupts.h"
#include "models/fec/tx_mac.h"

namespace doorbell::fec {

using base::Picos;
using desc::DescState;

namespace {
// While nothing can be moved, arrivals are worked through at least this often, so that a wire that
// stores its frames (a cable) never has to store many.
constexpr Picos kHousekeeping{1'000'000'000};
// In cut-through mode the engine moves this much at a time.
constexpr uint32_t kPiece = 256;
constexpr const char* kTracks[kRings] = {"fec rx ring 0", "fec rx ring 1", "fec rx ring 2"};
}  // namespace

RxDma::RxDma(Core& core, RxFifo& fifo, RxMac& mac) : core_(core), fifo_(fifo), mac_(mac) {
  step_.bind<&RxDma::on_step>(*this);
  effect_.bind<&RxDma::on_effect>(*this);
  for (unsigned i = 0; i < kRings; ++i) {
    rings_[i].owner = this;
    rings_[i].index = i;
    rings_[i].fetch.bind<&Ring::on_fetch>(rings_[i]);
  }
}

void RxDma::rang(unsigned index) {
  ++core_.count.rx_doorbells;
  if (!core_.enabled()) {
    core_.regs.clear_bits(reg::rdar(index), kActive);
    return;
  }
  Ring& ring = rings_[index];
  core_.regs.set_bits(reg::rdar(index), kActive);
  ring.cache.active = true;
  if (ring.cache.fetching) {
    ring.cache.rang = true;
  } else if (ring.cache.empty()) {
    start_fetch(ring, core_.doorbell_time);
  }
}

void RxDma::start() {
  for (unsigned i = 0; i < kRings; ++i) {
    rings_[i].cache.restart(core_.value(reg::rdsr(i)), core_.format());
  }
  plan();
}

void RxDma::stop() {
  for (unsigned i = 0; i < kRings; ++i) {
    core_.calendar.cancel(rings_[i].fetch);
    rings_[i].cache.restart(0, DescFormat::kLegacy);
    rings_[i].answering = false;
    core_.regs.clear_bits(reg::rdar(i), kActive);
  }
  core_.count.rx_reset.add(fifo_.frames().size());
  fifo_.clear();
  moving_ = blocked_ = false;
  position_ = in_buffer_ = open_address_ = 0;
  moved_since_starved_ = UINT64_MAX;
  core_.calendar.cancel(step_);
  core_.calendar.cancel(effect_);
}

void RxDma::start_fetch(Ring& ring, Picos delay) {
  ring.cache.fetching = true;
  ring.cache.rang = false;
  ring.answering = false;
  Picos at = core_.now() + delay + core_.dma.forward_latency();
  // Not before the write-back of the very descriptor that is to be read.
  if (ring.cache.fetch_address() == open_address_) at = base::max(at, open_until_);
  core_.calendar.schedule(ring.fetch, at);
}

// First the sample of memory, then, if software owned the descriptor, the answer's arrival.
void RxDma::on_fetch(Ring& ring) {
  BdCache<FecRxDesc>& cache = ring.cache;
  if (ring.answering) {
    cache.fetching = ring.answering = false;
    if (cache.rang) {
      start_fetch(ring, core_.udma_time);
      return;
    }
    mac_.catch_up(core_.now());
    cache.active = false;
    core_.regs.clear_bits(reg::rdar(ring.index), kActive);
    plan();
    return;
  }
  const unsigned count = cache.fetch_count(core_.config.bd_prefetch);
  const fabric::DmaPort::Done done = core_.dma.read(
      core_.now(), cache.fetch_address(), {buffer_.data(), count * stride(cache.format())});
  ++core_.count.rx_bd_fetches;
  if (!done.ok) {
    core_.bus_error();
    return;
  }
  if (core_.trace != nullptr) {
    core_.trace->span(kTracks[ring.index], desc::state_name(DescState::kFetching),
                      core_.now() - core_.dma.forward_latency(), done.time, cache.fetch_address());
  }
  const uint32_t open = open_until_ > core_.now() ? open_address_ : 0;
  if (cache.fill(buffer_.data(), count, done.time, open)) {
    cache.fetching = false;
    plan();
  } else {
    ring.answering = true;
    core_.calendar.schedule(ring.fetch, done.time);
  }
}

// Octets of the head that the DMA can have now. All of them in store and forward.
uint32_t RxDma::arrived(const RxFrame& frame) const {
  const Picos now = core_.now();
  if (now >= frame.complete) return frame.bytes;
  const Picos octet = core_.line.time(1);
  const int64_t in = (now - core_.rx_mac_time - frame.first) / octet;
  const int64_t pieces = std::max<int64_t>(in, 0) / kFifoWordBytes * kFifoWordBytes;
  return static_cast<uint32_t>(std::min<int64_t>(pieces, frame.bytes));
}

// Earliest time at which the next step on the head can be taken; kNever: something else must happen
// first and will call plan().
Picos RxDma::head_time(Ring& ring, const RxFrame& frame) {
  BdCache<FecRxDesc>& cache = ring.cache;
  const Picos ready = base::max(free_at_, frame.visible);
  if (!cache.empty()) {
    Picos at = base::max(ready, cache.available());
    if (moving_ && position_ < frame.bytes && core_.now() < frame.complete &&
        arrived(frame) <= position_) {
      const uint32_t want = std::min(position_ + kPiece, frame.bytes);
      at = base::max(
          at, base::min(frame.complete, frame.first + core_.rx_mac_time + core_.line.time(want)));
    }
    return at;
  }
  if (cache.fetching) return base::kNever;
  if (cache.active) {
    start_fetch(ring, core_.udma_time);
    return base::kNever;
  }
  if ((core_.value(reg::kQos) & qos::rx_flush(ring.index)) != 0 && !moving_) return ready;
  block(ring);
  return base::kNever;
}

void RxDma::block(Ring& ring) {
  blocked_ = true;
  if (was_blocked_) return;
  moved_since_starved_ = 0;
  ++core_.count.rx_starved;
  if (core_.trace != nullptr) {
    core_.trace->instant(kTracks[ring.index], "no empty descriptor", core_.now(), 0);
  }
}

void RxDma::plan() {
  plan_effect();
  was_blocked_ = blocked_;
  blocked_ = false;
  Picos at = base::kNever;
  if (!core_.enabled()) {
    at = core_.now() + kHousekeeping;
    if (mac_.next_visible() == base::kNever) at = base::kNever;
  } else if (!fifo_.frames().empty()) {
    RxFrame& head = fifo_.frames().front();
    at = head_time(rings_[head.ring], head);
    if (at == base::kNever && mac_.next_visible() != base::kNever) {
      at = core_.now() + kHousekeeping;
    }
  } else {
    at = base::max(free_at_, mac_.next_visible());
  }
  if (at == base::kNever) {
    core_.calendar.cancel(step_);
  } else if (!step_.pending() || step_.time() != base::max(at, core_.now())) {
    core_.calendar.schedule(step_, at);
  }
}

void RxDma::plan_effect() {
  if (!core_.enabled()) {
    core_.calendar.cancel(effect_);
    return;
  }
  Picos at = mac_.next_effect();
  if (mac_.rules().rsem != 0) at = base::min(at, fifo_.release_time());
  if (at == base::kNever) {
    core_.calendar.cancel(effect_);
  } else {
    core_.calendar.schedule(effect_, at);
  }
}

void RxDma::on_effect() {
  mac_.catch_up(core_.now());
  mac_.check_pause(core_.now());
  plan();
}

void RxDma::on_step() {
  mac_.catch_up(core_.now());
  if (mac_.rules().rsem_frames != 0) mac_.check_pause(core_.now());
  if (!core_.enabled() || fifo_.frames().empty()) {
    plan();
    return;
  }
  RxFrame& frame = fifo_.frames().front();
  Ring& ring = rings_[frame.ring];
  const Picos now = core_.now();
  if (now < frame.visible || now < free_at_) {
    plan();
    return;
  }
  if (ring.cache.empty()) {
    if (!ring.cache.fetching && !ring.cache.active && !moving_ &&
        (core_.value(reg::kQos) & qos::rx_flush(ring.index)) != 0) {
      flush();
    }
    plan();
    return;
  }
  if (now < ring.cache.available() || !move(ring, frame)) return plan();
}

void RxDma::flush() {
  const RxFrame& frame = fifo_.frames().front();
  ++core_.count.rx_flushed;
  core_.irq->raise(eir::rxflush(frame.ring));
  fifo_.release_at(core_.now(), frame.words);
  fifo_.release(core_.now());
  fifo_.frames().pop();
}

// Moves what is there of the head into the current buffer. Returns true if it planned by itself.
bool RxDma::move(Ring& ring, RxFrame& frame) {
  const Picos now = core_.now();
  const BdCache<FecRxDesc>::Entry bd = ring.cache.front();
  const uint32_t room = mac_.rules().mrbr[ring.index] - in_buffer_;
  const uint32_t bytes = std::min(arrived(frame) - position_, room);
  if (bytes == 0 && position_ < frame.bytes) return false;
  Picos done = now;
  if (bytes > 0) {
    const fabric::DmaPort::Done written = core_.dma.write(
        now, bd.desc.address + in_buffer_, {fifo_.data().at(frame.offset + position_), bytes});
    if (!written.ok) {
      core_.bus_error();
      return true;
    }
    done = written.time;
  }
  moving_ = true;
  position_ += bytes;
  in_buffer_ += bytes;
  core_.count.rx_bytes.add(bytes);
  if (core_.trace != nullptr) {
    core_.trace->span(kTracks[ring.index], desc::state_name(DescState::kMoving), now, done,
                      frame.id);
  }
  const bool last = position_ == frame.bytes;
  if (last || in_buffer_ == mac_.rules().mrbr[ring.index]) {
    close(ring, frame, last, done);
    if (!core_.enabled()) return true;  // a bus error has stopped everything
  } else {
    free_at_ = done;
  }
  busy_ += free_at_ - now;
  plan();
  return true;
}

// Writes the current descriptor back.
void RxDma::close(Ring& ring, RxFrame& frame, bool last, Picos payload_done) {
  const BdCache<FecRxDesc>::Entry bd = ring.cache.front();
  FecRxDesc desc = bd.desc;
  desc.status &= static_cast<uint16_t>(~(rx_sc::kEmpty | rx_sc::kDeviceStatus));
  uint32_t bytes = kLegacyStride;
  const bool enhanced = ring.cache.format() == DescFormat::kEnhanced;
  if (last) {
    desc.status |= rx_sc::kLast | frame.status;
    desc.length = static_cast<uint16_t>(frame.bytes);
    desc.control = (desc.control & rx_esc::kInt) | frame.control;
    desc.protocol = frame.protocol;
    desc.bdu = kBduDone;
    desc.timestamp = frame.timestamp;
    if (enhanced) bytes = kOffReserved;
  } else {
    desc.length = static_cast<uint16_t>(mac_.rules().mrbr[ring.index]);
  }
  std::array<uint8_t, kEnhancedStride> image;
  encode(desc, image.data(), ring.cache.format());
  const Picos issue = payload_done + core_.udma_time;
  const fabric::DmaPort::Done done = core_.dma.write(issue, bd.address, {image.data(), bytes});
  if (!done.ok) {
    core_.bus_error();
    return;
  }
  if (core_.trace != nullptr) {
    core_.trace->span(kTracks[ring.index], desc::state_name(DescState::kWritingBack), issue,
                      done.time, frame.id);
    core_.trace->instant(kTracks[ring.index], desc::state_name(DescState::kReturned), done.time,
                         frame.id);
  }
  open_address_ = bd.address;
  open_until_ = done.time;
  free_at_ = issue + core_.udma_time;
  const bool tell = !enhanced || (bd.desc.control & rx_esc::kInt) != 0;
  if (tell) core_.irq->post(last ? eir::rxf(ring.index) : eir::rxb(ring.index), done.time);
  in_buffer_ = 0;
  ring.cache.pop();
  if (ring.cache.empty() && ring.cache.active) start_fetch(ring, core_.udma_time);
  if (!last) return;
  fifo_.release_at(payload_done, frame.words);
  if (core_.digest != nullptr) {
    core_.digest->add_time(done.time);
    core_.digest->add_u64(uint64_t{bd.address} << 32 | uint32_t{desc.status} << 16 | desc.length);
  }
  finish_frame(ring, frame);
}

void RxDma::finish_frame(Ring&, const RxFrame& frame) {
  ++(frame.bad ? core_.count.rx_error_frames : core_.count.rx_frames);
  if (moved_since_starved_ != UINT64_MAX) ++moved_since_starved_;
  moving_ = false;
  position_ = 0;
  fifo_.frames().pop();
}

}  // namespace doorbell::fec
