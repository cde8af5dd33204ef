// Writes frames to a pcap file with nanosecond stamps (picoseconds are cut off), through libpcap.
//
// Time zero of the simulation is the epoch. The file appears under its name only when close()
// succeeds: until then it is "<path>.part", so that a run that dies leaves no half file that looks
// whole. Frames are without FCS, as Ethernet captures are. Writing is buffered; disk errors are
// reported by close().
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "models/base/bytes.h"
#include "models/base/result.h"
#include "models/base/units.h"

struct pcap;
struct pcap_dumper;

namespace doorbell::net {

class PcapWriter {
 public:
  static base::Result<std::unique_ptr<PcapWriter>> create(const std::string& path);
  /// Without close(), the part file is removed.
  ~PcapWriter();
  PcapWriter(const PcapWriter&) = delete;
  PcapWriter& operator=(const PcapWriter&) = delete;

  /// `at` is the first preamble bit. Allocates nothing.
  void write(base::Picos at, base::ByteView frame);
  /// Flushes and renames. The error, if anything failed since create().
  std::optional<base::Error> close();
  uint64_t frames() const { return frames_; }

 private:
  PcapWriter(std::string path, pcap* handle, pcap_dumper* dumper);
  std::string part_path() const { return path_ + ".part"; }

  std::string path_;
  pcap* handle_;
  pcap_dumper* dumper_;
  uint64_t frames_ = 0;
};

}  // namespace doorbell::net
