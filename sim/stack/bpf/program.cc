#include "sim/stack/bpf/program.h"

#include <algorithm>
#include <fstream>

#include "sim/stack/bpf/elf_file.h"
#include "sim/stack/bpf/object.h"
#include "sim/stack/net_device.h"

namespace doorbell::stack::bpf {
namespace {

constexpr uint64_t kMaxFileBytes = 16u << 20;
/// What the kernel keeps of a page's end for the shared info of an skb made from it.
constexpr uint32_t kSharedInfoBytes = 320;

// The functions of an image by name; -1 when it is no program.
int find_program_in(const Code& code, const std::string& name) {
  for (size_t i = 0; i < code.functions.size(); ++i) {
    if (code.functions[i].program && code.functions[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

std::string make_maps(const std::vector<MapSpec>& specs, const LoadOptions& options, Image& image) {
  uint64_t bytes = 0;
  for (const MapSpec& spec : specs) {
    bytes += Map::bytes_of(spec, options.cpus);
    if (bytes > options.map_bytes) {
      return "map '" + spec.name + "': all maps together take more than " +
             std::to_string(options.map_bytes >> 20) + " MiB";
    }
    auto map = Map::create(spec, options.cpus);
    if (!map.ok()) return map.error();
    image.maps.push_back(map.take());
  }
  return {};
}

base::Result<std::unique_ptr<Image>> make_image(const CodeInput& input,
                                                const std::vector<MapSpec>& specs,
                                                const LoadOptions& options) {
  auto code = decode(input);
  if (!code.ok()) return base::Error{code.error()};
  auto image = std::make_unique<Image>();
  image->code = code.take();
  image->cpus = options.cpus;
  image->budget = options.budget;
  image->random = base::Stream(options.seed, "bpf");
  image->trace = TraceLog(options.trace_lines);
  const std::string error = make_maps(specs, options, *image);
  if (!error.empty()) return base::Error{error};
  return image;
}

base::Result<std::unique_ptr<Program>> from_object(base::ByteView bytes,
                                                   const LoadOptions& options) {
  auto elf = ElfFile::read(bytes);
  if (!elf.ok()) return base::Error{elf.error()};
  auto object = read_object(*elf.value(), options.program);
  if (!object.ok()) return base::Error{object.error()};
  ObjectCode& parts = object.value();
  CodeInput input;
  input.insns = std::move(parts.insns);
  input.functions = parts.functions;
  input.gpl = parts.gpl;
  for (const MapSpec& spec : parts.maps) input.maps.push_back(&spec);
  auto image = make_image(input, parts.maps, options);
  if (!image.ok()) return base::Error{image.error()};
  const std::vector<Function>& functions = image.value()->code.functions;
  for (const ProgramEntry& entry : parts.entries) {
    image.value()->maps[entry.map]->set_program(entry.slot, entry.function);
  }
  image.value()->name = functions[parts.program].name;
  return std::make_unique<Program>(image.take(), parts.program);
}

// Where kRedirect leads, as the stack reads it. No target: interface 0, which no port has.
void hand_over(const RedirectTarget& target, XdpContext& context) {
  context.redirect_ifindex = target.kind == TargetKind::kPort ? target.number : 0;
  context.redirect_cpu = target.kind == TargetKind::kCpu ? target.number : XdpContext::kNoCpu;
  context.redirect_socket = target.kind == TargetKind::kSocket ? target.socket : nullptr;
}

// Numbers how much of `part` is new since `before`.
uint32_t since(uint64_t now, uint64_t& before) {
  const uint64_t n = now - before;
  before = now;
  return static_cast<uint32_t>(n);
}

}  // namespace

// Pays for a run on the HAL of the core that runs it.
class Program::HalHost : public Host {
 public:
  explicit HalHost(hal::Hal& hal) : hal_(hal) {}

  void touch(const uint8_t* p, uint32_t bytes, Access access) override {
    hal_.dma.touch(p, bytes, access == Access::kWrite ? hal::Touch::kWrite : hal::Touch::kRead);
  }
  uint64_t now_ns(const Tally& so_far) override {
    charge(so_far);
    return static_cast<uint64_t>(hal_.cpu.now().count()) / 1000;
  }
  void charge(const Tally& tally) {
    pay(hal::Op::kBpfInstruction, since(tally.instructions, paid_.instructions));
    pay(hal::Op::kBpfHelper, since(tally.helpers, paid_.helpers));
    pay(hal::Op::kBpfMapArray, since(tally.map_array, paid_.map_array));
    pay(hal::Op::kBpfMapHash, since(tally.map_hash, paid_.map_hash));
    pay(hal::Op::kBpfMapLpm, since(tally.map_lpm, paid_.map_lpm));
    pay(hal::Op::kBpfMapUpdate, since(tally.map_updates, paid_.map_updates));
    pay(hal::Op::kBpfTailCall, since(tally.tail_calls, paid_.tail_calls));
    // In eights, rounded up over the run.
    const uint64_t eights = (tally.octets + 7) / 8;
    pay(hal::Op::kBpfOctets, since(eights, paid_.octets));
  }

 private:
  void pay(hal::Op op, uint32_t count) {
    if (count != 0) hal_.cpu.charge(op, count);
  }

  hal::Hal& hal_;
  Tally paid_;
};

Program::Program(std::unique_ptr<Image> image, uint32_t function)
    : image_(std::move(image)), function_(function) {
  for (unsigned cpu = 0; cpu < image_->cpus; ++cpu) {
    vms_.push_back(std::make_unique<Vm>(*image_, cpu));
  }
}

Program::~Program() = default;

Verdict Program::run(XdpBuff& buff, XdpContext& context) {
  context.hal.cpu.charge(hal::Op::kBpfRun);
  ++runs_;
  redirect_ = {};
  const unsigned cpu = context.hal.cpu.id();
  if (cpu >= vms_.size()) {
    if (image_->faults++ == 0) {
      image_->first_fault = image_->name + ": runs on core " + std::to_string(cpu) +
                            ", but was loaded for " + std::to_string(vms_.size());
    }
    return Verdict::kAborted;
  }
  Packet packet;
  packet.hard_start = buff.data_hard_start + kXdpFrameBytes;
  packet.data = buff.data;
  packet.end = buff.data_end;
  packet.hard_end = buff.data_hard_start + buff.frame_size - kSharedInfoBytes;
  packet.meta_supported = buff.data_meta != nullptr && buff.data_meta <= buff.data;
  packet.meta = packet.meta_supported ? buff.data_meta : buff.data;
  if (buff.rxq != nullptr) {
    packet.rx_queue_index = buff.rxq->index;
    if (buff.rxq->device != nullptr) packet.ingress_ifindex = buff.rxq->device->ifindex();
  }
  Vm& vm = *vms_[cpu];
  HalHost host(context.hal);
  const auto verdict = static_cast<uint32_t>(vm.run(function_, packet, host));
  host.charge(vm.tally());
  last_ = vm.tally();
  total_ += last_;
  buff.data = packet.data;
  buff.data_end = packet.end;
  if (packet.meta_supported) buff.data_meta = packet.meta;
  if (verdict == static_cast<uint32_t>(Verdict::kRedirect)) {
    redirect_ = vm.redirect();
    hand_over(redirect_, context);
  }
  return static_cast<Verdict>(std::min<uint32_t>(verdict, 255));
}

Map* Program::map(const std::string& name) {
  for (const auto& map : image_->maps) {
    if (map->name() == name) return map.get();
  }
  return nullptr;
}

void Program::forget(const XskTarget& socket) {
  for (const auto& map : image_->maps) map->forget(socket);
}

int Program::find_program(const std::string& name) const {
  return find_program_in(image_->code, name);
}

std::vector<std::string> Program::programs() const {
  std::vector<std::string> names;
  for (const Function& f : image_->code.functions) {
    if (f.program) names.push_back(f.name);
  }
  return names;
}

base::Result<std::unique_ptr<Program>> load_program_memory(base::ByteView object,
                                                           const std::string& name,
                                                           const LoadOptions& options) {
  auto program = from_object(object, options);
  if (!program.ok()) return base::Error{name + ": " + program.error()};
  return program;
}

base::Result<std::unique_ptr<Program>> load_program(const std::string& path,
                                                    const LoadOptions& options) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = in ? static_cast<std::streamoff>(in.tellg()) : -1;
  if (size < 0) return base::Error{path + ": cannot be read"};
  if (static_cast<uint64_t>(size) > kMaxFileBytes) {
    return base::Error{path + ": is larger than 16 MiB, no BPF object"};
  }
  std::vector<uint8_t> bytes(static_cast<size_t>(size));
  in.seekg(0);
  if (!in.read(reinterpret_cast<char*>(bytes.data()), size)) {
    return base::Error{path + ": cannot be read"};
  }
  return load_program_memory({bytes.data(), bytes.size()}, path, options);
}

base::Result<std::unique_ptr<Program>> make_program(const std::vector<RawInsn>& insns,
                                                    const std::vector<MapSpec>& maps,
                                                    const LoadOptions& options) {
  CodeInput input;
  input.insns = insns;
  for (const MapSpec& spec : maps) input.maps.push_back(&spec);
  auto image = make_image(input, maps, options);
  if (!image.ok()) return base::Error{image.error()};
  image.value()->name = image.value()->code.functions.front().name;
  return std::make_unique<Program>(image.take(), 0);
}

}  // namespace doorbell::stack::bpf
