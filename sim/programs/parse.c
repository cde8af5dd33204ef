/* Walks Ethernet, up to two VLAN tags, IPv4 or IPv6, UDP or TCP, each step with its bounds check.
   Well-formed packets pass, others are dropped; what was found is counted in map "found". */
#include "common.h"

enum found { FOUND_SHORT, FOUND_OTHER, FOUND_BAD_IP, FOUND_UDP, FOUND_TCP, FOUND_IP, FOUND_KINDS };

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __type(key, __u32);
  __type(value, __u64);
  __uint(max_entries, FOUND_KINDS);
} found SEC(".maps");

struct cursor {
  void* at;
  void* end;
};

/* Functions of their own, as larger programs have them: BPF-to-BPF calls. */
static __attribute__((noinline)) int transport(struct cursor* c, __u8 protocol) {
  if (protocol == IPPROTO_UDP) {
    struct udphdr* udp = c->at;

    if ((void*)(udp + 1) > c->end || bpf_ntohs(udp->len) < sizeof(*udp)) return FOUND_SHORT;
    return FOUND_UDP;
  }
  if (protocol == IPPROTO_TCP) {
    struct tcphdr* tcp = c->at;

    if ((void*)(tcp + 1) > c->end || tcp->doff < 5) return FOUND_SHORT;
    return FOUND_TCP;
  }
  return FOUND_IP;
}

static __attribute__((noinline)) int ipv4(struct cursor* c) {
  struct iphdr* ip = c->at;
  __u32 sum = 0;
  __u16* word = c->at;
  int i;

  if ((void*)(ip + 1) > c->end) return FOUND_SHORT;
  if (ip->version != 4 || ip->ihl < 5) return FOUND_BAD_IP;
  if (c->at + ip->ihl * 4 > c->end) return FOUND_SHORT;
  /* A loop with a bound that only the packet knows. */
  for (i = 0; i < 2 * ip->ihl; i++) {
    if ((void*)(word + 1) > c->end) return FOUND_SHORT;
    sum += *word++;
  }
  sum = (sum & 0xffff) + (sum >> 16);
  sum = (sum & 0xffff) + (sum >> 16);
  if (sum != 0xffff) return FOUND_BAD_IP;
  c->at += ip->ihl * 4;
  return transport(c, ip->protocol);
}

static __attribute__((noinline)) int ipv6(struct cursor* c) {
  struct ipv6hdr* ip = c->at;

  if ((void*)(ip + 1) > c->end) return FOUND_SHORT;
  if (ip->version != 6) return FOUND_BAD_IP;
  c->at = ip + 1;
  return transport(c, ip->nexthdr);
}

static ALWAYS_INLINE int walk(struct cursor* c) {
  struct ethhdr* eth = c->at;
  __be16 type;
  int i;

  if ((void*)(eth + 1) > c->end) return FOUND_SHORT;
  type = eth->h_proto;
  c->at = eth + 1;
  for (i = 0; i < 2 && is_vlan(type); i++) {
    struct vlan_tag* tag = c->at;

    if ((void*)(tag + 1) > c->end) return FOUND_SHORT;
    type = tag->type;
    c->at = tag + 1;
  }
  if (type == bpf_htons(ETH_P_IP)) return ipv4(c);
  if (type == bpf_htons(ETH_P_IPV6)) return ipv6(c);
  return FOUND_OTHER;
}

SEC("xdp")
int parse(struct xdp_md* ctx) {
  struct cursor c = {.at = packet(ctx), .end = packet_end(ctx)};
  __u32 kind = walk(&c);
  __u64* n = bpf_map_lookup_elem(&found, &kind);

  if (n) __sync_fetch_and_add(n, 1);
  return kind == FOUND_SHORT || kind == FOUND_BAD_IP ? XDP_DROP : XDP_PASS;
}

char _license[] SEC("license") = "GPL";
