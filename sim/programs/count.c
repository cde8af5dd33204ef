/* Counts packets and octets by IP protocol in a per-CPU array and drops them. 255: not IP. */
#include "common.h"

struct counter {
  __u64 packets;
  __u64 octets;
};

struct {
  __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __type(key, __u32);
  __type(value, struct counter);
  __uint(max_entries, 256);
} counters SEC(".maps");

SEC("xdp")
int count(struct xdp_md* ctx) {
  void* end = packet_end(ctx);
  struct ethhdr* eth = packet(ctx);
  __u32 key = 255;
  struct counter* c;

  if ((void*)(eth + 1) > end) return XDP_DROP;
  if (eth->h_proto == bpf_htons(ETH_P_IP)) {
    struct iphdr* ip = (void*)(eth + 1);

    if ((void*)(ip + 1) <= end) key = ip->protocol;
  } else if (eth->h_proto == bpf_htons(ETH_P_IPV6)) {
    struct ipv6hdr* ip = (void*)(eth + 1);

    if ((void*)(ip + 1) <= end) key = ip->nexthdr;
  }
  c = bpf_map_lookup_elem(&counters, &key);
  if (c) {
    c->packets++;
    c->octets += end - (void*)eth;
  }
  return XDP_DROP;
}

char _license[] SEC("license") = "GPL";
