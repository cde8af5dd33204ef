// Replays a capture file: pcap or pcapng, micro- or nanosecond stamps, read with libpcap.
//
// The whole file is read at open into one arena. Frames shorter than 60 octets are padded with
// zeros, as the sending MAC would have done. Refused, each with one exact message: other link types
// than Ethernet, packets cut off by a snap length, frames longer than max_frame_bytes or shorter
// than a MAC header, files without packets, files that libpcap cannot read. Bad input never crashes
// or aborts. Timing: as captured, scaled, at line rate or at a fixed rate; frames that a capture
// has closer together than the link allows are moved later, never earlier. Stamps that go backwards
// count as "at once". verify() knows a frame by its bytes and keeps order within each flow (VLAN
// priority, addresses, ports), so queues of a NIC may overtake each other. Frames equal in every
// byte, as in loops, cannot be told apart: each delivery takes the earliest still expected one.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/base/result.h"
#include "models/base/units.h"
#include "models/net/frame.h"
#include "models/net/source.h"

struct pcap;

namespace doorbell::net {

enum class PcapTiming {
  kOriginal,  // gaps of the capture divided by `speed`
  kLineRate,  // back to back
  kRate,      // `rate_pps`, evenly spaced
};

struct PcapSpec {
  PcapTiming timing = PcapTiming::kOriginal;
  double speed = 1.0;  // 2: twice as fast; > 0
  uint64_t rate_pps = 0;
  base::BitsPerSecond link{1'000'000'000};
  uint64_t loops = 1;                         // times to play the file; 0: for ever
  base::Picos loop_gap;                       // idle between two rounds, kOriginal only
  uint64_t count = UINT64_MAX;                // at most this many frames
  base::Picos start;                          // first frame's first preamble bit
  base::Picos end = base::kNever;             // no frame starts at or after this
  uint32_t max_frame_bytes = kMaxJumboBytes;  // without FCS
};

class PcapSource final : public Source {
 public:
  static base::Result<std::unique_ptr<PcapSource>> open(const std::string& path,
                                                        const PcapSpec& spec);
  /// The same from memory; `name` stands for the path in messages.
  static base::Result<std::unique_ptr<PcapSource>> open_memory(base::ByteView file,
                                                               const std::string& name,
                                                               const PcapSpec& spec);

  const Arrival* peek() override;
  void pop() override;
  Provenance verify(base::ByteView bytes) override;

  /// Frames in the file and their octets without FCS, padded.
  uint64_t frames_in_file() const { return entries_.size(); }
  uint64_t bytes_in_file() const { return arena_.size(); }

 private:
  struct Entry {
    uint64_t offset = 0;  // in arena_
    uint32_t bytes = 0;
    uint32_t group = 0;  // frames of equal bytes
    uint32_t flow = 0;
    base::Picos due;  // since the first frame, as captured
  };
  // Equal frames. Their instances over all rounds are numbered in order of emission.
  struct Group {
    uint32_t first = 0;  // into members_
    uint32_t count = 0;
    uint32_t position = 0;     // next instance that verify() has not assigned ...
    uint64_t round = 0;        // ... in this round
    uint64_t passed_over = 0;  // instances taken for dropped because they were far behind
  };

  explicit PcapSource(const PcapSpec& spec) : spec_(spec), octets_(spec.link) {}
  static base::Result<std::unique_ptr<PcapSource>> load(std::FILE* file, const std::string& name,
                                                        const PcapSpec& spec);
  std::optional<base::Error> read_packets(pcap* handle, const std::string& name);
  void build_index();
  uint32_t find_or_add_group(uint32_t entry);
  void make_current();
  base::Picos scaled(base::Picos captured) const;
  Group* find_group(base::ByteView bytes);
  bool same_frame(const Entry& entry, base::ByteView bytes) const;
  uint64_t next_instance(const Group& group) const {
    return group.round * entries_.size() + members_[group.first + group.position];
  }
  static void step_instance(Group& group) {
    if (++group.position == group.count) {
      group.position = 0;
      ++group.round;
    }
  }
  uint64_t find_instance(Group& group, uint64_t flow_next, uint64_t& late);
  uint64_t last_instance(const Group& group) const;
  Provenance fault(base::ByteView bytes, const char* what);

  PcapSpec spec_;
  OctetClock octets_;
  std::vector<uint8_t> arena_;
  std::vector<Entry> entries_;
  std::vector<Group> groups_;
  std::vector<uint64_t> group_hash_;
  std::vector<uint32_t> members_;    // entry numbers, by group
  std::vector<uint32_t> table_;      // open addressing: hash -> group + 1, 0 is empty
  std::vector<uint64_t> flow_next_;  // per flow: id after the latest verified
  uint64_t latest_ = 0;              // highest id verified

  uint64_t index_ = 0;  // of the next frame in the file
  uint64_t round_ = 0;
  base::Picos round_start_;
  base::Picos due_;  // kRate
  uint64_t due_part_ = 0;
  base::Picos wire_free_;
  bool ready_ = false;
  bool done_ = false;
  Arrival current_;
};

}  // namespace doorbell::net
