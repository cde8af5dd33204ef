/* Swaps the MAC addresses and redirects to the port whose index is in entry 0 of map "port".
   No port set: drops. */
#include "common.h"

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __type(key, __u32);
  __type(value, __u32);
  __uint(max_entries, 1);
} port SEC(".maps");

SEC("xdp")
int redirect(struct xdp_md* ctx) {
  struct ethhdr* eth = packet(ctx);
  __u32 key = 0;
  __u32* ifindex;

  if ((void*)(eth + 1) > packet_end(ctx)) return XDP_DROP;
  ifindex = bpf_map_lookup_elem(&port, &key);
  if (!ifindex || !*ifindex) return XDP_DROP;
  swap_macs(eth);
  return bpf_redirect(*ifindex, 0);
}

char _license[] SEC("license") = "GPL";
