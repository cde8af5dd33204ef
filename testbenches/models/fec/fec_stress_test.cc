// Seeded random traffic in both directions with software that keeps up badly: every frame is
// accounted for, what is delivered is whole and in order, and the same seed gives the same digest
// with and without tracing.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <random>

#include "models/probe/digest.h"
#include "testbenches/models/fec/bench.h"

namespace doorbell::fec::test {
namespace {

class NullTrace final : public probe::TraceSink {
 public:
  void span(const char*, const char*, Picos begin, Picos end, uint64_t) override {
    EXPECT_LE(begin, end);
    ++seen;
  }
  void instant(const char*, const char*, Picos, uint64_t) override { ++seen; }
  void level(const char*, const char*, Picos, int64_t) override { ++seen; }
  uint64_t seen = 0;
};

/// A frame that says which one it is.
Bytes numbered(std::mt19937& random, uint32_t number, unsigned ring) {
  const size_t size = random() % 3 == 0 ? 60 + random() % 1455 : 60 + random() % 8;
  Bytes f = ring == 0 ? frame(size, kOwn, static_cast<uint8_t>(number))
                      : tagged(size, ring == 1 ? 2 : 6, static_cast<uint8_t>(number));
  base::store_be32(f.data() + 20, number);
  return f;
}

struct Outcome {
  uint64_t digest = 0;
  uint64_t delivered = 0;
  uint64_t sent = 0;
};

class Storm {
 public:
  Storm(uint32_t seed, bool trace) : random_(seed), bench_(config(seed)) {
    bench_.enhanced = seed % 4 != 3;
    if (seed % 2 == 1) bench_.racc = racc::kShift16;
    if (trace) bench_.fec.set_trace(&trace_);
    bench_.fec.set_digest(&digest_);
    for (unsigned ring = 0; ring < kRings; ++ring) bench_.make_rx_ring(ring, kSize);
    bench_.setup();
    if (seed % 3 == 1) {
      bench_.wr(reg::kRsfl, 16);
      bench_.wr(reg::kRsem, 0x84);
    }
    if (seed % 5 == 2) bench_.wr(reg::kTfwr, 2);
    if (seed % 6 == 5) bench_.wr(reg::kQos, qos::kRxFlush1 | qos::kSchemeRoundRobin);
    for (unsigned ring = 0; ring < kRings; ++ring) bench_.wr(reg::rdar(ring), 0);
  }

  Outcome go() {
    Picos next_in = 10_us;
    for (int step = 0; step < 3000; ++step) {
      while (next_in < bench_.now() + 20_us) next_in = offer(next_in);
      bench_.run(Picos(static_cast<int64_t>(random_() % 16'000'000)));
      if (random_() % 2 != 0) receive(random_() % kRings, random_() % 8);
      for (unsigned n = random_() % 12; n > 0; --n) transmit(random_() % kRings);
    }
    bench_.run(20_ms);  // no software any more: what is under way comes to rest
    for (unsigned ring = 0; ring < kRings; ++ring) receive(ring, kSize);
    check();
    return {digest_.value(), delivered_, bench_.out.sent.size()};
  }
  uint64_t traced() const { return trace_.seen; }

 private:
  static constexpr unsigned kSize = 16;

  static FecConfig config(uint32_t seed) {
    FecConfig c;
    c.rx_fifo_bytes = seed % 2 == 0 ? 8192 : 4096;
    c.tx_fifo_bytes = seed % 3 == 0 ? 8192 : 4096;
    c.bd_prefetch = 1 + seed % 4;
    c.rx_start_words = seed % 3 == 2 ? 1 : 8;
    return c;
  }

