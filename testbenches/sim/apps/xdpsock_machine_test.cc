// xdpsock on a machine with two cores: interrupts on core 0, the application on core 1.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <tlm_utils/simple_target_socket.h>
#include <unistd.h>

#include <memory>
#include <sstream>
#include <string>

#include "sim/hal/checks/checked_hal.h"
#include "testbenches/sim/apps/wire_device.h"

namespace doorbell::apps {
namespace {

using base::Picos;
using namespace base::literals;
using stack::xsk::Place;

hal::MachineConfig machine_config() {
  hal::MachineConfig config;
  config.cores = 2;
  config.memory.size = 64u << 20;
  config.memory.latency = 80_ns;
  config.interrupt_latency = 150_ns;
  config.mmio_forward = 100_ns;
  for (size_t i = 0; i < hal::kOpCount; ++i) config.cost[i] = 30_ns;
  const auto cost = [&config](hal::Op op, Picos t) { config.cost[static_cast<size_t>(op)] = t; };
  cost(hal::Op::kCopyOctets, 2_ns);
  cost(hal::Op::kLineClean, 5_ns);
  cost(hal::Op::kLineInvalidate, 5_ns);
  cost(hal::Op::kLineWriteback, 5_ns);
  cost(hal::Op::kIrqEntry, 1_us);
  cost(hal::Op::kSyscall, 250_ns);
  cost(hal::Op::kXskSendmsg, 300_ns);
  cost(hal::Op::kTaskSwitch, 2_us);
  cost(hal::Op::kAppLoop, Picos(31337));  // no round ends at the very time of another's act
  // A poll takes longer than a frame on the wire, before and behind the look at what is done.
  cost(hal::Op::kNapiPoll, 1500_ns);
  cost(hal::Op::kXskPeekBatch, 700_ns);
  return config;
}

struct System {
  explicit System(XdpsockConfig config)
      : machine(machine_config()),
        parts(machine.make_hal("dev", 0, WireDevice::kLine)),
        checks({machine.config().memory.base, machine.config().memory.size, false}),
        checked(parts.view(), checks),
        hal(checked.view()),
        stack(hal),
        sockets(stack, machine.sim_memory()),
        device(machine, hal, stack, checks),
        app(sockets, config),
        filler(machine.sim_memory()) {
    parts.mmio->socket.bind(target.socket);
    stack.register_device(device);
    app.set_filler(&filler);
    device.set_xdp_program(&app.program());
  }
  ~System() {
    machine.halt();
    for (const auto& finding : checks.log().broken()) ADD_FAILURE() << finding.message;
  }
  /// Opens device and application and starts its thread at about 100 us.
  void start(std::function<void()> then = nullptr) {
    machine.executive(0).set_boot([this, then] {
      device.open();
      ASSERT_EQ(app.open(device), 0);
      hal.cpu.delay(100_us - hal.cpu.now());
      machine.process(app.config().cpu).start(app);
      if (then) then();
    });
  }
  void run_until(Picos at) { sc_core::sc_start(fabric::to_sc(at - fabric::kernel_now())); }
  // Share of [from, to] that each core was busy.
  void measure(Picos from, Picos to) {
    run_until(from);
    Picos before[2] = {machine.core(0).busy_total(), machine.core(1).busy_total()};
    run_until(to);
    for (unsigned i = 0; i < 2; ++i) {
      share[i] = static_cast<double>((machine.core(i).busy_total() - before[i]).count()) /
                 static_cast<double>((to - from).count());
    }
  }
  void stop_and_drain(Picos until) {
    app.stop();
    run_until(until);
    EXPECT_FALSE(app.running());
  }
  uint64_t sent_between(Picos from, Picos to) const {
    return static_cast<uint64_t>(std::count_if(device.sent_at.begin(), device.sent_at.end(),
                                               [=](Picos t) { return t > from && t <= to; }));
  }

