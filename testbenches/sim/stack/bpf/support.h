// What the tests of BPF programs share: instructions by name, a packet in memory, a quick run.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/base/bytes.h"
#include "sim/stack/bpf/helpers.h"
#include "sim/stack/bpf/program.h"

namespace doorbell::stack::bpf {

// Instructions, with opcodes typed from RFC 9669's tables.
inline RawInsn mov64(unsigned dst, int32_t imm) {
  return raw(0xb7, dst, 0, 0, imm);
}
inline RawInsn mov64_reg(unsigned dst, unsigned src) {
  return raw(0xbf, dst, src, 0, 0);
}
inline RawInsn add64(unsigned dst, int32_t imm) {
  return raw(0x07, dst, 0, 0, imm);
}
inline RawInsn exit_insn() {
  return raw(0x95, 0, 0, 0, 0);
}
inline RawInsn call(int32_t helper) {
  return raw(0x85, 0, 0, 0, helper);
}
inline RawInsn call_local(int32_t distance) {
  return raw(0x85, 0, 1, 0, distance);
}
inline RawInsn ja(int offset) {
  return raw(0x05, 0, 0, offset, 0);
}
/// The two slots of a 64-bit load.
inline std::vector<RawInsn> load64(unsigned dst, uint64_t value, unsigned kind = 0) {
  return {raw(0x18, dst, kind, 0, static_cast<int32_t>(static_cast<uint32_t>(value))),
          raw(0, 0, 0, 0, static_cast<int32_t>(static_cast<uint32_t>(value >> 32)))};
}
inline std::vector<RawInsn> load_map(unsigned dst, uint32_t map) {
  return load64(dst, map, 5);
}

/// Pieces of a program, joined.
class Asm {
 public:
  Asm& operator<<(const RawInsn& insn) {
    insns_.push_back(insn);
    return *this;
  }
  Asm& operator<<(const std::vector<RawInsn>& insns) {
    insns_.insert(insns_.end(), insns.begin(), insns.end());
    return *this;
  }
  const std::vector<RawInsn>& insns() const { return insns_; }

 private:
  std::vector<RawInsn> insns_;
};

inline MapSpec map_spec(const char* name, MapType type, uint32_t key, uint32_t value,
                        uint32_t entries, uint32_t flags = 0) {
  return {name, type, key, value, entries, flags, {}};
}

/// An image to run without a HAL, made from instructions.
struct Engine {
  explicit Engine(const std::vector<RawInsn>& insns, const std::vector<MapSpec>& specs = {},
                  unsigned cpus = 2) {
    CodeInput input;
    input.insns = insns;
    for (const MapSpec& spec : specs) input.maps.push_back(&spec);
    auto code = decode(input);
    if (!code.ok()) {
      error = code.error();
      return;
    }
    image.code = code.take();
    image.cpus = cpus;
    for (const MapSpec& spec : specs) {
      auto map = Map::create(spec, cpus);
      if (!map.ok()) {
        error = map.error();
        return;
      }
      image.maps.push_back(map.take());
    }
    for (unsigned cpu = 0; cpu < cpus; ++cpu) vms.push_back(std::make_unique<Vm>(image, cpu));
    set_packet(std::vector<uint8_t>(64));
  }

  void set_packet(const std::vector<uint8_t>& bytes) {
    memory.assign(4096, 0);
    packet = {};
    packet.hard_start = memory.data() + 40;
    packet.data = packet.meta = memory.data() + 256;
    packet.end = packet.data + bytes.size();
    packet.hard_end = memory.data() + 4096 - 320;
    std::copy(bytes.begin(), bytes.end(), packet.data);
  }
  uint64_t run(unsigned cpu = 0) { return vms[cpu]->run(0, packet, host); }
  const Tally& tally(unsigned cpu = 0) const { return vms[cpu]->tally(); }
  bool faulted(unsigned cpu = 0) const { return vms[cpu]->faulted(); }
  std::vector<uint8_t> packet_bytes() const { return {packet.data, packet.end}; }

  std::string error;
  Image image;
  std::vector<std::unique_ptr<Vm>> vms;
  std::vector<uint8_t> memory;
  Packet packet;
  Host host;
};

/// The load error of a program, "" when it loads.
inline std::string load_error(const std::vector<RawInsn>& insns,
                              const std::vector<MapSpec>& maps = {}) {
  return Engine(insns, maps).error;
}

// Frames.
struct FrameSpec {
  uint16_t vlans = 0;
  bool ipv6 = false;
  uint8_t protocol = 17;
  uint8_t ttl = 64;
  uint32_t source = 0x0A000001;       // 10.0.0.1
  uint32_t destination = 0xC0A80101;  // 192.168.1.1
  uint16_t source_port = 1234;
  uint16_t destination_port = 80;
  size_t bytes = 60;
};

/// A frame with right checksums in the IPv4 header and, for UDP and TCP, over the ports.
std::vector<uint8_t> make_frame(const FrameSpec& spec = {});
/// One's complement sum over 16-bit words, folded; 0xFFFF for what carries its own checksum.
uint16_t sum16(const uint8_t* p, size_t bytes, uint32_t start = 0);

}  // namespace doorbell::stack::bpf
