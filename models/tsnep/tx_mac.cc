#include "models/tsnep/tx_mac.h"

#include <algorithm>

#include "models/tsnep/gate_control.h"
#include "models/tsnep/interrupts.h"
#include "models/tsnep/link.h"

namespace doorbell::tsnep {

using base::Picos;

TxMac::TxMac(Core& core) : core_(core) {
  line_.bind<&TxMac::on_line>(*this);
  for (unsigned i = 0; i < core.config.queues; ++i) {
    queues_.push_back(std::make_unique<TxQueue>(core, i));
  }
}

// When the front frame of a queue may start; kNever if that is not known.
Picos TxMac::earliest(TxQueue& queue) {
  if (queue.frames().empty()) return base::kNever;
  TxFrame& frame = queue.frames().front();
  if (!frame.startable || frame.started) return base::kNever;
  if (!core_.link->carrier())
    return frame.whole ? base::max(frame.ready, core_.now()) : base::kNever;
  const Picos ready =
      base::max(base::max(frame.ready + core_.config.tx_mac_time, line_free_), core_.now());
  const Picos at = core_.gates->next_start(queue.index(), ready, duration(frame));
  if (at != ready && !frame.gated) {
    frame.gated = true;
    ++core_.count.tx_gated;
  }
  return at;
}

TxMac::Choice TxMac::choose() {
  Choice best;
  const auto n = static_cast<unsigned>(queues_.size());
  for (unsigned i = 0; i < n; ++i) {
    const unsigned index = core_.config.tx_priority == TxPriority::kHighestFirst ? n - 1 - i
                           : core_.config.tx_priority == TxPriority::kLowestFirst
                               ? i
                               : (last_ + 1 + i) % n;
    const Picos at = earliest(*queues_[index]);
    if (at < best.at) best = {queues_[index].get(), at};
  }
  return best;
}

void TxMac::plan() {
  if (busy_) return;
  const Choice next = choose();
  if (next.queue == nullptr) {
    core_.calendar.cancel(line_);
  } else if (!line_.pending() || line_.time() != next.at) {
    core_.calendar.schedule(line_, next.at);
  }
}

void TxMac::frame_whole(TxQueue& queue) {
  TxFrame& front = queue.frames().front();
  if (front.broken && front.whole) {
    const TxFrame frame = front;
    queue.pop_front();
    write_back(queue, frame, core_.now(), props::kUnderrunError);
  } else {
    data_here(queue);
  }
}

void TxMac::data_here(TxQueue& queue) {
  if (!busy_) {
    plan();
  } else if (current_ == &queue && !queue.frames().front().sent) {
    extend();
  }
}

// The line is at the end of something, or a frame may start.
void TxMac::on_line() {
  // A frame that follows on one that is just over is chosen a gap ahead.
  const bool follows = busy_;
  if (busy_) {
    if (current_ != nullptr && !current_->frames().front().sent) {
      underrun();
    } else {
      finish();
    }
  }
  if (busy_) return;
  const Picos window = follows ? base::max(line_free_, core_.now()) : core_.now();
  for (;;) {
    const Choice next = choose();
    if (next.queue == nullptr) return;
    if (!core_.link->carrier()) {
      if (next.at > core_.now()) {
        core_.calendar.schedule(line_, next.at);
        return;
      }
      discard(*next.queue);
      continue;
    }
    if (next.at <= window) {
      start(*next.queue, next.at);
    } else {
      core_.calendar.schedule(line_, next.at);
    }
    return;
  }
}

void TxMac::start(TxQueue& queue, Picos at) {
  TxFrame& frame = queue.frames().front();
  frame.started = true;
  frame.start = at;
  busy_ = true;
  current_ = &queue;
  last_ = queue.index();
  extend();
}

// Sends the frame on the line if all of it is or will be here in time; else looks again when what
// is here runs out.
void TxMac::extend() {
  TxFrame& frame = current_->frames().front();
  const bool newest = &frame == &current_->frames().back();
  const bool simple = !core_.config.tx_cut_through || (frame.whole && !newest);
  const uint32_t bytes = simple ? frame.line_bytes() : current_->bytes_in_time(frame, frame.start);
  if (frame.whole && bytes >= frame.line_bytes() && frame.here == frame.length) {
    const Picos end = frame.start + duration(frame);
    line_free_ = end + core_.line.time(net::kGapBytes);
    line_busy_ += line_free_ - frame.start;
    core_.calendar.schedule(line_, end);
    ++core_.count.tx_frames;
    core_.count.tx_bytes.add(frame.line_bytes() + kFcsBytes);
    frame.sent = true;
    if (core_.config.writeback_at_start) write_back(*current_, frame, frame.start, 0);
    transmit(frame, frame.line_bytes(), 0);
  } else {
    core_.calendar.schedule(line_, frame.start + core_.line.time(net::kPreambleBytes + bytes));
  }
}

void TxMac::transmit(TxFrame& frame, uint32_t bytes, uint8_t flaws) {
  if (wire_ != nullptr) {
    wire_->transmit(frame.start, {current_->data(frame), bytes}, flaws);
  }
}

void TxMac::finish() {
  busy_ = false;
  if (current_ == nullptr) return;
  TxQueue& queue = *current_;
  current_ = nullptr;
  const TxFrame frame = queue.frames().front();
  if (!core_.config.writeback_at_start) write_back(queue, frame, core_.now(), 0);
  queue.pop_front();
}

// The data has run out: the frame is broken off here.
void TxMac::underrun() {
  TxQueue& queue = *current_;
  TxFrame& frame = queue.frames().front();
  const Picos end = core_.now();
  const uint32_t bytes = std::min(queue.bytes_in_time(frame, frame.start), frame.here);
  ++core_.count.tx_underrun;
  transmit(frame, bytes, net::kTxError | net::kBadFcs);
  frame.broken = true;
  busy_ = false;
  current_ = nullptr;
  line_free_ = end + core_.line.time(kFcsBytes + net::kGapBytes);
  line_busy_ += line_free_ - frame.start;
  if (frame.whole) frame_whole(queue);
}

void TxMac::discard(TxQueue& queue) {
  TxFrame frame = queue.frames().front();
  frame.start = core_.now();
  ++core_.count.tx_no_link;
  write_back(queue, frame, core_.now(), props::kNoLink);
  queue.pop_front();
}

void TxMac::forget(TxQueue& queue) {
  if (current_ != &queue) return;
  TxFrame& frame = queue.frames().front();
  if (frame.sent) {
    if (!core_.config.writeback_at_start) ++core_.count.tx_unclosed;
  } else {
    const uint32_t bytes = std::min(queue.bytes_in_time(frame, frame.start), frame.here);
    transmit(frame, bytes, net::kTxError | net::kBadFcs);
    line_free_ = line_.time() + core_.line.time(kFcsBytes + net::kGapBytes);
    line_busy_ += line_free_ - frame.start;
  }
  current_ = nullptr;
}

void TxMac::write_back(TxQueue& queue, const TxFrame& frame, Picos issue, uint32_t flags) {
  const bool extended = (frame.properties & props::kExtendedWriteback) != 0;
  const Picos stamp = frame.start + core_.line.time(net::kPreambleBytes);
  TsnepTxWriteback w;
  w.properties = (frame.properties & props::kTxOwnerMask) | flags;
  w.counter = SystemClock::counter(stamp);
  if (extended) {
    const auto units = [](Picos span) {
      return static_cast<uint32_t>(
          std::min<int64_t>(span.count() / (1000 * int64_t{dma_delay::kUnitNs}), 0x3FFF));
    };
    w.properties |= props::kExtendedWriteback;
    w.timestamp = core_.clock.time(stamp);
    w.dma_delay = reg::put_field(dma_delay::kFirstData, units(frame.first_data - frame.fetched)) |
                  reg::put_field(dma_delay::kLastData, units(frame.last_data - frame.fetched));
  }
  std::array<uint8_t, kWritebackBytes> image;
  encode(w, image.data());
  const uint32_t bytes = extended ? kWritebackBytes : core_.config.writeback_bytes;
  const fabric::DmaPort::Done done =
      core_.dma.write(issue, frame.block + kOffWriteback, {image.data(), bytes});
  if (!done.ok) {
    queue.fail(control::kTxDmaError);
    return;
  }
  queue.acknowledged(done.time);
  while (!closing_.empty() && closing_.front() <= core_.now()) closing_.pop();
  if (!closing_.full()) closing_.push() = done.time;
  if ((frame.properties & props::kInterrupt) != 0) core_.irq->post_tx(queue.index(), done.time);
  if (core_.digest != nullptr) {
    core_.digest->add_time(done.time);
    core_.digest->add_u64(frame.block);
    core_.digest->add_u64(uint64_t{w.properties} << 32 | w.dma_delay);
    core_.digest->add_u64(w.timestamp);
  }
  if (core_.trace != nullptr) {
    core_.trace->span(kTxTracks[queue.index()], "WritingBack", issue, done.time, frame.id);
    core_.trace->instant(kTxTracks[queue.index()], "Returned", done.time, frame.id);
  }
}

unsigned TxMac::frames_waiting() const {
  unsigned frames = 0;
  for (const auto& queue : queues_) frames += queue->frames_waiting();
  return frames;
}

unsigned TxMac::frames_sent_not_closed() {
  while (!closing_.empty() && closing_.front() <= core_.now()) closing_.pop();
  const bool open =
      current_ != nullptr && current_->frames().front().sent && !core_.config.writeback_at_start;
  return closing_.size() + (open ? 1 : 0);
}

Picos TxMac::dma_busy() const {
  Picos busy;
  for (const auto& queue : queues_) busy += queue->busy();
  return busy;
}

}  // namespace doorbell::tsnep
