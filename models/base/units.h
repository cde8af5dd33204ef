// Strong units for the whole simulator: time, rate.
//
// Time is an integer number of picoseconds in 64 bits (about 106 days), so that adding up a run
// never rounds and two machines agree to the last digit. Floating point enters only where a
// person's quantity is read ("2.5 us") or a result is printed. Not modelled here: calendar time,
// time zones, clock drift.
#pragma once

#include <cstdint>
#include <limits>

namespace doorbell::base {

/// A point in simulated time or a span of it, in picoseconds.
class Picos {
 public:
  constexpr Picos() = default;
  explicit constexpr Picos(int64_t count) : count_(count) {}

  constexpr int64_t count() const { return count_; }
  constexpr double nanoseconds() const { return static_cast<double>(count_) / 1e3; }
  constexpr double seconds() const { return static_cast<double>(count_) / 1e12; }

  friend constexpr Picos operator+(Picos a, Picos b) { return Picos(a.count_ + b.count_); }
  friend constexpr Picos operator-(Picos a, Picos b) { return Picos(a.count_ - b.count_); }
  friend constexpr Picos operator*(Picos a, int64_t n) { return Picos(a.count_ * n); }
  friend constexpr Picos operator*(int64_t n, Picos a) { return Picos(a.count_ * n); }
  friend constexpr Picos operator/(Picos a, int64_t n) { return Picos(a.count_ / n); }
  friend constexpr int64_t operator/(Picos a, Picos b) { return a.count_ / b.count_; }
  friend constexpr Picos operator%(Picos a, Picos b) { return Picos(a.count_ % b.count_); }
  constexpr Picos& operator+=(Picos b) {
    count_ += b.count_;
    return *this;
  }
  constexpr Picos& operator-=(Picos b) {
    count_ -= b.count_;
    return *this;
  }
  friend constexpr bool operator==(Picos a, Picos b) { return a.count_ == b.count_; }
  friend constexpr bool operator!=(Picos a, Picos b) { return a.count_ != b.count_; }
  friend constexpr bool operator<(Picos a, Picos b) { return a.count_ < b.count_; }
  friend constexpr bool operator<=(Picos a, Picos b) { return a.count_ <= b.count_; }
  friend constexpr bool operator>(Picos a, Picos b) { return a.count_ > b.count_; }
  friend constexpr bool operator>=(Picos a, Picos b) { return a.count_ >= b.count_; }

 private:
  int64_t count_ = 0;
};

/// A time that never comes: later than every time a run can reach.
inline constexpr Picos kNever{std::numeric_limits<int64_t>::max()};

constexpr Picos max(Picos a, Picos b) {
  return a < b ? b : a;
}
constexpr Picos min(Picos a, Picos b) {
  return b < a ? b : a;
}

inline namespace literals {
constexpr Picos operator""_ps(unsigned long long n) {
  return Picos(static_cast<int64_t>(n));
}
constexpr Picos operator""_ns(unsigned long long n) {
  return Picos(static_cast<int64_t>(n) * 1000);
}
constexpr Picos operator""_us(unsigned long long n) {
  return Picos(static_cast<int64_t>(n) * 1000000);
}
constexpr Picos operator""_ms(unsigned long long n) {
  return Picos(static_cast<int64_t>(n) * 1000000000);
}
constexpr Picos operator""_s(unsigned long long n) {
  return Picos(static_cast<int64_t>(n) * 1000000000000);
}
}  // namespace literals

/// A clock or event rate in hertz.
class Hertz {
 public:
  constexpr Hertz() = default;
  explicit constexpr Hertz(uint64_t count) : count_(count) {}
  constexpr uint64_t count() const { return count_; }
  /// Time that `n` cycles take, rounded to the nearest picosecond. Exact up to n = 1.8e7 at 1 ps.
  constexpr Picos cycles(uint64_t n) const {
    const auto wide = static_cast<unsigned __int128>(n) * 1000000000000u + count_ / 2;
    return Picos(static_cast<int64_t>(wide / count_));
  }
  friend constexpr bool operator==(Hertz a, Hertz b) { return a.count_ == b.count_; }
  friend constexpr bool operator!=(Hertz a, Hertz b) { return a.count_ != b.count_; }

 private:
  uint64_t count_ = 0;
};

/// A data rate in bits per second.
class BitsPerSecond {
 public:
  constexpr BitsPerSecond() = default;
  explicit constexpr BitsPerSecond(uint64_t count) : count_(count) {}
  constexpr uint64_t count() const { return count_; }
  /// Time that `bytes` take on this rate, rounded to the nearest picosecond.
  constexpr Picos time_for_bytes(uint64_t bytes) const {
    const auto wide = static_cast<unsigned __int128>(bytes) * 8u * 1000000000000u + count_ / 2;
    return Picos(static_cast<int64_t>(wide / count_));
  }
  friend constexpr bool operator==(BitsPerSecond a, BitsPerSecond b) {
    return a.count_ == b.count_;
  }
  friend constexpr bool operator!=(BitsPerSecond a, BitsPerSecond b) {
    return a.count_ != b.count_;
  }

 private:
  uint64_t count_ = 0;
};

}  // namespace doorbell::base
