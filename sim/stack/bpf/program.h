// A BPF program in the XDP hook, loaded from an ELF object or from instructions.
//
// load_program() reads an object as `clang -O2 -g -target bpf` makes it, without privileges and
// without the kernel. Program runs it on packets: it charges BpfRun once, BpfInstruction for every
// instruction executed, and the BpfHelper, BpfMap..., BpfTailCall, BpfOctets rows for what helpers
// did; redirect helpers are part of Op::XdpRedirect, which the redirect itself charges. Cores are
// told apart by hal::Cpu::id(). A faulty run (out of bounds, endless) aborts the packet; faults()
// counts them and first_fault() says what the first one was. Maps are the application's through
// map(). docs/bpf.md lists helpers, maps and limits.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/base/bytes.h"
#include "models/base/result.h"
#include "sim/stack/bpf/vm.h"
#include "sim/stack/xdp.h"

namespace doorbell::stack::bpf {

struct LoadOptions {
  std::string program;  ///< name of the function; empty: the first that no prog array holds
  unsigned cpus = 8;    ///< copies of per-CPU maps; a core beyond them aborts the packet
  uint64_t seed = 1;    ///< of bpf_get_prandom_u32
  uint64_t budget = kDefaultBudget;   ///< instructions of one run
  size_t trace_lines = 1000;          ///< kept of bpf_trace_printk
  uint64_t map_bytes = kMaxMapBytes;  ///< of all maps together
};

class Program : public XdpProgram {
 public:
  /// Takes over a finished image; `function` is the program in image->code.functions.
  Program(std::unique_ptr<Image> image, uint32_t function);
  ~Program() override;

  const char* name() const override { return image_->name.c_str(); }
  Verdict run(XdpBuff& buff, XdpContext& context) override;

  /// Where the last run's XDP_REDIRECT leads; also in the context.
  const RedirectTarget& redirect() const { return redirect_; }

  /// By the name in the object; nullptr when there is none. Global data: ".data", ".bss",
  /// ".rodata".
  Map* map(const std::string& name);
  const std::vector<std::unique_ptr<Map>>& maps() const { return image_->maps; }
  /// Takes a socket that closes out of all xskmaps.
  void forget(const XskTarget& socket);
  /// Index of a program of the object, for prog arrays; -1 when there is none.
  int find_program(const std::string& name) const;
  /// Names of the object's programs, in order.
  std::vector<std::string> programs() const;

  uint64_t runs() const { return runs_; }
  const Tally& total() const { return total_; }  ///< over all runs
  const Tally& last() const { return last_; }
  uint64_t faults() const { return image_->faults; }
  const std::string& first_fault() const { return image_->first_fault; }
  const TraceLog& trace() const { return image_->trace; }
  /// Code, maps and limits, for another interpreter over them.
  Image& image() { return *image_; }

 private:
  class HalHost;
  std::unique_ptr<Image> image_;
  uint32_t function_;
  std::vector<std::unique_ptr<Vm>> vms_;  // by core
  RedirectTarget redirect_;
  uint64_t runs_ = 0;
  Tally total_;
  Tally last_;
};

/// Reads the object file at `path`. Error: one message that begins with the path.
base::Result<std::unique_ptr<Program>> load_program(const std::string& path,
                                                    const LoadOptions& options = {});
/// The same from memory; `name` stands for the path in messages.
base::Result<std::unique_ptr<Program>> load_program_memory(base::ByteView object,
                                                           const std::string& name,
                                                           const LoadOptions& options = {});
/// A program from instructions; 64-bit loads name maps by index (source 5 and 6).
base::Result<std::unique_ptr<Program>> make_program(const std::vector<RawInsn>& insns,
                                                    const std::vector<MapSpec>& maps,
                                                    const LoadOptions& options = {});

}  // namespace doorbell::stack::bpf
