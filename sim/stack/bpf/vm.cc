#include "sim/stack/bpf/vm.h"

#include <cstdio>
#include <cstring>

#include "sim/stack/bpf/helpers.h"

namespace doorbell::stack::bpf {
namespace {

constexpr unsigned kLineShift = 6;

std::string hex(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

}  // namespace

Tally& Tally::operator+=(const Tally& other) {
  instructions += other.instructions;
  helpers += other.helpers;
  map_array += other.map_array;
  map_hash += other.map_hash;
  map_lpm += other.map_lpm;
  map_updates += other.map_updates;
  tail_calls += other.tail_calls;
  octets += other.octets;
  return *this;
}

Vm::Vm(Image& image, unsigned cpu) : image_(image), cpu_(cpu), host_(&no_host_) {
  for (unsigned i = 0; i < kMaxFrames; ++i) {
    memory_.region(kStackRegion + i).base = stack_[i].data();
  }
  for (size_t i = 0; i < image_.maps.size(); ++i) {
    Map& map = *image_.maps[i];
    Region& region = memory_.region(kFirstMapRegion + static_cast<unsigned>(i));
    region.base = map.storage();
    region.count = map.elements();
    region.stride = map.stride();
    region.readable = (map.spec().flags & kWronlyProg) != 0 ? 0 : map.spec().value_size;
    const bool read_only = (map.spec().flags & kRdonlyProg) != 0 || map.is_targets();
    region.writable = read_only ? 0 : map.spec().value_size;
  }
}

uint64_t Vm::run(uint32_t function, Packet& packet, Host& host) {
  packet_ = &packet;
  host_ = &host;
  tally_ = {};
  redirect_ = {};
  faulted_ = false;
  tail_calls_ = 0;
  depth_ = 0;
  lines_read_ = {};
  lines_written_ = {};
  line_base_ = reinterpret_cast<uintptr_t>(packet.hard_start) >> kLineShift;
  map_packet();
  pc_ = image_.code.insns.data() + image_.code.functions[function].first;
  const uint64_t args[5] = {make_addr(kContextRegion, 0)};
  uint64_t verdict = 0;
  if (enter_frame()) {
    verdict = execute(pc_, args);
    while (depth_ > 0) leave_frame();
  }
  packet_ = nullptr;
  host_ = &no_host_;
  return faulted_ ? 0 : verdict;
}

void Vm::map_packet() {
  Region& region = memory_.region(kPacketRegion);
  region.base = packet_->meta;
  region.low = kOrigin + packet_octet(packet_->meta);
  region.readable = static_cast<uint32_t>(packet_->end - packet_->meta);
  region.writable = region.readable;
  region.count = 1;
}

bool Vm::enter_frame() {
  if (depth_ == kMaxFrames) {
    fault([] { return "calls deeper than " + std::to_string(kMaxFrames) + " frames"; });
    return false;
  }
  Region& region = memory_.region(kStackRegion + depth_);
  std::memset(region.base, 0, kStackBytes);
  region.count = 1;
  region.readable = kStackBytes;
  region.writable = kStackBytes;
  ++depth_;
  return true;
}

void Vm::leave_frame() {
  --depth_;
  memory_.region(kStackRegion + depth_).count = 0;
}

uint64_t Vm::call_back(Addr function, uint64_t r1, uint64_t r2) {
  const uint32_t at = element_of(function);
  if (region_of(function) != kCodeRegion || at >= image_.code.insns.size()) {
    fault([] { return std::string("calls back an address that is no function"); });
    return 0;
  }
  if (!enter_frame()) return 0;
  const Insn* caller = pc_;
  const uint64_t args[5] = {r1, r2};
  const uint64_t result = execute(image_.code.insns.data() + at, args);
  if (faulted_) return 0;
  leave_frame();
  pc_ = caller;
  return result;
}

// The program to go on with, or nullptr: the program called goes on behind the call.
const Insn* Vm::tail_target(uint64_t context, uint64_t handle, uint64_t index) {
  Map* programs = map(handle);
  if (programs == nullptr || !is_context(context)) return nullptr;
  if (programs->spec().type != MapType::kProgArray) {
    fault([&] { return "tail call through map '" + programs->name() + "', no prog array"; });
    return nullptr;
  }
  const auto slot = static_cast<uint32_t>(index);
  const MapTarget* target = slot < programs->spec().max_entries ? programs->target(slot) : nullptr;
  if (target == nullptr || tail_calls_ >= kMaxTailCalls) return nullptr;
  if (target->number >= image_.code.functions.size()) return nullptr;
  ++tail_calls_;
  ++tally_.tail_calls;
  return image_.code.insns.data() + image_.code.functions[target->number].first;
}

void Vm::touch_packet(const uint8_t* p, uint32_t bytes, Access access) {
  if (bytes == 0) return;
  const uintptr_t first = (reinterpret_cast<uintptr_t>(p) >> kLineShift) - line_base_;
  const uintptr_t last = (reinterpret_cast<uintptr_t>(p + bytes - 1) >> kLineShift) - line_base_;
  auto& done = access == Access::kWrite ? lines_written_ : lines_read_;
  bool all = last < kLineWords * 64;
  for (uintptr_t line = first; all && line <= last; ++line) {
    all = (done[line / 64] >> (line % 64) & 1) != 0;
  }
  if (all) return;
  host_->touch(p, bytes, access);
  for (uintptr_t line = first; line <= last && line < kLineWords * 64; ++line) {
    const uint64_t bit = uint64_t{1} << (line % 64);
    lines_read_[line / 64] |= bit;
    if (access == Access::kWrite) lines_written_[line / 64] |= bit;
  }
}

bool Vm::load_context(Addr a, uint32_t bytes, uint64_t& out) {
  const uint32_t octet = (static_cast<uint32_t>(a) & kOctetMask) - kOrigin;
  if (region_of(a) != kContextRegion || element_of(a) != 0 || bytes != 4) return false;
  switch (octet) {
    case 0:
      out = kOrigin + packet_octet(packet_->data);
      return true;
    case 4:
      out = kOrigin + packet_octet(packet_->end);
      return true;
    case 8:
      out = kOrigin + packet_octet(packet_->meta_supported ? packet_->meta : packet_->data);
      return true;
    case 12:
      out = packet_->ingress_ifindex;
      return true;
    case 16:
      out = packet_->rx_queue_index;
      return true;
    case 20:
      out = packet_->egress_ifindex;
      return true;
    default:
      return false;
  }
}

const uint8_t* Vm::readable(Addr a, uint32_t bytes, const char* what) {
  const uint8_t* p = memory_.translate(a, bytes, Access::kRead);
  if (p == nullptr) {
    fault([&] {
      return std::string(what) + " of " + std::to_string(bytes) + " octets at " + describe(a);
    });
    return nullptr;
  }
  if (region_of(a) == kPacketRegion) touch_packet(p, bytes, Access::kRead);
  return p;
}

uint8_t* Vm::writable(Addr a, uint32_t bytes, const char* what) {
  uint8_t* p = memory_.translate(a, bytes, Access::kWrite);
  if (p == nullptr) {
    fault([&] {
      return std::string(what) + " of " + std::to_string(bytes) + " octets at " + describe(a);
    });
    return nullptr;
  }
  if (region_of(a) == kPacketRegion) touch_packet(p, bytes, Access::kWrite);
  return p;
}

Map* Vm::map(Addr a) {
  const uint32_t index = element_of(a);
  if (a != make_addr(kMapHandleRegion, index) || index >= image_.maps.size()) {
    fault([&] { return "the map argument is " + describe(a); });
    return nullptr;
  }
  return image_.maps[index].get();
}

bool Vm::is_context(Addr a) {
  if (a == make_addr(kContextRegion, 0)) return true;
  fault([&] { return "the context argument is " + describe(a); });
  return false;
}

std::string Vm::describe(Addr a) const {
  const unsigned region = region_of(a);
  const int64_t octet = int64_t{static_cast<uint32_t>(a) & kOctetMask} - kOrigin;
  const auto of_element = [&](const std::string& name, uint32_t size) {
    return "octet " + std::to_string(octet) + " of " + name + " (" + std::to_string(size) +
           " octets)";
  };
  if (region == kPacketRegion && packet_ != nullptr && element_of(a) == 0 && octet >= 0) {
    const int64_t at = octet - packet_octet(packet_->data);
    return "octet " + std::to_string(at) + " of the packet (" +
           std::to_string(packet_->end - packet_->data) + " octets)";
  }
  if (region == kContextRegion) return of_element("the context", 24);
  if (region >= kStackRegion && region < kStackRegion + kMaxFrames) {
    const std::string frame = "octet r10" + std::string(octet < 512 ? "" : "+") +
                              std::to_string(octet - int64_t{kStackBytes}) + " of stack frame " +
                              std::to_string(region - kStackRegion);
    return memory_.region(region).count != 0 ? frame : frame + ", which is gone";
  }
  if (region == kMapHandleRegion) return "a map itself, not its value";
  if (region == kCodeRegion) return "code";
  if (region >= kFirstMapRegion && region - kFirstMapRegion < image_.maps.size()) {
    const Map& map = *image_.maps[region - kFirstMapRegion];
    const char* locked = (map.spec().flags & (kRdonlyProg | kWronlyProg)) != 0 || map.is_targets()
                             ? ", which is not open to this"
                             : "";
    return of_element("a value of map '" + map.name() + "'", map.spec().value_size) + locked;
  }
  return a == 0 ? "null" : "address " + hex(a) + ", which is no pointer";
}

void Vm::fault_access(Addr a, uint32_t bytes, Access access) {
  fault([&] {
    return std::string(access == Access::kRead ? "load" : "store") + " of " +
           std::to_string(bytes) + " octets at " + describe(a);
  });
}

void Vm::fault_budget() {
  fault([this] {
    return "more than " + std::to_string(image_.budget) + " instructions: an endless loop?";
  });
}

void Vm::note_fault(const std::string& text) {
  const auto at = static_cast<uint32_t>(pc_ - image_.code.insns.data());
  image_.first_fault = image_.code.where(at) + ": " + text;
}

}  // namespace doorbell::stack::bpf
