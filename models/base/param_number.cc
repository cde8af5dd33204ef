#include "models/base/param_number.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "models/base/quantity.h"

namespace doorbell::base {
namespace {

bool is_real(ParamKind kind) {
  return kind == ParamKind::kReal || kind == ParamKind::kPercent;
}

template <typename T, typename F>
Result<ParamNumber> wrap(const Result<T>& parsed, F&& count) {
  if (!parsed) {
    return Error{parsed.error()};
  }
  ParamNumber number;
  number.integer = static_cast<int64_t>(count(parsed.value()));
  return number;
}

Result<ParamNumber> parse_integer(std::string_view text) {
  ParamNumber number;
  const bool hex = text.substr(0, 2) == "0x";
  const std::string_view digits = hex ? text.substr(2) : text;
  const auto* end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, number.integer, hex ? 16 : 10);
  if (digits.empty() || parsed.ec != std::errc() || parsed.ptr != end ||
      (hex && number.integer < 0)) {
    return Error{"'" + std::string(text) + "' is not an integer"};
  }
  return number;
}

Result<ParamNumber> parse_real(std::string_view text) {
  ParamNumber number;
  const auto* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number.real);
  if (text.empty() || parsed.ec != std::errc() || parsed.ptr != end ||
      !std::isfinite(number.real)) {
    return Error{"'" + std::string(text) + "' is not a number"};
  }
  return number;
}

Result<ParamNumber> parse_cycles(std::string_view text) {
  constexpr std::string_view kSuffix = " cycles";
  if (text.size() > kSuffix.size() && text.substr(text.size() - kSuffix.size()) == kSuffix) {
    auto number = parse_integer(text.substr(0, text.size() - kSuffix.size()));
    if (!number || number.value().integer < 0) {
      return Error{"'" + std::string(text) + "' is not a number of cycles"};
    }
    number.value().in_cycles = true;
    return number;
  }
  const auto time = parse_time(text);
  if (!time) {
    return Error{time.error() + ", or a whole number and: cycles"};
  }
  ParamNumber number;
  number.integer = time.value().count();
  return number;
}

std::vector<std::string_view> alternatives(std::string_view allowed) {
  std::vector<std::string_view> list;
  while (!allowed.empty()) {
    const size_t bar = allowed.find('|');
    list.push_back(allowed.substr(0, bar));
    allowed = bar == std::string_view::npos ? std::string_view{} : allowed.substr(bar + 1);
  }
  return list;
}

bool within(ParamKind kind, const ParamNumber& v, const ParamNumber& lo, const ParamNumber& hi) {
  if (is_real(kind)) {
    return lo.real <= v.real && v.real <= hi.real;
  }
  return lo.integer <= v.integer && v.integer <= hi.integer;
}

// Throws when the row itself is wrong: a table is code.
ParamNumber table_number(const ParamSpec& spec, std::string_view text) {
  auto parsed = parse_number(spec.kind, text);
  if (!parsed) {
    throw std::logic_error("parameter table row '" + std::string(spec.name) +
                           "': " + parsed.error());
  }
  return parsed.take();
}

std::string_view example(ParamKind kind) {
  switch (kind) {
    case ParamKind::kTime:
      return "\"10 us\"";
    case ParamKind::kCycles:
      return "\"120 cycles\" or \"80 ns\"";
    case ParamKind::kBytes:
      return "\"2 KiB\"";
    case ParamKind::kBitRate:
      return "\"1 Gb/s\"";
    case ParamKind::kFrequency:
      return "\"1.8 GHz\"";
    case ParamKind::kPacketRate:
      return "\"300 kpps\"";
    case ParamKind::kPercent:
      return "\"5 %\"";
    default:
      return {};
  }
}

}  // namespace

Result<ParamNumber> parse_number(ParamKind kind, std::string_view text) {
  const auto same = [](uint64_t v) { return v; };
  const auto count = [](auto v) { return v.count(); };
  switch (kind) {
    case ParamKind::kInteger:
      return parse_integer(text);
    case ParamKind::kReal:
      return parse_real(text);
    case ParamKind::kTime:
      return wrap(parse_time(text), count);
    case ParamKind::kCycles:
      return parse_cycles(text);
    case ParamKind::kBytes:
      return wrap(parse_bytes(text), same);
    case ParamKind::kBitRate:
      return wrap(parse_bit_rate(text), count);
    case ParamKind::kFrequency:
      return wrap(parse_frequency(text), count);
    case ParamKind::kPacketRate:
      return wrap(parse_packet_rate(text), same);
    case ParamKind::kPercent: {
      const auto fraction = parse_percent(text);
      if (!fraction) {
        return Error{fraction.error()};
      }
      ParamNumber number;
      number.real = fraction.value();
      return number;
    }
    case ParamKind::kBoolean:
    case ParamKind::kChoice:
    case ParamKind::kText:
      break;
  }
  throw std::logic_error("parse_number of a kind that is no number");
}

bool number_allowed(const ParamSpec& spec, const ParamNumber& v) {
  bool restricted = false;
  const auto matches = [&](const ParamNumber& lo, const ParamNumber& hi) {
    // A bound in nanoseconds says nothing about a value in cycles, and the reverse.
    if (lo.in_cycles != v.in_cycles) {
      return false;
    }
    restricted = true;
    return within(spec.kind, v, lo, hi);
  };
  for (const auto alternative : alternatives(spec.allowed)) {
    const size_t dots = alternative.find("..");
    if (dots != std::string_view::npos) {
      if (matches(table_number(spec, alternative.substr(0, dots)),
                  table_number(spec, alternative.substr(dots + 2)))) {
        return true;
      }
    } else if (const auto single = parse_number(spec.kind, alternative);
               single && matches(single.value(), single.value())) {
      return true;
    }
  }
  return !restricted;
}

bool word_allowed(const ParamSpec& spec, std::string_view word) {
  const auto list = alternatives(spec.allowed);
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool takes_text(ParamKind kind) {
  return kind != ParamKind::kBoolean && kind != ParamKind::kInteger && kind != ParamKind::kReal;
}

std::string with_article(std::string_view noun) {
  const bool vowel = std::string_view("aeio").find(noun.front()) != std::string_view::npos;
  return (vowel ? "an " : "a ") + std::string(noun);
}

std::string_view kind_name(ParamKind kind) {
  switch (kind) {
    case ParamKind::kBoolean:
      return "boolean";
    case ParamKind::kInteger:
      return "integer";
    case ParamKind::kReal:
      return "number";
    case ParamKind::kTime:
      return "time";
    case ParamKind::kCycles:
      return "number of cycles or time";
    case ParamKind::kBytes:
      return "size";
    case ParamKind::kBitRate:
      return "bit rate";
    case ParamKind::kFrequency:
      return "frequency";
    case ParamKind::kPacketRate:
      return "packet rate";
    case ParamKind::kPercent:
      return "percentage";
    case ParamKind::kChoice:
      return "choice";
    case ParamKind::kText:
      return "text";
  }
  return "?";
}

std::string describe_allowed(const ParamSpec& spec) {
  if (spec.kind == ParamKind::kBoolean) {
    return "true, false";
  }
  std::string text;
  for (const auto alternative : alternatives(spec.allowed)) {
    text += text.empty() ? "" : ", ";
    text += alternative;
  }
  if (text.empty()) {
    text = with_article(kind_name(spec.kind));
    if (const auto sample = example(spec.kind); !sample.empty()) {
      text += ", for example " + std::string(sample);
    }
  }
  if (!spec.unit.empty()) {
    text += " " + std::string(spec.unit);
  }
  return text;
}

}  // namespace doorbell::base
