#include "models/base/random.h"

#include <cassert>

namespace doorbell::base {
namespace {

uint64_t rotl(uint64_t x, int k) {
  return (x << k) | (x >> (64 - k));
}

uint64_t splitmix(uint64_t& x) {
  uint64_t z = (x += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

// -log2(u / 2^64) in 32.32 fixed point for u > 0: the exponent by counting zeros, 32 fraction bits
// by repeated squaring. No floating point: libm's log may differ in the last bit between machines.
uint64_t neg_log2_fixed(uint64_t u) {
  const int shift = __builtin_clzll(u);
  uint64_t mantissa = u << shift;  // 1.63 fixed point in [1, 2)
  uint64_t fraction = 0;
  for (int i = 0; i < 32; ++i) {
    const auto square = static_cast<unsigned __int128>(mantissa) * mantissa;
    fraction <<= 1;
    if (square >> 127) {
      fraction |= 1;
      mantissa = static_cast<uint64_t>(square >> 64);
    } else {
      mantissa = static_cast<uint64_t>(square >> 63);
    }
  }
  const uint64_t log2 = (static_cast<uint64_t>(63 - shift) << 32) | fraction;
  return (uint64_t{64} << 32) - log2;
}

}  // namespace

Stream::Stream(uint64_t seed, std::string_view name) {
  uint64_t x = seed;
  for (const char c : name) {
    x = (x ^ static_cast<uint8_t>(c)) * 0x100000001B3u;
  }
  for (auto& word : state_) {
    word = splitmix(x);
  }
}

uint64_t Stream::next() {
  const uint64_t result = rotl(state_[1] * 5, 7) * 9;
  const uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = rotl(state_[3], 45);
  return result;
}

uint64_t Stream::below(uint64_t bound) {
  assert(bound > 0);
  // Lemire's multiply-shift with rejection of the biased low part.
  auto wide = static_cast<unsigned __int128>(next()) * bound;
  if (static_cast<uint64_t>(wide) < bound) {
    const uint64_t threshold = (0 - bound) % bound;
    while (static_cast<uint64_t>(wide) < threshold) {
      wide = static_cast<unsigned __int128>(next()) * bound;
    }
  }
  return static_cast<uint64_t>(wide >> 64);
}

Picos Stream::exponential(Picos mean) {
  constexpr uint64_t kLn2Fixed = 2977044472u;  // ln 2 in 0.32 fixed point
  const uint64_t nats = static_cast<uint64_t>(
      (static_cast<unsigned __int128>(neg_log2_fixed(next() | 1)) * kLn2Fixed) >> 32);
  return Picos(static_cast<int64_t>((static_cast<unsigned __int128>(nats) * mean.count()) >> 32));
}

}  // namespace doorbell::base
