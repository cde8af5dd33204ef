#include "models/net/station.h"

#include <cassert>

namespace doorbell::net {

Station::Station(StationSpec spec, std::unique_ptr<Source> source)
    : spec_(std::move(spec)),
      octets_(spec_.link),
      source_(std::move(source)),
      origin_(source_ ? this : nullptr),
      counters_(spec_.name),
      sent_frames_(counters_.add("sent_frames", "frames", "Data frames sent to the NIC")),
      sent_bytes_(counters_.add("sent_bytes", "bytes", "Octets of them, without FCS")),
      sent_flawed_(counters_.add("sent_flawed", "frames", "Of them with a bad FCS on purpose")),
      sent_pause_(counters_.add("sent_pause", "frames", "PAUSE frames sent to the NIC")),
      received_frames_(counters_.add("received_frames", "frames", "Good data frames from the NIC")),
      received_bytes_(counters_.add("received_bytes", "bytes", "Octets of them, without FCS")),
      received_pause_(counters_.add("received_pause", "frames", "PAUSE frames from the NIC")),
      received_flawed_(counters_.add("received_flawed", "frames",
                                     "Frames from the NIC with a bad FCS or cut off")),
      corrupt_(
          counters_.add("corrupt", "frames", "Frames from the NIC that nobody sent like that")),
      out_of_order_(counters_.add("out_of_order", "frames",
                                  "Frames from the NIC that came twice or late in their flow")) {
  make_pause_frame(spec_.mac, spec_.storm.quanta, storm_frame_.data());
  if (spec_.storm.period > base::Picos(0) && spec_.storm.start < spec_.storm.end) {
    storm_next_ = spec_.storm.start;
  }
}

base::Picos Station::after_pauses(base::Picos at) const {
  for (size_t i = 0; i < pause_count_; ++i) {
    if (at >= pauses_[i].from && at < pauses_[i].until) at = pauses_[i].until;
  }
  return at;
}

void Station::delay_start(base::Picos offset) {
  assert(sent_frames_.value == 0 && sent_pause_.value == 0);
  offset_ += offset;
  const auto later = [offset](base::Picos t) { return t == base::kNever ? t : t + offset; };
  storm_next_ = later(storm_next_);
  spec_.storm.end = later(spec_.storm.end);
  spec_.end = later(spec_.end);
  chosen_ = false;
  if (listener_ != nullptr) listener_->arrivals_changed();
}

// Picks what the transmitter sends next, as far as is known now.
void Station::choose() {
  const Arrival* data = source_ ? source_->peek() : nullptr;
  base::Picos start = base::kNever;
  if (data != nullptr) {
    start = base::max(data->start + offset_, wire_free_);
    if (pause_count_ != 0) start = after_pauses(start);
    if (start >= spec_.end) {
      data = nullptr;
      start = base::kNever;
    }
  }
  is_control_ = false;
  if (storm_next_ != base::kNever) {
    const base::Picos storm = base::max(storm_next_, wire_free_);
    is_control_ = storm <= start;
    if (is_control_) {
      current_ = {
          storm + spec_.propagation, {storm_frame_.data(), kMinFrameBytes}, kControlFrame, 0};
    }
  }
  chosen_ = is_control_ || data != nullptr;
  if (!chosen_ || is_control_) return;
  // Member by member: the source has just written these, and wider loads would stall behind its
  // stores.
  current_.start = start + spec_.propagation;
  current_.bytes.data = data->bytes.data;
  current_.bytes.size = data->bytes.size;
  current_.id = data->id;
  current_.flaws = data->flaws;
  source_->restamp(data->id, current_.start);
}

const Arrival* Station::peek() {
  if (!chosen_) choose();
  return chosen_ ? &current_ : nullptr;
}

void Station::pop() {
  assert(chosen_);
  chosen_ = false;
  if (capture_both_ && capture_ != nullptr) capture_->write(current_.start, current_.bytes);
  wire_free_ = current_.start - spec_.propagation + octets_.slot(current_.bytes.size);
  if (is_control_) {
    ++sent_pause_;
    const bool last = spec_.storm.end - storm_next_ <= spec_.storm.period;
    storm_next_ = last ? base::kNever : storm_next_ + spec_.storm.period;
    return;
  }
  ++sent_frames_;
  sent_bytes_.add(current_.bytes.size);
  if (current_.flaws != 0) ++sent_flawed_;
  source_->pop();
}

void Station::obey_pause(base::Picos effective, uint16_t quanta) {
  const base::Picos until = effective + pause_time(spec_.link, quanta);
  // What ended before the transmitter's next chance has no effect any more.
  size_t gone = 0;
  while (gone < pause_count_ && pauses_[gone].until <= wire_free_) ++gone;
  if (gone == 0 && pause_count_ == kMaxPauses) gone = 1;
  for (size_t i = gone; i < pause_count_; ++i) pauses_[i - gone] = pauses_[i];
  pause_count_ -= gone;

  if (pause_count_ != 0 && effective <= pauses_[pause_count_ - 1].until) {
    pauses_[pause_count_ - 1].until = until;  // a new PAUSE replaces what is left of the old one
  } else if (quanta != 0) {
    pauses_[pause_count_++] = {effective, until};
  }
  // A data frame that was shown but starts after this took effect may have moved.
  if (!chosen_ || is_control_ || current_.start - spec_.propagation < effective) return;
  const base::Picos before = current_.start;
  choose();
  const bool moved = current_.start != before || is_control_;
  if (moved && listener_ != nullptr) listener_->arrivals_changed();
}

void Station::transmit(base::Picos start, base::ByteView bytes, uint8_t flaws) {
  last_received_ = start;
  if (digest_ != nullptr) digest_->add_frame(start, bytes);
  if (capture_ != nullptr) capture_->write(start, bytes);
  if (flaws != 0) {  // the station's MAC throws these away
    if (digest_ != nullptr) digest_->add_u64(flaws);
    ++received_flawed_;
    return;
  }
  if (const auto quanta = pause_quanta(bytes)) {
    ++received_pause_;
    if (spec_.flow_control) {
      const base::Picos last_bit = start + octets_.time(wire_octets(bytes.size));
      obey_pause(last_bit + spec_.propagation + spec_.pause_reaction, *quanta);
    }
    return;
  }
  take_data(start, bytes);
}

void Station::take_data(base::Picos start, base::ByteView bytes) {
  ++received_frames_;
  received_bytes_.add(bytes.size);
  if (origin_ == nullptr) return;
  const Provenance provenance = origin_->verify(bytes);
  if (!provenance.intact) {
    ++corrupt_;
    note_violation(start, bytes, "is corrupt or was never sent");
    return;
  }
  if (!provenance.in_order) {
    ++out_of_order_;
    note_violation(start, bytes, "came twice or late in its flow");
  }
  // Both ends of the span are one frame time after these starts, so the starts' distance is the
  // same.
  if (provenance.start <= start) latency_.record(start - provenance.start);
}

Provenance Station::verify(base::ByteView bytes) {
  assert(source_ != nullptr);
  return source_->verify(bytes);
}

void Station::note_violation(base::Picos at, base::ByteView bytes, const char* what) {
  if (!first_violation_.empty()) return;
  first_violation_ = spec_.name + ": frame of " + std::to_string(bytes.size) + " B at " +
                     std::to_string(at.count()) + " ps " + what;
  if (origin_ == this && !source_->verify_stats().first_fault.empty()) {
    first_violation_ += " (" + source_->verify_stats().first_fault + ")";
  }
}

void Station::reset_counts() {
  counters_.reset();
  latency_.reset();
  first_violation_.clear();
}

}  // namespace doorbell::net
