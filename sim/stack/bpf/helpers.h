// The helper functions that programs may call, and why others are refused.
//
// A helper works on the interpreter that called it; it reads and writes the program's memory only
// through the checks of Vm. Return values as the kernel's helpers give them: a negative errno is a
// 64-bit number. Costs: each call counts in Tally::helpers, except those the kernel's JIT inlines
// and the redirects, which Op::XdpRedirect covers. Source: Linux 6.12 net/core/filter.c,
// kernel/bpf/helpers.c, include/uapi/linux/bpf.h (behaviour, numbers).
#pragma once

#include <cstdint>
#include <string>

#include "sim/stack/bpf/vm.h"

namespace doorbell::stack::bpf {

using HelperFn = uint64_t (*)(Vm& vm, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4,
                              uint64_t a5);

struct Helper {
  const char* name;
  HelperFn fn;
  uint16_t id;
  uint8_t args;
  bool gpl;      ///< for programs under a GPL-compatible licence only
  bool counted;  ///< a call that costs one; false: inlined, or counted by itself
};

inline constexpr uint32_t kHelperTailCall = 12;

const Helper& helper_at(uint32_t place);
/// Place of helper `id` in the table; -1 when it is not modelled. tail_call (12) has none: the
/// interpreter does it.
int helper_place(int32_t id);
unsigned helper_count();
/// "bpf_fib_lookup", or "" when there is no such helper.
std::string helper_name(int32_t id);
/// Why a helper that exists is not modelled.
std::string helper_refusal(int32_t id);

// By file.
uint64_t help_map_lookup(Vm&, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);
uint64_t help_map_update(Vm&, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);
uint64_t help_map_delete(Vm&, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);
uint64_t help_map_lookup_percpu(Vm&, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);
uint64_t help_redirect(Vm&, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);
uint64_t help_redirect_map(Vm&, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);
uint64_t help_adjust_head(Vm&, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);
uint64_t help_adjust_tail(Vm&, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);
uint64_t help_adjust_meta(Vm&, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);
uint64_t help_buff_len(Vm&, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);
uint64_t help_load_bytes(Vm&, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);
uint64_t help_store_bytes(Vm&, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);
uint64_t help_csum_diff(Vm&, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);
uint64_t help_trace_printk(Vm&, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);
uint64_t help_trace_vprintk(Vm&, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);

}  // namespace doorbell::stack::bpf
