// Seeded random traffic in both directions with software that keeps up badly, a cable that comes
// and goes, gates and resets: every frame is accounted for, what is delivered is whole and in
// order, and the same seed gives the same digest with and without tracing. A loop at line rate
// allocates nothing.
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <new>
#include <random>

#include "models/net/station.h"
#include "models/net/traffic.h"
#include "models/probe/digest.h"
#include "testbenches/models/tsnep/bench.h"

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

namespace doorbell::tsnep::test {
namespace {

class CountingTrace final : public probe::TraceSink {
 public:
  void span(const char*, const char*, Picos begin, Picos end, uint64_t) override {
    EXPECT_LE(begin, end);
    ++seen;
  }
  void instant(const char*, const char*, Picos, uint64_t) override { ++seen; }
  void level(const char*, const char*, Picos, int64_t) override { ++seen; }
  uint64_t seen = 0;
};

constexpr uint16_t kTypes[] = {0x88B5, 0x88F7, 0x8100};  // queues 0, 1 and 2

class Storm {
 public:
  Storm(uint32_t seed, bool trace) : seed_(seed), random_(seed), bench_(config(seed), axi(seed)) {
    if (trace) bench_.nic.set_trace(&trace_);
    bench_.nic.set_digest(&digest_);
    bench_.setup();
    for (unsigned i = 0; i < 2; ++i) {
      bench_.wr(0x880 + 2 * i, kTypes[i + 1], 2);
      bench_.wr(0x840 + i, 1 | (i + 1) << 1, 1);
    }
    bench_.wr(0x30, 0x10, 1);
    for (unsigned q = 0; q < kQueues; ++q) {
      bench_.refill(q, 40);
      bench_.ring_rx(q);
    }
    if (seed % 4 == 1) start_gates();
  }

  void go() {
    Picos next_in = 10_us;
    for (int step = 0; step < 1500; ++step) {
      while (next_in < bench_.now() + 20_us) next_in = offer(next_in);
      bench_.run(Picos(static_cast<int64_t>(random_() % 16'000'000)));
      for (unsigned q = 0; q < kQueues; ++q) {
        if (random_() % 2 != 0) receive(q, random_() % 12);
        clean(q);
      }
      for (unsigned n = random_() % 6; n > 0; --n) transmit(random_() % kQueues);
      if (seed_ % 3 == 2 && random_() % 100 == 0) bench_.nic.set_cable(random_() % 2 != 0);
      if (random_() % 16 == 0) bench_.wr(0x1C, 0x7FFFFFFF);
    }
    bench_.nic.set_cable(true);
    bench_.wr(0x808, 0x08, 1);
    bench_.run(20_ms);  // no software any more: what is under way comes to rest
    for (unsigned q = 0; q < kQueues; ++q) {
      receive(q, 255);
      clean(q);
    }
    check();
  }
  uint64_t digest() const { return digest_.value(); }
  uint64_t traced() const { return trace_.seen; }
  uint64_t delivered() const { return delivered_; }
  size_t sent() const { return bench_.out.sent.size(); }

 private:
  static constexpr unsigned kQueues = 3;

  static TsnepConfig config(uint32_t seed) {
    TsnepConfig c = quick_link();
    c.queues = kQueues;
    c.rx_fifo_bytes = seed % 2 == 0 ? 8192 : 2048;
    c.tx_fifo_bytes = seed % 3 == 0 ? 8192 : 2048;
    c.tx_prefetch = 1 + seed % 4;
    c.rx_prefetch = 1 + seed % 3;
    c.tx_cut_through = seed % 5 == 3;
    c.rx_cut_through = seed % 5 == 4;
    c.writeback_bytes = seed % 2 == 0 ? 32 : 4;
    c.writeback_at_start = seed % 7 == 6;
    c.rx_looks_with_frames = seed % 4 == 2;
    c.tx_priority = static_cast<TxPriority>(seed % 3);
    return c;
  }
  static fabric::AxiConfig axi(uint32_t seed) {
    fabric::AxiConfig a = Bench::axi_config();
    if (seed % 6 == 4) a.clock = base::Hertz(20'000'000);
    return a;
  }

