// Reads of host memory on their way, in order of their arrival there.
//
// An engine asks with request(); the port says at once when memory is sampled and when the data is
// back. At the sample time, Pump has the read completed: the bytes are taken and the engine is
// told. All targets (descriptors and payload that software has handed over) stay as they are until
// the device reports them, so sampling a little late, as the pump does under load, reads the same
// bytes. Reads keep their order on the way up.
#pragma once

#include "models/ice/fifo.h"
#include "models/ice/ice_core.h"

namespace doorbell::ice {

enum class ReadKind : uint8_t { kTxDescriptors, kTxPayload, kRxDescriptors, kAdmin };

struct Read {
  base::Picos at;    // memory is sampled
  base::Picos done;  // the data is back
  uint64_t address = 0;
  uint8_t* into = nullptr;  // null: the engine says where when the data comes
  uint32_t bytes = 0;
  uint32_t token = 0;  // the engine's
  uint16_t queue = 0;
  uint16_t index = 0;
  ReadKind kind = ReadKind::kAdmin;
  fabric::PcieStatus status = fabric::PcieStatus::kOk;
};

class Reads {
 public:
  explicit Reads(Core& core) : core_(core), pending_(1024), returns_(1024) {}

  /// Issues a read at `at`; returns when its data is back.
  base::Picos request(base::Picos at, Read read);
  /// When memory is to be sampled next.
  base::Picos next() const { return pending_.next(); }
  /// Completes the first request; returns whose it was.
  ReadKind complete_next();
  /// Reads whose data is not back at `t`.
  unsigned in_flight(base::Picos t);
  /// When the next read's data is back, of those in flight.
  base::Picos next_return() const { return returns_.next(); }

  // Totals, for the non-posted counters of GLPCI.
  uint64_t issued() const { return issued_; }
  uint64_t bytes() const { return bytes_; }
  uint64_t latency_ns() const { return static_cast<uint64_t>(latency_.count()) / 1000; }

 private:
  struct Return {
    base::Picos at;
  };
  Core& core_;
  Fifo<Read> pending_;
  Fifo<Return> returns_;
  uint64_t issued_ = 0;
  uint64_t bytes_ = 0;
  base::Picos latency_;
};

}  // namespace doorbell::ice
