// What can be chosen about the ice driver, as one plain struct.
//
// Defaults are Linux 6.12's (ice.h, ice_txrx.h, ice_lib.c), but for `rs`: the XDP transmit path is
// that of kernel commit 9610bd988df9, the one whose rates were published. config_from() reads the
// scenario keys of ice_params.h; check() is the rule of ethtool for ring sizes. Units: base types;
// ring sizes in descriptors, moderation in microseconds.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "models/base/params.h"
#include "models/base/result.h"
#include "models/base/units.h"
#include "models/ice/ice_limits.h"
#include "models/net/frame.h"
#include "models/net/rss.h"
#include "sim/stack/xdp.h"

namespace doorbell::drivers::ice {

namespace hw = doorbell::ice;

enum class XdpMode : uint8_t {
  kNative,  ///< the program runs in the receive loop
  kSkb,     ///< generic XDP: the stack runs it on an sk_buff
};

/// Which descriptors of an XDP transmit ring ask for a report, and when the ring is cleaned.
enum class RsMode : uint8_t {
  kEvery,      ///< RS on each; cleaned by every poll (Linux 5.15)
  kThreshold,  ///< RS on every rs_threshold-th; cleaned when that few are free (commit
               ///< 9610bd988df9)
  kQuarter,    ///< RS once a poll; cleaned when less than a quarter is free (Linux 6.12)
};

/// Moderation of one direction of a vector.
struct ItrSetting {
  bool adaptive = true;
  uint32_t micros = hw::kItrDefaultMicros;  ///< when not adaptive
};

using RssKey = std::array<uint8_t, hw::kRssKeyBytes>;
/// Microsoft's verification key, zeros in the extended part.
RssKey default_rss_key();

struct IceDriverConfig {
  XdpMode mode = XdpMode::kNative;
  stack::XdpProgram* program = nullptr;  ///< attached before open; not owned
  RsMode rs = RsMode::kThreshold;
  uint32_t rs_threshold = hw::kTxThreshold;
  uint32_t rx_ring = hw::kDefaultRxRing;
  uint32_t tx_ring = hw::kDefaultTxRing;  ///< of sk_buff and XDP rings alike
  bool force_ring_size = false;           ///< sizes that ethtool refuses are used all the same
  uint32_t queues = 0;                    ///< pairs; 0: one a vector
  uint32_t xdp_rings = 0;                 ///< 0: one a core; fewer are shared under a lock
  ItrSetting rx_itr;
  ItrSetting tx_itr;
  uint32_t intrl_micros = 0;  ///< rate limit when nothing is adaptive; else it is 4
  int napi_weight = hw::kNapiBudget;
  uint32_t tx_clean_budget = hw::kTxCleanBudget;
  uint32_t mtu = 1500;
  bool vlan_strip = false;
  bool rx_csum = true;
  uint32_t lrxqthresh = 1;  ///< 64 descriptors each
  /// False: races and omissions of Linux 6.12 that docs/testplans/ice.md lists as H3, H4 and H6 are
  /// there too.
  bool fix_hazards = false;
  base::Picos tx_timeout = base::Picos(5000000000000);
  base::Picos service_period = base::Picos(1000000000000);
  RssKey rss_key = default_rss_key();
  /// Zero: what the device has.
  net::MacAddress mac;
};

/// Why a configuration cannot be used; nullopt if it can.
std::optional<base::Error> check(const IceDriverConfig& config);

/// Reads the values of kIceDriverParams. The program, named by `xdp`, is the caller's to make.
base::Result<IceDriverConfig> config_from(const base::ParamSet& params);

}  // namespace doorbell::drivers::ice
