// Admin queue of the E810: descriptors, opcodes, error codes and the command buffers a driver needs
// to bring a port up.
//
// Contract header. Descriptors are 32 bytes in two rings of memory: commands (ATQ), which the
// device completes in place, and events (ARQ). Ring bases are multiples of 64 bytes,
// lengths 1..1023 entries; software owns from its tail on, DD hands back. A buffer follows a
// command by address in parameter words 2 (high) and 3 (low). Not modelled: mailbox and sideband
// queues, firmware logging. Sources: Linux 6.12 ice_adminq_cmd.h, ice_controlq.c. Numbers that only
// firmware knows (versions, TEIDs) are the model's own.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <cstring>

#include "models/base/bytes.h"
#include "models/ice/ice_context.h"

namespace doorbell::ice {

inline constexpr uint32_t kAqDescBytes = 32;
inline constexpr uint32_t kAqRingAlign = 64;
inline constexpr uint32_t kAqMaxBufferBytes = 4096;
inline constexpr uint32_t kAqLargeBuffer = 512;  ///< above it the LB flag must be set

namespace aq_flag {
inline constexpr uint16_t kDd = 1u << 0;
inline constexpr uint16_t kCmp = 1u << 1;
inline constexpr uint16_t kErr = 1u << 2;
inline constexpr uint16_t kLb = 1u << 9;
inline constexpr uint16_t kRd = 1u << 10;  ///< the device reads the buffer
inline constexpr uint16_t kVfc = 1u << 11;
inline constexpr uint16_t kBuf = 1u << 12;  ///< a buffer is there
inline constexpr uint16_t kSi = 1u << 13;   ///< no interrupt
}  // namespace aq_flag

enum class AqError : uint16_t {
  kOk = 0,
  kEperm = 1,
  kEnoent = 2,
  kEio = 5,
  kE2big = 7,
  kEnomem = 9,
  kEbusy = 12,
  kEexist = 13,
  kEinval = 14,
  kEnospc = 16,
  kEnosys = 17,
  kErange = 18,
  kBadAddr = 20,
};

namespace aq_op {
inline constexpr uint16_t kGetVersion = 0x0001;
inline constexpr uint16_t kDriverVersion = 0x0002;
inline constexpr uint16_t kQueueShutdown = 0x0003;
inline constexpr uint16_t kRequestResource = 0x0008;
inline constexpr uint16_t kReleaseResource = 0x0009;
inline constexpr uint16_t kFunctionCaps = 0x000A;
inline constexpr uint16_t kDeviceCaps = 0x000B;
inline constexpr uint16_t kManageMacRead = 0x0107;
inline constexpr uint16_t kManageMacWrite = 0x0108;
inline constexpr uint16_t kClearPxe = 0x0110;
inline constexpr uint16_t kGetSwitchConfig = 0x0200;
inline constexpr uint16_t kAddVsi = 0x0210;
inline constexpr uint16_t kUpdateVsi = 0x0211;
inline constexpr uint16_t kFreeVsi = 0x0213;
inline constexpr uint16_t kAddSwitchRules = 0x02A0;
inline constexpr uint16_t kRemoveSwitchRules = 0x02A2;
inline constexpr uint16_t kClearPfConfig = 0x02A4;
inline constexpr uint16_t kGetDefaultTopology = 0x0400;
inline constexpr uint16_t kGetPhyCaps = 0x0600;
inline constexpr uint16_t kSetPhyConfig = 0x0601;
inline constexpr uint16_t kSetMacConfig = 0x0603;
inline constexpr uint16_t kRestartAn = 0x0605;
inline constexpr uint16_t kGetLinkStatus = 0x0607;  ///< and the link event
inline constexpr uint16_t kSetEventMask = 0x0613;
inline constexpr uint16_t kNvmRead = 0x0701;
inline constexpr uint16_t kSetRssKey = 0x0B02;
inline constexpr uint16_t kSetRssLut = 0x0B03;
inline constexpr uint16_t kGetRssKey = 0x0B04;
inline constexpr uint16_t kGetRssLut = 0x0B05;
inline constexpr uint16_t kAddTxQueues = 0x0C30;
inline constexpr uint16_t kDisableTxQueues = 0x0C31;
inline constexpr uint16_t kDownloadPackage = 0x0C40;
inline constexpr uint16_t kGetPackageInfo = 0x0C43;
}  // namespace aq_op

/// One descriptor. `param` are the four command words; words 2 and 3 are the buffer's address.
struct IceAqDesc {
  uint16_t flags = 0;
  uint16_t opcode = 0;
  uint16_t datalen = 0;
  uint16_t retval = 0;  ///< AqError
  uint32_t cookie_high = 0;
  uint32_t cookie_low = 0;
  std::array<uint32_t, 4> param{};

