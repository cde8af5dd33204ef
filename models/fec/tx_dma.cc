#include "models/fec/tx_dma.h"

#include <algorithm>

#include "models/desc/desc_state.h"
#include "models/fec/interrupts.h"
#include "models/fec/tx_mac.h"

namespace doorbell::fec {

using base::Picos;
using desc::DescState;

namespace {
constexpr uint32_t kPiece = 256;  // cut-through reads this much at a time
constexpr uint32_t words_for(uint32_t bytes) {
  return (bytes + kFifoWordBytes - 1) / kFifoWordBytes;
}
}  // namespace

TxDma::TxDma(Core& core, TxFifo& fifo) : core_(core), fifo_(fifo), arbiter_(core) {
  step_.bind<&TxDma::on_step>(*this);
  close_.bind<&TxDma::on_close>(*this);
  for (unsigned i = 0; i < kRings; ++i) {
    rings_[i].owner = this;
    rings_[i].index = i;
    rings_[i].fetch.bind<&Ring::on_fetch>(rings_[i]);
  }
}

void TxDma::reload() {
  arbiter_.load();
  plan();
}

bool TxDma::within_erratum(Picos a, Picos b) const {
  const Picos window = core_.config.clock.cycles(core_.config.erratum_007885_cycles);
  return a.count() >= 0 && b.count() >= 0 && (a < b ? b - a : a - b) <= window;
}

void TxDma::hang() {
  if (hung_) return;
  hung_ = true;
  ++core_.count.erratum_007885_hangs;
  core_.calendar.cancel(step_);
  core_.calendar.cancel(close_);
  for (Ring& ring : rings_) core_.calendar.cancel(ring.fetch);
  if (core_.trace != nullptr) core_.trace->instant("fec tx", "ERR007885 hang", core_.now(), 0);
}

void TxDma::rang(unsigned index) {
  ++core_.count.tx_doorbells;
  if (!core_.enabled()) {
    core_.regs.clear_bits(reg::tdar(index), kActive);
    return;
  }
  Ring& ring = rings_[index];
  core_.regs.set_bits(reg::tdar(index), kActive);
  const Picos now = core_.now();
  if (core_.config.erratum_007885 && within_erratum(ring.cleared_at, now)) hang();
  if (hung_) return;
  ring.rang_at = now;
  ring.cache.active = true;
  if (ring.cache.fetching) {
    ring.cache.rang = true;
  } else if (ring.cache.empty() && !ring.clear_late && !ring.at_open) {
    start_fetch(ring, core_.doorbell_time);
  }
}

void TxDma::start() {
  hung_ = stalled_ = false;
  current_ = TxArbiter::kNone;
  piece_ = arrived_ = 0;
  for (unsigned i = 0; i < kRings; ++i) {
    rings_[i].cache.restart(core_.value(reg::tdsr(i)), core_.format());
  }
  arbiter_.restart();
}

void TxDma::stop() {
  core_.count.tx_unclosed.add(sent_not_closed());
  never_closed_ = 0;
  core_.calendar.cancel(step_);
  core_.calendar.cancel(close_);
  closes_.clear();
  for (Ring& ring : rings_) {
    core_.calendar.cancel(ring.fetch);
    ring.cache.restart(0, DescFormat::kLegacy);
    ring.answering = ring.at_open = ring.clear_late = ring.holding = false;
    ring.open = 0;
    ring.taken.clear();
    ring.rang_at = ring.cleared_at = Picos(-1);
    core_.regs.clear_bits(reg::tdar(ring.index), kActive);
  }
  for (uint32_t i = 0; i < fifo_.frames().size(); ++i) {
    if (!fifo_.frames()[i].sent && (fifo_.frames()[i].errors & tx_esc::kOverflow) == 0) {
      ++core_.count.tx_reset;
    }
  }
  fifo_.clear();
  current_ = TxArbiter::kNone;
  hung_ = stalled_ = false;
}

unsigned TxDma::sent_not_closed() const {
  unsigned open = never_closed_;
  for (const Ring& ring : rings_) open += ring.holding ? 1 : 0;
  for (uint32_t i = 0; i < fifo_.frames().size(); ++i) {
    open += fifo_.frames()[i].sent ? 1 : 0;
  }
  for (uint32_t i = 0; i < closes_.size(); ++i) {
    open += closes_[i].last ? 1 : 0;
  }
  return open;
}

void TxDma::start_fetch(Ring& ring, Picos delay) {
  ring.cache.fetching = true;
  ring.cache.rang = false;
  ring.answering = false;
  core_.calendar.schedule(ring.fetch, core_.now() + delay + core_.dma.forward_latency());
}

void TxDma::on_fetch(Ring& ring) {
  if (ring.answering) {
    ring.answering = ring.cache.fetching = false;
    no_descriptor(ring);
  } else {
    read_descriptors(ring);
  }
}

void TxDma::read_descriptors(Ring& ring) {
  BdCache<FecTxDesc>& cache = ring.cache;
  const uint32_t open = oldest_open(ring);
  if (open != 0 && cache.fetch_address() == open) {
    // The ring is full of frames that are still on their way: go on when the oldest is closed.
    if (ring.taken.front().visible != base::kNever) {
      core_.calendar.schedule(ring.fetch, ring.taken.front().visible);
      return;
    }
    ring.at_open = true;
    cache.fetching = false;
    return;
  }
  const unsigned count = cache.fetch_count(core_.config.bd_prefetch);
  const uint32_t address = cache.fetch_address();
  const fabric::DmaPort::Done done =
      core_.dma.read(core_.now(), address, {buffer_.data(), count * stride(cache.format())});
  ++core_.count.tx_bd_fetches;
  if (!done.ok) {
    core_.bus_error();
    return;
  }
  if (core_.trace != nullptr) {
    core_.trace->span(kTxRingTracks[ring.index], desc::state_name(DescState::kFetching),
                      core_.now() - core_.dma.forward_latency(), done.time, address);
  }
  if (cache.fill(buffer_.data(), count, done.time, open)) {
    cache.fetching = false;
    if (ring.index == current_) stalled_ = false;
    if (ring.holding) {
      ring.holding = false;
      ring.held.at = done.time;
      close_later(ring.held);
    }
    plan();
  } else {
    ring.answering = true;
    core_.calendar.schedule(ring.fetch, done.time);
  }
}

// The answer is back: software owns the next descriptor.
void TxDma::no_descriptor(Ring& ring) {
  const Picos now = core_.now();
  if (core_.config.erratum_007885 && within_erratum(ring.rang_at, now)) {
    hang();
    return;
  }
  const unsigned under_way = ring.open - (current_ == ring.index ? 1 : 0);
  if (core_.config.erratum_006358 && under_way > 0) {
    ring.clear_late = true;  // a doorbell from here on is forgotten
  } else if (ring.cache.rang) {
    start_fetch(ring, core_.udma_time);
    return;
  } else {
    clear_active(ring);
  }
  if (ring.holding) {
    ring.holding = false;
    if (ring.clear_late) clear_active(ring);
    write_back(ring.held);
    if (!core_.enabled()) return;
  }
  plan();
}

void TxDma::clear_active(Ring& ring) {
  ring.cache.active = false;
  ring.clear_late = false;
  ring.cleared_at = core_.now();
  core_.regs.clear_bits(reg::tdar(ring.index), kActive);
  arbiter_.drained(ring.index);
  if (core_.config.erratum_007885 && within_erratum(ring.rang_at, core_.now())) hang();
}

// Schedules the next step of the engine, if there is one to take.
void TxDma::plan() {
  if (hung_ || !core_.enabled()) return;
  const Picos now = core_.now();
  Picos at = base::kNever;
  if (current_ != TxArbiter::kNone) {
    Ring& ring = rings_[current_];
    if (!ring.cache.empty()) {
      at = ring.cache.available();
    } else if (!ring.cache.fetching && !ring.at_open) {
      if (ring.cache.active && !ring.clear_late) {
        start_fetch(ring, core_.udma_time);
      } else if (core_.config.partial_frame == PartialFramePolicy::kDrop) {
        drop_partial();
        return;
      } else if (!stalled_) {
        stalled_ = true;
        ++core_.count.tx_stalled;
      }
    }
  } else {
    for (Ring& ring : rings_) {
      if (!ring.cache.empty()) at = base::min(at, ring.cache.available());
    }
  }
  if (at == base::kNever) {
    core_.calendar.cancel(step_);
    return;
  }
  at = base::max(base::max(at, now) + core_.udma_time + core_.dma.forward_latency(), next_issue_);
  if (!step_.pending() || at < step_.time()) core_.calendar.schedule(step_, at);
}

// Picks the ring of the next frame. False if none can be served now; then a later step is planned,
// or frame_sent() or a fetch will.
bool TxDma::choose() {
  uint32_t ready = 0;
  for (const Ring& ring : rings_) {
    if (!ring.cache.empty() && ring.cache.available() <= core_.now()) ready |= 1u << ring.index;
  }
  if (ready == 0) {
    plan();
    return false;
  }
  const unsigned ring = arbiter_.pick(ready, core_.now());
  if (ring == TxArbiter::kNone) {
    const Picos credit = arbiter_.next_credit(ready);
    if (credit != base::kNever) core_.calendar.schedule(step_, credit);
    return false;
  }
  return begin_frame(rings_[ring]);
}

bool TxDma::begin_frame(Ring& ring) {
  const uint32_t words = words_for(ring.cache.front().desc.length);
  if (!fifo_.fits(std::min(std::max(words, 1u), fifo_.capacity()))) return false;
  TxFrame& frame = fifo_.frames().push();
  fifo_.data().reserve();
  frame.offset = fifo_.data().tail();
  frame.ring = static_cast<uint8_t>(ring.index);
  frame.id = next_id_++;
  frame.begun = core_.now();
  current_ = ring.index;
  piece_ = 0;
  ++ring.open;
  return true;
}

void TxDma::on_step() {
  if (hung_) return;
  if (arrived_ > 0 && current_ != TxArbiter::kNone) {
    fifo_.frames().back().here = arrived_;  // cut-through: the last piece has come
    arrived_ = 0;
    core_.tx_mac->progress();
  }
  if (current_ == TxArbiter::kNone && !choose()) return;
  Ring& ring = rings_[current_];
  if (ring.cache.empty() || ring.cache.available() > core_.now()) {
    plan();
    return;
  }
  fetch_piece();
}

// Reads the next piece of the current descriptor: all of it in store and forward.
void TxDma::fetch_piece() {
  Ring& ring = rings_[current_];
  TxFrame& frame = fifo_.frames().back();
  if (ring.taken.full()) {
    oldest_open(ring);
    if (ring.taken.full()) {
      core_.calendar.schedule(step_, core_.now() + Picos(100'000));
      return;
    }
  }
  const FecTxDesc& bd = ring.cache.front().desc;
  uint32_t bytes = bd.length - piece_;
  if (!store_and_forward()) bytes = std::min(bytes, kPiece);
  uint32_t words = words_for(frame.bytes + bytes) - frame.words;
  if (!store_and_forward()) {
    words = std::min(words, fifo_.capacity() - frame.words);  // the line drains a longer frame
  }
  if (!frame.discard &&
      (frame.words + words > fifo_.capacity() || frame.bytes + bytes > kLongestFrame - 64)) {
    frame.discard = true;
    frame.errors |= tx_esc::kOverflow | tx_esc::kTxError;
    ++core_.count.tx_fifo_overflow;
  }
  Picos here = core_.now();
  if (!frame.discard) {
    if (!fifo_.fits(words)) return;  // frame_sent() comes back when there is room
    if (bytes > 0) {
      const fabric::DmaPort::Done done = core_.dma.read(
          here, bd.address + piece_, {fifo_.data().at(frame.offset + frame.bytes), bytes});
      if (!done.ok) {
        ++core_.count.tx_bus_error;
        frame.sent = true;  // counted here, not as reset
        core_.bus_error();
        return;
      }
      busy_ += base::max(done.time, busy_until_) - base::max(here, busy_until_);
      busy_until_ = base::max(busy_until_, done.time);
      here = done.time;
    }
    fifo_.take(words);
    frame.words += words;
    frame.bytes += bytes;
  }
  piece_ += bytes;
  next_issue_ = core_.now() + core_.udma_time;
  if (!store_and_forward()) {
    next_issue_ = base::max(next_issue_, here);
    arrived_ = frame.bytes;
  }
  if (piece_ == bd.length) {
    take_descriptor(ring, frame, here);
  }
  if (core_.enabled() && !hung_) plan();
}

// The current descriptor has been read to its end.
void TxDma::take_descriptor(Ring& ring, TxFrame& frame, Picos here) {
  const BdCache<FecTxDesc>::Entry bd = ring.cache.front();
  ring.cache.pop();
  ring.taken.push() = {bd.address, base::kNever};
  piece_ = 0;
  frame.control |= bd.desc.control;
  if (core_.enhanced() && doorbell::reg::get_field(tx_esc::kFtype, bd.desc.control) != ring.index) {
    ++core_.count.tx_ftype_mismatch;
  }
  const bool last = (bd.desc.status & tx_sc::kLast) != 0;
  if (last) {
    frame.last = bd.desc;
    frame.last_address = bd.address;
    complete_frame(ring, frame, here);
  } else {
    close_part(ring, bd, here);
  }
  if (core_.enabled() && ring.cache.empty() && ring.cache.active && !ring.cache.fetching) {
    start_fetch(ring, core_.udma_time);
  }
}

void TxDma::complete_frame(Ring& ring, TxFrame& frame, Picos here) {
  if (!store_and_forward()) arrived_ = 0;
  frame.complete = true;
  frame.here = frame.bytes;
  frame.ready = here;
  if (!frame.discard) fifo_.data().commit(std::max(frame.bytes, net::kMinFrameBytes));
  arbiter_.charge(ring.index, frame.bytes, frame.begun);
  current_ = TxArbiter::kNone;
  if (core_.trace != nullptr) {
    core_.trace->span(kTxRingTracks[ring.index], desc::state_name(DescState::kMoving), frame.begun,
                      here, frame.id);
  }
  if (!frame.discard) {
    core_.tx_mac->progress();
    return;
  }
  // Thrown away: overflow, or broken off on the line before. It is the newest frame; the ones
  // before it may still be in the FIFO, so its record is closed out of turn.
  TxFrame thrown = frame;
  fifo_.give_back(frame.words);
  fifo_.frames().pop_back();
  --ring.open;
  thrown.last.control |= thrown.errors;
  const bool tell =
      ring.cache.format() == DescFormat::kLegacy || (thrown.last.control & tx_esc::kInt) != 0;
  close_later({here, thrown.ring, true, thrown.last_address, thrown.last,
               tell ? eir::txf(ring.index) | eir::txb(ring.index) : 0, thrown.id});
}

// R = 0 in mid-frame and the policy is to forget: what was taken is closed already.
void TxDma::drop_partial() {
  TxFrame& frame = fifo_.frames().back();
  Ring& ring = rings_[frame.ring];
  if (!frame.sent) ++core_.count.tx_partial_dropped;
  fifo_.give_back(frame.words);
  fifo_.frames().pop_back();
  --ring.open;
  current_ = TxArbiter::kNone;
  arrived_ = 0;
  plan();
}

}  // namespace doorbell::fec
