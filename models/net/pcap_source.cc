#include "models/net/pcap_source.h"

#include <pcap/pcap.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <unordered_map>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace doorbell::net {

namespace {

using Wide = __int128;

constexpr int64_t kPicosPerSecond = 1'000'000'000'000;
constexpr int64_t kLongestSeconds = 30 * 86400;  // of a capture, scaled
constexpr base::Picos kEndOfTime{base::kNever.count() / 2};

// Equal for frames that verify() takes for equal: MAC addresses may be exchanged.
uint64_t frame_hash(base::ByteView bytes) {
  constexpr uint64_t kMask = 0xFFFFFFFFFFFF;
  const uint64_t first = base::load_le<uint64_t>(bytes.data) & kMask;
  const uint64_t second = base::load_le<uint64_t>(bytes.data + kMacBytes) & kMask;
  return XXH3_64bits_withSeed(bytes.data + kEtherTypeOffset, bytes.size - kEtherTypeOffset,
                              first + second);
}

// Frames of one flow must not overtake each other; a NIC may spread flows over its queues. Ports
// count only if every packet of the connection shows them: not in fragments.
uint64_t flow_key(base::ByteView bytes) {
  const Layers layers = parse_layers(bytes);
  uint64_t seed = uint64_t{layers.ether_type} << 8 | layers.priority();
  if (layers.l3_offset == 0) {
    const uint64_t first = MacAddress::from(bytes.data).as_u48();
    const uint64_t second = MacAddress::from(bytes.data + kMacBytes).as_u48();
    return XXH3_64bits_withSeed(&seed, sizeof(seed), first + second);
  }
  const size_t offset = layers.l3_offset + (layers.ipv6 ? 8 : kIpv4SourceOffset);
  const size_t size = layers.ipv6 ? 32 : 8;
  seed = XXH3_64bits_withSeed(bytes.sub(offset, size).data, size, seed ^ layers.protocol);
  const bool ports = layers.l4_offset != 0 && !layers.fragment &&
                     (layers.protocol == kIpTcp || layers.protocol == kIpUdp);
  return ports ? XXH3_64bits_withSeed(bytes.data + layers.l4_offset, 4, seed) : seed;
}

std::optional<base::Error> check_spec(const PcapSpec& spec) {
  if (spec.link.count() == 0) return base::Error{"traffic.link = 0 b/s: more than zero"};
  if (!std::isfinite(spec.speed) || spec.speed < 1e-6 || spec.speed > 1e9) {
    return base::Error{"traffic.speed = " + std::to_string(spec.speed) + ": 0.000001 to 1e9"};
  }
  if (spec.timing == PcapTiming::kRate && spec.rate_pps == 0) {
    return base::Error{"traffic.rate = 0 pps: a fixed rate must be at least 1 pps"};
  }
  const base::Picos longest(kLongestSeconds * kPicosPerSecond);
  if (spec.start < base::Picos(0) || spec.start > longest) {
    return base::Error{"traffic.start: 0 s to " + std::to_string(kLongestSeconds) + " s"};
  }
  if (spec.loop_gap < base::Picos(0) || spec.loop_gap > longest) {
    return base::Error{"traffic.loop_gap: 0 s to " + std::to_string(kLongestSeconds) + " s"};
  }
  return std::nullopt;
}

std::string packet_name(const std::string& file, uint64_t number) {
  return file + ": packet " + std::to_string(number);
}

std::optional<base::Error> check_packet(const pcap_pkthdr& header, const PcapSpec& spec,
                                        const std::string& packet) {
  if (header.caplen < header.len) {
    return base::Error{packet + " is cut off: " + std::to_string(header.caplen) + " of " +
                       std::to_string(header.len) +
                       " bytes captured; take the capture with full length (tcpdump -s 0)"};
  }
  if (header.caplen > header.len) {
    return base::Error{packet + " is damaged: " + std::to_string(header.caplen) +
                       " bytes captured of a packet of " + std::to_string(header.len)};
  }
  if (header.len < kEtherHeaderBytes) {
    return base::Error{packet + " has " + std::to_string(header.len) +
                       " bytes; an Ethernet header has 14"};
  }
  if (header.len > spec.max_frame_bytes) {
    return base::Error{packet + " has " + std::to_string(header.len) + " bytes; at most " +
                       std::to_string(spec.max_frame_bytes) +
                       " can be sent (switch segmentation offload off when capturing)"};
  }
  return std::nullopt;
}

}  // namespace

