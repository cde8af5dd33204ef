// The boundary between a MAC and the wire.
//
// Frames are pulled, not pushed: a MAC peeks at the next arrival and learns when its first preamble
// bit reaches the PHY, so that an engine can work through a burst without one event per frame. In
// the other direction a MAC hands over each frame with the time its preamble starts. `bytes` is
// destination MAC to end of payload without FCS; the four FCS octets are implied and are right
// unless kBadFcs is set. Octets on the wire: 8 preamble+SFD, bytes, 4 FCS, then the gap.
#pragma once

#include <cstdint>

#include "models/base/bytes.h"
#include "models/base/units.h"

namespace doorbell::net {

inline constexpr uint32_t kFcsBytes = 4;
inline constexpr uint32_t kPreambleBytes = 8;   // 7 preamble + 1 SFD
inline constexpr uint32_t kGapBytes = 12;       // minimum inter-packet gap
inline constexpr uint32_t kMinFrameBytes = 60;  // without FCS

/// What is wrong with a frame on the wire; none for a good one.
enum FrameFlaw : uint8_t {
  kBadFcs = 1,     // FCS does not match
  kAlignment = 2,  // not a whole number of octets (implies a bad FCS)
  kTxError = 4,    // ended by the sender with an error symbol (FIFO underrun)
};

/// A frame about to arrive. `bytes` stays valid until pop().
struct Arrival {
  base::Picos start;     // first preamble bit at the receiving PHY
  base::ByteView bytes;  // no FCS
  uint64_t id = 0;       // running number of its source, from 0
  uint8_t flaws = 0;     // FrameFlaw bits
};

/// Told that peek() may now return an earlier or a first frame (a cable fed by another NIC; a pause
/// that ended). Sources that know their future never call it.
class ArrivalListener {
 public:
  virtual ~ArrivalListener() = default;
  virtual void arrivals_changed() = 0;
};

/// Receive side of a MAC's wire.
class WireIn {
 public:
  virtual ~WireIn() = default;
  /// Next frame in order of start, or nullptr when none is known.
  virtual const Arrival* peek() = 0;
  /// Consumes the frame that peek() showed.
  virtual void pop() = 0;
  virtual void set_listener(ArrivalListener* listener) = 0;
};

/// Transmit side of a MAC's wire.
class WireOut {
 public:
  virtual ~WireOut() = default;
  /// A whole frame whose first preamble bit leaves at `start`. `bytes` is valid during the call
  /// only. Calls come in order of start.
  virtual void transmit(base::Picos start, base::ByteView bytes, uint8_t flaws) = 0;
};

/// Who made a frame, for end-to-end checks of what was delivered.
struct Provenance {
  bool intact = false;    // bytes are what the source made (MAC addresses may be exchanged)
  bool in_order = false;  // later than every frame verified before it on the same flow
  uint64_t id = 0;        // source's running number; valid if intact
  base::Picos start;      // when it entered the wire; valid if intact
};

/// Recognises its own frames wherever they come out: on the wire, in an XDP program, in a socket.
class FrameOrigin {
 public:
  virtual ~FrameOrigin() = default;
  /// Checks every byte but the order of the two MAC addresses, and notes the frame as delivered.
  virtual Provenance verify(base::ByteView bytes) = 0;
};

}  // namespace doorbell::net
