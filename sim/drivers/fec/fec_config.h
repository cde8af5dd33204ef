// What can be chosen about the FEC driver, as one plain struct.
//
// Defaults are those of the driver whose XDP rates were published (Linux 6.5 era, i.MX8MP at 1
// Gb/s): 1024 transmit and 256 receive descriptors a ring, one doorbell per frame, no TDAR reads.
// config_from() reads the scenario keys of fec_params.h. Units: base types; ring sizes in
// descriptors. Source: Linux 6.12 fec_main.c, imx8mp.dtsi (clock rates).
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/params.h"
#include "models/base/units.h"
#include "models/fec/fec_limits.h"
#include "models/net/frame.h"
#include "sim/stack/xdp.h"

namespace doorbell::drivers::fec {

enum class XdpMode : uint8_t {
  kNative,  ///< the program runs in the receive loop
  kSkb,     ///< generic XDP: the stack runs it on an sk_buff
};

enum class DoorbellMode : uint8_t {
  kPerFrame,  ///< TDAR after each frame
  kBatched,   ///< TDAR once per receive pass of a poll, or per batch of redirected frames
};

enum class DmaSync : uint8_t {
  kUsed,  ///< a page of an XDP path goes back after a clean of what was used, or none if done
  kFull,  ///< ... of the whole 3520 bytes
};

/// Interrupt coalescing of one direction, the same on all rings.
struct Coalesce {
  uint32_t frames = doorbell::fec::kIcDefaultFrames;
  uint32_t micros = doorbell::fec::kIcDefaultMicros;
};

struct FecDriverConfig {
  XdpMode mode = XdpMode::kNative;
  stack::XdpProgram* program = nullptr;  ///< attached before open; not owned
  bool xdp_frame_conversion = true;      ///< XDP_TX queues an xdp_frame, not the buffer itself
  DoorbellMode doorbell = DoorbellMode::kPerFrame;
  DmaSync dma_sync = DmaSync::kUsed;
  uint32_t rx_ring = doorbell::fec::kDefaultRxRingSize;
  uint32_t tx_ring = doorbell::fec::kDefaultTxRingSize;
  Coalesce rx_coalesce;
  Coalesce tx_coalesce;
  bool pause = false;
  int napi_weight = 64;
  bool erratum_007885_workaround = false;  ///< on every doorbell of a transmit ring
  /// Load barrier between a closed descriptor's status and its other words. Linux 6.12 has none.
  bool rx_dma_rmb = false;
  base::Picos tx_timeout = base::Picos(2000000000000);
  bool hw_timestamps = false;
  bool enhanced_descriptors = true;  ///< false: 8-byte descriptors, no offloads, no 1588
  uint32_t mtu = 1500;
  bool vlan_strip = true;
  bool rx_csum = true;
  bool promiscuous = false;
  bool all_multicast = false;
  std::vector<net::MacAddress> multicast;
  /// Zero: what the registers hold.
  net::MacAddress mac{{0x02, 0x00, 0x00, 0x00, 0x00, 0x01}};

  /// True: 1000 Mb/s full duplex from open() on, no PHY accesses. For speed tests.
  bool assume_link = false;
  unsigned assumed_mbps = 1000;  ///< 10, 100 or 1000
  unsigned phy_address = 1;
  base::Picos phy_poll = base::Picos(1000000000000);

  base::Hertz ipg_clock{266666666};
  base::Hertz ahb_clock{266666666};  ///< counts the coalescing ticks
  base::Hertz ptp_clock{100000000};
};

/// Reads the values of kFecDriverParams. The program, named by `xdp`, is the caller's to make.
FecDriverConfig config_from(const base::ParamSet& params);

}  // namespace doorbell::drivers::fec
