// Queue contexts of the E810: what a driver tells the device about a ring, bit-exact.
//
// Contract header. A context is a packed run of bit fields, numbered from bit 0 of byte 0. The
// transmit context (22 bytes) goes down in an admin command, the receive context (32 bytes) through
// eight QRX_CONTEXT registers. encode answers false when a value does not fit its field, and then
// leaves the bytes alone. Sources: Linux 6.12 ice_lan_tx_rx.h and ice_common.c (field tables).
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "models/base/bytes.h"

namespace doorbell::ice {

inline constexpr unsigned kTxContextBytes = 22;
inline constexpr unsigned kRxContextBytes = 32;
inline constexpr unsigned kRxContextWords = 8;

namespace context_bits {
/// Reads `width` (1..64) bits from bit `lsb` of a little-endian bit string.
inline uint64_t get(const uint8_t* bytes, unsigned lsb, unsigned width) {
  uint64_t value = 0;
  for (unsigned done = 0; done < width;) {
    const unsigned bit = lsb + done;
    const unsigned take = width - done < 8 - bit % 8 ? width - done : 8 - bit % 8;
    const uint64_t part = (bytes[bit / 8] >> (bit % 8)) & ((1u << take) - 1u);
    value |= part << done;
    done += take;
  }
  return value;
}
inline bool fits(uint64_t value, unsigned width) {
  return width == 64 || (value >> width) == 0;
}
inline void put(uint8_t* bytes, unsigned lsb, unsigned width, uint64_t value) {
  for (unsigned done = 0; done < width;) {
    const unsigned bit = lsb + done;
    const unsigned take = width - done < 8 - bit % 8 ? width - done : 8 - bit % 8;
    const unsigned mask = ((1u << take) - 1u) << (bit % 8);
    const unsigned part = static_cast<unsigned>(value >> done) << (bit % 8);
    bytes[bit / 8] = static_cast<uint8_t>((bytes[bit / 8] & ~mask) | (part & mask));
    done += take;
  }
}
}  // namespace context_bits

/// Transmit queue context. The numbers after a field are width and lowest bit.
struct IceTxContext {
  uint64_t base = 0;  ///< 57@0, address >> 7
  uint32_t port_num = 0;
  uint32_t cgd_num = 0;  ///< traffic class
  uint32_t pf_num = 0;
  uint32_t vmvf_num = 0;
  uint32_t vmvf_type = 2;  ///< 0 VF, 1 VMQ, 2 PF
  uint32_t src_vsi = 0;
  uint32_t tsyn_ena = 0;
  uint32_t internal_usage_flag = 0;
  uint32_t alt_vlan = 0;
  uint32_t cpuid = 0;
  uint32_t wb_mode = 0;
  uint32_t tphrd_desc = 0;
  uint32_t tphrd = 0;
  uint32_t tphwr_desc = 0;
  uint32_t cmpq_id = 0;
  uint32_t qnum_in_func = 0;
  uint32_t itr_notification_mode = 0;
  uint32_t adjust_prof_id = 0;
  uint32_t qlen = 0;  ///< 13@135, descriptors
  uint32_t quanta_prof_idx = 0;
  uint32_t tso_ena = 0;
  uint32_t tso_qnum = 0;
  uint32_t legacy_int = 0;  ///< 1: done bits in the ring
  uint32_t drop_ena = 0;
  uint32_t cache_prof_idx = 0;
  uint32_t pkt_shaper_prof_idx = 0;
};

/// Receive queue context.
struct IceRxContext {
  uint32_t head = 0;  ///< 13@0
  uint32_t cpuid = 0;
  uint64_t base = 0;   ///< 57@32, address >> 7
  uint32_t qlen = 0;   ///< 13@89, descriptors
  uint32_t dbuf = 0;   ///< 7@102, units of 128 B
  uint32_t hbuf = 0;   ///< 5@109, units of 64 B
  uint32_t dtype = 0;  ///< 0: no split
  uint32_t dsize = 1;  ///< 1: 32-byte descriptors
  uint32_t crcstrip = 1;
  uint32_t l2tsel = 1;
  uint32_t hsplit_0 = 0;
  uint32_t hsplit_1 = 0;
  uint32_t showiv = 0;
  uint32_t rxmax = 0;  ///< 14@174, bytes
  uint32_t tphrdesc = 0;
  uint32_t tphwdesc = 0;
  uint32_t tphdata = 0;
  uint32_t tphhead = 0;
  uint32_t lrxqthresh = 0;  ///< 3@198, units of 64 descriptors
  uint32_t prefena = 1;
};

namespace context_bits {
/// Calls `f(width, lsb, field)` for each field, in order of bits.
template <typename Context, typename F>
void each_tx(Context& c, F&& f) {
  f(57, 0, c.base), f(3, 57, c.port_num), f(5, 60, c.cgd_num), f(3, 65, c.pf_num);
  f(10, 68, c.vmvf_num), f(2, 78, c.vmvf_type), f(10, 80, c.src_vsi), f(1, 90, c.tsyn_ena);
  f(1, 91, c.internal_usage_flag), f(1, 92, c.alt_vlan), f(8, 93, c.cpuid), f(1, 101, c.wb_mode);
  f(1, 102, c.tphrd_desc), f(1, 103, c.tphrd), f(1, 104, c.tphwr_desc), f(9, 105, c.cmpq_id);
  f(14, 114, c.qnum_in_func), f(1, 128, c.itr_notification_mode), f(6, 129, c.adjust_prof_id);
  f(13, 135, c.qlen), f(4, 148, c.quanta_prof_idx), f(1, 152, c.tso_ena), f(11, 153, c.tso_qnum);
  f(1, 164, c.legacy_int), f(1, 165, c.drop_ena), f(2, 166, c.cache_prof_idx);
  f(3, 168, c.pkt_shaper_prof_idx);
}
template <typename Context, typename F>
void each_rx(Context& c, F&& f) {
  f(13, 0, c.head), f(8, 13, c.cpuid), f(57, 32, c.base), f(13, 89, c.qlen), f(7, 102, c.dbuf);
  f(5, 109, c.hbuf), f(2, 114, c.dtype), f(1, 116, c.dsize), f(1, 117, c.crcstrip);
  f(1, 119, c.l2tsel), f(4, 120, c.hsplit_0), f(2, 124, c.hsplit_1), f(1, 127, c.showiv);
  f(14, 174, c.rxmax), f(1, 193, c.tphrdesc), f(1, 194, c.tphwdesc), f(1, 195, c.tphdata);
  f(1, 196, c.tphhead), f(3, 198, c.lrxqthresh), f(1, 201, c.prefena);
}
}  // namespace context_bits

[[nodiscard]] inline bool encode(const IceTxContext& c, uint8_t* bytes) {
  bool ok = true;
  context_bits::each_tx(c, [&ok](unsigned width, unsigned, uint64_t value) {
    ok = ok && context_bits::fits(value, width);
  });
  if (!ok) return false;
  std::memset(bytes, 0, kTxContextBytes);
  context_bits::each_tx(c, [bytes](unsigned width, unsigned lsb, uint64_t value) {
    context_bits::put(bytes, lsb, width, value);
  });
  return true;
}
inline IceTxContext decode_tx_context_bytes(const uint8_t* bytes) {
  IceTxContext c;
  context_bits::each_tx(c, [bytes](unsigned width, unsigned lsb, auto& field) {
    field = static_cast<std::decay_t<decltype(field)>>(context_bits::get(bytes, lsb, width));
  });
  return c;
}
[[nodiscard]] inline bool encode(const IceRxContext& c, uint8_t* bytes) {
  bool ok = true;
  context_bits::each_rx(c, [&ok](unsigned width, unsigned, uint64_t value) {
    ok = ok && context_bits::fits(value, width);
  });
  if (!ok) return false;
  std::memset(bytes, 0, kRxContextBytes);
  context_bits::each_rx(c, [bytes](unsigned width, unsigned lsb, uint64_t value) {
    context_bits::put(bytes, lsb, width, value);
  });
  return true;
}
inline IceRxContext decode_rx_context_bytes(const uint8_t* bytes) {
  IceRxContext c;
  context_bits::each_rx(c, [bytes](unsigned width, unsigned lsb, auto& field) {
    field = static_cast<std::decay_t<decltype(field)>>(context_bits::get(bytes, lsb, width));
  });
  return c;
}
/// The eight words for QRX_CONTEXT(0..7, q).
[[nodiscard]] inline bool encode(const IceRxContext& c,
                                 std::array<uint32_t, kRxContextWords>& words) {
  uint8_t bytes[kRxContextBytes];
  if (!encode(c, bytes)) return false;
  for (unsigned i = 0; i < kRxContextWords; ++i) {
    words[i] = base::load_le<uint32_t>(bytes + 4 * i);
  }
  return true;
}

}  // namespace doorbell::ice
