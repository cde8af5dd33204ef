// A device's PCI Express port: link, root complex and the way into memory, by reservation.
//
// Reads are two steps. request_read() reserves tags, credits, both directions of the link and the
// root complex, and says when memory is to be sampled and when the last byte is back; the engine
// schedules an event at `sample` (or, for a batch, at the latest of them) and calls
// complete_read(), which takes the bytes. Writes are one call and posted: the bytes become visible
// in memory at the returned time, behind every write called before with an earlier or equal
// `issue`, unless relaxed ordering lets them pass. msix() is such a write of four bytes. Register
// accesses of cores come down the same link (MmioPath). No kernel event, no allocation in steady
// state; one calendar event per MSI-X message. Large writes become visible at once, when their last
// TLP arrives. Errors are statuses. Formulas: docs/timing.md, section PCIe.
//
// `issue` may run ahead of the calendar: the link fills gaps, but tags and credits are handed out
// in order of call. Keep batches within about half a microsecond, or within one pool of credits.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/base/bytes.h"
#include "models/base/calendar.h"
#include "models/base/random.h"
#include "models/base/units.h"
#include "models/fabric/iommu.h"
#include "models/fabric/mmio_path.h"
#include "models/fabric/msix.h"
#include "models/fabric/pcie_config.h"
#include "models/fabric/pcie_credits.h"
#include "models/fabric/pcie_lane.h"
#include "models/fabric/pcie_llc.h"
#include "models/fabric/pcie_order.h"
#include "models/fabric/transaction_time.h"

namespace doorbell::fabric {

enum class PcieStatus : uint8_t {
  kOk,
  kUnsupported,  // no such address (UR)
  kAborted,      // completer abort (CA)
  kTimeout,      // no completion within the completion timeout
  kPoisoned,     // data came with the poison bit
};
const char* status_name(PcieStatus status);

/// Running totals since construction; subtract two for a window.
struct PcieStats {
  struct Direction {
    uint64_t tlps = 0;
    uint64_t bytes = 0;    // on the link, headers and framing included
    uint64_t payload = 0;  // data only
    base::Picos busy;
    base::Picos waited;  // sum over TLPs of waiting for the link
  };
  Direction up;    // device to host
  Direction down;  // host to device
  uint64_t reads = 0;
  uint64_t read_requests = 0;  // TLPs; as GLPCI_PKTCT_NP_C
  base::Picos read_latency;    // sum over read_requests; as GLPCI_LATCT_NP_C
  uint64_t read_bytes = 0;     // as GLPCI_BYTCTL_NP_C
  uint64_t writes = 0;
  uint64_t write_bytes = 0;
  uint64_t messages = 0;  // MSI-X
  uint64_t mmio_writes = 0;
  uint64_t mmio_reads = 0;
  uint64_t errors = 0;  // calls with a status other than kOk
  uint64_t partial_writes = 0;
  uint64_t iotlb_hits = 0;
  uint64_t iotlb_misses = 0;
  uint64_t llc_hits = 0;
  uint64_t llc_misses = 0;
  // How long TLPs waited for each resource, and resource x time in use.
  struct Pool {
    base::Picos stall;
    base::Picos held;
    unsigned size = 0;  // 0 = infinite
  };
  Pool tags;
  Pool posted_headers;
  Pool posted_data;
  Pool non_posted;
  Pool completion_headers;
  Pool completion_data;
  Pool walkers;
  Pool write_pipe;  // partial-line merges
};

/// The resource nearest to its limit between two readings of the totals.
struct PcieBottleneck {
  const char* resource;  // "pcie up", "pcie down", "tags", "posted headers", ...
  double utilisation;    // 0..1
};
PcieBottleneck pcie_bottleneck(const PcieStats& from, const PcieStats& to, base::Picos window);

class PciePort : public sc_core::sc_module, public MmioPath {
 public:
  struct Done {
    base::Picos time;  // read: data complete at the device; write: visible in memory
    PcieStatus status = PcieStatus::kOk;
    bool ok() const { return status == PcieStatus::kOk; }
  };
  /// An accepted read between its two steps. Plain data: keep it with the request.
  struct ReadTicket {
    base::Picos sample;  // call complete_read() in an event at this time, or later
    base::Picos done;    // when the last byte is at the device
    PcieStatus status = PcieStatus::kOk;
  };
  /// One read of a batch.
  struct ReadOp {
    base::Picos issue;
    uint64_t addr;
    uint32_t bytes;
    ReadTicket ticket;  // filled in
  };
  enum class Order : uint8_t { kStrict, kRelaxed };

  /// `config.complaint()` must be null.
  PciePort(sc_core::sc_module_name name, const PcieConfig& config, base::Calendar& calendar);
  ~PciePort() override;

  /// Passes time to memory in the TransactionTime extension, as DmaPort::absolute_time().
  void absolute_time();

