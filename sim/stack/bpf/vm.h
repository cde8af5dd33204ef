// The BPF interpreter: one per core, over the code and maps that all cores of a program share.
//
// run() executes one program on one packet. Every access goes through memory.h's bounds; an access
// out of bounds, a bad argument of a helper, too deep a call or more instructions than the budget
// end the run with verdict 0 (XDP_ABORTED) and a fault: the kernel's verifier would not have let
// such a program in. Counts are exact: each instruction executed counts one, the 64-bit load
// included. No time passes here: the caller charges what the tally says. Packet memory is reported
// to Host::touch before its first read and its first write of each cache line.
// Source: RFC 9669; Linux 6.12 net/core/filter.c, kernel/bpf/core.c (behaviour).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/base/random.h"
#include "sim/stack/bpf/code.h"
#include "sim/stack/bpf/map.h"
#include "sim/stack/bpf/memory.h"

namespace doorbell::stack::bpf {

/// What a run did, in the units that cost time.
struct Tally {
  uint64_t instructions = 0;
  uint64_t helpers = 0;      ///< calls that are real calls: all but those below that are inlined
  uint64_t map_array = 0;    ///< array look-ups
  uint64_t map_hash = 0;     ///< hash look-ups
  uint64_t map_lpm = 0;      ///< LPM look-ups
  uint64_t map_updates = 0;  ///< updates and deletes
  uint64_t tail_calls = 0;   ///< that were taken
  uint64_t octets = 0;       ///< copied or summed by helpers

  Tally& operator+=(const Tally& other);
};

/// Lines that programs print. Full: further lines are counted and lost.
class TraceLog {
 public:
  explicit TraceLog(size_t capacity) : capacity_(capacity) { lines_.reserve(capacity); }
  bool full() const { return lines_.size() >= capacity_; }
  void add(std::string line) { lines_.push_back(std::move(line)); }
  void lose() { ++lost_; }
  const std::vector<std::string>& lines() const { return lines_; }
  uint64_t lost() const { return lost_; }

 private:
  size_t capacity_;
  std::vector<std::string> lines_;
  uint64_t lost_ = 0;
};

/// What all cores share. Owned by the program.
struct Image {
  std::string name;
  Code code;
  std::vector<std::unique_ptr<Map>> maps;
  unsigned cpus = 1;
  uint64_t budget = kDefaultBudget;
  base::Stream random{1, "bpf"};
  TraceLog trace{1000};
  uint64_t faults = 0;
  std::string first_fault;
};

/// A packet buffer, host pointers. hard_start <= meta <= data <= end <= hard_end.
struct Packet {
  uint8_t* hard_start = nullptr;  ///< first octet data may move down to (behind the xdp_frame)
  uint8_t* meta = nullptr;
  uint8_t* data = nullptr;
  uint8_t* end = nullptr;
  uint8_t* hard_end = nullptr;  ///< data may grow up to here
  bool meta_supported = true;
  uint32_t ingress_ifindex = 0;
  uint32_t rx_queue_index = 0;
  uint32_t egress_ifindex = 0;
};

enum class TargetKind : uint8_t { kNone, kPort, kSocket, kCpu };

/// Where a program that says XDP_REDIRECT wants the packet to go.
struct RedirectTarget {
  TargetKind kind = TargetKind::kNone;
  uint32_t number = 0;          ///< interface index, core, or the socket's queue
  XskTarget* socket = nullptr;  ///< kSocket
};

/// The machine around a run. The defaults do nothing, for tests and benchmarks.
class Host {
 public:
  virtual ~Host() = default;
  virtual void touch(const uint8_t*, uint32_t, Access) {}
  /// Time in nanoseconds after what `so_far` counts.
  virtual uint64_t now_ns(const Tally&) { return 0; }
};

class Vm {
 public:
  Vm(Image& image, unsigned cpu);

  /// Runs the program that is function `function`; returns r0, 0 after a fault. The packet's
  /// pointers may have moved.
  uint64_t run(uint32_t function, Packet& packet, Host& host);

  bool faulted() const { return faulted_; }
  const Tally& tally() const { return tally_; }  ///< of the last run
  const RedirectTarget& redirect() const { return redirect_; }

  // For helpers.
  Image& image() { return image_; }
  unsigned cpu() const { return cpu_; }
  Packet& packet() { return *packet_; }
  Tally& counts() { return tally_; }
  Host& host() { return *host_; }
  void set_redirect(const RedirectTarget& target) { redirect_ = target; }
  /// `bytes` octets a program handed over; nullptr and a fault when it may not read them.
  const uint8_t* readable(Addr a, uint32_t bytes, const char* what);
  uint8_t* writable(Addr a, uint32_t bytes, const char* what);
  /// The map behind a handle; nullptr and a fault when `a` is none.
  Map* map(Addr a);
  /// True when `a` is the context; else a fault.
  bool is_context(Addr a);
  /// Packet memory that a helper is about to read or write by itself.
  void touch_packet(const uint8_t* p, uint32_t bytes, Access access);
  /// Takes over packet pointers that a helper moved.
  void map_packet();
  /// Calls a function of the program by its address, from a helper.
  uint64_t call_back(Addr function, uint64_t r1, uint64_t r2);
  /// Ends the run. `text` is called for the first fault of a program only.
  template <typename Text>
  void fault(Text&& text) {
    faulted_ = true;
    if (image_.faults++ == 0) note_fault(text());
  }

 private:
  struct Frame {
    const Insn* back = nullptr;
    uint64_t saved[4] = {};  // r6 to r9
  };

  uint64_t execute(const Insn* entry, const uint64_t (&args)[5]);
  const Insn* tail_target(uint64_t context, uint64_t handle, uint64_t index);
  bool enter_frame();
  void leave_frame();
  template <typename T>
  bool load(Addr a, uint64_t& out);
  template <typename T>
  bool store(Addr a, T value);
  template <typename T>
  bool atomic(Addr a, int64_t operation, uint64_t& source, uint64_t& r0);
  void note_packet(const uint8_t* p, uint32_t bytes, Access access);
  bool load_context(Addr a, uint32_t bytes, uint64_t& out);
  void fault_access(Addr a, uint32_t bytes, Access access);
  void fault_budget();
  std::string describe(Addr a) const;
  void note_fault(const std::string& text);
  uint32_t packet_octet(const uint8_t* p) const {
    return static_cast<uint32_t>(p - packet_->hard_start);
  }

  Image& image_;
  unsigned cpu_;
  Memory memory_;
  std::array<std::array<uint8_t, kStackBytes>, kMaxFrames> stack_{};
  std::array<Frame, kMaxFrames> frames_{};
  unsigned depth_ = 0;
  const Insn* pc_ = nullptr;  // at helper calls and faults
  Packet* packet_ = nullptr;
  Host* host_ = nullptr;
  Host no_host_;
  Tally tally_;
  RedirectTarget redirect_;
  bool faulted_ = false;
  unsigned tail_calls_ = 0;
  uintptr_t line_base_ = 0;
  static constexpr unsigned kLineWords = 2;  // 8 KiB of packet memory; beyond, each access is told
  std::array<uint64_t, kLineWords> lines_read_{};
  std::array<uint64_t, kLineWords> lines_written_{};
};

}  // namespace doorbell::stack::bpf
