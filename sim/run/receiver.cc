#include "sim/run/receiver.h"

#include <cstring>

namespace doorbell::run {

void Receiver::received(base::ByteView frame) {
  const base::Picos now = machine_.running().now();
  const uint64_t addr = machine_.cache().phys(frame.data);
  machine_.memory().settle(addr, frame.size, now);
  check({machine_.cache().snoop(addr, static_cast<uint32_t>(frame.size), scratch_.data()),
         frame.size},
        now);
}

void Receiver::received_parts(const base::ByteView* parts, unsigned count) {
  const base::Picos now = machine_.running().now();
  size_t bytes = 0;
  for (unsigned i = 0; i < count && bytes + parts[i].size <= scratch_.size(); ++i) {
    const auto part = static_cast<uint32_t>(parts[i].size);
    uint8_t* to = scratch_.data() + bytes;
    const uint64_t addr = machine_.cache().phys(parts[i].data);
    machine_.memory().settle(addr, part, now);
    const uint8_t* seen = machine_.cache().snoop(addr, part, to);
    if (seen != to) std::memcpy(to, seen, part);
    bytes += part;
  }
  check({scratch_.data(), bytes}, now);
}

void Receiver::check(base::ByteView seen, base::Picos now) {
  ++frames_;
  bytes_ += seen.size + net::kFcsBytes;
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
        station_.spec().link.time_for_bytes(net::kPreambleBytes + seen.size + net::kFcsBytes);
    latency_.record(base::max(now - provenance.start - on_wire, base::Picos(0)));
  }
}

}  // namespace doorbell::run
