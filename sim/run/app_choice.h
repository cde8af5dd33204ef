// The application of a run, [app]: sockets on the device's queues, a thread on its own core.
//
// Frames that txonly sends come from a traffic source of its own, so that the link partner can tell
// each; what the application receives has been compared by the driver's tap. The thread runs from
// the device's open to stop(). Ledger: a frame that rxdrop has taken is delivered, one in an Rx
// ring is in flight; a descriptor that txonly has put into a Tx ring is injected, and in flight
// while no driver has taken it.
#pragma once

#include <memory>

#include "models/net/traffic.h"
#include "sim/apps/xdpsock.h"
#include "sim/report/result.h"
#include "sim/run/nic.h"

namespace doorbell::run {

class AppChoice {
 public:
  /// Null without [app]. Errors: keys that do not go together, a driver that runs another program.
  static base::Result<std::unique_ptr<AppChoice>> make(const NicEnvironment& env);
  ~AppChoice();

  /// Makes the application on the device's stack. Before the driver is made, which needs program().
  void attach(stack::NetStack& stack);
  stack::XdpProgram* program() { return &app_->program(); }
  /// With the link up, in process context: sockets and thread. 0 or a negative errno.
  int start(stack::NetDevice& device);
  /// Ends the thread's loop, from any context; running() says when it has ended.
  void stop() { app_->stop(); }
  bool running() const { return app_->running(); }
  /// Closes the sockets, in process context.
  void close() { app_->close(); }

  /// Frames at the application: what it received and dropped, what it holds to receive and to send.
  uint64_t delivered() const;
  uint64_t rx_in_flight() const;
  uint64_t tx_in_flight() const { return app_->tx_waiting(); }
  /// Frames it made.
  uint64_t injected() const;
  void report(report::RunResult& result) const;

 private:
  class Filler;
  AppChoice(const NicEnvironment& env, const apps::XdpsockConfig& config);

  hal::Machine& machine_;
  apps::XdpsockConfig config_;
  std::unique_ptr<net::TrafficSource> made_;  // txonly
  std::unique_ptr<Filler> filler_;
  std::unique_ptr<stack::xsk::Sockets> sockets_;
  std::unique_ptr<apps::Xdpsock> app_;
};

/// The application's part of the ledger over all.
void add_app(const AppChoice& app, report::Ledger& all);
/// The application's core, plus one; 0 without one.
unsigned app_cores(const Scenario& scenario);
/// True when the application is who sends the frames that leave.
bool app_sends(const Scenario& scenario);
/// True when frames end at the application.
bool app_receives(const Scenario& scenario);

}  // namespace doorbell::run