  uint64_t buffer() const { return static_cast<uint64_t>(param[2]) << 32 | param[3]; }
  void set_buffer(uint64_t address) {
    param[2] = static_cast<uint32_t>(address >> 32);
    param[3] = static_cast<uint32_t>(address);
  }
};
inline void encode(const IceAqDesc& d, uint8_t* b) {
  base::store_le(b + 2, d.opcode);
  base::store_le(b + 4, d.datalen);
  base::store_le(b + 6, d.retval);
  base::store_le(b + 8, d.cookie_high);
  base::store_le(b + 12, d.cookie_low);
  for (unsigned i = 0; i < 4; ++i) base::store_le(b + 16 + 4 * i, d.param[i]);
  base::store_le(b, d.flags);
}
inline IceAqDesc decode_aq(const uint8_t* b) {
  IceAqDesc d;
  d.flags = base::load_le<uint16_t>(b);
  d.opcode = base::load_le<uint16_t>(b + 2);
  d.datalen = base::load_le<uint16_t>(b + 4);
  d.retval = base::load_le<uint16_t>(b + 6);
  d.cookie_high = base::load_le<uint32_t>(b + 8);
  d.cookie_low = base::load_le<uint32_t>(b + 12);
  for (unsigned i = 0; i < 4; ++i) d.param[i] = base::load_le<uint32_t>(b + 16 + 4 * i);
  return d;
}

// Get version (0x0001), response words: ROM version; firmware build; bytes branch, major, minor,
// patch of the firmware; the same of the interface.
inline constexpr uint8_t kAqApiMajor = 1;
inline constexpr uint8_t kAqApiMinor = 7;

// Resources (0x0008, 0x0009): word 0 is id 15:0 and access 31:16, word 1 the time-out in ms.
inline constexpr uint16_t kAqResourceNvm = 1;
inline constexpr uint16_t kAqResourceGlobalLock = 4;
/// Status of a global lock request, word 3 bits 15:0: 0 you load the package, 2 already loaded.
inline constexpr uint16_t kAqGlobalLockDone = 2;

// Capabilities (0x000A, 0x000B): the buffer gets 32-byte elements, their number goes in word 1.
inline constexpr uint32_t kAqCapBytes = 32;
namespace aq_cap {
inline constexpr uint16_t kVsi = 0x0017;
inline constexpr uint16_t kRss = 0x0040;  ///< number: LUT entries, logical id: width of an entry
inline constexpr uint16_t kRxQueues = 0x0041;  ///< number, physical id: first
inline constexpr uint16_t kTxQueues = 0x0042;
inline constexpr uint16_t kMsix = 0x0043;
inline constexpr uint16_t kMaxMtu = 0x0047;
}  // namespace aq_cap
struct IceAqCap {
  uint16_t cap = 0;
  uint8_t major = 1;
  uint8_t minor = 0;
  uint32_t number = 0;
  uint32_t logical_id = 0;
  uint32_t phys_id = 0;
};
inline void encode(const IceAqCap& c, uint8_t* b) {
  std::memset(b, 0, kAqCapBytes);
  base::store_le(b, c.cap);
  b[2] = c.major;
  b[3] = c.minor;
  base::store_le(b + 4, c.number);
  base::store_le(b + 8, c.logical_id);
  base::store_le(b + 12, c.phys_id);
}
inline IceAqCap decode_aq_cap(const uint8_t* b) {
  IceAqCap c;
  c.cap = base::load_le<uint16_t>(b);
  c.major = b[2];
  c.minor = b[3];
  c.number = base::load_le<uint32_t>(b + 4);
  c.logical_id = base::load_le<uint32_t>(b + 8);
  c.phys_id = base::load_le<uint32_t>(b + 12);
  return c;
}

// Manage MAC read (0x0107): the buffer gets 8-byte entries: port, type (0 LAN), six address octets.
// Response: byte 0 bits 7:4 of word 0 say which are valid (bit 4: LAN), byte 4 of the parameters is
// their number.
inline constexpr uint16_t kAqMacLanValid = 1u << 4;
// Manage MAC write (0x0108): octets 0-1 of the address in bytes 2-3 of the parameters, octets 2-5
// in bytes 4-7, as on the wire.

// Link status (0x0607): buffer of 32 bytes.
inline constexpr uint32_t kAqLinkStatusBytes = 32;
namespace aq_link {
inline constexpr unsigned kInfoByte = 2;
inline constexpr unsigned kAnByte = 3;
inline constexpr unsigned kMaxFrameWord = 6;
inline constexpr unsigned kSpeedWord = 10;
inline constexpr uint8_t kUp = 1u << 0;
inline constexpr uint8_t kUpPort = 1u << 5;
inline constexpr uint8_t kMedia = 1u << 6;
inline constexpr uint8_t kSignal = 1u << 7;
inline constexpr uint8_t kAnComplete = 1u << 0;
inline constexpr uint16_t kSpeed10G = 1u << 5;
inline constexpr uint16_t kSpeed25G = 1u << 7;
inline constexpr uint16_t kSpeed40G = 1u << 8;
inline constexpr uint16_t kSpeed50G = 1u << 9;
inline constexpr uint16_t kSpeed100G = 1u << 10;
/// Word 0 bits 17:16 of the command: 2 disables the link event, 3 enables it.
inline constexpr uint32_t kLseMask = 0x3u << 16;
inline constexpr uint32_t kLseEnable = 0x3u << 16;
inline constexpr uint32_t kLseDisable = 0x2u << 16;
}  // namespace aq_link

// RSS key and LUT (0x0B02..0x0B05). Key: word 0 is the VSI (bit 15 valid), buffer of 52 bytes. LUT:
// the flags are bits 31:16 of word 0, buffer of one byte an entry.
namespace aq_lut {
inline constexpr uint32_t kVsiValid = 1u << 15;
inline constexpr uint32_t kType = 0x3u << 16;  ///< 0 VSI, 1 PF, 2 global
inline constexpr uint32_t kTypePf = 1;
inline constexpr uint32_t kTypeGlobal = 2;
}  // namespace aq_lut

// Add Tx queues (0x0C30): byte 0 of the parameters is the number of groups. The buffer holds per
// group: parent TEID, number of queues (byte), 3 reserved; then per queue 48 bytes.
inline constexpr uint32_t kAqTxGroupBytes = 8;
inline constexpr uint32_t kAqTxQueueBytes = 48;
namespace aq_txq {
inline constexpr unsigned kId = 0;    ///< 16 bits, absolute queue
inline constexpr unsigned kTeid = 4;  ///< 32 bits, the device fills it in
inline constexpr unsigned kContext = 8;
inline constexpr unsigned kSchedElement = 32;  ///< 16 bytes, kept, not used by the model
}  // namespace aq_txq
/// TEID that the model's firmware gives a queue, and the one of an unused slot.
constexpr uint32_t tx_queue_teid(unsigned q) {
  return 0x10000u + q;
}
inline constexpr uint32_t kInvalidTeid = 0xFFFFFFFF;

/// One group with one queue, as drivers send it: kAqTxGroupBytes + kAqTxQueueBytes bytes. False
/// when the context does not fit.
[[nodiscard]] inline bool encode_add_tx_queue(uint8_t* b, uint32_t parent_teid, uint16_t queue,
                                              const IceTxContext& context) {
  std::memset(b, 0, kAqTxGroupBytes + kAqTxQueueBytes);
  base::store_le(b, parent_teid);
  b[4] = 1;
  uint8_t* q = b + kAqTxGroupBytes;
  base::store_le(q + aq_txq::kId, queue);
  base::store_le(q + aq_txq::kTeid, kInvalidTeid);
  return encode(context, q + aq_txq::kContext);
}

// Disable Tx queues (0x0C31): byte 0 is the command, byte 1 the number of groups. The buffer holds
// per group: parent TEID, number of queues (byte), reserved byte, the 16-bit ids; an even number of
// queues is followed by two bytes of padding.
inline uint32_t encode_disable_tx_queue(uint8_t* b, uint32_t parent_teid, uint16_t queue) {
  base::store_le(b, parent_teid);
  b[4] = 1;
  b[5] = 0;
  base::store_le(b + 6, queue);
  return 8;
}

// Package (0x0C40, 0x0C43): accepted and forgotten; info gives one active package.
inline constexpr uint32_t kAqPackageInfoBytes = 4 + 40;

}  // namespace doorbell::ice