  tlm_utils::simple_initiator_socket<PciePort, 64> socket;  // to memory

  /// Reserves a read of `bytes` (1 to 64 KiB) that the engine wants to send at `issue`.
  ReadTicket request_read(base::Picos issue, uint64_t addr, uint32_t bytes);
  /// The same for several; returns the latest sample time, where one event serves all.
  base::Picos request_reads(ReadOp* ops, size_t count);
  /// Takes the bytes now. `into` has the request's size; it is left alone on an error other than
  /// poison.
  Done complete_read(const ReadTicket& ticket, uint64_t addr, base::MutByteView into);
  /// When the next read request could get a tag: engines that keep their own queue look here.
  base::Picos tag_free(base::Picos at) { return tags_.earliest(at); }
  /// When the upward link is booked to: engines that keep their own queue look here.
  base::Picos up_free() const { return up_.free(); }

  /// Posted write. The device cannot know of an error; the status is for counters.
  Done write(base::Picos issue, uint64_t addr, base::ByteView from, Order order = Order::kStrict);
  /// Interrupt message, behind all earlier writes. Reaches the sink, if any, in a calendar event.
  Done msix(base::Picos issue, uint64_t address, uint32_t data);
  void set_msix_sink(MsixSink* sink) { sink_ = sink; }

  /// The least time between a core's register access and its arrival here.
  base::Picos nearest() const { return config_.mmio_root_latency + hop_ + config_.device_latency; }
  // Register accesses of cores (MmioPath).
  base::Picos forward(base::Picos at, unsigned bytes) override;
  base::Picos request(base::Picos at) override;
  base::Picos back(base::Picos at, unsigned bytes) override;

  /// After `skip` more reads, the next `count` end with `status`.
  void inject(PcieStatus status, uint64_t skip, uint64_t count);
  /// The CPU touched these bytes; matters with LlcReads::kTracked.
  void llc_touch(uint64_t addr, uint64_t bytes) {
    if (llc_ != nullptr) {
      llc_->touch(addr, bytes);
    }
  }
  Iommu* iommu() { return iommu_.get(); }

  PcieStats stats() const;
  const PcieConfig& config() const { return config_; }

 private:
  static constexpr unsigned kSpreadSteps = 1024;
  struct Message {
    base::Picos arrival;
    uint64_t address;
    uint32_t data;
  };
  struct Piece;
  static std::vector<base::Picos> spread_table(base::Picos mean);
  void start_of_simulation() override;
  // The read's line will be wanted at its sample time: tells the host's caches now.
  void expect(uint64_t addr) const {
    if (addr >= host_begin_ && addr < host_end_) {
      __builtin_prefetch(host_memory_ + (addr - host_begin_));
    }
  }
  void request_piece(base::Picos issue, Piece& piece);
  base::Picos complete_piece(const Piece& piece);
  base::Picos post(base::Picos issue, uint64_t addr, uint32_t bytes, base::Picos floor,
                   bool to_memory);
  base::Picos merge_partial(base::Picos arrival, uint64_t addr, uint32_t bytes);
  PcieStatus fault_of_next_read();
  void deliver();
  bool transport(tlm::tlm_command command, base::Picos& at, uint64_t addr, uint8_t* data,
                 size_t bytes);
  base::Picos spread() {
    return spread_table_.empty() ? base::Picos(0) : spread_table_[random_.next() % kSpreadSteps];
  }

  PcieConfig config_;
  base::Calendar& calendar_;
  const uint8_t* host_memory_ = nullptr;  // by direct memory access, if memory grants it
  uint64_t host_begin_ = 0;
  uint64_t host_end_ = 0;
  base::Picos hop_;
  unsigned request_overhead_;
  unsigned completion_overhead_;
  PcieLane up_;
  PcieLane down_;
  PcieLane write_pipe_;
  PcieTags tags_;
  PcieCredits root_posted_;
  PcieCredits root_non_posted_;
  PcieCredits device_completion_;
  PcieCredits device_posted_;
  PcieCredits device_non_posted_;
  PcieOrder up_order_;    // posted writes of the device: issue to visible
  PcieOrder down_order_;  // posted writes of cores: issue to departure and arrival
  std::unique_ptr<Iommu> iommu_;
  std::unique_ptr<PcieLlc> llc_;
  base::Stream random_;
  std::vector<base::Picos> spread_table_;
  tlm::tlm_generic_payload payload_;
  TransactionTime time_;
  bool absolute_ = false;

  MsixSink* sink_ = nullptr;
  base::Event delivery_;
  std::vector<Message> messages_;  // by arrival
  PcieStatus fault_ = PcieStatus::kOk;
  uint64_t fault_skip_ = 0;
  uint64_t fault_count_ = 0;
  PcieStats totals_;  // what the parts do not count themselves
};

}  // namespace doorbell::fabric
