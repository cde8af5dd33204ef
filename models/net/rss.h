// Receive side scaling: the Toeplitz hash and the indirection table.
//
// Table-driven: one look-up per input octet, tables built once per key. Hash inputs are built in
// the order of the Microsoft definition: source address, destination address, source port,
// destination port, all as on the wire. Source: Microsoft, "RSS hashing types" and "Verifying the
// RSS hash calculation".
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/base/bytes.h"
#include "models/net/frame.h"

namespace doorbell::net {

inline constexpr size_t kRssKeyBytes = 40;
using RssKey = std::array<uint8_t, kRssKeyBytes>;
/// The key of Microsoft's verification suite; the default of many drivers.
extern const RssKey kMicrosoftRssKey;

class ToeplitzHash {
 public:
  /// Longest input: IPv6 addresses and ports.
  static constexpr size_t kMaxInput = 36;

  explicit ToeplitzHash(const RssKey& key = kMicrosoftRssKey);
  /// `input` has at most kMaxInput octets.
  uint32_t hash(base::ByteView input) const;
  /// Over addresses and, for TCP and UDP that is no fragment, ports. 0 if the frame is not IP.
  uint32_t hash_frame(base::ByteView frame, const Layers& layers) const;

 private:
  std::array<std::array<uint32_t, 256>, kMaxInput> tables_;
};

/// Maps a hash to a queue by its low bits. The number of entries is a power of two.
class IndirectionTable {
 public:
  IndirectionTable(unsigned entries, unsigned queues);  // filled 0, 1, .. queues - 1, 0, ..
  unsigned queue(uint32_t hash) const { return entries_[hash & mask_]; }
  void set(unsigned index, unsigned queue) { entries_.at(index) = queue; }
  unsigned size() const { return mask_ + 1; }

 private:
  std::vector<unsigned> entries_;
  uint32_t mask_;
};

}  // namespace doorbell::net
