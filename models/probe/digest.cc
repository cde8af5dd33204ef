#include "models/probe/digest.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace doorbell::probe {

void Digest::add_bytes(base::ByteView bytes) {
  state_ = XXH3_64bits_withSeed(bytes.data, bytes.size, state_);
}

void Digest::add_frame(base::Picos at, base::ByteView bytes) {
  add_time(at);
  add_bytes(bytes);
}

std::string Digest::hex() const {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out(16, '0');
  for (size_t i = 0; i < 16; ++i) out[i] = kDigits[(state_ >> (60 - 4 * i)) & 0xF];
  return out;
}

}  // namespace doorbell::probe
