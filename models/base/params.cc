#include "models/base/params.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <utility>

#include "models/base/param_number.h"

namespace doorbell::base {

const ParamSpec* ParamTable::find(std::string_view name) const {
  const auto* row = std::find_if(begin(), end(), [&](const auto& r) { return r.name == name; });
  return row == end() ? nullptr : row;
}

RawValue RawValue::of_text(std::string_view v) {
  RawValue raw;
  raw.type = Type::kText;
  raw.text = v;
  return raw;
}

RawValue RawValue::loose(std::string_view v) {
  RawValue raw;
  raw.type = Type::kLoose;
  raw.text = v;
  return raw;
}

RawValue RawValue::of_integer(int64_t v) {
  RawValue raw;
  raw.type = Type::kInteger;
  raw.integer = v;
  return raw;
}

RawValue RawValue::of_real(double v) {
  RawValue raw;
  raw.type = Type::kReal;
  raw.real = v;
  return raw;
}

RawValue RawValue::of_boolean(bool v) {
  RawValue raw;
  raw.type = Type::kBoolean;
  raw.boolean = v;
  return raw;
}

RawValue RawValue::other(std::string_view what) {
  RawValue raw;
  raw.text = what;
  return raw;
}

std::string RawValue::shown() const {
  switch (type) {
    case Type::kText:
      return "\"" + text + "\"";
    case Type::kInteger:
      return std::to_string(integer);
    case Type::kReal: {
      char buffer[32];
      std::snprintf(buffer, sizeof buffer, "%.12g", real);
      return buffer;
    }
    case Type::kBoolean:
      return boolean ? "true" : "false";
    case Type::kLoose:
    case Type::kOther:
      break;
  }
  return text;
}

std::string ParamIssue::message() const {
  return allowed.empty() ? what : what + "; allowed: " + allowed;
}

ParamSet::ParamSet(ParamTable table) : table_(table), values_(table.size()) {
  size_t i = 0;
  for (const auto& spec : table_) {
    if (spec.default_text.data() != nullptr) {
      if (const auto issue = read(spec, RawValue::loose(spec.default_text), values_[i])) {
        throw std::logic_error("default of '" + std::string(spec.name) + "': " + issue->message());
      }
      values_[i].origin = "default";
    }
    ++i;
  }
}

std::optional<ParamIssue> ParamSet::check_range(const ParamSpec& spec, const RawValue& raw,
                                                const Value& value) {
  const bool finite = std::isfinite(value.real);
  if (finite && number_allowed(spec, {value.integer, value.real, value.in_cycles})) {
    return std::nullopt;
  }
  const bool range = spec.allowed.find("..") != std::string_view::npos;
  return ParamIssue{
      raw.shown() + (range ? " is out of range" : " is not one of the allowed values"),
      describe_allowed(spec)};
}

std::optional<ParamIssue> ParamSet::read_number(const ParamSpec& spec, const RawValue& raw,
                                                Value& out) {
  using Type = RawValue::Type;
  const bool number = raw.type == Type::kInteger || raw.type == Type::kReal;
  out.text = raw.type == Type::kText ? raw.text : raw.shown();
  if (raw.type == Type::kInteger && spec.kind == ParamKind::kInteger) {
    out.integer = raw.integer;
  } else if (number && spec.kind == ParamKind::kReal) {
    out.real = raw.type == Type::kReal ? raw.real : static_cast<double>(raw.integer);
  } else if (number && takes_text(spec.kind)) {
    return ParamIssue{raw.shown() + " is a bare number, not " + with_article(kind_name(spec.kind)) +
                          ": the unit is missing",
                      describe_allowed(spec)};
  } else if (raw.type == Type::kText || raw.type == Type::kLoose) {
    const auto parsed = parse_number(spec.kind, raw.text);
    if (!parsed && word_allowed(spec, raw.text)) {
      out.word = true;
      return std::nullopt;
    }
    if (!parsed || (raw.type == Type::kText && !takes_text(spec.kind))) {
      return ParamIssue{raw.type == Type::kText && !takes_text(spec.kind)
                            ? raw.shown() + " is not " + with_article(kind_name(spec.kind))
                            : parsed.error(),
                        describe_allowed(spec)};
    }
    out.integer = parsed.value().integer;
    out.real = parsed.value().real;
    out.in_cycles = parsed.value().in_cycles;
  } else {
    return ParamIssue{raw.shown() + " is not " + with_article(kind_name(spec.kind)),
                      describe_allowed(spec)};
  }
  return check_range(spec, raw, out);
}

std::optional<ParamIssue> ParamSet::read(const ParamSpec& spec, const RawValue& raw, Value& out) {
  const bool textual = raw.type == RawValue::Type::kText || raw.type == RawValue::Type::kLoose;
  out.given = true;
  switch (spec.kind) {
    case ParamKind::kBoolean:
      if (raw.type == RawValue::Type::kLoose && (raw.text == "true" || raw.text == "false")) {
        out.integer = raw.text == "true" ? 1 : 0;
      } else if (raw.type == RawValue::Type::kBoolean) {
        out.integer = raw.boolean ? 1 : 0;
      } else {
        return ParamIssue{raw.shown() + " is not a boolean", describe_allowed(spec)};
      }
      out.text = raw.shown();
      return std::nullopt;
    case ParamKind::kChoice:
      if (!textual || !word_allowed(spec, raw.text)) {
        return ParamIssue{raw.shown() + " is not one of the choices", describe_allowed(spec)};
      }
      out.text = raw.text;
      return std::nullopt;
    case ParamKind::kText:
      if (!textual) {
        return ParamIssue{raw.shown() + " is not text", describe_allowed(spec)};
      }
      out.text = raw.text;
      return std::nullopt;
    default:
      return read_number(spec, raw, out);
  }
}

void ParamSet::fill_from(const ParamSet& other) {
  if (other.table_.begin() != table_.begin() || other.table_.size() != table_.size()) {
    throw std::logic_error("parameters of another table");
  }
  for (size_t i = 0; i < values_.size(); ++i) {
    const bool given = values_[i].given && values_[i].origin != "default";
    if (!given && other.values_[i].given) {
      values_[i] = other.values_[i];
    }
  }
}

std::optional<ParamIssue> ParamSet::set(std::string_view name, const RawValue& value,
                                        std::string_view origin) {
  const ParamSpec* spec = table_.find(name);
  if (spec == nullptr) {
    std::vector<std::string_view> known;
    for (const auto& row : table_) {
      known.push_back(row.name);
    }
    return unknown_name(name, known);
  }
  Value next;
  if (auto issue = read(*spec, value, next)) {
    return issue;
  }
  next.origin = origin;
  values_[static_cast<size_t>(spec - table_.begin())] = std::move(next);
  return std::nullopt;
}

std::vector<std::string_view> ParamSet::missing() const {
  std::vector<std::string_view> names;
  for (size_t i = 0; i < values_.size(); ++i) {
    if (!values_[i].given) {
      names.push_back(table_.begin()[i].name);
    }
  }
  return names;
}

size_t ParamSet::index(std::string_view name) const {
  const ParamSpec* spec = table_.find(name);
  if (spec == nullptr) {
    throw std::logic_error("no parameter '" + std::string(name) + "' in this table");
  }
  return static_cast<size_t>(spec - table_.begin());
}

const ParamSet::Value& ParamSet::typed(std::string_view name, ParamKind kind) const {
  const size_t i = index(name);
  if (table_.begin()[i].kind != kind) {
    throw std::logic_error("parameter '" + std::string(name) + "' is not " +
                           with_article(kind_name(kind)));
  }
  if (!values_[i].given || values_[i].word) {
    throw std::logic_error("parameter '" + std::string(name) + "' has no such value");
  }
  return values_[i];
}

bool ParamSet::boolean(std::string_view name) const {
  return typed(name, ParamKind::kBoolean).integer != 0;
}
int64_t ParamSet::integer(std::string_view name) const {
  return typed(name, ParamKind::kInteger).integer;
}
double ParamSet::real(std::string_view name) const {
  return typed(name, ParamKind::kReal).real;
}
Picos ParamSet::time(std::string_view name) const {
  return Picos(typed(name, ParamKind::kTime).integer);
}
Picos ParamSet::cycles(std::string_view name, Hertz clock) const {
  const Value& value = typed(name, ParamKind::kCycles);
  return value.in_cycles ? clock.cycles(static_cast<uint64_t>(value.integer))
                         : Picos(value.integer);
}
uint64_t ParamSet::bytes(std::string_view name) const {
  return static_cast<uint64_t>(typed(name, ParamKind::kBytes).integer);
}
BitsPerSecond ParamSet::bit_rate(std::string_view name) const {
  return BitsPerSecond(static_cast<uint64_t>(typed(name, ParamKind::kBitRate).integer));
}
Hertz ParamSet::frequency(std::string_view name) const {
  return Hertz(static_cast<uint64_t>(typed(name, ParamKind::kFrequency).integer));
}
uint64_t ParamSet::packet_rate(std::string_view name) const {
  return static_cast<uint64_t>(typed(name, ParamKind::kPacketRate).integer);
}
double ParamSet::percent(std::string_view name) const {
  return typed(name, ParamKind::kPercent).real;
}
std::string_view ParamSet::choice(std::string_view name) const {
  return typed(name, ParamKind::kChoice).text;
}
std::string_view ParamSet::text(std::string_view name) const {
  return typed(name, ParamKind::kText).text;
}

bool ParamSet::is_word(std::string_view name, std::string_view word) const {
  const Value& value = values_[index(name)];
  return value.word && value.text == word;
}
bool ParamSet::has(std::string_view name) const {
  return values_[index(name)].given;
}
std::string_view ParamSet::written(std::string_view name) const {
  return values_[index(name)].text;
}
std::string_view ParamSet::origin(std::string_view name) const {
  return values_[index(name)].origin;
}

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) {
    row[j] = j;
  }
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

ParamIssue unknown_name(std::string_view name, const std::vector<std::string_view>& known) {
  // A guess longer than any real name is not compared: the cost is the product of the lengths.
  constexpr size_t kLongest = 64;
  const size_t near = name.size() > kLongest ? 0 : 1 + name.size() / 3;
  std::vector<std::pair<size_t, std::string_view>> ranked;
  for (const auto candidate : known) {
    const size_t distance = near == 0 ? 1 : edit_distance(name, candidate);
    ranked.emplace_back(std::min(distance, near + 1), candidate);  // far ones keep their order
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  ParamIssue issue{"unknown name", ""};
  if (!ranked.empty() && ranked[0].first <= near) {
    issue.what += ", did you mean '" + std::string(ranked[0].second) + "'?";
  }
  for (const auto& [distance, candidate] : ranked) {
    issue.allowed += (issue.allowed.empty() ? "" : ", ") + std::string(candidate);
  }
  return issue;
}

}  // namespace doorbell::base
