#include "models/net/station.h"

#include <gtest/gtest.h>

#include <cstring>

#include "models/net/pcap_source.h"
#include "models/net/traffic.h"

namespace doorbell::net {
namespace {

using base::Picos;
using namespace base::literals;
using Frame = std::vector<uint8_t>;

struct Listener : ArrivalListener {
  int calls = 0;
  void arrivals_changed() override { ++calls; }
};

std::unique_ptr<Source> line_rate(uint64_t count = UINT64_MAX, uint32_t bytes = 64) {
  TrafficSpec spec;
  spec.count = count;
  spec.frame_bytes = bytes;
  return TrafficSource::create(spec).take();
}

Frame pop(Station& station) {
  const base::ByteView b = station.peek()->bytes;
  Frame f(b.begin(), b.end());
  station.pop();
  return f;
}

void send_pause(Station& station, Picos start, uint16_t quanta) {
  uint8_t f[kMinFrameBytes];
  make_pause_frame(MacAddress{}, quanta, f);
  station.transmit(start, {f, sizeof(f)}, 0);
}

uint64_t counter(const Station& station, const char* name) {
  const probe::Counter* c = station.counters().find(name);
  EXPECT_NE(c, nullptr) << name;
  return c == nullptr ? 0 : c->value;
}

TEST(Station, ArrivalsComeOnePropagationDelayLater) {
  StationSpec spec;
  spec.propagation = 500_ns;
  Station station(spec, line_rate(3));
  for (int64_t i = 0; i < 3; ++i) {
    ASSERT_EQ(station.peek()->start, 500_ns + 672_ns * i);
    ASSERT_EQ(station.peek()->id, static_cast<uint64_t>(i));
    station.pop();
  }
  EXPECT_EQ(station.peek(), nullptr);
  EXPECT_EQ(station.data_sent(), 3u);
  EXPECT_EQ(counter(station, "sent_bytes"), 180u);
}

TEST(Station, WithoutASourceItOnlyListens) {
  Station station({}, nullptr);
  EXPECT_EQ(station.peek(), nullptr);
  const Frame f(60, 1);
  station.transmit(1_us, {f.data(), f.size()}, 0);
  EXPECT_EQ(station.data_received(), 1u);
  EXPECT_EQ(station.violations(), 0u);
  EXPECT_EQ(station.last_received(), 1_us);
}

TEST(Station, LatencyIsFromEndOfArrivalToEndOfDeparture) {
  StationSpec spec;
  spec.propagation = 300_ns;
  Station station(spec, line_rate());
  for (int64_t i = 0; i < 10; ++i) {
    const Picos arrival = station.peek()->start;
    const Frame f = pop(station);
    station.transmit(arrival + 5_us, {f.data(), f.size()}, 0);
  }
  EXPECT_EQ(station.latency().count(), 10u);
  EXPECT_EQ(station.latency().min(), 5_us);
  EXPECT_EQ(station.latency().max(), 5_us);
  EXPECT_EQ(station.data_received(), 10u);
  EXPECT_EQ(station.violations(), 0u);
}

TEST(Station, CountsViolationsAndKeepsTheFirstMessage) {
  Station station({}, line_rate());
  Frame a = pop(station);
  const Frame b = pop(station);
  a[59] ^= 1;
  station.transmit(7_us, {a.data(), a.size()}, 0);
  a[59] ^= 1;
  station.transmit(8_us, {b.data(), b.size()}, 0);
  station.transmit(9_us, {b.data(), b.size()}, 0);   // twice
  station.transmit(10_us, {a.data(), a.size()}, 0);  // late
  EXPECT_EQ(station.violations(), 3u);
  EXPECT_EQ(counter(station, "corrupt"), 1u);
  EXPECT_EQ(counter(station, "out_of_order"), 2u);
  EXPECT_EQ(station.source()->verify_stats().duplicate, 1u);
  EXPECT_EQ(station.source()->verify_stats().reordered, 1u);
  EXPECT_EQ(
      station.first_violation(),
      "peer: frame of 60 B at 7000000 ps is corrupt or was never sent (frame of 60 B: its bytes "
      "are not those that were sent)");
  station.reset_counts();
  EXPECT_EQ(station.violations(), 0u);
  EXPECT_EQ(station.first_violation(), "");
}

TEST(Station, FlawedFramesAreCountedNotVerified) {
  Station station({}, line_rate());
  const Frame f = pop(station);
  station.transmit(1_us, {f.data(), f.size()}, kTxError);
  EXPECT_EQ(counter(station, "received_flawed"), 1u);
  EXPECT_EQ(station.data_received(), 0u);
  EXPECT_EQ(station.source()->verify_stats().verified, 0u);
}

TEST(Station, FramesOfAnotherOrigin) {
  Station sender({}, line_rate());
  Station sink({}, nullptr);
  sink.set_origin(&sender);
  const Picos arrival = sender.peek()->start;
  const Frame f = pop(sender);
  sink.transmit(arrival + 3_us, {f.data(), f.size()}, 0);
  EXPECT_EQ(sink.violations(), 0u);
  EXPECT_EQ(sink.latency().max(), 3_us);
  sink.set_origin(nullptr);
  sink.transmit(9_us, {f.data(), 30}, 0);
  EXPECT_EQ(sink.violations(), 0u);
}

TEST(Station, DigestCoversTimesBytesAndFlaws) {
  const Frame f(60, 3);
  const auto digest = [&f](Picos at, uint8_t flaws) {
    Station station({}, nullptr);
    probe::Digest d;
    station.set_digest(&d);
    station.transmit(at, {f.data(), f.size()}, flaws);
    return d.value();
  };
  EXPECT_EQ(digest(1_us, 0), digest(1_us, 0));
  EXPECT_NE(digest(1_us, 0), digest(Picos(1'000'001), 0));
  EXPECT_NE(digest(1_us, 0), digest(1_us, kTxError));
}

TEST(Station, CapturesBothDirections) {
  const std::string path = testing::TempDir() + "doorbell_station.pcap";
  auto writer = PcapWriter::create(path).take();
  Station station({}, line_rate());
  station.set_capture(writer.get(), true);
  const Frame f = pop(station);
  station.transmit(4_us, {f.data(), f.size()}, 0);
  ASSERT_FALSE(writer->close().has_value());
  auto replay = PcapSource::open(path, {}).take();
  EXPECT_EQ(replay->frames_in_file(), 2u);
  replay->peek();
  replay->pop();
  EXPECT_EQ(replay->peek()->start, 4_us);
  std::remove(path.c_str());
}

// PAUSE. A 60-octet PAUSE frame takes 576 ns on a 1 Gb/s wire; one quantum is 512 ns.

TEST(StationPause, StopsFramesThatHaveNotStarted) {
  StationSpec spec;
  spec.flow_control = true;
  Station station(spec, line_rate());
  Listener listener;
  station.set_listener(&listener);
  pop(station);  // at 0
  ASSERT_EQ(station.peek()->start, 672_ns);
  send_pause(station, 0_ns, 10);  // in effect from 576 ns to 5696 ns
  EXPECT_EQ(listener.calls, 1);
  EXPECT_EQ(station.peek()->start, 5696_ns);
  pop(station);
  EXPECT_EQ(station.peek()->start, 5696_ns + 672_ns);  // what queued comes back to back
  EXPECT_EQ(counter(station, "received_pause"), 1u);
  EXPECT_EQ(station.data_received(), 0u);
}

TEST(StationPause, FrameThatHasStartedIsFinished) {
  StationSpec spec;
  spec.flow_control = true;
  Station station(spec, line_rate());
  Listener listener;
  station.set_listener(&listener);
  pop(station);
  ASSERT_EQ(station.peek()->start, 672_ns);
  send_pause(station, 97_ns, 10);  // in effect from 673 ns
  EXPECT_EQ(station.peek()->start, 672_ns);
  EXPECT_EQ(listener.calls, 0);
  pop(station);
  EXPECT_EQ(station.peek()->start, 673_ns + 5120_ns);
}

TEST(StationPause, CablesAndReactionDelayIt) {
  StationSpec spec;
  spec.flow_control = true;
  spec.propagation = 500_ns;
  spec.pause_reaction = 1_us;
  Station station(spec, line_rate());
  send_pause(station, 0_ns, 100);  // in effect at the station at 576 + 500 + 1000 = 2076 ns
  std::vector<Picos> times;
  for (int i = 0; i < 5; ++i) {
    times.push_back(station.peek()->start);
    station.pop();
  }
  EXPECT_EQ(times[3], 500_ns + 2016_ns);
  EXPECT_EQ(times[4], 500_ns + 2076_ns + 51200_ns);
}

TEST(StationPause, QuantaZeroResumesAtOnce) {
  StationSpec spec;
  spec.flow_control = true;
  Station station(spec, line_rate());
  Listener listener;
  station.set_listener(&listener);
  pop(station);
  send_pause(station, 0_ns, 0xFFFF);
  EXPECT_EQ(station.peek()->start, 576_ns + 33553920_ns);
  send_pause(station, 10_us, 0);  // in effect at 10576 ns
  EXPECT_EQ(listener.calls, 1);
  EXPECT_EQ(station.peek()->start, 10576_ns);
}

TEST(StationPause, ANewPauseReplacesTheOld) {
  StationSpec spec;
  spec.flow_control = true;
  Station station(spec, line_rate());
  pop(station);
  send_pause(station, 0_ns, 100);  // 576 ns to 51776 ns
  send_pause(station, 20_us, 10);  // shorter: to 20576 + 5120
  EXPECT_EQ(station.peek()->start, 25696_ns);
  send_pause(station, 25_us, 10);  // longer: to 25576 + 5120
  EXPECT_EQ(station.peek()->start, 30696_ns);
  send_pause(station, 40_us, 10);  // after the frame's start: another pause
  EXPECT_EQ(station.peek()->start, 30696_ns);
  for (int i = 0; i < 15; ++i) pop(station);  // the last one at 30696 + 14 * 672 = 40104
  EXPECT_EQ(station.peek()->start, 45696_ns);
}

TEST(StationPause, IgnoredWithoutFlowControl) {
  Station station({}, line_rate());
  send_pause(station, 0_ns, 0xFFFF);
  pop(station);
  pop(station);
  EXPECT_EQ(station.peek()->start, 1344_ns);
  EXPECT_EQ(counter(station, "received_pause"), 1u);
}

TEST(StationPause, NoFrameIsLostAndOrderHolds) {
  StationSpec spec;
  spec.flow_control = true;
  Station station(spec, line_rate(2000));
  Picos last(-1);
  uint64_t id = 0;
  while (const Arrival* a = station.peek()) {
    ASSERT_GT(a->start, last);
    ASSERT_EQ(a->id, id++);
    last = a->start;
    station.pop();
    if (id % 7 == 0) send_pause(station, last + 100_ns, static_cast<uint16_t>(id % 5));
  }
  EXPECT_EQ(id, 2000u);
}

TEST(StationStorm, PauseFramesSlipBetweenTheData) {
  StationSpec spec;
  spec.storm = {10_us, 0x55, 5_us, 26_us};
  Station station(spec, line_rate(100));
  std::vector<Picos> storms;
  Picos free;
  uint64_t data = 0;
  while (const Arrival* a = station.peek()) {
    ASSERT_GE(a->start, free);  // one after the other on the wire
    free = a->start + 672_ns;
    if (a->id == kControlFrame) {
      EXPECT_EQ(pause_quanta(a->bytes), 0x55);
      EXPECT_EQ(MacAddress::from(a->bytes.data + 6), spec.mac);
      storms.push_back(a->start);
    } else {
      ASSERT_EQ(a->id, data++);
    }
    station.pop();
  }
  // Due at 5, 15 and 25 us; each waits for the frame on the wire.
  EXPECT_EQ(storms, (std::vector<Picos>{672_ns * 8, 672_ns * 23, 672_ns * 38}));
  EXPECT_EQ(data, 100u);
  EXPECT_EQ(station.data_sent(), 100u);
  EXPECT_EQ(counter(station, "sent_pause"), 3u);
}

TEST(StationStorm, IsNotStoppedByAPause) {
  StationSpec spec;
  spec.flow_control = true;
  spec.storm.period = 10_us;
  spec.storm.start = 10_us;
  Station station(spec, line_rate());
  pop(station);
  send_pause(station, 0_ns, 0xFFFF);
  EXPECT_EQ(station.peek()->id, kControlFrame);
  EXPECT_EQ(station.peek()->start, 10_us);
}

TEST(StationStorm, WithoutDataToo) {
  StationSpec spec;
  spec.storm.period = 1_ms;
  Station station(spec, nullptr);
  for (int64_t i = 0; i < 5; ++i) {
    ASSERT_EQ(station.peek()->start, 1_ms * i);
    station.pop();
  }
}

}  // namespace
}  // namespace doorbell::net
