#include "models/base/quantity.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace doorbell::base {
namespace {

struct Unit {
  std::string_view name;
  double scale;
};

template <size_t N>
std::string names(const std::array<Unit, N>& units) {
  std::string text;
  for (const auto& unit : units) {
    text += (text.empty() ? "" : ", ");
    text += unit.name;
  }
  return text;
}

// Parses "number unit" and scales; the range check keeps the result inside int64.
template <size_t N>
Result<double> parse(std::string_view text, const char* what, const std::array<Unit, N>& units) {
  const auto refuse = [&](const char* why) {
    return Error{std::string("'") + std::string(text) + "' is not a " + what + ": " + why +
                 " (a number and one of: " + names(units) + ")"};
  };
  double number = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (parsed.ec != std::errc() || !std::isfinite(number)) {
    return refuse("it does not start with a number");
  }
  if (number < 0) {
    return refuse("it is negative");
  }
  std::string_view rest(parsed.ptr, static_cast<size_t>(end - parsed.ptr));
  while (!rest.empty() && rest.front() == ' ') {
    rest.remove_prefix(1);
  }
  for (const auto& unit : units) {
    if (rest == unit.name) {
      const double value = number * unit.scale;
      if (value > 9e18) {
        return refuse("it is too large");
      }
      return value;
    }
  }
  return refuse(rest.empty() ? "the unit is missing" : "the unit is wrong");
}

constexpr std::array<Unit, 5> kTime{
    {{"ps", 1}, {"ns", 1e3}, {"us", 1e6}, {"ms", 1e9}, {"s", 1e12}}};
constexpr std::array<Unit, 6> kBytes{
    {{"B", 1}, {"KiB", 1024}, {"MiB", 1048576}, {"GiB", 1073741824}, {"kB", 1e3}, {"MB", 1e6}}};
constexpr std::array<Unit, 4> kBitRate{{{"b/s", 1}, {"kb/s", 1e3}, {"Mb/s", 1e6}, {"Gb/s", 1e9}}};
constexpr std::array<Unit, 4> kFrequency{{{"Hz", 1}, {"kHz", 1e3}, {"MHz", 1e6}, {"GHz", 1e9}}};
constexpr std::array<Unit, 3> kPacketRate{{{"pps", 1}, {"kpps", 1e3}, {"Mpps", 1e6}}};
constexpr std::array<Unit, 1> kPercent{{{"%", 0.01}}};

}  // namespace

Result<Picos> parse_time(std::string_view text) {
  const auto value = parse(text, "time", kTime);
  if (!value) {
    return Error{value.error()};
  }
  return Picos(std::llround(value.value()));
}

Result<uint64_t> parse_bytes(std::string_view text) {
  const auto value = parse(text, "size", kBytes);
  if (!value) {
    return Error{value.error()};
  }
  if (value.value() != std::floor(value.value())) {
    return Error{"'" + std::string(text) + "' is not a whole number of bytes"};
  }
  return static_cast<uint64_t>(value.value());
}

Result<BitsPerSecond> parse_bit_rate(std::string_view text) {
  const auto value = parse(text, "bit rate", kBitRate);
  if (!value) {
    return Error{value.error()};
  }
  return BitsPerSecond(static_cast<uint64_t>(std::llround(value.value())));
}

Result<Hertz> parse_frequency(std::string_view text) {
  const auto value = parse(text, "frequency", kFrequency);
  if (!value) {
    return Error{value.error()};
  }
  return Hertz(static_cast<uint64_t>(std::llround(value.value())));
}

Result<uint64_t> parse_packet_rate(std::string_view text) {
  const auto value = parse(text, "packet rate", kPacketRate);
  if (!value) {
    return Error{value.error()};
  }
  return static_cast<uint64_t>(std::llround(value.value()));
}

Result<double> parse_percent(std::string_view text) {
  return parse(text, "percentage", kPercent);
}

std::string format_time(Picos t) {
  const char* unit = "ps";
  double scale = 1;
  for (const auto& u : kTime) {
    if (static_cast<double>(t.count()) >= u.scale) {
      unit = u.name.data();
      scale = u.scale;
    }
  }
  char text[48];
  std::snprintf(text, sizeof text, "%.12g %s", static_cast<double>(t.count()) / scale, unit);
  return text;
}

std::string format_bit_rate(BitsPerSecond r) {
  const char* unit = "b/s";
  double scale = 1;
  for (const auto& u : kBitRate) {
    if (static_cast<double>(r.count()) >= u.scale) {
      unit = u.name.data();
      scale = u.scale;
    }
  }
  char text[48];
  std::snprintf(text, sizeof text, "%.12g %s", static_cast<double>(r.count()) / scale, unit);
  return text;
}

}  // namespace doorbell::base
