// Where every chunk of an UMEM is: the proof that none is lost or doubled.
//
// Made from the rings' memory and the pool's own books whenever asked for, so it costs a run
// nothing and no code path can forget to report to it. What no ring and no kernel structure holds
// is the application's. A chunk at two places at once is doubled: a defect, unless the application
// itself handed it in twice. Sums are in chunks. UMEMs shared by several pools: add() each.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace doorbell::stack::xsk {

class Pool;
class Socket;

enum class Place : uint8_t {
  kApplication,  ///< nowhere else
  kFillRing,     ///< handed in, not taken
  kPool,         ///< taken, in the pool's free list
  kDriver,       ///< a receive buffer of the driver
  kRxRing,       ///< received, not yet taken by the application
  kTxRing,       ///< to be sent, not taken
  kSending,      ///< a driver's descriptor or an sk_buff has it
  kCompletion,   ///< sent, not yet taken by the application
  kCount,
};
inline constexpr size_t kPlaceCount = static_cast<size_t>(Place::kCount);
const char* place_name(Place place);

class Account {
 public:
  explicit Account(const Pool& pool);

  /// Adds another pool on the same UMEM, with its sockets.
  void add(const Pool& pool);

  uint64_t at(Place place) const;
  uint32_t chunks() const { return static_cast<uint32_t>(holders_.size()); }
  /// Chunks held at more than one place, or twice at one.
  uint32_t doubled() const;
  /// Addresses found that belong to no chunk: an application's nonsense in its own rings.
  uint64_t strays() const { return strays_; }
  /// Places that hold chunk `chunk`: one for each time it was found; empty: the application.
  std::vector<Place> places_of(uint32_t chunk) const;
  /// "fill ring 4, driver 12 ..." of what is not zero.
  std::string summary() const;

 private:
  void found(const Pool& pool, uint64_t addr, Place place);
  void scan_socket(const Pool& pool, const Socket& socket);

  std::vector<std::vector<Place>> holders_;  // by chunk
  uint64_t strays_ = 0;
};

}  // namespace doorbell::stack::xsk
