#include "models/net/traffic.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "models/net/checksum.h"

namespace doorbell::net {

namespace {

constexpr uint32_t kImixBytes[] = {64, 594, 1518};  // with FCS
constexpr uint32_t kImixWeight[] = {7, 4, 1};
constexpr uint32_t kMaxFlows = 1 << 20;
constexpr uint32_t kMaxBurst = 1 << 20;
constexpr uint32_t kPortsPerAddress = 32768;
constexpr uint32_t kSequenceBytes = 8;
constexpr uint32_t kFlowBytes = 4;
constexpr uint32_t kStampBytes = kSequenceBytes + kFlowBytes;
constexpr uint64_t kPatternStep = 0x9E3779B97F4A7C15u;
constexpr uint64_t kPicosPerSecond = 1'000'000'000'000u;
constexpr base::Picos kLongest{30 * 86400 * 1'000'000'000'000};  // of start and gap
constexpr uint64_t kSlotOverFcs =
    kPreambleBytes + kGapBytes;  // slot octets beyond a length with FCS

using Wide = unsigned __int128;

template <typename T>
std::string number(T n) {
  return std::to_string(n);
}

base::Error refuse(const std::string& key, const std::string& value, const std::string& allowed) {
  return base::Error{"traffic." + key + " = " + value + ": " + allowed};
}

std::optional<base::Error> check_rate(const TrafficSpec& spec) {
  const uint64_t link = spec.link.count();
  if (spec.rate_pps == 0) return std::nullopt;
  const MeanLength mean = mean_length(spec);
  const Wide bits = Wide{mean.bytes + kSlotOverFcs * mean.frames} * 8;
  const auto most = static_cast<uint64_t>(Wide{link} * mean.frames / bits);
  if (spec.rate_pps <= most) return std::nullopt;
  return refuse("rate", number(spec.rate_pps) + " pps",
                "a link of " + number(link) + " b/s carries at most " + number(most) +
                    " pps of these frames");
}

std::optional<base::Error> check_kind(const TrafficSpec& spec) {
  if (spec.kind == TrafficKind::kPoisson && spec.rate_pps == 0) {
    return refuse("rate", "line", "kind \"poisson\" needs a mean rate in pps");
  }
  if (spec.kind != TrafficKind::kBurst) return std::nullopt;
  if (spec.burst_frames == 0 || spec.burst_frames > kMaxBurst) {
    return refuse("burst", number(spec.burst_frames), "1 to " + number(kMaxBurst) + " frames");
  }
  if (spec.burst_gap < base::Picos(0) || spec.burst_gap > kLongest) {
    return refuse("gap", number(spec.burst_gap.count()) + " ps", "0 s to 2592000 s");
  }
  const bool gap = spec.burst_gap != base::Picos(0);
  if (gap && spec.rate_pps != 0) {
    return refuse("gap", number(spec.burst_gap.count()) + " ps", "give a gap or a rate, not both");
  }
  if (!gap && spec.rate_pps == 0) return refuse("gap", "0", "kind \"burst\" needs a gap or a rate");
  return std::nullopt;
}

// Word i of a frame's pattern is key + i * kPatternStep, the last one cut off.
void fill_pattern(uint8_t* p, size_t n, uint64_t key) {
  const size_t words = (n + 7) / 8;  // templates have slack for the last one
  for (size_t i = 0; i < words; ++i) base::store_le(p + 8 * i, key + i * kPatternStep);
}

// `p` must have at least 8 octets before p + n.
bool pattern_matches(const uint8_t* p, size_t n, uint64_t key) {
  const size_t words = n / 8;
  uint64_t differ = 0;
  for (size_t i = 0; i < words; ++i) {
    differ |= base::load_le<uint64_t>(p + 8 * i) ^ (key + i * kPatternStep);
  }
  const size_t rest = n % 8;
  if (rest != 0) {
    const uint64_t last = base::load_le<uint64_t>(p + n - 8) >> (64 - 8 * rest);
    differ |= (last ^ (key + words * kPatternStep)) << (64 - 8 * rest);
  }
  return differ == 0;
}

// n >= 8.
bool bytes_equal(const uint8_t* a, const uint8_t* b, size_t n) {
  uint64_t differ = 0;
  for (size_t i = 0; i + 8 < n; i += 8) {
    differ |= base::load_le<uint64_t>(a + i) ^ base::load_le<uint64_t>(b + i);
  }
  differ |= base::load_le<uint64_t>(a + n - 8) ^ base::load_le<uint64_t>(b + n - 8);
  return differ == 0;
}

}  // namespace

MeanLength mean_length(const TrafficSpec& spec) {
  if (spec.kind != TrafficKind::kImix) return {spec.frame_bytes, 1};
  MeanLength out{0, 0};
  for (size_t i = 0; i < 3; ++i) {
    out.bytes += uint64_t{kImixBytes[i]} * kImixWeight[i];
    out.frames += kImixWeight[i];
  }
  return out;
}

std::optional<base::Error> check_traffic(const TrafficSpec& spec) {
  if (spec.link.count() == 0) return refuse("link", "0 b/s", "more than zero");
  if (spec.kind != TrafficKind::kImix &&
      (spec.frame_bytes < kMinFrameWithFcs || spec.frame_bytes > kMaxJumboBytes + kFcsBytes)) {
    return refuse("frame", number(spec.frame_bytes) + " B",
                  number(kMinFrameWithFcs) + " B to " + number(kMaxJumboBytes + kFcsBytes) +
                      " B, FCS included");
  }
  if (spec.flows == 0 || spec.flows > kMaxFlows) {
    return refuse("flows", number(spec.flows), "1 to " + number(kMaxFlows));
  }
  const uint32_t ports = std::min(spec.flows, kPortsPerAddress);
  if (spec.source_port + ports - 1 > 0xFFFF) {
    return refuse("source_port", number(spec.source_port),
                  number(spec.flows) + " flows need it to be at most " + number(0x10000 - ports));
  }
  if (spec.vlan_pcp && *spec.vlan_pcp > 7) {
    return refuse("vlan_pcp", number(*spec.vlan_pcp), "0 to 7");
  }
  if (spec.vlan_id > 4094) return refuse("vlan_id", number(spec.vlan_id), "0 to 4094");
  if (spec.start < base::Picos(0) || spec.start > kLongest) {
    return refuse("start", number(spec.start.count()) + " ps", "0 s to 2592000 s");
  }
  if (auto error = check_kind(spec)) return error;
  return check_rate(spec);
}

base::Result<std::unique_ptr<TrafficSource>> TrafficSource::create(const TrafficSpec& spec) {
  if (auto error = check_traffic(spec)) return *error;
  return std::unique_ptr<TrafficSource>(new TrafficSource(spec));
}

TrafficSource::TrafficSource(const TrafficSpec& spec)
    : spec_(spec),
      gap_stream_(spec.seed, "traffic.gap"),
      flow_stream_(spec.seed, "traffic.flow"),
      deck_stream_(spec.seed, "traffic.imix"),
      flow_next_(spec.flows),
      delivered_(kRecent / 64) {
  l3_ = kEtherHeaderBytes + (spec.vlan_pcp ? kVlanTagBytes : 0);
  payload_ = l3_ + kIpv4HeaderBytes + kUdpHeaderBytes;
  destination_u48_ = spec.destination.as_u48();
  source_u48_ = spec.source.as_u48();
  clock_.now = wire_free_ = burst_clock_.now = spec.start;
  bad_fcs_in_ = spec.bad_fcs_every;

  const bool at_line_rate = spec.rate_pps == 0 || spec.kind == TrafficKind::kBurst;
  clock_.denominator = at_line_rate ? spec.link.count() : spec.rate_pps;
  wire_limited_ = !at_line_rate;
  if (spec.kind == TrafficKind::kPoisson) {
    mean_gap_ = base::Picos(static_cast<int64_t>(kPicosPerSecond / spec.rate_pps));
  }
  if (spec.kind == TrafficKind::kBurst) {
    burst_left_ = spec.burst_frames;
    if (spec.rate_pps != 0) {
      const Wide period = Wide{spec.burst_frames} * kPicosPerSecond;
      burst_clock_.denominator = spec.rate_pps;
      burst_step_ = {static_cast<int64_t>(period / spec.rate_pps),
                     static_cast<uint64_t>(period % spec.rate_pps)};
    }
  }
  if (spec.kind == TrafficKind::kImix) {
    for (const uint32_t bytes : kImixBytes) build_shape(bytes - kFcsBytes);
    size_t at = 0;
    for (uint8_t i = 0; i < 3; ++i) {
      for (uint32_t n = 0; n < kImixWeight[i]; ++n) deck_[at++] = i;
    }
  } else {
    build_shape(spec.frame_bytes - kFcsBytes);
  }
}

void TrafficSource::build_shape(uint32_t bytes) {
  Shape shape;
  shape.bytes = bytes;
  shape.slot = OctetClock(spec_.link).slot(bytes);
  const Wide period =
      wire_limited_ ? Wide{kPicosPerSecond} : Wide{slot_octets(bytes)} * 8 * kPicosPerSecond;
  shape.step = {static_cast<int64_t>(period / clock_.denominator),
                static_cast<uint64_t>(period % clock_.denominator)};

  std::vector<uint8_t> frame(bytes + 8);
  std::memcpy(frame.data(), spec_.destination.octets.data(), kMacBytes);
  std::memcpy(frame.data() + kMacBytes, spec_.source.octets.data(), kMacBytes);
  if (spec_.vlan_pcp) {
    base::store_be16(frame.data() + kEtherTypeOffset, kEtherTypeVlan);
    base::store_be16(frame.data() + kEtherHeaderBytes,
                     static_cast<uint16_t>(*spec_.vlan_pcp << 13 | spec_.vlan_id));
  }
  base::store_be16(frame.data() + l3_ - 2, kEtherTypeIpv4);
  uint8_t* ip = frame.data() + l3_;
  const auto ip_bytes = static_cast<uint16_t>(bytes - l3_);
  ip[0] = 0x45;
  base::store_be16(ip + kIpv4LengthOffset, ip_bytes);
  base::store_be16(ip + 6, 0x4000);  // don't fragment
  ip[8] = 64;                        // time to live
  ip[kIpv4ProtocolOffset] = kIpUdp;
  base::store_be32(ip + kIpv4DestinationOffset, spec_.destination_ip);
  shape.ip_sum = sum_words({ip, kIpv4HeaderBytes});
  uint8_t* udp = ip + kIpv4HeaderBytes;
  base::store_be16(udp + 2, spec_.destination_port);
  base::store_be16(udp + kUdpLengthOffset, static_cast<uint16_t>(ip_bytes - kIpv4HeaderBytes));
  patch_flow(shape, frame.data(), 0);
  shape.sent = frame;
  shape.expected = frame;
  shapes_.push_back(std::move(shape));
}

void TrafficSource::patch_flow(const Shape& shape, uint8_t* frame, uint32_t flow) const {
  uint8_t* ip = frame + l3_;
  const uint32_t address = spec_.source_ip + flow / kPortsPerAddress;
  base::store_be32(ip + kIpv4SourceOffset, address);
  base::store_be16(ip + kIpv4ChecksumOffset,
                   finish_sum(shape.ip_sum + (address >> 16) + (address & 0xFFFF)));
  base::store_be16(ip + kIpv4HeaderBytes,
                   static_cast<uint16_t>(spec_.source_port + flow % kPortsPerAddress));
}

uint64_t TrafficSource::key(uint64_t id, uint32_t flow) const {
  const uint64_t x = (id ^ 0x2545F4914F6CDD1Du) + flow * kPatternStep + spec_.seed;
  const Wide product = Wide{x} * 0xD1342543DE82EF95u;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

TrafficSource::Shape& TrafficSource::next_shape() {
  if (spec_.kind != TrafficKind::kImix) return shapes_.front();
  if (deck_left_ == 0) {
    for (size_t i = deck_.size() - 1; i > 0; --i) {
      std::swap(deck_[i], deck_[deck_stream_.below(i + 1)]);
    }
    deck_left_ = static_cast<unsigned>(deck_.size());
  }
  return shapes_[deck_[--deck_left_]];
}

uint32_t TrafficSource::next_flow() {
  if (spec_.flows == 1) return 0;
  if (spec_.flow_order == FlowOrder::kRandom) {
    return static_cast<uint32_t>(flow_stream_.below(spec_.flows));
  }
  const uint32_t flow = round_robin_;
  round_robin_ = flow + 1 == spec_.flows ? 0 : flow + 1;
  return flow;
}

base::Picos TrafficSource::next_start(const Shape& shape) {
  if (spec_.kind == TrafficKind::kPoisson) clock_.now += gap_stream_.exponential(mean_gap_);
  const base::Picos start = wire_limited_ ? base::max(clock_.now, wire_free_) : clock_.now;
  wire_free_ = start + shape.slot;
  if (spec_.kind == TrafficKind::kPoisson) return start;
  clock_.add(shape.step);
  if (spec_.kind != TrafficKind::kBurst || --burst_left_ != 0) return start;
  burst_left_ = spec_.burst_frames;
  if (spec_.rate_pps == 0) {
    clock_.now += spec_.burst_gap;
  } else {
    burst_clock_.add(burst_step_);
    clock_.now = base::max(burst_clock_.now, wire_free_);
    clock_.part = 0;
  }
  return start;
}

void TrafficSource::fill_frame(Shape& shape, uint64_t id, uint32_t flow) {
  uint8_t* frame = shape.sent.data();
  if (flow != shape.sent_flow) {
    patch_flow(shape, frame, flow);
    shape.sent_flow = flow;
  }
  uint8_t* payload = frame + payload_;
  base::store_be64(payload, id);
  base::store_be32(payload + kSequenceBytes, flow);
  fill_pattern(payload + kStampBytes, shape.bytes - payload_ - kStampBytes, key(id, flow));
  if (!spec_.udp_checksum) return;
  const uint8_t* ip = frame + l3_;
  uint8_t* udp = frame + l3_ + kIpv4HeaderBytes;
  const auto udp_bytes = static_cast<uint32_t>(shape.bytes - l3_ - kIpv4HeaderBytes);
  base::store_be16(udp + kUdpChecksumOffset, 0);
  const uint64_t sum = sum_words({udp, udp_bytes}, pseudo_header_sum_v4(ip, kIpUdp, udp_bytes));
  base::store_be16(udp + kUdpChecksumOffset, udp_checksum_field(finish_sum(sum)));
}

void TrafficSource::make_current() {
  const uint64_t id = emitted_;
  if (id >= spec_.count) {
    done_ = true;
    return;
  }
  Shape& shape = next_shape();
  const base::Picos start = next_start(shape);
  if (start >= spec_.end) {
    done_ = true;
    return;
  }
  fill_frame(shape, id, next_flow());
  current_.start = start;
  current_.bytes = {shape.sent.data(), shape.bytes};
  current_.id = id;
  current_.flaws = 0;
  if (bad_fcs_in_ != 0 && --bad_fcs_in_ == 0) {
    current_.flaws = kBadFcs;
    bad_fcs_in_ = spec_.bad_fcs_every;
  }
  note_start(id, start);
  ready_ = true;
}

const Arrival* TrafficSource::peek() {
  if (!ready_) {
    if (!done_) make_current();
    if (done_) return nullptr;
  }
  return &current_;
}

void TrafficSource::pop() {
  assert(ready_);
  ready_ = false;
  ++emitted_;
}

bool TrafficSource::mark_delivered(uint64_t id) {
  const uint64_t word = id / 64;
  const uint64_t words = delivered_.size();
  if (word > delivered_top_) {
    const uint64_t clear = std::min(word - delivered_top_, words);
    for (uint64_t i = 0; i < clear; ++i) delivered_[(word - i) % (kRecent / 64)] = 0;
    delivered_top_ = word;
  } else if (delivered_top_ - word >= words) {
    return true;  // too old to tell; its flow's order decides
  }
  uint64_t& bits = delivered_[word % (kRecent / 64)];
  const uint64_t bit = uint64_t{1} << (id % 64);
  const bool fresh = (bits & bit) == 0;
  bits |= bit;
  return fresh;
}

bool TrafficSource::addresses_match(const uint8_t* p) const {
  constexpr uint64_t kMask = 0xFFFFFFFFFFFF;
  const uint64_t first = base::load_le<uint64_t>(p) & kMask;
  const uint64_t second = base::load_le<uint64_t>(p + kMacBytes) & kMask;
  return (first == destination_u48_ && second == source_u48_) ||
         (first == source_u48_ && second == destination_u48_);
}

bool TrafficSource::frame_matches(Shape& shape, const uint8_t* p, uint64_t id,
                                  uint32_t flow) const {
  uint8_t* expected = shape.expected.data();
  if (flow != shape.expected_flow) {
    patch_flow(shape, expected, flow);
    shape.expected_flow = flow;
  }
  const uint8_t* udp = p + l3_ + kIpv4HeaderBytes;
  if (spec_.udp_checksum) {
    const auto udp_bytes = static_cast<uint32_t>(shape.bytes - l3_ - kIpv4HeaderBytes);
    const uint64_t sum =
        sum_words({udp, udp_bytes}, pseudo_header_sum_v4(p + l3_, kIpUdp, udp_bytes));
    const uint16_t field = base::load_be16(udp + kUdpChecksumOffset);
    if (field == 0 || finish_sum(sum) != 0) return false;
    base::store_be16(expected + l3_ + kIpv4HeaderBytes + kUdpChecksumOffset, field);
  }
  const size_t header = payload_ - kEtherTypeOffset;
  return addresses_match(p) &&
         bytes_equal(p + kEtherTypeOffset, expected + kEtherTypeOffset, header) &&
         pattern_matches(p + payload_ + kStampBytes, shape.bytes - payload_ - kStampBytes,
                         key(id, flow));
}

Provenance TrafficSource::fault(base::ByteView bytes, const char* what) {
  ++stats_.corrupt;
  if (stats_.first_fault.empty()) {
    stats_.first_fault = "frame of " + number(bytes.size) + " B: " + what;
  }
  return {};
}

Provenance TrafficSource::verify(base::ByteView bytes) {
  ++stats_.verified;
  Shape* shape = nullptr;
  for (Shape& candidate : shapes_) {
    if (candidate.bytes == bytes.size) shape = &candidate;
  }
  if (shape == nullptr) return fault(bytes, "no frame of this length was sent");
  const uint64_t id = base::load_be64(bytes.data + payload_);
  const uint32_t flow = base::load_be32(bytes.data + payload_ + kSequenceBytes);
  if (id >= shown_) return fault(bytes, "its sequence number was never sent");
  if (flow >= spec_.flows) return fault(bytes, "its flow was never sent");
  if (!frame_matches(*shape, bytes.data, id, flow)) {
    return fault(bytes, "its bytes are not those that were sent");
  }
  ++stats_.intact;
  if (spec_.bad_fcs_every != 0 && (id + 1) % spec_.bad_fcs_every == 0) ++stats_.flawed;
  Provenance out{true, false, id, start_of(id)};
  if (!mark_delivered(id)) {
    ++stats_.duplicate;
  } else if (id < flow_next_[flow]) {
    ++stats_.reordered;
  } else {
    flow_next_[flow] = id + 1;
    out.in_order = true;
  }
  return out;
}

}  // namespace doorbell::net