  struct Registers : sc_core::sc_module {
    explicit Registers(sc_core::sc_module_name name) : sc_module(name), socket("socket") {
      socket.register_b_transport(this, &Registers::b_transport);
    }
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
      payload.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    tlm_utils::simple_target_socket<Registers> socket;
  };
  Registers target{"target"};
  hal::Machine machine;
  hal::Machine::DeviceHal parts;
  hal::checks::CheckState checks;  // every run is watched by the DMA sanitizer
  hal::checks::CheckedHal checked;
  hal::Hal hal;
  stack::NetStack stack;
  stack::xsk::Sockets sockets;
  WireDevice device;
  Xdpsock app;
  CountingFiller filler;
  double share[2] = {};
};

XdpsockConfig config_of(AppMode mode, bool zero_copy) {
  XdpsockConfig config;
  config.mode = mode;
  config.zero_copy = zero_copy;
  return config;
}

void expect_in_order(const std::vector<uint64_t>& numbers) {
  for (size_t i = 0; i < numbers.size(); ++i) ASSERT_EQ(numbers[i], i);
}

// The driver's wake-up schedules NAPI on the application's core, where nothing runs it before the
// tick. Then one softirq empties the Tx ring: the application has asked again and again, so there
// is a second poll; it finds the first frames done and sends as many, and so does the look after
// interrupts were enabled. The application fills the ring again and waits for the next tick. So a
// ring of 2048 and a tick of 4 ms make 512,000 packets a second, whatever things cost; and the core
// that the interrupts go to has nothing to do. (tsnep with a Cortex-A53 published 511,929, and 100
// % + 1 %.)
TEST(XdpsockMachine, TxOnlyZeroCopySendsOneRingATick) {
  System s(config_of(AppMode::kTxOnly, true));
  s.start();
  s.measure(40_ms, 80_ms);
  const uint64_t sent = s.sent_between(40_ms, 80_ms);
  EXPECT_NEAR(static_cast<double>(sent), 10 * 2048, 20);
  EXPECT_GT(s.share[1], 0.99);
  EXPECT_LT(s.share[0], 0.03);
  EXPECT_GT(s.device.polls_on[1], 20 * s.device.polls_on[0]);
  expect_in_order(s.device.sent);
  s.stop_and_drain(200_ms);
  EXPECT_EQ(s.app.counters().tx_completed, s.app.counters().tx_submitted);
  EXPECT_EQ(s.device.sent.size(), s.app.counters().tx_submitted);
  EXPECT_EQ(s.app.accounts().at(0).at(Place::kApplication), 4096u);
}

// Copy mode: the system call sends; interrupts clean up on the other core.
TEST(XdpsockMachine, TxOnlyCopySendsInTheSystemCall) {
  System s(config_of(AppMode::kTxOnly, false));
  s.start();
  s.measure(20_ms, 30_ms);
  EXPECT_GT(s.sent_between(20_ms, 30_ms), 5000u);
  EXPECT_GT(s.share[1], 0.99);
  EXPECT_GT(s.share[0], 0.01);
  EXPECT_LT(s.share[0], 0.6);
  EXPECT_EQ(s.device.polls_on[1], 0u);
  expect_in_order(s.device.sent);
  s.stop_and_drain(150_ms);
  EXPECT_EQ(s.app.counters().tx_completed, s.app.counters().tx_submitted);
  EXPECT_EQ(s.stack.skbs().in_use(), 0u);
  EXPECT_EQ(s.app.accounts().at(0).at(Place::kApplication), 4096u);
}

TEST(XdpsockMachine, RxDropZeroCopyTakesEverything) {
  System s(config_of(AppMode::kRxDrop, true));
  s.start([&] { s.device.arrive(2_us, 5000); });
  s.run_until(15_ms);
  EXPECT_EQ(s.device.rx_missed, 0u);
  EXPECT_EQ(s.device.rx_taken, 5000u);
  EXPECT_EQ(s.app.counters().rx_packets, 5000u);
  const auto account = s.app.accounts().at(0);
  EXPECT_EQ(account.doubled(), 0u);
  EXPECT_EQ(account.at(Place::kDriver), 255u);
  EXPECT_EQ(account.at(Place::kFillRing), 4096u - 255);
  EXPECT_EQ(account.at(Place::kApplication), 0u);
  s.stop_and_drain(20_ms);
}

TEST(XdpsockMachine, AThreadThatBlocksLeavesItsCoreIdle) {
  XdpsockConfig config = config_of(AppMode::kRxDrop, true);
  config.poll = true;
  System s(config);
  s.start([&] { s.device.arrive(20_us, 2000); });
  s.measure(5_ms, 25_ms);
  EXPECT_LT(s.share[1], 0.6);
  s.run_until(60_ms);
  EXPECT_EQ(s.app.counters().rx_packets, 2000u);
  EXPECT_GT(s.app.counters().polls, 10u);
  s.stop_and_drain(70_ms);
}

TEST(XdpsockMachine, ASpinningThreadKeepsItsCoreBusy) {
  System s(config_of(AppMode::kRxDrop, true));
  s.start([&] { s.device.arrive(10_us, 4000); });
  s.measure(5_ms, 25_ms);
  EXPECT_GT(s.share[1], 0.99);
  s.stop_and_drain(30_ms);
}

TEST(XdpsockMachine, L2FwdZeroCopyComesBackInOrder) {
  System s(config_of(AppMode::kL2Fwd, true));
  s.start([&] { s.device.arrive(3_us, 3000); });
  s.run_until(40_ms);
  EXPECT_EQ(s.app.counters().rx_packets, 3000u);
  s.stop_and_drain(200_ms);
  EXPECT_EQ(s.app.counters().tx_completed, 3000u);
  EXPECT_EQ(s.device.sent.size(), 3000u);
  expect_in_order(s.device.sent);
  EXPECT_EQ(s.app.accounts().at(0).doubled(), 0u);
}

TEST(XdpsockMachine, BusyPollRunsTheDriverOnTheApplicationsCore) {
  XdpsockConfig config = config_of(AppMode::kRxDrop, true);
  config.busy_poll = true;
  System s(config);
  s.start([&] { s.device.arrive(2_us, 5000); });
  s.measure(2_ms, 9_ms);
  s.run_until(15_ms);
  EXPECT_EQ(s.app.counters().rx_packets, 5000u);
  EXPECT_GT(s.device.polls_on[1], 100u);
  EXPECT_LT(s.device.polls_on[0], 10u);
  EXPECT_LT(s.share[0], 0.05);
  s.stop_and_drain(20_ms);
}

// What a run comes to, from a process of its own: there is one elaboration a process.
std::string digest_of(AppMode mode, bool skip) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    XdpsockConfig config = config_of(mode, true);
    config.skip_empty_rounds = skip;
    System s(config);
    s.start([&] { s.device.arrive(Picos(1777777), 4000); });
    struct Stop {
      void fire() { app.stop(); }
      Xdpsock& app;
      base::Event event;
    };
    Stop stop{s.app, {}};
    stop.event.bind<&Stop::fire>(stop);
    s.machine.calendar().schedule(stop.event, 9_ms);
    s.run_until(15_ms);
    EXPECT_FALSE(s.app.running());
    std::ostringstream text;
    text << s.app.counters().rounds << ' ' << s.app.counters().rx_packets << ' '
         << s.app.counters().sendtos << ' ' << s.app.counters().recvfroms << ' ' << s.device.polls
         << ' ' << s.device.irqs << ' '
         << s.machine.core(1).busy(static_cast<unsigned>(hal::Label::kApp)).count() << ' ';
    for (const hal::OpInfo& info : hal::kOps) {
      // The wake-up that ends a running thread makes its core look once more before it idles.
      if (info.op != hal::Op::kIdle) {
        text << s.machine.op_counts()[static_cast<size_t>(info.op)] << ' ';
      }
    }
    for (const Picos at : s.device.sent_at) text << at.count() << ' ';
    const std::string all = text.str();
    const bool whole = write(ends[1], all.data(), all.size()) == static_cast<ssize_t>(all.size());
    _exit(whole ? 0 : 1);
  }
  close(ends[1]);
  std::string digest;
  char buffer[4096];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;) {
    digest.append(buffer, static_cast<size_t>(n));
  }
  close(ends[0]);
  int status = 1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  return digest;
}

