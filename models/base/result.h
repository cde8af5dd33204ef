// Result<T>: a value, or the one message a person needs to mend their input.
//
// Used where the input comes from outside (scenario, platform file, pcap, command line). Programmer
// errors are asserts and modelled hardware errors are status and counters; neither uses this.
#pragma once

#include <cassert>
#include <optional>
#include <string>
#include <utility>

namespace doorbell::base {

/// Why an input was refused. `message` names file, line, key and what is allowed; no trailing
/// newline.
struct Error {
  std::string message;
};

/// Holds either a T or an Error.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}      // NOLINT: implicit on purpose, as in return v;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT: implicit on purpose

  bool ok() const { return value_.has_value(); }
  explicit operator bool() const { return ok(); }
  T& value() {
    assert(ok());
    return *value_;
  }
  const T& value() const {
    assert(ok());
    return *value_;
  }
  T take() {
    assert(ok());
    return std::move(*value_);
  }
  const std::string& error() const { return error_.message; }

 private:
  std::optional<T> value_;
  Error error_;
};

}  // namespace doorbell::base
