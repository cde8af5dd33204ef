// Under load: software that forwards every frame, ledgers, digest, no allocation, cost by queues.
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>

#include "models/net/rss.h"
#include "models/net/station.h"
#include "models/net/traffic.h"
#include "testbenches/models/ice/bench.h"

// g++ 12 inlines one of the two at -O1 and then sees free() meet operator new.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
#endif

namespace {
uint64_t g_allocations = 0;
}
// Counts every allocation of this test program.
void* operator new(size_t n) {
  ++g_allocations;
  if (void* p = std::malloc(n)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept {
  std::free(p);
}
void operator delete(void* p, size_t) noexcept {
  std::free(p);
}

namespace doorbell::ice::test {
namespace {

/// Software of one queue pair without a cost: looks every `period`, forwards from the same buffer.
class Forwarder {
 public:
  static constexpr uint32_t kRx = 512;
  static constexpr uint32_t kTx = 256;
  Forwarder(Bench& b, unsigned q, bool rs_on_all) : b_(b), q_(q), rs_on_all_(rs_on_all) {
    event_.bind<&Forwarder::poll>(*this);
    b.add_rx(q, kRx, q);
    b.add_tx(q, kTx, q);
    for (unsigned i = 0; i < kRx - 8; ++i) give();
    b.wr(reg::qrx_tail(q), fill_);
  }
  void start(Picos at, Picos period) {
    period_ = period;
    b_.calendar.schedule(event_, at);
  }
  uint64_t busy = 0;
  uint64_t seen = 0;

 private:
  uint8_t* rx_desc(uint32_t i) { return b_.memory.pointer(Bench::rx_ring_base(q_) + i * 32); }
  uint8_t* tx_desc(uint32_t i) { return b_.memory.pointer(Bench::tx_ring_base(q_) + i * 16); }
  // A new buffer for the next slot. Buffers come round long after the device is done with them.
  void give() {
    const uint64_t buffer = Bench::rx_ring_base(q_) + 0x40000 + next_buffer_++ % 2048 * 0x400u;
    address_[fill_] = buffer;
    encode_rx_read(rx_desc(fill_), buffer);
    fill_ = (fill_ + 1) % kRx;
  }
  uint32_t unused() const { return (clean_ + kTx - use_ - 1) % kTx; }
  void clean() {
    if (rs_on_all_) {
      while (clean_ != use_ && tx_reads_done(decode_tx_qw1(tx_desc(clean_)))) {
        encode_tx_qw1(tx_desc(clean_), 0);
        clean_ = (clean_ + 1) % kTx;
      }
    } else if (unused() < 32 && tx_reads_done(decode_tx_qw1(tx_desc(next_dd_)))) {
      encode_tx_qw1(tx_desc(next_dd_), 0);
      clean_ = (clean_ + 32) % kTx;
      next_dd_ = (next_dd_ + 32) % kTx;
    }
  }
  void forward(uint64_t address, uint32_t bytes) {
    clean();
    if (unused() == 0) {
      ++busy;
      return;
    }
    const bool rs = rs_on_all_ || use_ % 32 == 31;
    encode_tx_address(tx_desc(use_), address);
    encode_tx_qw1(tx_desc(use_), tx_plain_qw1(rs ? tx_cmd::kLast : tx_cmd::kEop, bytes));
    use_ = (use_ + 1) % kTx;
  }
  void poll() {
    b_.memory.settle(b_.now());
    unsigned n = 0;
    for (; n < 64 && (decode_rx_status0(rx_desc(look_)) & 1) != 0; ++n) {
      forward(address_[look_], decode_rx(rx_desc(look_)).length);
      encode_rx_read(rx_desc(look_), 0);
      look_ = (look_ + 1) % kRx;
    }
    seen += n;
    for (unsigned i = 0; i < n; ++i) give();
    if (n != 0) {
      b_.wr(reg::qrx_tail(q_), fill_);
      b_.wr(reg::qtx_comm_dbell(q_), use_);
    }
    b_.wr(reg::glint_dyn_ctl(q_), glint_dyn_ctl::kIntEnaMsk | glint_dyn_ctl::kWbOnItr | 3u << 3);
    b_.calendar.schedule(event_, b_.now() + period_);
  }

  Bench& b_;
  unsigned q_;
  bool rs_on_all_;
  base::Event event_;
  Picos period_;
  std::array<uint64_t, kRx> address_{};
  uint32_t next_buffer_ = 0;
  uint32_t look_ = 0;
  uint32_t fill_ = 0;
  uint32_t use_ = 0;
  uint32_t clean_ = 0;
  uint32_t next_dd_ = 31;
};

struct Load {
  Load(unsigned queues, uint64_t pps, bool rs_on_all, IceConfig config = {},
       fabric::PcieConfig link = Bench::pcie_config())
      : bench(no_mac_check(config), link) {
    net::TrafficSpec spec;
    spec.link = base::BitsPerSecond(100'000'000'000);
    spec.rate_pps = pps;
    spec.flows = queues;
    spec.start = 1_ms;
    spec.end = 1_ms + 400_us;
    net::StationSpec peer;
    peer.link = spec.link;
    station = std::make_unique<net::Station>(peer, net::TrafficSource::create(spec).take());
    bench.ice.connect(station.get(), station.get());
    bench.ice.pcie.absolute_time();
    bench.open_admin();
    set_rss(spec, queues);
    for (unsigned q = 0; q < queues; ++q) {
      bench.set_itr(q, kRxItr, 1);
      bench.set_itr(q, kTxItr, 1);
      software.push_back(std::make_unique<Forwarder>(bench, q, rs_on_all));
    }
    const Picos period(static_cast<int64_t>(48e12 * queues / static_cast<double>(pps)));
    for (unsigned q = 0; q < queues; ++q) {
      software[q]->start(1_ms + period * q / queues, period);
    }
    bench.ice.set_digest(&digest);
  }
  static IceConfig no_mac_check(IceConfig c) {
    c.mdd_own_mac = false;  // the generator's frames keep their addresses
    return c;
  }
  // Every flow to a queue of its own.
  void set_rss(const net::TrafficSpec& spec, unsigned queues) {
    IceAqDesc d;
    d.opcode = aq_op::kSetRssKey;
    Bytes key(kRssKeyBytes);
    std::copy(net::kMicrosoftRssKey.begin(), net::kMicrosoftRssKey.end(), key.begin());
    EXPECT_EQ(bench.admin(d, key).retval, 0);
    Bytes lut(kRssLutPf);
    auto probe = net::TrafficSource::create(spec).take();
    const net::ToeplitzHash hash;
    for (unsigned f = 0; f < queues; ++f) {
      const base::ByteView bytes = probe->peek()->bytes;
      lut[hash.hash_frame(bytes, net::parse_layers(bytes)) % kRssLutPf] = static_cast<uint8_t>(f);
      probe->pop();
    }
    d = IceAqDesc();
    d.opcode = aq_op::kSetRssLut;
    EXPECT_EQ(bench.admin(d, lut).retval, 0);
  }
  void expect_balanced() {
    Bench& b = bench;
    b.ice.settle();
    EXPECT_EQ(station->data_sent(),
              b.count("rx_frames") + b.rx_drops() + b.ice.frames_in_rx_buffer());
    uint64_t seen = 0;
    uint64_t busy = 0;
    for (const auto& s : software) {
      seen += s->seen;
      busy += s->busy;
    }
    EXPECT_EQ(seen, b.count("rx_frames") - b.ice.frames_held_back());
    EXPECT_EQ(seen - busy, b.count("tx_frames") + b.tx_drops() + b.ice.frames_in_tx());
    EXPECT_EQ(station->data_received(), b.count("tx_frames"));
    EXPECT_EQ(station->violations(), 0u) << station->first_violation();
  }

  Bench bench;
  std::unique_ptr<net::Station> station;
  std::vector<std::unique_ptr<Forwarder>> software;
  probe::Digest digest;
};

TEST(IceLoad, EightyMillionBothWays) {
  Load l(30, 80'000'000, false);
  l.bench.run_to(1500_us);
  l.expect_balanced();
  EXPECT_EQ(l.bench.count("rx_frames"), 32000u);
  EXPECT_EQ(l.bench.count("tx_frames"), 32000u);
  EXPECT_EQ(l.bench.rx_drops(), 0u);
  EXPECT_EQ(l.bench.ice.frames_held_back(), 0u);
}

TEST(IceLoad, ReportOnEachDescriptor) {
  Load l(30, 60'000'000, true);
  l.bench.run_to(1500_us);
  l.expect_balanced();
  EXPECT_EQ(l.bench.count("tx_frames"), 24000u);
  EXPECT_EQ(l.bench.count("tx_reports"), 24000u);
}

TEST(IceLoad, OverloadedLinkDropsInTheBufferAndStaysInOrder) {
  Load l(30, 148'000'000, true);
  l.bench.run_to(1500_us);
  l.expect_balanced();
  EXPECT_GT(l.bench.count("rx_buffer_full"), 1000u);
}

TEST(IceLoad, EveryPolicyBalances) {
  // One policy a process run of this test: the seed picks it.
  IceConfig config;
  config.tx_writeback = TxWriteback::kImmediate;
  Load l(8, 50'000'000, true, config);
  l.bench.run_to(1500_us);
  l.expect_balanced();
}
TEST(IceLoad, EngineLimitsTransmit) {
  IceConfig config;
  config.tx_writeback = TxWriteback::kEngine;
  config.tx_writeback_service = 50_ns;  // 20 M/s
  Load l(8, 60'000'000, true, config);
  l.bench.run_to(1400_us);
  const double rate = static_cast<double>(l.bench.count("tx_frames")) / 400e-6;
  EXPECT_GT(rate, 19e6);
  EXPECT_LT(rate, 27e6) << "the rings' worth on top";
  l.bench.run_to(1800_us);
  l.expect_balanced();
}

TEST(IceLoad, ReceiveFirstStarvesTransmit) {
  IceConfig config;
  config.up_arbiter = UpArbiter::kRxFirst;
  Load l(30, 148'000'000, true, config);
  l.bench.run_to(1400_us);
  const uint64_t first_rx = l.bench.count("rx_frames");
  const uint64_t first_tx = l.bench.count("tx_frames");
  // Receive alone fills Gen3 x16 with 84 + 44 + 3 bytes a frame: 108.5 M/s.
  EXPECT_NEAR(static_cast<double>(first_rx) / 400e-6, 108.5e6, 2e6);
  EXPECT_LT(first_tx, first_rx / 20);
  l.bench.run_to(1800_us);
  l.expect_balanced();
}
TEST(IceLoad, ByAgeBalances) {
  IceConfig config;
  config.up_arbiter = UpArbiter::kAge;
  Load l(30, 148'000'000, true, config);
  l.bench.run_to(1800_us);
  l.expect_balanced();
}

TEST(IceLoad, FewCreditsStillBalance) {
  fabric::PcieConfig link = Bench::pcie_config();
  link.root_posted = {16, 64};
  link.tags = 16;
  link.root_spread = Picos(8000);
  Load l(16, 100'000'000, true, {}, link);
  l.bench.run_to(3_ms);
  l.expect_balanced();
  EXPECT_GT(l.bench.rx_drops(), 0u);
}

uint64_t digest_of(Picos batch, bool trace) {
  IceConfig config;
  config.batch = batch;
  Load l(12, 70'000'000, true, config);
  struct Sink final : probe::TraceSink {
    void span(const char*, const char*, Picos, Picos, uint64_t) override { ++n; }
    void instant(const char*, const char*, Picos, uint64_t) override { ++n; }
    void level(const char*, const char*, Picos, int64_t) override { ++n; }
    uint64_t n = 0;
  } sink;
  if (trace) l.bench.ice.set_trace(&sink);
  l.bench.run_to(1500_us);
  EXPECT_EQ(sink.n != 0, trace);
  return l.digest.value();
}
/// digest_of() in a process of its own, because each elaborates.
uint64_t digest_in_child(Picos batch, bool trace) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    const uint64_t d = digest_of(batch, trace);
    const bool told = write(ends[1], &d, sizeof d) == sizeof d;
    _exit(told && !testing::Test::HasFailure() ? 0 : 1);
  }
  uint64_t d = 0;
  EXPECT_EQ(read(ends[0], &d, sizeof d), static_cast<ssize_t>(sizeof d));
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  close(ends[0]);
  close(ends[1]);
  return d;
}
TEST(IceLoad, SameDigestEachTimeAndUnderTracing) {
  const uint64_t d = digest_in_child(32_ns, false);
  EXPECT_NE(d, 0u);
  EXPECT_EQ(digest_in_child(32_ns, false), d);
  EXPECT_EQ(digest_in_child(32_ns, true), d);
}

TEST(IceLoad, SteadyStateAllocatesNothing) {
  Load l(30, 80'000'000, true);
  l.bench.run_to(1200_us);
  const uint64_t before = g_allocations;
  l.bench.run_to(1380_us);
  EXPECT_EQ(g_allocations - before, 0u);
  EXPECT_GT(l.bench.count("rx_frames"), 10000u);
}

/// Events and steps a received (and sent) frame.
double events_per_frame(unsigned queues) {
  Load l(queues, 60'000'000, false);
  l.bench.run_to(1_ms);
  const uint64_t events = l.bench.calendar.events_run();
  l.bench.run_to(1400_us);
  const double n = static_cast<double>(l.bench.count("rx_frames"));
  EXPECT_GT(n, 15000.0);
  return static_cast<double>(l.bench.calendar.events_run() - events) / n;
}
TEST(IceLoad, EventsOfFourQueues) {
  const double e = events_per_frame(4);
  printf("events per received and forwarded frame: %.3f\n", e);
  EXPECT_LT(e, 1.5);
}
TEST(IceLoad, EventsOfSixtyQueues) {
  const double e = events_per_frame(60);
  printf("events per received and forwarded frame: %.3f\n", e);
  EXPECT_LT(e, 1.5);
}

}  // namespace
}  // namespace doorbell::ice::test
