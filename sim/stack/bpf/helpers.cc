#include "sim/stack/bpf/helpers.h"

#include <linux/bpf.h>

#include <array>

namespace doorbell::stack::bpf {
namespace {

using Args = uint64_t;

uint64_t help_ktime(Vm& vm, Args, Args, Args, Args, Args) {
  return vm.host().now_ns(vm.tally());
}

// The machine starts at time 0, so monotonic, boot and atomic time are one.
uint64_t help_random(Vm& vm, Args, Args, Args, Args, Args) {
  return static_cast<uint32_t>(vm.image().random.next());
}

uint64_t help_processor(Vm& vm, Args, Args, Args, Args, Args) {
  return vm.cpu();
}

// bpf_loop: at most 8 Mi rounds; the budget ends it earlier.
uint64_t help_loop(Vm& vm, Args rounds, Args function, Args context, Args flags, Args) {
  constexpr uint64_t kMaxLoops = 8u << 20;
  const auto count = static_cast<uint32_t>(rounds);
  if (flags != 0) return static_cast<uint64_t>(-22);
  if (count > kMaxLoops) return static_cast<uint64_t>(-7);
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t stop = vm.call_back(function, i, context);
    if (vm.faulted()) return 0;
    if (stop != 0) return uint64_t{i} + 1;
  }
  return count;
}

constexpr Helper kHelpers[] = {
    {"bpf_map_lookup_elem", help_map_lookup, BPF_FUNC_map_lookup_elem, 2, false, false},
    {"bpf_map_update_elem", help_map_update, BPF_FUNC_map_update_elem, 4, false, true},
    {"bpf_map_delete_elem", help_map_delete, BPF_FUNC_map_delete_elem, 2, false, true},
    {"bpf_ktime_get_ns", help_ktime, BPF_FUNC_ktime_get_ns, 0, true, true},
    {"bpf_trace_printk", help_trace_printk, BPF_FUNC_trace_printk, 2, true, true},
    {"bpf_get_prandom_u32", help_random, BPF_FUNC_get_prandom_u32, 0, false, true},
    {"bpf_get_smp_processor_id", help_processor, BPF_FUNC_get_smp_processor_id, 0, false, true},
    {"bpf_redirect", help_redirect, BPF_FUNC_redirect, 2, false, false},
    {"bpf_csum_diff", help_csum_diff, BPF_FUNC_csum_diff, 5, false, true},
    {"bpf_xdp_adjust_head", help_adjust_head, BPF_FUNC_xdp_adjust_head, 2, false, true},
    {"bpf_redirect_map", help_redirect_map, BPF_FUNC_redirect_map, 3, false, false},
    {"bpf_xdp_adjust_meta", help_adjust_meta, BPF_FUNC_xdp_adjust_meta, 2, false, true},
    {"bpf_xdp_adjust_tail", help_adjust_tail, BPF_FUNC_xdp_adjust_tail, 2, false, true},
    {"bpf_ktime_get_boot_ns", help_ktime, BPF_FUNC_ktime_get_boot_ns, 0, true, true},
    {"bpf_ktime_get_coarse_ns", help_ktime, BPF_FUNC_ktime_get_coarse_ns, 0, true, true},
    {"bpf_trace_vprintk", help_trace_vprintk, BPF_FUNC_trace_vprintk, 4, true, true},
    {"bpf_loop", help_loop, BPF_FUNC_loop, 4, false, true},
    {"bpf_xdp_get_buff_len", help_buff_len, BPF_FUNC_xdp_get_buff_len, 1, false, true},
    {"bpf_xdp_load_bytes", help_load_bytes, BPF_FUNC_xdp_load_bytes, 4, false, true},
    {"bpf_xdp_store_bytes", help_store_bytes, BPF_FUNC_xdp_store_bytes, 4, false, true},
    {"bpf_map_lookup_percpu_elem", help_map_lookup_percpu, BPF_FUNC_map_lookup_percpu_elem, 3,
     false, true},
    {"bpf_ktime_get_tai_ns", help_ktime, BPF_FUNC_ktime_get_tai_ns, 0, true, true},
};

#define DOORBELL_BPF_NAME(name, ...) "bpf_" #name
constexpr const char* kNames[] = {__BPF_FUNC_MAPPER(DOORBELL_BPF_NAME)};
#undef DOORBELL_BPF_NAME
constexpr int32_t kNameCount = static_cast<int32_t>(sizeof kNames / sizeof *kNames);

constexpr int kPlaces = 256;
constexpr std::array<int16_t, kPlaces> make_places() {
  std::array<int16_t, kPlaces> places{};
  for (auto& place : places) place = -1;
  int16_t at = 0;
  for (const Helper& helper : kHelpers) places[helper.id] = at++;
  return places;
}
constexpr std::array<int16_t, kPlaces> kPlaceOf = make_places();

}  // namespace

const Helper& helper_at(uint32_t place) {
  return kHelpers[place];
}

int helper_place(int32_t id) {
  return id < 0 || id >= kPlaces ? -1 : kPlaceOf[static_cast<size_t>(id)];
}

unsigned helper_count() {
  return sizeof kHelpers / sizeof *kHelpers;
}

std::string helper_name(int32_t id) {
  return id <= 0 || id >= kNameCount ? "" : kNames[id];
}

std::string helper_refusal(int32_t id) {
  switch (id) {
    case BPF_FUNC_fib_lookup:
    case BPF_FUNC_check_mtu:
      return "there is no routing table; an LPM trie map can hold routes";
    case BPF_FUNC_perf_event_output:
    case BPF_FUNC_ringbuf_output:
    case BPF_FUNC_ringbuf_reserve:
    case BPF_FUNC_ringbuf_submit:
    case BPF_FUNC_ringbuf_discard:
    case BPF_FUNC_ringbuf_query:
      return "there is no process that reads events; use a map or bpf_trace_printk";
    case BPF_FUNC_spin_lock:
    case BPF_FUNC_spin_unlock:
      return "locks in map values are not modelled; use atomics or a per-CPU map";
    case BPF_FUNC_timer_init:
    case BPF_FUNC_timer_set_callback:
    case BPF_FUNC_timer_start:
    case BPF_FUNC_timer_cancel:
      return "timers of BPF programs are not modelled";
    case BPF_FUNC_for_each_map_elem:
      return "use bpf_loop over the keys";
    case BPF_FUNC_sk_lookup_tcp:
    case BPF_FUNC_sk_lookup_udp:
    case BPF_FUNC_skc_lookup_tcp:
    case BPF_FUNC_sk_release:
    case BPF_FUNC_tcp_check_syncookie:
    case BPF_FUNC_tcp_gen_syncookie:
    case BPF_FUNC_tcp_raw_gen_syncookie_ipv4:
    case BPF_FUNC_tcp_raw_gen_syncookie_ipv6:
    case BPF_FUNC_tcp_raw_check_syncookie_ipv4:
    case BPF_FUNC_tcp_raw_check_syncookie_ipv6:
      return "there are no sockets of the IP stack";
    case BPF_FUNC_map_push_elem:
    case BPF_FUNC_map_pop_elem:
    case BPF_FUNC_map_peek_elem:
      return "queue and stack maps are not modelled";
    default:
      return "docs/bpf.md lists the helpers of XDP programs that are";
  }
}

}  // namespace doorbell::stack::bpf