base::Result<std::unique_ptr<PcapSource>> PcapSource::open(const std::string& path,
                                                           const PcapSpec& spec) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return base::Error{path + ": cannot open capture: " + std::strerror(errno)};
  return load(file, path, spec);
}

base::Result<std::unique_ptr<PcapSource>> PcapSource::open_memory(base::ByteView file,
                                                                  const std::string& name,
                                                                  const PcapSpec& spec) {
  if (file.size == 0) return base::Error{name + ": no capture file: it is empty"};
  std::FILE* stream = fmemopen(const_cast<uint8_t*>(file.data), file.size, "rb");
  if (stream == nullptr) return base::Error{name + ": cannot open: " + std::strerror(errno)};
  return load(stream, name, spec);
}

base::Result<std::unique_ptr<PcapSource>> PcapSource::load(std::FILE* file, const std::string& name,
                                                           const PcapSpec& spec) {
  if (auto error = check_spec(spec)) {
    std::fclose(file);
    return *error;
  }
  char text[PCAP_ERRBUF_SIZE] = "";
  pcap_t* handle = pcap_fopen_offline_with_tstamp_precision(file, PCAP_TSTAMP_PRECISION_NANO, text);
  if (handle == nullptr) {
    std::fclose(file);
    return base::Error{name + ": no pcap or pcapng file: " + text};
  }
  std::unique_ptr<PcapSource> source(new PcapSource(spec));
  const auto error = source->read_packets(handle, name);
  pcap_close(handle);  // closes the file
  if (error) return *error;
  source->build_index();
  return source;
}

std::optional<base::Error> PcapSource::read_packets(pcap* handle, const std::string& name) {
  const int link = pcap_datalink(handle);
  if (link != DLT_EN10MB) {
    const char* text = pcap_datalink_val_to_name(link);
    return base::Error{name + ": link type " + (text == nullptr ? "unknown" : text) + " (" +
                       std::to_string(link) + "); only Ethernet (1) can be sent"};
  }
  pcap_pkthdr* header = nullptr;
  const u_char* data = nullptr;
  timeval first{};
  base::Picos due;
  int status = 0;
  while ((status = pcap_next_ex(handle, &header, &data)) == 1) {
    const std::string packet = packet_name(name, entries_.size() + 1);
    if (auto error = check_packet(*header, spec_, packet)) return error;
    if (entries_.empty()) first = header->ts;
    const Wide nanos = (Wide{header->ts.tv_sec} - first.tv_sec) * 1'000'000'000 +
                       header->ts.tv_usec - first.tv_usec;
    if (static_cast<double>(nanos) / spec_.speed > kLongestSeconds * 1e9) {
      return base::Error{packet + " comes more than " + std::to_string(kLongestSeconds) +
                         " s after the first one"};
    }
    // Stamps may go backwards, even below the first; then the frame comes at once.
    const Wide picos = nanos * 1000;
    if (picos > due.count()) {
      if (picos > kEndOfTime.count()) return base::Error{packet + " comes too late: time overflow"};
      due = base::Picos(static_cast<int64_t>(picos));
    }
    Entry entry;
    entry.offset = arena_.size();
    entry.bytes = std::max(header->caplen, kMinFrameBytes);
    entry.due = due;
    arena_.insert(arena_.end(), data, data + header->caplen);
    arena_.resize(entry.offset + entry.bytes);
    entries_.push_back(entry);
  }
  if (status == PCAP_ERROR) {
    return base::Error{packet_name(name, entries_.size() + 1) + ": " + pcap_geterr(handle)};
  }
  if (entries_.empty()) return base::Error{name + ": no packets in the capture"};
  return std::nullopt;
}

