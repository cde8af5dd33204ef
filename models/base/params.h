// Named parameters: one constexpr table per device, driver or platform section, and values read by
// it.
//
// A table row says what a parameter is: kind, default, what is allowed, unit, help and where its
// value comes from. `doorbell describe` prints the rows, the scenario and platform loaders check
// input against them, and models and drivers read typed values by name. So a key is written down
// once. Values keep the text they came from, for reports and round trips. No I/O and no TOML here.
// Errors: bad input is a ParamIssue; asking for a name the table lacks, or as another kind, is a
// programmer error and throws std::logic_error (exit status 3). Getters are for set-up, not hot
// paths.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/units.h"

namespace doorbell::base {

enum class ParamKind : uint8_t {
  kBoolean,     // true, false
  kInteger,     // 512
  kReal,        // 0.5
  kTime,        // "100 us"
  kCycles,      // "120 cycles" of the core's clock, or a time
  kBytes,       // "8 KiB"
  kBitRate,     // "1 Gb/s"
  kFrequency,   // "266.67 MHz"
  kPacketRate,  // "300 kpps"
  kPercent,     // "5 %"
  kChoice,      // one of a list of words
  kText,        // anything
};

/// "integer", "time", ... as messages and `describe` name it.
std::string_view kind_name(ParamKind kind);

/// Default of a parameter that has none: input must give it.
inline constexpr std::string_view kRequired{};

/// One row of a table.
struct ParamSpec {
  std::string_view name;
  ParamKind kind = ParamKind::kText;
  /// As a person would write it; kRequired when input must give it.
  std::string_view default_text = kRequired;
  /// Alternatives separated by '|': words, and at most one range "lo..hi" written in the kind's own
  /// units. "native|skb", "16..1024", "line|1 pps..100 Mpps". Empty: any value of the kind.
  std::string_view allowed = {};
  /// What the number counts, for kinds whose text does not say it: "entries", "bits".
  std::string_view unit = {};
  std::string_view help = {};
  /// Where the default comes from: "Linux 6.12 fec_main.c", "assumption".
  std::string_view source = {};
};

/// View of a table; tables are constexpr and live for ever.
class ParamTable {
 public:
  constexpr ParamTable() = default;
  template <size_t N>
  constexpr ParamTable(const ParamSpec (&rows)[N]) : rows_(rows), size_(N) {}  // NOLINT: implicit
  constexpr ParamTable(const ParamSpec* rows, size_t size) : rows_(rows), size_(size) {}

  constexpr const ParamSpec* begin() const { return rows_; }
  constexpr const ParamSpec* end() const { return rows_ + size_; }
  constexpr size_t size() const { return size_; }
  const ParamSpec* find(std::string_view name) const;

 private:
  const ParamSpec* rows_ = nullptr;
  size_t size_ = 0;
};

/// A value as input gave it, before its meaning is known.
struct RawValue {
  enum class Type : uint8_t {
    kText,
    kInteger,
    kReal,
    kBoolean,
    kLoose,  // text of a command line: taken as whatever the parameter's kind needs
    kOther,  // a list, a table, a date: never right
  };
  Type type = Type::kOther;
  std::string text;  // kText, kLoose; for kOther what it is, "a list"
  int64_t integer = 0;
  double real = 0;
  bool boolean = false;

  static RawValue of_text(std::string_view v);
  static RawValue loose(std::string_view v);
  static RawValue of_integer(int64_t v);
  static RawValue of_real(double v);
  static RawValue of_boolean(bool v);
  static RawValue other(std::string_view what);
  /// As a message shows it: text in double quotes, numbers plain.
  std::string shown() const;
};

/// What is wrong with a value or a name. The caller adds file, line and path of the key.
struct ParamIssue {
  std::string what;     // "12 is out of range"
  std::string allowed;  // "16..1024 entries"
  /// "what; allowed: ..."
  std::string message() const;
};

/// Values of one table's parameters, each at its default until set.
class ParamSet {
 public:
  ParamSet() = default;
  /// Throws std::logic_error when a default does not satisfy its own row.
  explicit ParamSet(ParamTable table);

  /// Sets one parameter. Nothing changes when an issue is returned.
  std::optional<ParamIssue> set(std::string_view name, const RawValue& value,
                                std::string_view origin = "scenario");
  /// Takes every value that `other`, of the same table, was given and this set was not.
  void fill_from(const ParamSet& other);
  /// Names of required parameters that have no value yet, in table order.
  std::vector<std::string_view> missing() const;

  bool boolean(std::string_view name) const;
  int64_t integer(std::string_view name) const;
  double real(std::string_view name) const;
  Picos time(std::string_view name) const;
  /// A kCycles value on a core of `clock`.
  Picos cycles(std::string_view name, Hertz clock) const;
  uint64_t bytes(std::string_view name) const;
  BitsPerSecond bit_rate(std::string_view name) const;
  Hertz frequency(std::string_view name) const;
  /// Packets per second.
  uint64_t packet_rate(std::string_view name) const;
  /// A fraction: 0.05 for "5 %".
  double percent(std::string_view name) const;
  std::string_view choice(std::string_view name) const;
  std::string_view text(std::string_view name) const;

  /// True when the value is the alternative word `word` of a row that also takes numbers.
  bool is_word(std::string_view name, std::string_view word) const;
  /// False only for a required parameter that input has not given.
  bool has(std::string_view name) const;
  /// The value as written, whatever its kind.
  std::string_view written(std::string_view name) const;
  /// "default", or what the caller of set() said.
  std::string_view origin(std::string_view name) const;
  ParamTable table() const { return table_; }

 private:
  struct Value {
    bool given = false;
    bool word = false;
    bool in_cycles = false;
    int64_t integer = 0;
    double real = 0;
    std::string text;
    std::string origin;
  };
  size_t index(std::string_view name) const;
  const Value& typed(std::string_view name, ParamKind kind) const;
  static std::optional<ParamIssue> read(const ParamSpec& spec, const RawValue& raw, Value& out);
  static std::optional<ParamIssue> read_number(const ParamSpec& spec, const RawValue& raw,
                                               Value& out);
  static std::optional<ParamIssue> check_range(const ParamSpec& spec, const RawValue& raw,
                                               const Value& value);

  ParamTable table_;
  std::vector<Value> values_;
};

/// What a row takes, for people: "16..1024 entries", "native, skb", "a time, for example \"10
/// us\"".
std::string describe_allowed(const ParamSpec& spec);

/// "unknown key, did you mean 'rx_ring'?" and the list of what is allowed, nearest names first.
ParamIssue unknown_name(std::string_view name, const std::vector<std::string_view>& known);

/// Number of single-character edits between two words.
size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace doorbell::base
