#include <algorithm>

#include "models/desc/desc_state.h"
#include "models/fec/interrupts.h"
#include "models/fec/tx_dma.h"

// Closing of transmit descriptors: write-backs, and which descriptors are still open.
namespace doorbell::fec {

using base::Picos;
using desc::DescState;

// Address of the ring's oldest descriptor that is taken and whose write-back is not yet visible; 0
// if there is none. A fetch that goes round the ring meets this one before any other open one.
uint32_t TxDma::oldest_open(Ring& ring) {
  while (!ring.taken.empty() && ring.taken.front().visible <= core_.now()) ring.taken.pop();
  return ring.taken.empty() ? 0 : ring.taken.front().address;
}

void TxDma::mark_closed(Ring& ring, uint32_t address, Picos visible) {
  for (uint32_t i = 0; i < ring.taken.size(); ++i) {
    Open& open = ring.taken[i];
    if (open.address == address && open.visible == base::kNever) {
      open.visible = visible;
      break;
    }
  }
  if (ring.at_open && ring.taken.front().visible != base::kNever) {
    ring.at_open = false;
    ring.cache.fetching = true;
    ring.cache.rang = false;
    const Picos soonest = core_.now() + core_.udma_time + core_.dma.forward_latency();
    core_.calendar.schedule(ring.fetch, base::max(ring.taken.front().visible, soonest));
  }
}

// A descriptor without L: R clears when its data is here.
void TxDma::close_part(Ring& ring, const BdCache<FecTxDesc>::Entry& bd, Picos at) {
  const bool tell =
      ring.cache.format() == DescFormat::kLegacy || (bd.desc.control & tx_esc::kInt) != 0;
  close_later({at, static_cast<uint8_t>(ring.index), false, bd.address, bd.desc,
               tell ? eir::txb(ring.index) : 0, 0});
}

// Queues a write-back. Times come in order but for a held one, which then waits for those before.
void TxDma::close_later(const Close& close) {
  if (closes_.full()) {
    write_back(closes_.front());
    if (!core_.enabled()) return;
    closes_.pop();
  }
  closes_.push() = close;
  if (!close_.pending()) core_.calendar.schedule(close_, close.at);
}

void TxDma::on_close() {
  while (!closes_.empty() && closes_.front().at <= core_.now()) {
    const Close close = closes_.front();
    closes_.pop();
    write_back(close);
    if (!core_.enabled()) return;
  }
  if (!closes_.empty()) core_.calendar.schedule(close_, closes_.front().at);
}

void TxDma::frame_sent(TxFrame& frame, uint32_t timestamp) {
  Ring& ring = rings_[frame.ring];
  Close close{core_.now(), frame.ring, true, frame.last_address, frame.last, 0, frame.id};
  const bool legacy = ring.cache.format() == DescFormat::kLegacy;
  close.desc.control |= frame.errors;
  if ((frame.control & tx_esc::kTs) != 0) close.desc.timestamp = timestamp;
  if (legacy || (frame.last.control & tx_esc::kInt) != 0) {
    close.events = eir::txf(ring.index) | eir::txb(ring.index);
  }
  fifo_.give_back(frame.words);
  fifo_.frames().pop();
  --ring.open;
  // A hang takes the state machine that writes back with it.
  if (!hung_ && ring.clear_late && ring.open == 0) clear_active(ring);
  if (hung_) {
    ++never_closed_;
    return;
  }
  const bool newest = ring.open == 0 && ring.cache.empty() && ring.cache.fetching;
  if (newest && !ring.holding) {
    ring.holding = true;  // TDAR must clear before R: wait for what the fetch finds
    ring.held = close;
  } else {
    write_back(close);
  }
  if (core_.enabled()) plan();
}

// Issues a write-back now.
void TxDma::write_back(const Close& close) {
  Ring& ring = rings_[close.ring];
  FecTxDesc desc = close.desc;
  desc.status = FecOwnership::to_software(desc.status);
  uint32_t bytes = kLegacyStride;
  if (close.last) {
    desc.bdu = kBduDone;
    if (ring.cache.format() == DescFormat::kEnhanced) bytes = kOffReserved;
  }
  std::array<uint8_t, kEnhancedStride> image;
  encode(desc, image.data(), ring.cache.format());
  const Picos issue = core_.now() + (close.last ? core_.udma_time : Picos(0));
  const fabric::DmaPort::Done done = core_.dma.write(issue, close.address, {image.data(), bytes});
  if (!done.ok) {
    core_.bus_error();
    return;
  }
  mark_closed(ring, close.address, done.time);
  if (close.events != 0) core_.irq->post(close.events, done.time);
  if (core_.trace != nullptr) {
    core_.trace->span(kTxRingTracks[ring.index], desc::state_name(DescState::kWritingBack), issue,
                      done.time, close.id);
    core_.trace->instant(kTxRingTracks[ring.index], desc::state_name(DescState::kReturned),
                         done.time, close.id);
  }
  if (core_.digest != nullptr) {
    core_.digest->add_time(done.time);
    core_.digest->add_u64(uint64_t{close.address} << 32 | uint32_t{desc.status} << 16 |
                          desc.length);
  }
}

}  // namespace doorbell::fec