TEST(XdpsockMachine, SkippedEmptyRoundsChangeNothing) {
  for (const AppMode mode : {AppMode::kRxDrop, AppMode::kL2Fwd}) {
    const std::string skipped = digest_of(mode, true);
    EXPECT_GT(skipped.size(), 200u);
    EXPECT_EQ(skipped, digest_of(mode, false));
  }
}

// Program and rings move between the cores: the lines of the Rx ring's producer, its entries and
// the fill ring are fetched again and again.
TEST(XdpsockMachine, RingLinesMoveBetweenTheCores) {
  System s(config_of(AppMode::kRxDrop, true));
  s.start([&] { s.device.arrive(2_us, 2000); });
  s.run_until(10_ms);
  const auto moved = s.machine.op_counts()[static_cast<size_t>(hal::Op::kLineTransfer)];
  EXPECT_GT(moved, 200u);
  EXPECT_LT(moved, 2000u * 6);
  s.stop_and_drain(20_ms);
}

TEST(XdpsockMachine, CloseUnderWayAccountsForEveryChunk) {
  System s(config_of(AppMode::kL2Fwd, true));
  s.start([&] { s.device.arrive(1_us, 100000); });
  s.run_until(20_ms);
  s.stop_and_drain(150_ms);
  struct Close : hal::Work {
    explicit Close(System& system) : s(system) {}
    void run_work() override { s.app.close(); }
    System& s;
  };
  Close close(s);
  hal::Executive& executive = s.machine.executive(1);
  executive.schedule_work(close, base::max(executive.core().now(), 150_ms));
  s.machine.driver().arm();
  s.run_until(160_ms);
  const auto accounts = s.app.accounts();
  ASSERT_EQ(accounts.size(), 1u);
  EXPECT_EQ(accounts[0].at(Place::kDriver), 0u);
  EXPECT_EQ(accounts[0].at(Place::kSending), 0u);
  EXPECT_EQ(accounts[0].doubled(), 0u) << accounts[0].summary();
  uint64_t sum = 0;
  for (size_t i = 0; i < stack::xsk::kPlaceCount; ++i) sum += accounts[0].at(static_cast<Place>(i));
  EXPECT_EQ(sum, 4096u);
}

}  // namespace
}  // namespace doorbell::apps
