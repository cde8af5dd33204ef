/* IPv4 router: the longest prefix in LPM trie "routes" gives next hop and port. TTL down, checksum
   mended, MAC addresses set, out through devmap "ports". No route or TTL used up: passes, so that
   the stack answers. */
#include "common.h"

struct prefix {
  __u32 length;
  __be32 address;
};

struct next_hop {
  __u32 port; /* entry of "ports" */
  __u8 source[ETH_ALEN];
  __u8 destination[ETH_ALEN];
};

struct {
  __uint(type, BPF_MAP_TYPE_LPM_TRIE);
  __uint(map_flags, BPF_F_NO_PREALLOC);
  __type(key, struct prefix);
  __type(value, struct next_hop);
  __uint(max_entries, 4096);
} routes SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_DEVMAP);
  __uint(key_size, sizeof(__u32));
  __uint(value_size, sizeof(struct bpf_devmap_val));
  __uint(max_entries, 64);
} ports SEC(".maps");

SEC("xdp")
int route(struct xdp_md* ctx) {
  void* end = packet_end(ctx);
  struct ethhdr* eth = packet(ctx);
  struct iphdr* ip = (void*)(eth + 1);
  struct prefix key = {.length = 32};
  struct next_hop* hop;
  __u32 sum;

  if ((void*)(ip + 1) > end || eth->h_proto != bpf_htons(ETH_P_IP) || ip->ttl <= 1) return XDP_PASS;
  key.address = ip->daddr;
  hop = bpf_map_lookup_elem(&routes, &key);
  if (!hop) return XDP_PASS;
  ip->ttl--;
  sum = (__u32)ip->check + bpf_htons(0x0100);
  ip->check = (__u16)(sum + (sum >= 0xffff));
  __builtin_memcpy(eth->h_source, hop->source, ETH_ALEN);
  __builtin_memcpy(eth->h_dest, hop->destination, ETH_ALEN);
  return bpf_redirect_map(&ports, hop->port, XDP_DROP);
}

char _license[] SEC("license") = "GPL";
