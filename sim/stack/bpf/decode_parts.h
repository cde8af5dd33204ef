// The decoder at work: opcode by opcode (decode.cc), then functions, jumps and registers (flow.cc).
//
// Each step answers an error text without place, or an empty one. Included by those two only.
#pragma once

#include <string>
#include <vector>

#include "sim/stack/bpf/code.h"

namespace doorbell::stack::bpf {

/// imm of a kernel call that the loader could not resolve and that must not be reached.
inline constexpr int32_t kPoisonCall = -1;

class Decoder {
 public:
  explicit Decoder(const CodeInput& input) : input_(input) {}
  base::Result<Code> decode();

 private:
  static constexpr uint32_t kSecondHalf = 0xFFFFFFFF;

  // decode.cc
  std::string decode_one(uint32_t at, Insn& out);
  std::string arithmetic(const RawInsn& raw, Insn& out);
  std::string move_extended(const RawInsn& raw, bool wide, Insn& out);
  std::string byte_swap(const RawInsn& raw, bool wide, Insn& out);
  std::string jump(const RawInsn& raw, Insn& out);
  std::string call(const RawInsn& raw, Insn& out);
  std::string load_store(const RawInsn& raw, Insn& out);
  std::string load_imm64(uint32_t at, Insn& out);
  std::string map_address(const RawInsn& raw, int32_t high, Insn& out);
  std::string check_registers(const RawInsn& raw, Insn& out);
  std::string unknown(const RawInsn& raw) const;
  std::string reserved(const RawInsn& raw) const;

  // flow.cc
  bool decode_all();
  bool find_functions();
  bool resolve();
  bool resolve_call(uint32_t at);
  bool resolve_code_addresses();
  bool check_ends();
  bool check_reads();
  bool check_reads_of(const Function& function);
  bool fail(uint32_t raw_at, const std::string& what);

  const CodeInput& input_;
  Code code_;
  std::vector<uint32_t> decoded_at_;  // by raw instruction; kSecondHalf inside a 64-bit load
  std::vector<uint32_t> code_addresses_;
  std::string error_;
};

}  // namespace doorbell::stack::bpf
