#include "models/net/pcap_writer.h"

#include <pcap/pcap.h>

#include <cassert>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "models/net/frame.h"

namespace doorbell::net {

namespace {
constexpr int kSnapLength = 65535;
}

base::Result<std::unique_ptr<PcapWriter>> PcapWriter::create(const std::string& path) {
  pcap_t* handle =
      pcap_open_dead_with_tstamp_precision(DLT_EN10MB, kSnapLength, PCAP_TSTAMP_PRECISION_NANO);
  if (handle == nullptr) return base::Error{path + ": cannot write capture: out of memory"};
  const std::string part = path + ".part";
  pcap_dumper_t* dumper = pcap_dump_open(handle, part.c_str());
  if (dumper == nullptr) {
    base::Error error{path + ": cannot write capture: " + pcap_geterr(handle)};
    pcap_close(handle);
    return error;
  }
  return std::unique_ptr<PcapWriter>(new PcapWriter(path, handle, dumper));
}

PcapWriter::PcapWriter(std::string path, pcap* handle, pcap_dumper* dumper)
    : path_(std::move(path)), handle_(handle), dumper_(dumper) {}

PcapWriter::~PcapWriter() {
  if (dumper_ == nullptr) return;
  pcap_dump_close(dumper_);
  pcap_close(handle_);
  std::remove(part_path().c_str());
}

void PcapWriter::write(base::Picos at, base::ByteView frame) {
  assert(dumper_ != nullptr);
  constexpr int64_t kSecond = 1'000'000'000'000;
  pcap_pkthdr header{};
  header.ts.tv_sec = at.count() / kSecond;
  header.ts.tv_usec = at.count() % kSecond / 1000;  // nanoseconds in a file of that precision
  header.caplen = header.len = static_cast<bpf_u_int32>(frame.size);
  pcap_dump(reinterpret_cast<u_char*>(dumper_), &header, frame.data);
  ++frames_;
}

std::optional<base::Error> PcapWriter::close() {
  if (dumper_ == nullptr) return std::nullopt;
  const bool failed = pcap_dump_flush(dumper_) != 0 || std::ferror(pcap_dump_file(dumper_)) != 0;
  const int reason = errno;
  pcap_dump_close(dumper_);
  pcap_close(handle_);
  dumper_ = nullptr;
  if (failed) {
    std::remove(part_path().c_str());
    return base::Error{path_ + ": writing the capture failed: " + std::strerror(reason)};
  }
  if (std::rename(part_path().c_str(), path_.c_str()) != 0) {
    base::Error error{path_ + ": cannot rename " + part_path() + ": " + std::strerror(errno)};
    std::remove(part_path().c_str());
    return error;
  }
  return std::nullopt;
}

}  // namespace doorbell::net
