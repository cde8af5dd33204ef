// What a PCI Express link between one device and its root complex is made of.
//
// Defaults describe the machine of pcie-bench (SIGCOMM 2018, NFP6000 on a Broadwell Xeon, Gen3 x8),
// whose unloaded reads of L bytes take about 534 + 0.29 L ns; the split of that number into device,
// link and root complex is an assumption, the sum is published. Byte counts of transaction-layer
// packets (TLPs) and the share of data-link packets follow pcie-bench's model; the Ack interval is
// the formula of PCI Express Base 3.0, 3.5.3.1, which gives pcie-bench's table for Gen3 and Gen4 at
// x8 and x16. Not modelled: flits (Gen6), retraining, replay, virtual channels beyond VC0.
// Formulas: docs/timing.md, section PCIe.
#pragma once

#include <cstdint>

#include "models/base/units.h"

namespace doorbell::fabric {

struct IommuConfig {
  bool enabled = false;
  unsigned entries = 64;  // of the IOTLB; a power of two
  unsigned ways = 4;      // a power of two
  uint64_t page_bytes = 4096;
  unsigned walkers = 4;  // page walks side by side, at most 16
  base::Picos hit_latency{0};
  base::Picos walk_latency{330000};
};

/// How device reads find the last-level cache.
enum class LlcReads : uint8_t {
  kHit,      // always: rings and buffers were just touched by the CPU or by DMA
  kMiss,     // never
  kTracked,  // by tags of `llc_bytes`: lines written by DMA or announced by llc_touch() hit
};

/// One pool of flow-control credits; 0 = infinite.
struct PcieCreditConfig {
  unsigned headers = 0;
  unsigned data = 0;  // units of 16 bytes
};

struct PcieConfig {
  // Link
  unsigned generation = 3;  // 1..5
  unsigned lanes = 8;       // 1, 2, 4, 8, 16
  unsigned max_payload = 256;
  unsigned max_read_request = 512;
  unsigned completion_boundary = 64;  // RCB
  bool address_64 = true;             // headers of requests: 4 words, else 3
  bool ecrc = false;
  bool relaxed_ordering = false;  // allowed at all; a write asks for it by its attribute
  unsigned dllp_interval = 0;     // bytes between Acks, and between credit updates; 0 = by formula
  // Latency, each way unless said otherwise
  base::Picos device_latency{30000};      // device: engine to link, and link to engine
  unsigned device_byte_time_fs = 140000;  // device's data path of a read, femtoseconds a byte
  base::Picos link_latency{75000};        // propagation and both PHYs
  base::Picos switch_latency{0};          // per direction; 0 = no switch on the way
  base::Picos root_ingress{140000};       // arrival at the root port to memory or LLC
  base::Picos root_read{170000};          // read: memory sampled to first completion at the link
  base::Picos root_spread{8000};          // mean of an exponential addition to root_read
  base::Picos mmio_root_latency{100000};  // core to root port, and back for a read
  // Memory side
  bool ddio = true;  // device writes allocate in the LLC
  LlcReads llc_reads = LlcReads::kHit;
  base::Picos llc_miss_latency{60000};       // read miss
  base::Picos memory_write_latency{60000};   // added to a write when ddio is off
  base::Picos partial_write_latency{10000};  // merge of a line that a write covers in part
  base::Picos partial_write_busy{0};         // time the merge keeps the root port's write pipe
  uint64_t llc_bytes = 20u << 20;
  unsigned llc_ways = 20;
  unsigned ddio_ways = 2;
  // Flow control
  unsigned tags = 256;
  PcieCreditConfig root_posted{256, 2048};  // what the root port grants the device
  PcieCreditConfig root_non_posted{256, 0};
  PcieCreditConfig device_completion{0, 0};  // what the device grants the root port
  PcieCreditConfig device_posted{64, 256};
  PcieCreditConfig device_non_posted{32, 0};
  base::Picos credit_return{100000};  // buffer freed at a receiver to credit usable at the sender
  base::Picos completion_timeout{50000000000};
  uint64_t seed = 1;
  IommuConfig iommu;

  /// Bits per second on the wires after line coding, one direction.
  double raw_rate() const;
  /// Bits per second left for TLPs after Acks, credit updates and skip sets.
  double tlp_rate() const;
  /// Bytes between Acks in the formula of the header comment (or dllp_interval).
  double ack_interval() const;
  /// Bytes of a TLP beyond its payload, framing included.
  unsigned request_overhead() const { return (address_64 ? 24u : 20u) + (ecrc ? 4u : 0u); }
  unsigned completion_overhead() const { return 20u + (ecrc ? 4u : 0u); }
  base::Picos hop() const { return link_latency + switch_latency; }
  /// Null when a device can be built from this, else what is wrong with it.
  const char* complaint() const;
};

}  // namespace doorbell::fabric
