// sk_buff: the stack's packet, and the pool they all come from.
//
// Modelled: a head buffer that is a page (so it can come from and go back to a page pool), up to 17
// page fragments, the offload fields drivers read (checksum, VLAN, GSO, time stamps) and the line
// of skb_shared_info that building and freeing touch. Not modelled: clones, fragment lists, slabs,
// sockets. Timing: SkbBuild and SkbFree are charged here, page costs by the page pool. The pool
// never grows: an empty one is memory pressure. Pages without a pool are kept in a stash.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/hal/hal.h"
#include "sim/stack/page_pool.h"

namespace doorbell::stack {

inline constexpr unsigned kMaxSkbFrags = 17;
/// skb_shared_info at the end of a head buffer.
inline constexpr uint32_t kSharedInfoBytes = 320;

enum class Checksum : uint8_t {
  kNone,         ///< nobody has looked
  kUnnecessary,  ///< receive: the device verified it
  kPartial,      ///< transmit: the device must fill it in
};

enum class Gso : uint8_t { kNone, kTcpV4, kTcpV6 };

struct SkBuff;

/// Who wants to know that an sk_buff is no longer needed (skb->destructor).
class SkbDestructor {
 public:
  virtual ~SkbDestructor() = default;
  virtual void skb_freed(SkBuff& skb) = 0;
};

struct SkbFrag {
  Page* page = nullptr;
  uint8_t* data = nullptr;
  uint32_t size = 0;
};

struct SkBuff {
  uint8_t* head = nullptr;
  uint8_t* data = nullptr;
  uint8_t* tail = nullptr;
  uint8_t* end = nullptr;  ///< where skb_shared_info starts
  Page* head_page = nullptr;
  bool pp_recycle = false;  ///< freeing gives the pages back to their page pool
  uint8_t frag_count = 0;
  std::array<SkbFrag, kMaxSkbFrags> frags;
  uint32_t frag_bytes = 0;

  NetDevice* device = nullptr;
  uint16_t protocol = 0;  ///< EtherType, host order
  uint16_t queue = 0;
  Checksum ip_summed = Checksum::kNone;
  uint16_t network_offset = 0;    ///< of the IP header from data (at the MAC header)
  uint16_t transport_offset = 0;  ///< of the TCP or UDP header from data
  uint16_t csum_offset = 0;       ///< of the checksum field from the transport header
  bool ipv4 = false;              ///< network header is IPv4 (kPartial)
  bool vlan_present = false;
  uint16_t vlan_tci = 0;
  Gso gso = Gso::kNone;
  uint16_t gso_size = 0;  ///< payload bytes of a segment
  uint16_t gso_segs = 0;
  bool xmit_more = false;  ///< the next packet for the queue follows at once: its doorbell will do
  SkbDestructor* destructor = nullptr;  ///< called once, by free() or orphan()
  uint64_t destructor_arg = 0;
  uint32_t truesize = 0;  ///< what a socket is charged for it
  bool want_tx_timestamp = false;
  bool has_timestamp = false;
  uint64_t timestamp_ns = 0;

  uint32_t head_len() const { return static_cast<uint32_t>(tail - data); }
  uint32_t length() const { return head_len() + frag_bytes; }
  uint32_t headroom() const { return static_cast<uint32_t>(data - head); }
  uint8_t* push(uint32_t bytes) { return data -= bytes; }
  uint8_t* pull(uint32_t bytes) { return data += bytes; }
  uint8_t* put(uint32_t bytes) {
    uint8_t* old = tail;
    tail += bytes;
    return old;
  }
  void reserve(uint32_t bytes) {
    data += bytes;
    tail += bytes;
  }
  void add_frag(Page& page, uint8_t* bytes, uint32_t size);
  /// skb_orphan: tells the owner now that it is out of the host's hands.
  void orphan() {
    if (destructor == nullptr) return;
    SkbDestructor* owner = destructor;
    destructor = nullptr;
    owner->skb_freed(*this);
  }
};

class SkbPool {
 public:
  SkbPool(hal::Hal& hal, PageMap& pages, uint32_t count);
  ~SkbPool();
  SkbPool(const SkbPool&) = delete;
  SkbPool& operator=(const SkbPool&) = delete;

  /// build_skb: an sk_buff around a received page; data at the page's start, no room reserved.
  /// Charges SkbBuild. nullptr when the pool is empty; the page stays the caller's.
  SkBuff* build(Page& page);
  /// A fresh sk_buff with an own page and `headroom` bytes reserved: a packet of an application.
  /// Charges SkbBuild. nullptr when sk_buffs or pages are exhausted.
  SkBuff* alloc(uint32_t headroom);
  /// kfree_skb: tells the destructor, pages to their page pool (all of the buffer is cleaned) or to
  /// the stash. Charges SkbFree.
  void free(SkBuff& skb);

  /// A page without a page pool, for fragments. free() of the sk_buff gives it back.
  Page* alloc_page();
  void free_page(Page& page);

  uint32_t in_use() const { return static_cast<uint32_t>(storage_.size() - free_.size()); }
  /// Makes the next `count` build() and alloc() calls fail.
  void fail_next(uint32_t count) { fail_next_ = count; }

 private:
  SkBuff* take();

  hal::Hal& hal_;
  PageMap& pages_;
  std::vector<SkBuff> storage_;
  std::vector<SkBuff*> free_;
  std::vector<Page*> stash_;
  uint32_t fail_next_ = 0;
};

}  // namespace doorbell::stack
