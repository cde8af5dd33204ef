// Segmentation and scattered packets: context descriptors, and packets in more buffers than a
// segment may have.
#include <algorithm>
#include <array>
#include <cstring>

#include "sim/drivers/ice/ice_driver.h"

namespace doorbell::drivers::ice {

namespace {
constexpr unsigned kWindow = hw::kMaxTxBuffers - 2;  // a header and a partial buffer take two
constexpr uint32_t kAlignedPiece = 12288;
}  // namespace

bool IceDriver::prepare_tso(stack::SkBuff& skb, TxOffloads& off) {
  if ((off.cmd & hw::tx_cmd::kL4t) != hw::tx_cmd::kL4tTcp) return false;
  off.header_bytes = skb.transport_offset + off.l4len * 4;
  if (skb.length() <= off.header_bytes || skb.head_len() < off.header_bytes) return false;
  off.tso_bytes = skb.length() - off.header_bytes;
  off.mss = skb.gso_size;
  if (off.mss < hw::kMinMss || off.mss > hw::kMaxMss || off.tso_bytes > hw::kMaxTsoBytes) {
    return false;
  }
  if (skb.gso_segs == 0) {
    skb.gso_segs = static_cast<uint16_t>((off.tso_bytes + off.mss - 1) / off.mss);
  }
  off.tso = true;
  // Lengths and the IP checksum are the device's to fill in, per segment.
  uint8_t* ip = skb.data + skb.network_offset;
  if (skb.gso == stack::Gso::kTcpV4) {
    hal_.dma.touch(ip, net::kIpv4HeaderBytes, hal::Touch::kWrite);
    base::store_be16(ip + net::kIpv4LengthOffset, 0);
    base::store_be16(ip + net::kIpv4ChecksumOffset, 0);
  } else {
    hal_.dma.touch(ip, net::kIpv6HeaderBytes, hal::Touch::kWrite);
    base::store_be16(ip + 4, 0);
  }
  return true;
}

void IceDriver::write_context(TxRing& ring, const TxOffloads& off) {
  hw::IceTxContextDesc d;
  d.cmd = hw::tx_ctx_cmd::kTso;
  d.tso_len = off.tso_bytes;
  d.mss = off.mss;
  uint8_t raw[hw::kTxDescBytes];
  encode(d, raw);
  write_data(ring, ring.ntu, base::load_le<uint64_t>(raw), base::load_le<uint64_t>(raw + 8));
  ring.ntu = ring.next(ring.ntu);
}

// The device takes eight buffers a packet, or a segment. A segment that lies in a run of more has,
// inside it, six whole ones with less than its payload.
bool IceDriver::too_scattered(const stack::SkBuff& skb, uint32_t count) const {
  if (count < hw::kMaxTxBuffers) return false;
  if (skb.gso == stack::Gso::kNone) return count != hw::kMaxTxBuffers;
  std::array<uint32_t, kWindow> last{};
  uint32_t seen = 0;
  uint32_t sum = 0;
  for (unsigned i = 0; i < skb.frag_count; ++i) {
    for (uint32_t left = skb.frags[i].size; left > 0; ++seen) {
      const uint32_t piece = left > hw::kMaxTxBufferBytes ? kAlignedPiece : left;
      left -= piece;
      uint32_t& oldest = last[seen % kWindow];
      sum += piece - oldest;
      oldest = piece;
      if (seen + 1 >= kWindow && sum + 1 < skb.gso_size) return true;
    }
  }
  return false;
}

// Copies the packet together: into the head's page if it fits, else into as few pages as hold it.
bool IceDriver::linearize(stack::SkBuff& skb) {
  const auto room = static_cast<uint32_t>(skb.end - skb.tail);
  uint32_t taken = 0;
  if (skb.frag_bytes <= room) {
    copy_frags(skb, skb.tail, room, taken);
    skb.put(skb.frag_bytes);
    for (unsigned i = 0; i < skb.frag_count; ++i) put_frag_page(skb, i);
    skb.frag_count = 0;
    skb.frag_bytes = 0;
    return true;
  }
  const uint32_t pages = (skb.frag_bytes + stack::kPageBytes - 1) / stack::kPageBytes;
  std::array<stack::Page*, stack::kMaxSkbFrags> fresh{};
  if (pages > fresh.size()) return false;
  for (uint32_t i = 0; i < pages; ++i) {
    fresh[i] = stack_.skbs().alloc_page();
    if (fresh[i] != nullptr) continue;
    while (i > 0) stack_.skbs().free_page(*fresh[--i]);
    return false;
  }
  for (uint32_t i = 0; i < pages; ++i) copy_frags(skb, fresh[i]->data, stack::kPageBytes, taken);
  const uint32_t bytes = skb.frag_bytes;
  for (unsigned i = 0; i < skb.frag_count; ++i) put_frag_page(skb, i);
  skb.frag_count = 0;
  skb.frag_bytes = 0;
  for (uint32_t i = 0; i < pages; ++i) {
    const uint32_t part = std::min(stack::kPageBytes, bytes - i * stack::kPageBytes);
    skb.add_frag(*fresh[i], fresh[i]->data, part);
  }
  return true;
}

// Copies up to `room` bytes of the fragments, from byte `taken` of them on.
void IceDriver::copy_frags(stack::SkBuff& skb, uint8_t* to, uint32_t room, uint32_t& taken) {
  uint32_t skip = taken;
  for (unsigned i = 0; i < skb.frag_count && room > 0; ++i) {
    const stack::SkbFrag& frag = skb.frags[i];
    if (skip >= frag.size) {
      skip -= frag.size;
      continue;
    }
    const uint32_t part = std::min(frag.size - skip, room);
    hal_.dma.touch(frag.data + skip, part, hal::Touch::kRead);
    hal_.dma.touch(to, part, hal::Touch::kWrite);
    std::memcpy(to, frag.data + skip, part);
    to += part;
    room -= part;
    taken += part;
    skip = 0;
  }
}

void IceDriver::put_frag_page(stack::SkBuff& skb, unsigned i) {
  stack::Page& page = *skb.frags[i].page;
  if (skb.pp_recycle && page.pool != nullptr) {
    page.pool->put_full(page);
  } else {
    stack_.skbs().free_page(page);
  }
}

}  // namespace doorbell::drivers::ice