  void start_gates() {
    const uint32_t ops[][2] = {{0x01, 20'000}, {0x06, 30'000}, {0x07u | 1u << 31, 25'000}};
    for (unsigned i = 0; i < 3; ++i) {
      bench_.wr(0x2000 + 8 * i, ops[i][0]);
      bench_.wr(0x2004 + 8 * i, ops[i][1]);
    }
    bench_.wr(0x808, 0x10, 1);
    bench_.wr(0x80C, bench_.rd(0x08) + 200'000);
    bench_.wr(0x808, 0x02, 1);
  }

  /// A frame that says which one it is.
  Bytes numbered(uint32_t number, unsigned queue) {
    const size_t size = random_() % 3 == 0 ? 60 + random_() % 1455 : 60 + random_() % 8;
    Bytes f = frame(size, kOwn, static_cast<uint8_t>(number), kTypes[queue]);
    base::store_be32(f.data() + 20, number);
    return f;
  }

  Picos offer(Picos at) {
    const unsigned queue = random_() % kQueues;
    Bytes f = numbered(static_cast<uint32_t>(source_.size()), queue);
    uint8_t flaws = 0;
    const unsigned kind = random_() % 40;
    if (kind == 0) flaws = net::kBadFcs;
    if (kind == 1) std::copy(kOther.begin(), kOther.end(), f.begin());
    if (kind == 2) f.resize(40);
    source_.push_back(f);
    bench_.in.push(at, f, flaws);
    const auto gap = static_cast<int64_t>(random_() % 8 == 0 ? random_() % 30'000'000 : 96'000);
    return at + line_time(f) + Picos(gap);
  }

  void receive(unsigned queue, unsigned budget) {
    for (; budget > 0 && bench_.rx_done(queue); --budget) {
      const Bytes all = bench_.receive(queue);
      const Bytes got(all.begin() + 16, all.end());
      const uint32_t number = base::load_be32(got.data() + 20);
      ASSERT_LT(number, source_.size());
      EXPECT_EQ(got, with_fcs(source_[number]));
      EXPECT_LT(last_number_[queue], static_cast<int64_t>(number));
      last_number_[queue] = number;
      ++delivered_;
    }
    const unsigned free = 255 - bench_.rx[queue].used();
    bench_.refill(queue, std::min(free, static_cast<unsigned>(random_() % 30)));
    bench_.ring_rx(queue);
  }

  // Takes acknowledged frames off the ring, all fragments at once.
  void clean(unsigned queue) {
    auto& open = open_[queue];
    while (!open.empty() && bench_.tx_done(queue, bench_.tx[queue].read)) {
      bench_.tx[queue].read = (bench_.tx[queue].read + open.front()) % 256;
      open.erase(open.begin());
      ++acknowledged_;
    }
  }

  void transmit(unsigned queue) {
    const unsigned parts = 1 + random_() % 4;
    if (bench_.tx[queue].used() + parts > 255) return;
    const Bytes f = numbered(submitted_++, queue);
    std::vector<Part> pieces;
    const size_t piece = f.size() / parts;
    for (unsigned n = 0; n < parts; ++n) {
      const auto begin = f.begin() + static_cast<long>(piece * n);
      const auto end = n + 1 == parts ? f.end() : f.begin() + static_cast<long>(piece * (n + 1));
      pieces.push_back({Bytes(begin, end), end - begin <= 40 && random_() % 2 == 0});
    }
    queued_[queue].push_back(f);
    open_[queue].push_back(parts);
    bench_.put_parts(queue, pieces,
                     (random_() % 2 == 0 ? 1u << 18 : 0) | (random_() % 4 == 0 ? 1u << 19 : 0));
    if (random_() % 3 != 0 || bench_.tx[queue].used() > 100) bench_.ring_tx(queue);
    rung_[queue] = true;
  }

  void check() {
    for (unsigned q = 0; q < kQueues; ++q) bench_.ring_tx(q);
    bench_.run(20_ms);
    for (unsigned q = 0; q < kQueues; ++q) clean(q);
    const uint64_t seen =
        bench_.count("rx_frames") + bench_.rx_dropped() + bench_.nic.frames_in_rx_fifo();
    EXPECT_EQ(seen, source_.size() - bench_.in.left());
    EXPECT_EQ(bench_.count("rx_frames"), delivered_);
    EXPECT_EQ(bench_.nic.rx_fifo_bytes(), 0u);
    EXPECT_EQ(bench_.count("tx_frames") + bench_.tx_dropped(), submitted_);
    EXPECT_EQ(acknowledged_, submitted_) << "every frame is acknowledged, whatever became of it";
    EXPECT_EQ(bench_.nic.frames_in_tx_fifo(), 0u);
    EXPECT_EQ(bench_.nic.frames_sent_not_closed(), 0u);
    uint64_t good = 0;
    size_t at[kQueues] = {};
    for (size_t i = 0; i < bench_.out.sent.size(); ++i) {
      const RecordingOut::Sent& s = bench_.out.sent[i];
      if (i > 0) {
        const RecordingOut::Sent& before = bench_.out.sent[i - 1];
        EXPECT_GE(s.start - before.start, line_time(before.bytes) + kOctet * 12);
      }
      if (s.flaws != 0) continue;
      ++good;
      bool found = false;
      for (unsigned q = 0; q < kQueues && !found; ++q) {
        // Frames lost to a cable that was out, or broken off, are left out; order is kept.
        size_t j = at[q];
        while (j < queued_[q].size() && queued_[q][j] != s.bytes) ++j;
        found = j < queued_[q].size();
        if (found) at[q] = j + 1;
      }
      EXPECT_TRUE(found) << i;
    }
    EXPECT_EQ(good, bench_.count("tx_frames"));
    for (unsigned q = 0; q < kQueues; ++q) {
      EXPECT_EQ(bench_.rd(Bench::block_of(q) + 0x108), 0x200u) << q;
      EXPECT_EQ(bench_.nic.tx_fifo_bytes(q), 0u);
    }
  }

  uint32_t seed_;
  std::mt19937 random_;
  Bench bench_;
  CountingTrace trace_;
  probe::Digest digest_;
  std::vector<Bytes> source_;
  std::vector<Bytes> queued_[kQueues];
  std::vector<unsigned> open_[kQueues];  // fragments of each frame on the ring
  bool rung_[kQueues] = {};
  uint32_t submitted_ = 0;
  uint64_t acknowledged_ = 0;
  uint64_t delivered_ = 0;
  std::array<int64_t, kQueues> last_number_{-1, -1, -1};
};

class TsnepStress : public testing::TestWithParam<uint32_t> {};

TEST_P(TsnepStress, EveryFrameIsAccountedFor) {
  Storm run(GetParam(), false);
  run.go();
  EXPECT_GT(run.delivered(), 100u);
  EXPECT_GT(run.sent(), 100u);
}
INSTANTIATE_TEST_SUITE_P(Seeds, TsnepStress, testing::Range(0u, 24u));

/// In a process of its own, because each elaborates.
uint64_t digest_in_child(uint32_t seed, bool trace) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    Storm storm(seed, trace);
    storm.go();
    const uint64_t d = storm.digest();
    const bool fine = (storm.traced() > 1000) == trace && write(ends[1], &d, sizeof d) == sizeof d;
    _exit(fine && !testing::Test::HasFailure() ? 0 : 1);
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

TEST(TsnepStressTrace, SameDigestEachTimeAndUnderTracing) {
  const uint64_t d = digest_in_child(4, false);
  EXPECT_NE(d, 0u);
  EXPECT_EQ(digest_in_child(4, false), d);
  EXPECT_EQ(digest_in_child(4, true), d);
  EXPECT_NE(digest_in_child(5, false), d);
}

/// Software without a cost that sends every frame back from its receive buffer.
class Forwarder {
 public:
  explicit Forwarder(Bench& b) : b_(b) {
    event_.bind<&Forwarder::poll>(*this);
    for (unsigned i = 0; i < 255; ++i) give(i);
    b.rx[0].write = 255;
    b.ring_rx();
  }
  void start(Picos at) { b_.calendar.schedule(event_, at); }
  uint64_t seen = 0;
  uint64_t busy = 0;

 private:
  static constexpr Picos kPeriod{40'000'000};
  void give(unsigned slot) {
    uint8_t* d = b_.memory.pointer(b_.rx[0].block(slot)) + 128;
    base::store_le<uint64_t>(d + 24, Bench::rx_buffer(0, next_buffer_++));
    const uint32_t owner = b_.rx[0].activate(slot) << 30;
    b_.rx[0].submitted[slot] = owner;
    base::store_le<uint32_t>(d, owner | 2048u | 1u << 18);
  }
  void forward(uint64_t address, uint32_t bytes) {
    SoftRing& t = b_.tx[0];
    if (t.used() == 255) {
      ++busy;
      return;
    }
    const unsigned slot = t.write;
    uint8_t* d = b_.memory.pointer(t.block(slot)) + 128;
    base::store_le<uint64_t>(d + 24, address);
    base::store_le<uint32_t>(d + 4, bytes);
    t.flag[slot] = !t.flag[slot];
    const uint32_t owner = t.activate(slot) << 30 | (t.flag[slot] ? 1u << 29 : 0);
    t.submitted[slot] = owner;
    base::store_le<uint32_t>(d, owner | bytes | 1u << 16 | 1u << 18);
    t.write = (t.write + 1) % 256;
  }
  void poll() {
    b_.memory.settle(b_.now());
    SoftRing& t = b_.tx[0];
    while (t.used() != 0 && b_.tx_done(0, t.read)) t.read = (t.read + 1) % 256;
    SoftRing& r = b_.rx[0];
    bool any = false;
    while (r.used() != 0 && b_.rx_done(0)) {
      const uint8_t* block = b_.memory.pointer(r.block(r.read));
      const uint64_t buffer = base::load_le<uint64_t>(block + 128 + 24);
      const uint32_t length = base::load_le<uint32_t>(block) & 0x3FFF;
      forward(buffer + 16, length - 20);
      r.read = (r.read + 1) % 256;
      give(r.write);
      r.write = (r.write + 1) % 256;
      ++seen;
      any = true;
    }
    if (any) {
      b_.ring_rx();
      b_.ring_tx();
    }
    b_.wr(0x1C, 0x7FFFFFFF);
    b_.calendar.schedule(event_, b_.now() + kPeriod);
  }

  Bench& b_;
  base::Event event_;
  unsigned next_buffer_ = 0;
};

TEST(TsnepLoad, LineRateBothWaysBalancesAndAllocatesNothing) {
  net::TrafficSpec spec;
  spec.rate_pps = 1'488'095;
  spec.start = 1_ms;
  spec.end = 9_ms;
  net::Station station(net::StationSpec{}, net::TrafficSource::create(spec).take());
  Bench b;
  b.nic.connect(&station, &station, nullptr);
  b.nic.dma.absolute_time();
  probe::Digest digest;
  b.nic.set_digest(&digest);
  b.setup();
  b.wr(0x806, 2, 2);
  b.wr(0x30, 0x40, 1);
  Forwarder software(b);
  software.start(1_ms);
  b.run_to(2_ms);
  const uint64_t before = g_allocations;
  const uint64_t events = b.calendar.events_run();
  const uint64_t frames = b.count("rx_frames");
  b.run_to(8_ms);
  const uint64_t moved = b.count("rx_frames") - frames;
  EXPECT_EQ(g_allocations - before, 0u);
  EXPECT_GT(moved, 8000u);
  // Received and sent: one event and two.
  EXPECT_LT(static_cast<double>(b.calendar.events_run() - events) / static_cast<double>(moved),
            3.2);
  b.run_to(12_ms);
  EXPECT_EQ(station.data_sent(), b.count("rx_frames") + b.rx_dropped());
  EXPECT_EQ(software.seen, b.count("rx_frames"));
  EXPECT_EQ(software.seen - software.busy, b.count("tx_frames") + b.tx_dropped());
  EXPECT_EQ(station.data_received(), b.count("tx_frames"));
  EXPECT_EQ(station.violations(), 0u) << station.first_violation();
  EXPECT_EQ(b.rx_dropped(), 0u);
  EXPECT_GT(b.nic.tx_line_busy(), 7_ms);
  EXPECT_GT(b.nic.rx_dma_busy(), Picos(0));
  EXPECT_GT(b.nic.tx_dma_busy(), Picos(0));
}

}  // namespace
}  // namespace doorbell::tsnep::test
