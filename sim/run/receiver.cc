#include "sim/run/receiver.h"

namespace doorbell::run {

void Receiver::received(base::ByteView frame) {
  const base::Picos now = machine_.running().now();
  const uint64_t addr = machine_.cache().phys(frame.data);
  machine_.memory().settle(now);
  const base::ByteView seen{
      machine_.cache().snoop(addr, static_cast<uint32_t>(frame.size), scratch_.data()), frame.size};
  ++frames_;
  bytes_ += frame.size + net::kFcsBytes;
  digest_.add_frame(now, seen);
  if (!verify_) {
    return;
  }
  const net::Provenance provenance = station_.verify(seen);
  if (!provenance.intact || !provenance.in_order) {
    if (violations_++ == 0) {
      first_violation_at_ = now;
      first_violation_ = !provenance.intact
                             ? "software received a frame that differs from what the "
                               "wire carried"
                             : "software received a frame out of order or twice";
    }
    return;
  }
  if (provenance.start != base::kNever) {
    const base::Picos on_wire =
        station_.spec().link.time_for_bytes(net::kPreambleBytes + frame.size + net::kFcsBytes);
    latency_.record(base::max(now - provenance.start - on_wire, base::Picos(0)));
  }
}

}  // namespace doorbell::run