bool PcapSource::same_frame(const Entry& entry, base::ByteView bytes) const {
  if (entry.bytes != bytes.size) return false;
  const uint8_t* own = arena_.data() + entry.offset;
  if (std::memcmp(own + kEtherTypeOffset, bytes.data + kEtherTypeOffset,
                  bytes.size - kEtherTypeOffset) != 0) {
    return false;
  }
  if (std::memcmp(own, bytes.data, 2 * kMacBytes) == 0) return true;
  return std::memcmp(own, bytes.data + kMacBytes, kMacBytes) == 0 &&
         std::memcmp(own + kMacBytes, bytes.data, kMacBytes) == 0;
}

uint32_t PcapSource::find_or_add_group(uint32_t entry) {
  const Entry& e = entries_[entry];
  const base::ByteView bytes{arena_.data() + e.offset, e.bytes};
  const uint64_t hash = frame_hash(bytes);
  size_t slot = hash & (table_.size() - 1);
  for (; table_[slot] != 0; slot = (slot + 1) & (table_.size() - 1)) {
    const uint32_t group = table_[slot] - 1;
    if (group_hash_[group] == hash && same_frame(entries_[groups_[group].first], bytes)) {
      return group;
    }
  }
  const auto group = static_cast<uint32_t>(groups_.size());
  groups_.push_back({entry, 0, 0, 0, 0});  // until members_ is filled, first is an entry number
  group_hash_.push_back(hash);
  table_[slot] = group + 1;
  return group;
}

void PcapSource::build_index() {
  size_t slots = 16;
  while (slots < 2 * entries_.size()) slots *= 2;
  table_.assign(slots, 0);
  std::unordered_map<uint64_t, uint32_t> flows;
  for (uint32_t i = 0; i < entries_.size(); ++i) {
    Entry& entry = entries_[i];
    entry.group = find_or_add_group(i);
    ++groups_[entry.group].count;
    const uint64_t key = flow_key({arena_.data() + entry.offset, entry.bytes});
    entry.flow = flows.emplace(key, static_cast<uint32_t>(flows.size())).first->second;
  }
  flow_next_.assign(flows.size(), 0);
  uint32_t first = 0;
  for (Group& group : groups_) {
    group.first = first;
    first += group.count;
  }
  members_.resize(entries_.size());
  for (uint32_t i = 0; i < entries_.size(); ++i) {
    Group& group = groups_[entries_[i].group];
    members_[group.first + group.position++] = i;
  }
  for (Group& group : groups_) group.position = 0;
  round_start_ = due_ = wire_free_ = spec_.start;
}

base::Picos PcapSource::scaled(base::Picos captured) const {
  if (spec_.speed == 1.0) return captured;
  return base::Picos(std::llround(static_cast<double>(captured.count()) / spec_.speed));
}

void PcapSource::make_current() {
  const Entry& entry = entries_[index_];
  base::Picos start = wire_free_;
  if (spec_.timing == PcapTiming::kOriginal) {
    start = base::max(round_start_ + scaled(entry.due), wire_free_);
  } else if (spec_.timing == PcapTiming::kRate) {
    start = base::max(due_, wire_free_);
    const auto rate = static_cast<int64_t>(spec_.rate_pps);
    due_ += base::Picos(kPicosPerSecond / rate);
    due_part_ += static_cast<uint64_t>(kPicosPerSecond % rate);
    if (due_part_ >= spec_.rate_pps) {
      due_part_ -= spec_.rate_pps;
      due_ += base::Picos(1);
    }
  }
  const bool played = spec_.loops != 0 && round_ >= spec_.loops;
  if (played || emitted_ >= spec_.count || start >= spec_.end || start >= kEndOfTime) {
    done_ = true;
    return;
  }
  current_.start = start;
  current_.bytes = {arena_.data() + entry.offset, entry.bytes};
  current_.id = emitted_;
  note_start(emitted_, start);
  wire_free_ = start + octets_.slot(entry.bytes);
  ready_ = true;
}

