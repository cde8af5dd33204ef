// The hot path allocates nothing: every operator new of this executable is counted.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "models/net/cable.h"
#include "models/net/pcap_source.h"
#include "models/net/station.h"
#include "models/net/traffic.h"

namespace {
uint64_t allocations = 0;
}

void* operator new(size_t n) {
  ++allocations;
  if (void* p = std::malloc(n == 0 ? 1 : n)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept {
  std::free(p);
}
void operator delete(void* p, size_t) noexcept {
  std::free(p);
}

namespace doorbell::net {
namespace {

using base::Picos;
using namespace base::literals;

// Sends every frame that the station offers back to it, 1 us later.
uint64_t allocations_of_echo(Station& station, int frames) {
  probe::Digest digest;
  station.set_digest(&digest);
  const uint64_t before = allocations;
  for (int i = 0; i < frames; ++i) {
    const Arrival a = *station.peek();
    uint8_t copy[1600];
    std::copy(a.bytes.begin(), a.bytes.end(), copy);
    station.pop();
    station.transmit(a.start + 1_us, {copy, a.bytes.size}, 0);
  }
  const uint64_t after = allocations;
  EXPECT_EQ(station.violations(), 0u) << station.first_violation();
  EXPECT_EQ(station.latency().count(), static_cast<uint64_t>(frames));
  return after - before;
}

TEST(Allocation, CounterWorks) {
  const uint64_t before = allocations;
  // Called as functions: a compiler may leave out a pair of new and delete expressions.
  ::operator delete(::operator new(4));
  EXPECT_EQ(allocations, before + 1);
}

TEST(Allocation, GeneratorsAndStation) {
  for (const TrafficKind kind :
       {TrafficKind::kFixed, TrafficKind::kImix, TrafficKind::kPoisson, TrafficKind::kBurst}) {
    TrafficSpec spec;
    spec.kind = kind;
    spec.rate_pps = 200'000;
    spec.flows = 100;
    Station station({}, TrafficSource::create(spec).take());
    EXPECT_EQ(allocations_of_echo(station, 100'000), 0u);
  }
}

TEST(Allocation, PcapReplay) {
  PcapSpec spec;
  spec.loops = 0;
  spec.timing = PcapTiming::kLineRate;
  auto source = PcapSource::open(DOORBELL_CAPTURES "/mixed.pcap", spec);
  ASSERT_TRUE(source.ok()) << source.error();
  Station station({}, source.take());
  EXPECT_EQ(allocations_of_echo(station, 20'000), 0u);
}

TEST(Allocation, CableAndPause) {
  Cable cable(100_ns);
  StationSpec spec;
  spec.flow_control = true;
  spec.storm.period = 50_us;
  Station station(spec, TrafficSource::create(TrafficSpec{}).take());
  uint8_t pause[kMinFrameBytes];
  make_pause_frame(spec.mac, 3, pause);
  const uint64_t before = allocations;
  for (int i = 0; i < 50'000; ++i) {
    const Arrival a = *station.peek();
    cable.a().transmit(a.start, a.bytes, 0);
    station.pop();
    cable.b().pop();
    if (i % 10 == 0) station.transmit(a.start, {pause, sizeof(pause)}, 0);
  }
  EXPECT_EQ(allocations, before);
}

}  // namespace
}  // namespace doorbell::net
