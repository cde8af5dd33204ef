#include <cerrno>
#include <cstring>

#include "models/base/bytes.h"
#include "sim/stack/bpf/helpers.h"

namespace doorbell::stack::bpf {
namespace {

constexpr int64_t kEtherHeader = 14;
constexpr uint32_t kMaxMeta = 252;       // meta_len of the shared info is 8 bits, a multiple of 4
constexpr uint32_t kMaxDiffBytes = 512;  // of the kernel's scratch buffer

uint64_t negative(int error) {
  return static_cast<uint64_t>(int64_t{error});
}

// Signed 32-bit argument.
int64_t delta_of(uint64_t argument) {
  return static_cast<int32_t>(argument);
}

// Part of the packet that a helper of the load/store bytes kind is asked for.
uint8_t* packet_bytes(Vm& vm, uint64_t offset, uint64_t length) {
  const Packet& p = vm.packet();
  const auto size = static_cast<uint64_t>(p.end - p.data);
  const auto from = static_cast<uint32_t>(offset);
  const auto bytes = static_cast<uint32_t>(length);
  return uint64_t{from} + bytes > size ? nullptr : p.data + from;
}

// Sum of 32-bit words as one's complement, each inverted when `invert`.
uint64_t sum_words(const uint8_t* p, uint32_t bytes, bool invert, uint64_t sum) {
  for (uint32_t i = 0; i < bytes; i += 4) {
    const auto word = base::load_le<uint32_t>(p + i);
    sum += invert ? ~word : word;
  }
  return sum;
}

}  // namespace

uint64_t help_adjust_head(Vm& vm, uint64_t context, uint64_t delta, uint64_t, uint64_t, uint64_t) {
  if (!vm.is_context(context)) return 0;
  Packet& p = vm.packet();
  const auto meta = p.data - p.meta;
  const int64_t at = (p.data - p.hard_start) + delta_of(delta);
  if (at < meta || at > (p.end - p.hard_start) - kEtherHeader) return negative(-EINVAL);
  uint8_t* data = p.hard_start + at;
  if (meta > 0 && data != p.data) {
    vm.touch_packet(p.meta, static_cast<uint32_t>(meta), Access::kRead);
    vm.touch_packet(data - meta, static_cast<uint32_t>(meta), Access::kWrite);
    std::memmove(data - meta, p.meta, static_cast<size_t>(meta));
    vm.counts().octets += static_cast<uint64_t>(meta);
  }
  p.data = data;
  p.meta = data - meta;
  vm.map_packet();
  return 0;
}

uint64_t help_adjust_tail(Vm& vm, uint64_t context, uint64_t delta, uint64_t, uint64_t, uint64_t) {
  if (!vm.is_context(context)) return 0;
  Packet& p = vm.packet();
  const int64_t size = (p.end - p.data) + delta_of(delta);
  if (size > p.hard_end - p.data || size < kEtherHeader) return negative(-EINVAL);
  uint8_t* end = p.data + size;
  if (end > p.end) {
    const auto grown = static_cast<uint32_t>(end - p.end);
    vm.touch_packet(p.end, grown, Access::kWrite);
    std::memset(p.end, 0, grown);
    vm.counts().octets += grown;
  }
  p.end = end;
  vm.map_packet();
  return 0;
}

uint64_t help_adjust_meta(Vm& vm, uint64_t context, uint64_t delta, uint64_t, uint64_t, uint64_t) {
  if (!vm.is_context(context)) return 0;
  Packet& p = vm.packet();
  if (!p.meta_supported) return negative(-524);  // the kernel's own ENOTSUPP
  const int64_t at = (p.meta - p.hard_start) + delta_of(delta);
  const int64_t data = p.data - p.hard_start;
  if (at < 0 || at > data) return negative(-EINVAL);
  const int64_t size = data - at;
  if (size % 4 != 0 || size > kMaxMeta) return negative(-EACCES);
  p.meta = p.hard_start + at;
  vm.map_packet();
  return 0;
}

uint64_t help_buff_len(Vm& vm, uint64_t context, uint64_t, uint64_t, uint64_t, uint64_t) {
  if (!vm.is_context(context)) return 0;
  return static_cast<uint64_t>(vm.packet().end - vm.packet().data);
}

uint64_t help_load_bytes(Vm& vm, uint64_t context, uint64_t offset, uint64_t to, uint64_t length,
                         uint64_t) {
  if (!vm.is_context(context)) return 0;
  const auto bytes = static_cast<uint32_t>(length);
  uint8_t* out = vm.writable(to, bytes, "buffer");
  if (out == nullptr) return 0;
  const uint8_t* from = packet_bytes(vm, offset, bytes);
  if (from == nullptr) return negative(-EINVAL);
  vm.touch_packet(from, bytes, Access::kRead);
  std::memmove(out, from, bytes);
  vm.counts().octets += bytes;
  return 0;
}

uint64_t help_store_bytes(Vm& vm, uint64_t context, uint64_t offset, uint64_t from, uint64_t length,
                          uint64_t) {
  if (!vm.is_context(context)) return 0;
  const auto bytes = static_cast<uint32_t>(length);
  const uint8_t* in = vm.readable(from, bytes, "buffer");
  if (in == nullptr) return 0;
  uint8_t* to = packet_bytes(vm, offset, bytes);
  if (to == nullptr) return negative(-EINVAL);
  vm.touch_packet(to, bytes, Access::kWrite);
  std::memmove(to, in, bytes);
  vm.counts().octets += bytes;
  return 0;
}

// The difference that replacing `from` by `to` makes to a checksum, added to `seed`: 32 bits, not
// folded to 16, as on x86.
uint64_t help_csum_diff(Vm& vm, uint64_t from, uint64_t from_size, uint64_t to, uint64_t to_size,
                        uint64_t seed) {
  const auto from_bytes = static_cast<uint32_t>(from_size);
  const auto to_bytes = static_cast<uint32_t>(to_size);
  if (((from_bytes | to_bytes) & 3) != 0 ||
      uint64_t{from_bytes} + uint64_t{to_bytes} > kMaxDiffBytes) {
    return negative(-EINVAL);
  }
  uint64_t sum = static_cast<uint32_t>(seed);
  if (from_bytes != 0) {
    const uint8_t* p = vm.readable(from, from_bytes, "buffer");
    if (p == nullptr) return 0;
    sum = sum_words(p, from_bytes, true, sum);
  }
  if (to_bytes != 0) {
    const uint8_t* p = vm.readable(to, to_bytes, "buffer");
    if (p == nullptr) return 0;
    sum = sum_words(p, to_bytes, false, sum);
  }
  vm.counts().octets += from_bytes + to_bytes;
  while (sum >> 32 != 0) sum = (sum & 0xFFFFFFFF) + (sum >> 32);
  return sum;
}

}  // namespace doorbell::stack::bpf