  Picos offer(Picos at) {
    const unsigned ring = random_() % kRings;
    Bytes f = numbered(random_, next_number_, ring);
    uint8_t flaws = 0;
    const unsigned kind = random_() % 40;
    if (kind == 0) flaws = net::kBadFcs;
    if (kind == 1) std::copy(kOther.begin(), kOther.end(), f.begin());
    if (kind == 2) f.resize(40);
    source_.push_back(f);
    ++next_number_;
    bench_.in.push(at, f, flaws);
    const auto gap = static_cast<int64_t>(random_() % 8 == 0 ? random_() % 30'000'000 : 96'000);
    return at + line_time(f) + Picos(gap);
  }

  void receive(unsigned ring, unsigned budget) {
    bool freed = false;
    for (; budget > 0; --budget) {
      unsigned& i = rx_next_[ring];
      const FecRxDesc d = bench_.rx(ring, i);
      if ((d.status & rx_sc::kEmpty) != 0) break;
      ASSERT_NE(d.status & rx_sc::kLast, 0);
      take(ring, d, bench_.rx_buffer(ring, i));
      bench_.arm_rx(ring, i, i + 1 == kSize);
      i = (i + 1) % kSize;
      freed = true;
    }
    if (freed) bench_.wr(reg::rdar(ring), 0);
  }

  void take(unsigned ring, const FecRxDesc& d, uint32_t address) {
    if ((d.status & rx_sc::kErrors) != 0) {
      ++errors_;
      return;
    }
    const uint32_t shift = bench_.racc != 0 ? 2 : 0;
    const Bytes got = bench_.bytes_at(address + shift, d.length - shift);
    const uint32_t number = base::load_be32(got.data() + 20);
    ASSERT_LT(number, source_.size());
    EXPECT_EQ(got, with_fcs(source_[number]));
    EXPECT_TRUE(last_number_[ring] < static_cast<int64_t>(number));
    last_number_[ring] = number;
    ++delivered_;
  }

  void transmit(unsigned ring) {
    const unsigned parts = 1 + random_() % 3;
    for (unsigned n = 0; n < parts + 1; ++n) {  // one descriptor stays R = 0
      if ((bench_.tx(ring, (tx_next_[ring] + n) % kSize).status & tx_sc::kReady) != 0) return;
    }
    const Bytes f = numbered(random_, next_tx_++, ring);
    queued_[ring].push_back(f);
    const size_t piece = f.size() / parts;
    const unsigned first = tx_next_[ring];
    for (unsigned n = 0; n < parts; ++n) {
      const unsigned i = (first + n) % kSize;
      const auto end = n + 1 == parts ? f.end() : f.begin() + static_cast<long>(piece * (n + 1));
      uint16_t flags = i + 1 == kSize ? tx_sc::kWrap : 0;
      if (n + 1 == parts) flags |= tx_sc::kLast | tx_sc::kTc;
      bench_.put_tx(ring, i, Bytes(f.begin() + static_cast<long>(piece * n), end), flags,
                    tx_esc::kInt);
    }
    tx_next_[ring] = (first + parts) % kSize;
    bench_.wr(reg::tdar(ring), 0);
  }

  void check() {
    uint64_t accounted = bench_.count("rx_frames") + bench_.count("rx_error_frames");
    for (const char* reason : kRxDropReasons) accounted += bench_.count(reason);
    accounted += bench_.fec.frames_in_rx_fifo();
    EXPECT_EQ(accounted, source_.size() - bench_.in.left());
    EXPECT_EQ(bench_.count("rx_frames"), delivered_);
    EXPECT_EQ(bench_.count("rx_error_frames"), errors_);
    std::vector<Bytes> data;
    for (const RecordingOut::Sent& s : bench_.out.sent) {
      if (s.bytes.size() >= 60 && base::load_be16(s.bytes.data() + 12) != 0x8808) {
        EXPECT_EQ(s.flaws, 0);
        data.push_back(s.bytes);
      }
    }
    size_t queued = 0;
    size_t at[kRings] = {};
    for (const auto& q : queued_) queued += q.size();
    for (const Bytes& f : data) {
      bool found = false;
      for (unsigned ring = 0; ring < kRings && !found; ++ring) {
        found = at[ring] < queued_[ring].size() && queued_[ring][at[ring]] == f;
        if (found) ++at[ring];
      }
      EXPECT_TRUE(found);
    }
    EXPECT_EQ(data.size(), queued);
    EXPECT_EQ(bench_.count("tx_frames"), queued);
    EXPECT_EQ(bench_.fec.frames_in_tx_fifo(), 0u);
    EXPECT_EQ(bench_.fec.tx_fifo_words(), 0u);
    for (size_t i = 1; i < bench_.out.sent.size(); ++i) {
      const RecordingOut::Sent& before = bench_.out.sent[i - 1];
      EXPECT_GE(bench_.out.sent[i].start - before.start, line_time(before.bytes) + kOctet * 12);
    }
    for (unsigned ring = 0; ring < kRings; ++ring) EXPECT_EQ(bench_.rd(reg::tdar(ring)), 0u);
  }

  std::mt19937 random_;
  Bench bench_;
  NullTrace trace_;
  probe::Digest digest_;
  std::vector<Bytes> source_;
  std::vector<Bytes> queued_[kRings];
  uint32_t next_number_ = 0;
  uint32_t next_tx_ = 0;
  unsigned rx_next_[kRings] = {};
  unsigned tx_next_[kRings] = {};
  int64_t last_number_[kRings] = {-1, -1, -1};
  uint64_t delivered_ = 0;
  uint64_t errors_ = 0;
};

class FecStress : public testing::TestWithParam<uint32_t> {};

TEST_P(FecStress, EveryFrameIsAccountedFor) {
  Storm run(GetParam(), false);
  const Outcome outcome = run.go();
  EXPECT_GT(outcome.delivered, 100u);
  EXPECT_GT(outcome.sent, 100u);
}
INSTANTIATE_TEST_SUITE_P(Seeds, FecStress, testing::Range(0u, 12u));

// SystemC allows one elaboration in a process, so the run without tracing is a child's.
TEST(FecStressTrace, TracingDoesNotChangeTheDigest) {
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    Storm plain(4, false);
    const uint64_t digest = plain.go().digest;
    _exit(write(pipe_ends[1], &digest, sizeof(digest)) == sizeof(digest) ? 0 : 1);
  }
  uint64_t want = 0;
  ASSERT_EQ(read(pipe_ends[0], &want, sizeof(want)), static_cast<ssize_t>(sizeof(want)));
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  Storm traced(4, true);
  EXPECT_EQ(traced.go().digest, want);
  EXPECT_GT(traced.traced(), 1000u);
}

}  // namespace
}  // namespace doorbell::fec::test
