// One network device of a run: model and driver, joined.
//
// Each device has its assembly in sim/run/nic_<device>.cc; sim/run/devices.cc lists them. Only here
// do the two halves meet.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/net/station.h"
#include "models/probe/digest.h"
#include "models/probe/trace.h"
#include "sim/hal/checks/check_state.h"
#include "sim/hal/simulated/machine.h"
#include "sim/report/result.h"
#include "sim/run/platform.h"
#include "sim/run/receiver.h"
#include "sim/run/scenario.h"

namespace doorbell::run {

/// What an assembly is built from. Everything outlives the Nic.
struct NicEnvironment {
  const Scenario& scenario;
  const Platform& platform;
  const NicSection& nic;
  const DriverSection& driver;
  hal::Machine& machine;
  net::Station& station;
  Receiver& receiver;
  probe::Digest& digest;
  probe::TraceSink* trace;  // null: off
  bool check;               // DMA sanitizer and ring checks
};

/// How much of a resource was used.
struct Utilisation {
  std::string resource;
  base::Picos busy;
};

class Nic {
 public:
  virtual ~Nic() = default;
  /// Probe and open, in process context of the driver's core. 0 or a negative errno.
  virtual int boot() = 0;
  /// The driver has a carrier.
  virtual bool link_up() const = 0;
  /// Starts the application, in process context of the driver's core, once the link is up. 0 or a
  /// negative errno.
  virtual int start_app() { return 0; }
  /// Ends the application's loop; false while it has not ended. From outside of the simulation.
  virtual bool stop_app() { return true; }
  /// Stops and releases everything, in process context of the driver's core, at the end of a run.
  virtual void shut_down() = 0;
  /// What the checks found, leaks at stop included; after shut_down().
  virtual void report_checks(report::RunResult& result) = 0;
  /// Everything on the wire up to the calendar's time has been worked out when this returns.
  virtual void settle() = 0;
  /// Frames on their way: receive half, transmit half.
  virtual uint64_t rx_in_flight() = 0;
  virtual uint64_t tx_in_flight() = 0;
  /// Busy times since the start, by resource.
  virtual std::vector<Utilisation> utilisation() = 0;
  /// Fills drops, ledgers, counters and statistics. At the end of the run, before shut_down().
  virtual void report(report::RunResult& result) = 0;
};

/// Builds the device of env.nic. Errors: an engine or a link it does not have, a platform without
/// its bus, a driver configuration that it refuses.
base::Result<std::unique_ptr<Nic>> make_nic(const NicEnvironment& env);

/// Which cores of the platform a device's driver runs on: [0, count), probed and opened on `boot`.
struct CoreUse {
  unsigned count = 1;
  unsigned boot = 0;
};
CoreUse cores_of(const NicSection& nic, const DriverSection& driver, const Platform& platform);

/// The nic's parameters: the scenario's, else those of the platform's section named as the device.
base::ParamSet nic_params(const NicEnvironment& env);

/// What the checks of a device found.
void report_checks(const hal::checks::CheckState& state, report::RunResult& result);

}  // namespace doorbell::run
