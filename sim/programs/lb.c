/* Layer 4 load balancer. A flow to a service (address, port, protocol in hash map "services") gets
   one of the service's back ends and keeps it (LRU hash map "flows"). The packet's destination is
   rewritten, checksums are mended by difference, and it goes back out of its port. */
#include "common.h"

struct service_key {
  __be32 address;
  __be16 port;
  __u8 protocol;
  __u8 zero;
};

struct service {
  __u32 first; /* of its back ends */
  __u32 count;
};

struct backend {
  __be32 address;
  __u8 mac[ETH_ALEN];
  __u16 zero;
};

struct flow_key {
  __be32 source;
  __be32 destination;
  __be16 source_port;
  __be16 destination_port;
  __u8 protocol;
  __u8 zero[3];
};

struct {
  __uint(type, BPF_MAP_TYPE_HASH);
  __type(key, struct service_key);
  __type(value, struct service);
  __uint(max_entries, 256);
} services SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __type(key, __u32);
  __type(value, struct backend);
  __uint(max_entries, 1024);
} backends SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_LRU_HASH);
  __type(key, struct flow_key);
  __type(value, __u32);
  __uint(max_entries, 16384);
} flows SEC(".maps");

static ALWAYS_INLINE __u16 fold(__u32 sum) {
  sum = (sum & 0xffff) + (sum >> 16);
  sum = (sum & 0xffff) + (sum >> 16);
  return ~sum;
}

static ALWAYS_INLINE void mend(__u16* check, __be32 from, __be32 to) {
  *check = fold(bpf_csum_diff(&from, sizeof(from), &to, sizeof(to), (__u16) ~*check));
}

static ALWAYS_INLINE __u32 pick(struct flow_key* flow, struct service* service) {
  __u32 hash = flow->source ^ flow->source_port * 0x9E3779B1u;
  __u32 index;

  hash ^= hash >> 16;
  index = service->first + (service->count ? hash % service->count : 0);
  bpf_map_update_elem(&flows, flow, &index, BPF_ANY);
  return index;
}

SEC("xdp")
int lb(struct xdp_md* ctx) {
  void* end = packet_end(ctx);
  struct ethhdr* eth = packet(ctx);
  struct iphdr* ip = (void*)(eth + 1);
  struct udphdr* l4 = (void*)(ip + 1); /* the ports are where TCP has them */
  struct tcphdr* tcp = (void*)(ip + 1);
  struct service_key key = {};
  struct flow_key flow = {};
  struct service* service;
  struct backend* backend;
  __u32 index, *known;
  __be32 old;

  if ((void*)(l4 + 1) > end || eth->h_proto != bpf_htons(ETH_P_IP) || ip->ihl != 5) return XDP_PASS;
  if (ip->protocol == IPPROTO_TCP) {
    if ((void*)(tcp + 1) > end) return XDP_PASS;
  } else if (ip->protocol != IPPROTO_UDP) {
    return XDP_PASS;
  }
  key.address = ip->daddr;
  key.port = l4->dest;
  key.protocol = ip->protocol;
  service = bpf_map_lookup_elem(&services, &key);
  if (!service) return XDP_PASS;

  flow.source = ip->saddr;
  flow.destination = ip->daddr;
  flow.source_port = l4->source;
  flow.destination_port = l4->dest;
  flow.protocol = ip->protocol;
  known = bpf_map_lookup_elem(&flows, &flow);
  index = known ? *known : pick(&flow, service);
  backend = bpf_map_lookup_elem(&backends, &index);
  if (!backend) return XDP_DROP;

  old = ip->daddr;
  ip->daddr = backend->address;
  mend(&ip->check, old, backend->address);
  if (ip->protocol == IPPROTO_TCP)
    mend(&tcp->check, old, backend->address);
  else if (l4->check)
    mend(&l4->check, old, backend->address);
  __builtin_memcpy(eth->h_source, eth->h_dest, ETH_ALEN);
  __builtin_memcpy(eth->h_dest, backend->mac, ETH_ALEN);
  return XDP_TX;
}

char _license[] SEC("license") = "GPL";
