// Views of byte ranges, and loads and stores with a named byte order.
//
// A view does not own what it looks at; whoever hands one out says how long it lives. C++17 has no
// std::span, so these two are the project's.
// Unaligned access is allowed everywhere: the loads compile to one instruction.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace doorbell::base {

/// Read-only view of `size` bytes at `data`.
struct ByteView {
  const uint8_t* data = nullptr;
  size_t size = 0;

  uint8_t operator[](size_t i) const {
    assert(i < size);
    return data[i];
  }
  const uint8_t* begin() const { return data; }
  const uint8_t* end() const { return data + size; }
  /// Part of the view. `offset + count` must not pass the end.
  ByteView sub(size_t offset, size_t count) const {
    assert(offset + count <= size);
    return {data + offset, count};
  }
};

/// Writable view of `size` bytes at `data`.
struct MutByteView {
  uint8_t* data = nullptr;
  size_t size = 0;

  operator ByteView() const { return {data, size}; }
  uint8_t& operator[](size_t i) const {
    assert(i < size);
    return data[i];
  }
  MutByteView sub(size_t offset, size_t count) const {
    assert(offset + count <= size);
    return {data + offset, count};
  }
};

// Doorbell runs on little-endian hosts only; a big-endian build stops here, not in a wrong result.
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "little-endian host needed");

template <typename T>
inline T load_le(const uint8_t* p) {
  T v;
  std::memcpy(&v, p, sizeof(T));
  return v;
}
template <typename T>
inline void store_le(uint8_t* p, T v) {
  std::memcpy(p, &v, sizeof(T));
}
inline uint16_t load_be16(const uint8_t* p) {
  return __builtin_bswap16(load_le<uint16_t>(p));
}
inline uint32_t load_be32(const uint8_t* p) {
  return __builtin_bswap32(load_le<uint32_t>(p));
}
inline uint64_t load_be64(const uint8_t* p) {
  return __builtin_bswap64(load_le<uint64_t>(p));
}
inline void store_be16(uint8_t* p, uint16_t v) {
  store_le(p, __builtin_bswap16(v));
}
inline void store_be32(uint8_t* p, uint32_t v) {
  store_le(p, __builtin_bswap32(v));
}
inline void store_be64(uint8_t* p, uint64_t v) {
  store_le(p, __builtin_bswap64(v));
}

/// Bits hi..lo of `v`, shifted down.
constexpr uint32_t bits(uint32_t v, unsigned hi, unsigned lo) {
  return (v >> lo) & (hi - lo == 31 ? 0xFFFFFFFFu : ((1u << (hi - lo + 1)) - 1u));
}
constexpr uint32_t bit(unsigned n) {
  return 1u << n;
}

}  // namespace doorbell::base