const Arrival* PcapSource::peek() {
  if (!ready_) {
    if (!done_) make_current();
    if (done_) return nullptr;
  }
  return &current_;
}

void PcapSource::pop() {
  assert(ready_);
  ready_ = false;
  ++emitted_;
  if (++index_ != entries_.size()) return;
  index_ = 0;
  ++round_;
  round_start_ = base::max(round_start_ + scaled(entries_.back().due), wire_free_) + spec_.loop_gap;
}

PcapSource::Group* PcapSource::find_group(base::ByteView bytes) {
  const uint64_t hash = frame_hash(bytes);
  for (size_t slot = hash & (table_.size() - 1); table_[slot] != 0;
       slot = (slot + 1) & (table_.size() - 1)) {
    const uint32_t number = table_[slot] - 1;
    if (group_hash_[number] != hash) continue;
    Group& group = groups_[number];
    if (same_frame(entries_[members_[group.first]], bytes)) return &group;
  }
  return nullptr;
}

Provenance PcapSource::fault(base::ByteView bytes, const char* what) {
  ++stats_.corrupt;
  if (stats_.first_fault.empty()) {
    stats_.first_fault = "frame of " + std::to_string(bytes.size) + " B: " + what;
  }
  return {};
}

// The instance that a delivery of `group` is taken for, or one that was not sent yet. `late`
// becomes the latest instance on the way that a later frame of the flow has overtaken.
uint64_t PcapSource::find_instance(Group& group, uint64_t flow_next, uint64_t& late) {
  const uint64_t reach = entries_.size() / 2;
  uint64_t id = next_instance(group);
  while (id < shown_) {
    if (id < flow_next) {
      late = id;
      step_instance(group);
    } else if (id + reach < latest_) {
      // Dropped, most likely, if the same frame has been sent again since.
      const Group before = group;
      step_instance(group);
      if (next_instance(group) >= shown_) {
        group = before;
        return id;
      }
      ++group.passed_over;
    } else {
      return id;
    }
    id = next_instance(group);
  }
  return id;
}

uint64_t PcapSource::last_instance(const Group& group) const {
  const bool wrap = group.position == 0;
  const uint32_t position = (wrap ? group.count : group.position) - 1;
  return (group.round - (wrap ? 1 : 0)) * entries_.size() + members_[group.first + position];
}

Provenance PcapSource::verify(base::ByteView bytes) {
  ++stats_.verified;
  if (bytes.size < kMinFrameBytes) return fault(bytes, "shorter than any frame that was sent");
  Group* group = find_group(bytes);
  if (group == nullptr) return fault(bytes, "no such frame in the capture");
  uint64_t& flow_next = flow_next_[entries_[members_[group->first]].flow];

  uint64_t late = UINT64_MAX;
  const uint64_t id = find_instance(*group, flow_next, late);
  const bool unsent = group->position == 0 && group->round == 0;
  if (id >= shown_ && unsent) return fault(bytes, "it was not sent yet");
  ++stats_.intact;
  if (id < shown_) {
    step_instance(*group);
    flow_next = id + 1;
    if (id > latest_) latest_ = id;
    return {true, true, id, start_of(id)};
  }
  if (late != UINT64_MAX) {
    ++stats_.reordered;
    return {true, false, late, start_of(late)};
  }
  const uint64_t last = last_instance(*group);
  if (group->passed_over !=
      0) {  // not dropped after all, only far behind; which one, nobody can tell
    --group->passed_over;
    return {true, true, last, base::kNever};
  }
  ++stats_.duplicate;
  return {true, false, last, start_of(last)};
}

}  // namespace doorbell::net
