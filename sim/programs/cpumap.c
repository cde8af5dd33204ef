/* Spreads flows over cores: a hash of the IPv4 addresses and ports picks one of the `cpus` entries
   of map "cores". Anything but IPv4 passes. */
#include "common.h"

struct {
  __uint(type, BPF_MAP_TYPE_CPUMAP);
  __type(key, __u32);
  __type(value, __u32);
  __uint(max_entries, 64);
} cores SEC(".maps");

/* How many entries are set; written by the application. */
volatile __u32 cpus = 1;

static ALWAYS_INLINE __u32 mix(__u32 hash, __u32 word) {
  hash ^= word;
  hash *= 0x9E3779B1u;
  return hash ^ (hash >> 15);
}

SEC("xdp")
int cpumap(struct xdp_md* ctx) {
  void* end = packet_end(ctx);
  struct ethhdr* eth = packet(ctx);
  struct iphdr* ip = (void*)(eth + 1);
  __u32 *ports, hash, count = cpus;

  if ((void*)(ip + 1) > end || eth->h_proto != bpf_htons(ETH_P_IP) || count == 0) return XDP_PASS;
  hash = mix(mix(mix(0, ip->saddr), ip->daddr), ip->protocol);
  ports = (void*)(ip + 1);
  if (ip->ihl == 5 && (void*)(ports + 1) <= end &&
      (ip->protocol == IPPROTO_UDP || ip->protocol == IPPROTO_TCP))
    hash = mix(hash, *ports);
  return bpf_redirect_map(&cores, hash % count, XDP_PASS);
}

char _license[] SEC("license") = "GPL";
