// Configuration of the tsnep driver, as one plain struct.
//
// Defaults are Linux 6.12's (drivers/net/ethernet/engleder), but for `fix_hazards`. config_from()
// reads the scenario keys of tsnep_params.h; check() says what a driver cannot work with. Units:
// base types; thresholds in descriptors.
#pragma once

#include <cstdint>
#include <optional>

#include "models/base/params.h"
#include "models/base/result.h"
#include "models/base/units.h"
#include "models/net/frame.h"
#include "models/tsnep/tsnep_limits.h"
#include "sim/stack/xdp.h"

namespace doorbell::drivers::tsnep {

namespace hw = doorbell::tsnep;

enum class XdpMode : uint8_t {
  kNative,  ///< the program runs in the receive loop
  kSkb,     ///< generic XDP: the stack runs it on an sk_buff
};

struct TsnepDriverConfig {
  XdpMode mode = XdpMode::kNative;
  stack::XdpProgram* program = nullptr;  ///< attached before open; not owned
  uint32_t queues = 0;                   ///< pairs; 0: one for each queue of TsnepHals
  uint32_t interrupt_delay_micros = hw::kDefaultDelayMicros;
  int napi_weight = 64;
  uint32_t tx_poll_budget = hw::kTxPollBudget;
  uint32_t tx_inline = hw::kInlineBytes;
  uint32_t rx_refill = hw::kRxRefill;
  uint32_t rx_reuse = hw::kRxReuse;
  uint32_t mtu = 1500;
  bool hw_timestamps = false;
  bool promiscuous = false;
  bool recheck = true;  ///< false: bug B2 of the test plan
  /// False: L1 to L4, L6 and L7 of docs/testplans/tsnep.md are there too.
  bool fix_hazards = true;
  base::Picos tx_timeout = base::Picos(5000000000000);
  net::MacAddress mac{{0x02, 0x00, 0x00, 0x00, 0x00, 0x01}};
  unsigned phy_address = 1;
};

/// Why a configuration cannot be used; nullopt if it can.
std::optional<base::Error> check(const TsnepDriverConfig& config);

/// Reads the values of kTsnepDriverParams. The program, named by `xdp`, and the cores, by `cpu`,
/// are the caller's to choose.
base::Result<TsnepDriverConfig> config_from(const base::ParamSet& params);

}  // namespace doorbell::drivers::tsnep
