// Traffic generators: fixed size and rate, IMIX, Poisson, bursts, over one or many UDP flows.
//
// Frames are Ethernet (optionally with an 802.1Q tag), IPv4 and UDP with right lengths and
// checksums. The UDP payload is 8 octets sequence number, 4 octets flow, then a pattern that
// depends on both, so that verify() can check each octet of each frame without having kept it. Same
// spec, same frames. Times are exact: the fraction of a picosecond that a rate leaves over is
// carried on, so that the n-th frame never drifts. No two frames are closer than the wire allows.
// peek() and pop() patch a template and take about 5 ns for a 64-byte frame; nothing is allocated.
// Not modelled: carrier loss, IP fragments, TCP.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/base/random.h"
#include "models/base/result.h"
#include "models/base/units.h"
#include "models/net/frame.h"
#include "models/net/source.h"

namespace doorbell::net {

enum class TrafficKind { kFixed, kImix, kPoisson, kBurst };
enum class FlowOrder { kRoundRobin, kRandom };

struct TrafficSpec {
  TrafficKind kind = TrafficKind::kFixed;
  uint32_t frame_bytes = 64;  // with FCS; IMIX takes 64, 594 and 1518 in proportion 7:4:1 instead
  base::BitsPerSecond link{1'000'000'000};
  uint64_t rate_pps = 0;  // mean frames per second; 0: line rate, back to back
  uint32_t flows = 1;
  FlowOrder flow_order = FlowOrder::kRoundRobin;
  uint32_t burst_frames = 32;  // kBurst: frames at line rate ...
  base::Picos burst_gap;  // ... then idle from the end of the last slot; 0: what rate_pps leaves
  uint64_t seed = 1;

  MacAddress destination{{0x02, 0x00, 0x5E, 0x10, 0x00, 0x01}};
  MacAddress source{{0x02, 0x00, 0x5E, 0x10, 0x00, 0x02}};
  std::optional<uint8_t> vlan_pcp;  // adds a tag with VID vlan_id
  uint16_t vlan_id = 1;
  uint32_t source_ip = 0xC6120001;       // 198.18.0.1 (RFC 2544 benchmarking range)
  uint32_t destination_ip = 0xC6130001;  // 198.19.0.1
  uint16_t source_port = 1024;           // flow f uses port + f % 32768 and address + f / 32768
  uint16_t destination_port = 4791;
  bool udp_checksum = false;  // false: field is zero, "none" in RFC 768

  uint64_t count = UINT64_MAX;     // at most this many frames
  base::Picos start;               // first frame's first preamble bit (Poisson: of the first gap)
  base::Picos end = base::kNever;  // no frame starts at or after this
  uint64_t bad_fcs_every = 0;      // every n-th frame has a bad FCS; 0: none
};

/// Why the spec cannot be generated, or nullopt. Messages name the field, its value and what is
/// allowed; `key` spellings are those of a scenario's [traffic] table.
std::optional<base::Error> check_traffic(const TrafficSpec& spec);
/// Mean length with FCS of the frames of a spec, as sum over one cycle of `frames` frames.
struct MeanLength {
  uint64_t bytes = 0;
  uint64_t frames = 1;
};
MeanLength mean_length(const TrafficSpec& spec);

/// A generator. Memory: 8 octets per flow and about 1 MB.
class TrafficSource final : public Source {
 public:
  static base::Result<std::unique_ptr<TrafficSource>> create(const TrafficSpec& spec);

  const Arrival* peek() override;
  void pop() override;
  Provenance verify(base::ByteView bytes) override;
  const TrafficSpec& spec() const { return spec_; }

 private:
  // A rational number of picoseconds that is added to a time again and again.
  struct Step {
    int64_t whole = 0;
    uint64_t part = 0;  // over a denominator that the clock knows
  };
  // A time that steps are added to without loss.
  struct ExactClock {
    base::Picos now;
    uint64_t part = 0;
    uint64_t denominator = 1;
    void add(const Step& step) {
      now += base::Picos(step.whole);
      part += step.part;
      if (part >= denominator) {
        part -= denominator;
        now += base::Picos(1);
      }
    }
  };
  // All frames of one length: a template to send from and one to compare with.
  struct Shape {
    uint32_t bytes = 0;             // without FCS
    Step step;                      // to the next due time
    base::Picos slot;               // least distance to the next start
    std::vector<uint8_t> sent;      // patched for the current frame; 8 octets of slack at the end
    std::vector<uint8_t> expected;  // patched for the flow verified last
    uint32_t sent_flow = 0;
    uint32_t expected_flow = 0;
    uint64_t ip_sum = 0;  // sum of the IPv4 header but for source address and checksum
  };

  explicit TrafficSource(const TrafficSpec& spec);
  void build_shape(uint32_t bytes);
  void make_current();
  base::Picos next_start(const Shape& shape);
  Shape& next_shape();
  uint32_t next_flow();
  void fill_frame(Shape& shape, uint64_t id, uint32_t flow);
  void patch_flow(const Shape& shape, uint8_t* frame, uint32_t flow) const;
  uint64_t key(uint64_t id, uint32_t flow) const;
  bool frame_matches(Shape& shape, const uint8_t* p, uint64_t id, uint32_t flow) const;
  bool addresses_match(const uint8_t* p) const;
  bool mark_delivered(uint64_t id);  // false: was delivered before
  Provenance fault(base::ByteView bytes, const char* what);

  TrafficSpec spec_;
  std::vector<Shape> shapes_;
  std::array<uint8_t, 12> deck_{};  // IMIX: shuffled indices of shapes
  unsigned deck_left_ = 0;
  size_t l3_ = 0;       // offset of the IPv4 header
  size_t payload_ = 0;  // offset of the UDP payload
  uint64_t destination_u48_ = 0;
  uint64_t source_u48_ = 0;
  base::Stream gap_stream_;
  base::Stream flow_stream_;
  base::Stream deck_stream_;

  ExactClock clock_;           // when the next frame is due
  bool wire_limited_ = false;  // frames may be due before the wire is free
  base::Picos wire_free_;
  base::Picos mean_gap_;     // kPoisson
  uint32_t burst_left_ = 0;  // frames of this burst still to come
  ExactClock burst_clock_;   // kBurst with a rate: start of the burst
  Step burst_step_;
  uint32_t round_robin_ = 0;
  uint64_t bad_fcs_in_ = 0;

  bool ready_ = false;  // current_ is valid
  bool done_ = false;
  Arrival current_;

  std::vector<uint64_t> flow_next_;  // per flow: id after the latest verified
  std::vector<uint64_t> delivered_;  // bitmap of the last kRecent ids
  uint64_t delivered_top_ = 0;       // highest word of the bitmap in use
};

}  // namespace doorbell::net
