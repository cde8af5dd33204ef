// Reports: how a finished descriptor with RS becomes DTYPE 0xF in the ring.
#include "models/ice/interrupts.h"
#include "models/ice/tx_engine.h"

namespace doorbell::ice {

using base::Picos;

namespace {
bool merges(TxWriteback policy) {
  return policy == TxWriteback::kLineMerge || policy == TxWriteback::kLineFull;
}
bool ends_line(const TxQueue& q, uint32_t index) {
  return index % kTxDescPerLine == kTxDescPerLine - 1 || index + 1 == q.size;
}
}  // namespace

// Which of a packet's descriptors have something to report. In a merging policy a line that holds a
// report is also written when a later descriptor without RS passes its end.
void TxEngine::post_reports(TxQueue& q, const TxPacket& packet, Picos at) {
  const bool merging = merges(core_.config.tx_writeback);
  uint32_t i = packet.first;
  for (uint32_t n = 0; n < packet.count; ++n) {
    const uint64_t qw1 = q.desc[i].qw1;
    const bool rs = tx_dtype(qw1) == TxDtype::kData && (qw1 & kTxRsBit) != 0;
    if (rs || (merging && q.line_has_rs && ends_line(q, i))) {
      reports_.push({at, packet.queue, q.generation, static_cast<uint16_t>(i), rs});
    }
    q.line_has_rs = (q.line_has_rs || rs) && !ends_line(q, i);
    i = next(q, i);
  }
  q.done = i;
}

Picos TxEngine::next_report() const {
  if (reports_.empty()) return base::kNever;
  return base::max(reports_.front().at, engine_free_);
}

void TxEngine::report(Picos at) {
  const Report r = reports_.front();
  reports_.pop();
  TxQueue& q = queues_[r.queue];
  if (r.generation != q.generation) return;
  const uint32_t line = r.index / kTxDescPerLine;
  if (!r.rs) {
    if (q.held_mask != 0 && q.held_line == line) write_line(q, at);
    return;
  }
  ++core_.count.tx_reports;
  if (core_.digest != nullptr) {
    core_.digest->add_time(at);
    core_.digest->add_u64(uint64_t{r.queue} << 16 | r.index);
  }
  if (core_.trace != nullptr) {
    core_.trace->span("ice tx report", "WritingBack", r.at, at, uint64_t{r.queue} << 16 | r.index);
  }
  if (core_.config.tx_writeback == TxWriteback::kEngine) {
    // The engine works on while its write waits for the link.
    engine_free_ = base::max(r.at, engine_free_) + core_.config.tx_writeback_service;
    report_busy_ += core_.config.tx_writeback_service;
  }
  if (!merges(core_.config.tx_writeback)) {
    write_reports(q, r.index, 1, at);
  } else {
    if (q.held_mask != 0 && q.held_line != line) write_line(q, at);
    q.held_line = line;
    q.held_mask = static_cast<uint8_t>(q.held_mask | 1u << (r.index % kTxDescPerLine));
    if (ends_line(q, r.index)) {
      write_line(q, at);
    } else if (q.cause && !q.flush_listed) {
      core_.irq->hold_tx(q.vector, r.queue);
    }
  }
  if (q.cause) core_.irq->event(q.vector, q.itr, at);
}

// `count` neighbours, 16 bytes each: address kept, QW1 done.
void TxEngine::write_reports(TxQueue& q, uint32_t index, uint32_t count, Picos at) {
  uint8_t bytes[kLineBytes];
  for (uint32_t n = 0; n < count; ++n) {
    encode_tx_address(bytes + n * kTxDescBytes, q.desc[index + n].address);
    encode_tx_qw1(bytes + n * kTxDescBytes, kTxDoneQw1);
  }
  ++core_.count.tx_report_writes;
  core_.pcie.write(at, q.ring + uint64_t{index} * kTxDescBytes, {bytes, count * kTxDescBytes});
}

// The whole line, as it was fetched, with the reports in it: whatever software has put into the
// line's other slots since then is lost.
void TxEngine::write_whole_line(TxQueue& q, Picos at) {
  uint8_t bytes[kLineBytes];
  const uint32_t first = q.held_line * kTxDescPerLine;
  uint32_t count = 0;
  for (; count < kTxDescPerLine && first + count < q.size; ++count) {
    const RawTxDesc& d = q.desc[first + count];
    const bool done = (q.held_mask >> count & 1) != 0;
    encode_tx_address(bytes + count * kTxDescBytes, d.address);
    encode_tx_qw1(bytes + count * kTxDescBytes, done ? kTxDoneQw1 : d.qw1);
  }
  ++core_.count.tx_report_writes;
  core_.pcie.write(at, q.ring + uint64_t{first} * kTxDescBytes, {bytes, count * kTxDescBytes});
}

void TxEngine::write_line(TxQueue& q, Picos at) {
  if (core_.config.tx_writeback == TxWriteback::kLineFull) {
    write_whole_line(q, at);
  } else {
    const uint32_t first = q.held_line * kTxDescPerLine;
    for (uint32_t i = 0; i < kTxDescPerLine;) {
      uint32_t run = 0;
      while (i + run < kTxDescPerLine && (q.held_mask >> (i + run) & 1) != 0) ++run;
      if (run != 0) write_reports(q, first + i, run, at);
      i += run + 1;
    }
  }
  q.held_mask = 0;
}

bool TxEngine::flush(unsigned queue, Picos at) {
  TxQueue& q = queues_[queue];
  if (!q.enabled || q.held_mask == 0) return false;
  write_line(q, at);
  return true;
}

}  // namespace doorbell::ice
