// Quantities as people write them in scenarios and platform files: a number, a space, a unit.
//
// "100 ms", "1.5 us", "64 B", "2 KiB", "1 Gb/s", "266.67 MHz", "353.6 kpps", "5 %". The unit is
// part of the value: a bare number or a unit of another dimension is refused with a message that
// says what is allowed. Values are rounded to the unit's smallest step (1 ps, 1 B, 1 b/s, 1 Hz, 1
// packet/s).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "models/base/result.h"
#include "models/base/units.h"

namespace doorbell::base {

/// "12 ns", also ps, us, ms, s. Refuses negative spans.
Result<Picos> parse_time(std::string_view text);
/// "64 B", "2 KiB", "16 MiB", "4 kB" (1000). Whole bytes only.
Result<uint64_t> parse_bytes(std::string_view text);
/// "1 Gb/s", "100 Mb/s", "10 kb/s", "9600 b/s".
Result<BitsPerSecond> parse_bit_rate(std::string_view text);
/// "266666666 Hz", "100 MHz", "1.8 GHz", "32 kHz".
Result<Hertz> parse_frequency(std::string_view text);
/// "353600 pps", "353.6 kpps", "1.488 Mpps": packets per second.
Result<uint64_t> parse_packet_rate(std::string_view text);
/// "5 %": returned as a fraction, 0.05.
Result<double> parse_percent(std::string_view text);

/// Shortest exact text with the largest fitting unit, for example "999.84 us".
std::string format_time(Picos t);
std::string format_bit_rate(BitsPerSecond r);

}  // namespace doorbell::base
