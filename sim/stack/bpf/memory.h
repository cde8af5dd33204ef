// What a BPF program can reach: numbered regions of host memory with bounds.
//
// An address a program holds is not a host pointer. Bits 63..56 name a region, 55..24 an element of
// it, 23..0 an octet, where octet kOrigin is the element's first. So arithmetic below or past an
// element never reaches another one within 4 MiB, and each access is checked in a handful of
// instructions. The packet is region 0: its addresses fit in the 32-bit fields of xdp_md. No
// address below kOrigin is valid, so 0 is a null pointer. The context (region 1) has no memory
// here: the interpreter answers its loads. No timing here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace doorbell::stack::bpf {

using Addr = uint64_t;

inline constexpr unsigned kRegionShift = 56;
inline constexpr unsigned kElementShift = 24;
inline constexpr uint32_t kOctetMask = 0xFFFFFF;
inline constexpr uint32_t kOrigin = 0x400000;
/// Largest element: what lies between kOrigin and the end, less room to see an overrun.
inline constexpr uint32_t kMaxElementBytes = 8u << 20;

// Numbers of regions.
inline constexpr unsigned kPacketRegion = 0;
inline constexpr unsigned kContextRegion = 1;
inline constexpr unsigned kStackRegion = 2;       // one for each of kMaxFrames frames
inline constexpr unsigned kMapHandleRegion = 10;  // element = index of a map; no memory
inline constexpr unsigned kCodeRegion = 11;       // element = decoded instruction; no memory
inline constexpr unsigned kFirstMapRegion = 12;
inline constexpr unsigned kMaxMaps = 200;

constexpr Addr make_addr(unsigned region, uint32_t element, uint32_t octet = 0) {
  return static_cast<uint64_t>(region) << kRegionShift |
         static_cast<uint64_t>(element) << kElementShift | (kOrigin + octet);
}
constexpr unsigned region_of(Addr a) {
  return static_cast<unsigned>(a >> kRegionShift);
}
constexpr uint32_t element_of(Addr a) {
  return static_cast<uint32_t>(a >> kElementShift);
}

struct Region {
  uint8_t* base = nullptr;  ///< octet `low` of element 0
  uint32_t low = kOrigin;   ///< first readable octet
  uint32_t readable = 0;    ///< octets of each element
  uint32_t writable = 0;    ///< readable or 0
  uint32_t count = 0;       ///< elements
  uint32_t stride = 0;      ///< octets from one element to the next
};

enum class Access : uint8_t { kRead, kWrite };

class Memory {
 public:
  Region& region(unsigned number) { return regions_[number & 0xFF]; }
  const Region& region(unsigned number) const { return regions_[number & 0xFF]; }

  /// Host address of `bytes` octets at `a`, or nullptr when any of them is out of bounds.
  uint8_t* translate(Addr a, uint32_t bytes, Access access) const {
    const Region& r = regions_[a >> kRegionShift];
    const uint32_t element = element_of(a);
    const uint32_t octet = (static_cast<uint32_t>(a) & kOctetMask) - r.low;
    const uint32_t limit = access == Access::kWrite ? r.writable : r.readable;
    if (element >= r.count || static_cast<uint64_t>(octet) + bytes > limit) return nullptr;
    return r.base + static_cast<size_t>(element) * r.stride + octet;
  }

 private:
  std::array<Region, 256> regions_{};
};

}  // namespace doorbell::stack::bpf
