// Little-endian bit fields of a descriptor's bytes.
//
// LeField<Byte, Bit, Width> is the field of `Width` bits whose lowest bit is `Bit` of the
// little-endian word that starts at byte `Byte`: the way data sheets number descriptor fields.
// Reading and writing are one load or a load and a store; the word is the smallest of 8, 16, 32, 64
// bits that holds it. Encode checks the range: a value that does not fit is refused and leaves the
// bytes alone. Not for device registers (models/reg). Takes no simulated time.
#pragma once

#include <cstdint>
#include <type_traits>

#include "models/base/bytes.h"

namespace doorbell::desc {

template <unsigned Byte, unsigned Bit, unsigned Width>
struct LeField {
  static_assert(Width >= 1 && Bit + Width <= 64, "a field lies in one 64-bit word");
  using Word = std::conditional_t<
      Bit + Width <= 8, uint8_t,
      std::conditional_t<Bit + Width <= 16, uint16_t,
                         std::conditional_t<Bit + Width <= 32, uint32_t, uint64_t>>>;
  static constexpr uint64_t kMax = ~uint64_t{0} >> (64 - Width);
  /// Bytes from the descriptor's start that the field's word touches.
  static constexpr unsigned kEnd = Byte + sizeof(Word);

  static constexpr bool fits(uint64_t value) { return value <= kMax; }
  static uint64_t get(const uint8_t* bytes) {
    return (static_cast<uint64_t>(base::load_le<Word>(bytes + Byte)) >> Bit) & kMax;
  }
  /// Stores `value`, keeping the word's other bits. False, and nothing stored, if it does not fit.
  [[nodiscard]] static bool put(uint8_t* bytes, uint64_t value) {
    if (!fits(value)) return false;
    const uint64_t word = base::load_le<Word>(bytes + Byte);
    base::store_le(bytes + Byte, static_cast<Word>((word & ~(kMax << Bit)) | (value << Bit)));
    return true;
  }
};

}  // namespace doorbell::desc
