// The XDP program of a driver: one of the built-in ones (`driver.xdp`), or a BPF object
// (`driver.program`), loaded and with its port maps filled.
//
// `driver.program` names a shipped program ("count"), or the file of an object compiled by clang,
// relative to the scenario's folder. Maps that hold ports lead to the device's own port. Errors of
// loading are bad input; faults at run time abort the packet, and the run gets a finding
// "bpf-fault".
#pragma once

#include <memory>
#include <string>

#include "models/base/result.h"
#include "sim/report/result.h"
#include "sim/run/scenario.h"
#include "sim/stack/bpf/program.h"
#include "sim/stack/xdp.h"

namespace doorbell::run {

/// True when a BPF object says where frames end, so that nobody knows beforehand.
bool has_bpf_program(const DriverSection& driver);

class XdpChoice {
 public:
  /// `cores`: how many may run the program.
  static base::Result<std::unique_ptr<XdpChoice>> make(const Scenario& scenario,
                                                       const DriverSection& driver, unsigned cores);

  /// Null for xdp = "off".
  stack::XdpProgram* program() { return bpf_ != nullptr ? bpf_.get() : built_in_.get(); }
  /// The device has its interface index.
  void set_port(uint32_t ifindex);
  /// What the program did, and its faults as a finding.
  void report(report::RunResult& result) const;

 private:
  std::unique_ptr<stack::XdpProgram> built_in_;
  std::unique_ptr<stack::bpf::Program> bpf_;
};

}  // namespace doorbell::run
