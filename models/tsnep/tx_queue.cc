#include "models/tsnep/tx_queue.h"

#include <algorithm>

#include "models/tsnep/tx_mac.h"

namespace doorbell::tsnep {

using base::Picos;

TxQueue::TxQueue(Core& core, unsigned index)
    : core_(core),
      index_(index),
      cache_(core.config.tx_prefetch + 1),
      frames_(core.config.tx_fifo_bytes / net::kMinFrameBytes + 2),
      pieces_(2 * (kLengthMax / kPieceBytes + 1)),
      store_(core.config.tx_fifo_bytes) {
  step_.bind<&TxQueue::on_step>(*this);
}

void TxQueue::enable() {
  ++core_.count.tx_doorbells;
  if (errors_ != 0) return;
  running_ = true;
  if (!idle_) return;  // the engine is at work and will come to what is new
  idle_ = false;
  fetch_due_ =
      base::max(core_.now() + core_.config.doorbell_time, idle_from_) + core_.dma.forward_latency();
  plan();
}

// Frames in the FIFO are lost, but for one on the line; the ring starts at its address.
void TxQueue::reset() {
  core_.calendar.cancel(step_);
  cache_.clear();
  pieces_.clear();
  core_.count.tx_reset.add(frames_waiting());
  core_.tx_mac->forget(*this);
  frames_.clear();
  used_ = 0;
  running_ = building_ = false;
  idle_ = true;
  idle_from_ = visible_at_ = known_at_ = Picos(0);
  fetch_due_ = payload_due_ = base::kNever;
  errors_ = 0;
  epoch_ = 1;
  next_ = uint64_t{core_.value(reg::tx_desc_addr_high(index_))} << 32 |
          (core_.value(reg::tx_desc_addr_low(index_)) & desc_addr::kAddress);
}

void TxQueue::set_address(uint64_t address, bool reset_owner) {
  next_ = address;
  if (reset_owner) epoch_ = 1;
}

uint32_t TxQueue::control() const {
  const Picos now = core_.now();
  const bool whole_waiting = frames_.size() > (building_ ? 1u : 0u);
  const bool fetching = !idle_ || now < idle_from_ || !cache_.empty();
  const bool busy = (running_ && fetching) || whole_waiting || now < visible_at_;
  return errors_ | (busy ? control::kTxEnable : 0);
}

unsigned TxQueue::frames_waiting() const {
  if (frames_.empty()) return 0;
  const TxFrame& front = frames_.front();
  return frames_.size() - (front.sent || front.broken ? 1 : 0);
}

// Schedules what is due next: a fetch, or the payload of the oldest descriptor, or both at once.
void TxQueue::plan() {
  const Picos at = base::min(fetch_due_, payload_due_);
  if (at == base::kNever) {
    core_.calendar.cancel(step_);
  } else if (!step_.pending() || step_.time() != at) {
    core_.calendar.schedule(step_, at);
  }
}

// Works out what can be done next, after something has changed.
void TxQueue::go_on() {
  while (running_ && payload_due_ == base::kNever && ready_to_take()) {
    const Desc& d = cache_.front();
    if ((d.desc.properties & props::kDataAfterDesc) != 0) {
      take_fragment();  // its data came with it
    } else {
      payload_due_ =
          base::max(core_.now() + core_.dma.forward_latency(), d.available + core_.request_time());
    }
  }
  if (running_ && !idle_ && fetch_due_ == base::kNever && has_place()) {
    fetch_due_ =
        base::max(core_.now() + core_.dma.forward_latency(), known_at_ + core_.request_time());
  }
  plan();
}

void TxQueue::on_step() {
  const Picos now = core_.now();
  if (payload_due_ <= now) {
    payload_due_ = base::kNever;
    take_fragment();
  }
  if (fetch_due_ <= now) {
    fetch_due_ = base::kNever;
    if (running_) sample();
  }
  go_on();
}

void TxQueue::sample() {
  std::array<uint8_t, kDescFetchBytes> bytes;
  const Picos now = core_.now();
  const fabric::DmaPort::Done done =
      core_.dma.read(now, next_ + kOffDesc, {bytes.data(), kDescFetchBytes});
  ++core_.count.tx_fetches;
  if (!done.ok) {
    fail(control::kTxDmaError);
    return;
  }
  if (core_.trace != nullptr) {
    core_.trace->span(kTxTracks[index_], "Fetching", now - core_.dma.forward_latency(), done.time,
                      next_);
  }
  const TsnepTxDesc desc = decode_tx(bytes.data());
  const uint32_t seen = props::owner(desc.properties);
  if (!TsnepOwnership::is_new(seen, epoch_)) {
    ++core_.count.tx_drained;
    idle_ = true;
    idle_from_ = done.time;
    return;
  }
  if (desc.next % kBlockBytes != 0) {
    fail(control::kTxDescError);
    return;
  }
  Desc& d = cache_.push();
  d.block = next_;
  d.desc = desc;
  d.available = done.time;
  std::copy_n(bytes.begin() + kOffInline, kInlineBytes, d.inlined.begin());
  epoch_ = seen;
  next_ = desc.next;
  known_at_ = done.time;
}

// Whether the oldest descriptor's data can be taken; makes room for a frame that it begins.
bool TxQueue::ready_to_take() {
  return !cache_.empty() && (building_ || begin_frame());
}

bool TxQueue::begin_frame() {
  const Desc& d = cache_.front();
  const uint32_t length = d.desc.properties & props::kLength;
  const uint32_t room = std::max(length, net::kMinFrameBytes);
  if (length == 0 || room > core_.config.tx_fifo_bytes) {
    ++core_.count.tx_desc_error;
    fail(control::kTxDescError);
    return false;
  }
  if (used_ + room > core_.config.tx_fifo_bytes || frames_.full()) return false;
  used_ += room;
  TxFrame& frame = frames_.push();
  frame.block = d.block;
  frame.properties = d.desc.properties;
  frame.length = length;
  frame.place = store_.take(room);
  frame.room = room;
  frame.fetched = d.available;
  frame.id = next_id_++;
  pieces_.clear();
  building_ = true;
  return true;
}

bool TxQueue::check(const TsnepTxDesc& d, const TxFrame& frame) const {
  const uint32_t bytes = d.more_properties & kLengthMax;
  const bool last = (d.properties & props::kLastFragment) != 0;
  if ((d.properties & props::kDataAfterDesc) != 0 && bytes > kInlineBytes) return false;
  return last ? frame.here + bytes == frame.length : frame.here + bytes <= frame.length;
}

void TxQueue::take_fragment() {
  const Desc d = cache_.front();
  cache_.pop();
  TxFrame& frame = frames_.back();
  if (!check(d.desc, frame)) {
    drop_partial(core_.count.tx_desc_error);
    fail(control::kTxDescError);
    return;
  }
  const uint32_t bytes = d.desc.more_properties & kLengthMax;
  Picos here = d.available + core_.config.step_time;
  if ((d.desc.properties & props::kDataAfterDesc) != 0) {
    ++core_.count.tx_inline;
    std::copy_n(d.inlined.begin(), bytes, store_.at(frame.place) + frame.here);
    data_here(frame, bytes, here);
  } else {
    bool ok = true;
    here = read_payload(frame, d.desc, ok);
    if (!ok) {
      drop_partial(core_.count.tx_dma_error);
      fail(control::kTxDmaError);
      return;
    }
  }
  if ((d.desc.properties & props::kLastFragment) == 0) return;
  building_ = false;
  frame.whole = true;
  frame.last_data = here;
  std::fill_n(store_.at(frame.place) + frame.length, frame.room - frame.length, uint8_t{0});
  if (!frame.startable) {
    frame.startable = true;
    frame.ready = here;
  }
  core_.tx_mac->frame_whole(*this);
}

Picos TxQueue::read_payload(TxFrame& frame, const TsnepTxDesc& d, bool& ok) {
  const Picos now = core_.now();
  const uint32_t bytes = d.more_properties & kLengthMax;
  const uint32_t piece = core_.config.tx_cut_through ? kPieceBytes : bytes;
  Picos here = now;
  for (uint32_t done = 0; done < bytes && ok;) {
    const uint32_t n = std::min(piece, bytes - done);
    const fabric::DmaPort::Done read =
        core_.dma.read(now, d.tx + done, {store_.at(frame.place) + frame.here, n});
    ok = read.ok;
    if (!ok) return here;
    here = read.time;
    data_here(frame, n, here);
    done += n;
  }
  const Picos issued = now - core_.dma.forward_latency();
  busy_ += here - base::max(issued, base::min(busy_until_, here));
  busy_until_ = here;
  if (core_.trace != nullptr)
    core_.trace->span(kTxTracks[index_], "Moving", issued, here, frame.id);
  return here;
}

void TxQueue::data_here(TxFrame& frame, uint32_t bytes, Picos at) {
  if (frame.here == 0) frame.first_data = at;
  if (core_.config.tx_cut_through && bytes != 0 && !pieces_.full()) {
    pieces_.push() = {frame.here, frame.here + bytes, at};
  }
  frame.here += bytes;
  if (!core_.config.tx_cut_through) return;
  const uint32_t enough = std::min(core_.config.tx_start_bytes, frame.length);
  if (!frame.startable && frame.here >= enough) {
    frame.startable = true;
    frame.ready = at;
  }
  core_.tx_mac->data_here(*this);
}

uint32_t TxQueue::bytes_in_time(const TxFrame& frame, Picos start) const {
  uint32_t bytes = 0;
  for (uint32_t i = 0; i < pieces_.size(); ++i) {
    const Piece& p = pieces_[i];
    if (p.here > start + core_.line.time(net::kPreambleBytes + p.begin)) return bytes;
    bytes = p.end;
  }
  return frame.whole ? frame.line_bytes() : bytes;
}

void TxQueue::pop_front() {
  used_ -= frames_.front().room;
  frames_.pop();
  go_on();
}

// The frame being built cannot be finished.
void TxQueue::drop_partial(probe::Counter& reason) {
  building_ = false;
  TxFrame& frame = frames_.back();
  if (frame.started) {
    frame.whole = true;  // the line finds the rest missing, or has found it
    if (frame.broken) core_.tx_mac->frame_whole(*this);
    return;
  }
  ++reason;
  used_ -= frame.room;
  frames_.pop_back();
  core_.tx_mac->plan();
}

void TxQueue::fail(uint32_t error) {
  ++(error == control::kTxDmaError ? core_.count.dma_errors : core_.count.desc_errors);
  errors_ |= error;
  running_ = false;
  idle_ = true;
  idle_from_ = Picos(0);
  fetch_due_ = payload_due_ = base::kNever;
  cache_.clear();
  if (building_) {
    drop_partial(error == control::kTxDmaError ? core_.count.tx_dma_error
                                               : core_.count.tx_desc_error);
  }
}

}  // namespace doorbell::tsnep
