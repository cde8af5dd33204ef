/* Redirects each receive queue to the port in its entry of a devmap; queues without one pass. */
#include "common.h"

struct {
  __uint(type, BPF_MAP_TYPE_DEVMAP);
  __type(key, __u32);
  __type(value, __u32);
  __uint(max_entries, 64);
} ports SEC(".maps");

SEC("xdp")
int devmap(struct xdp_md* ctx) {
  return bpf_redirect_map(&ports, ctx->rx_queue_index, XDP_PASS);
}

char _license[] SEC("license") = "GPL";
