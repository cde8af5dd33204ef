/* A chain of tail calls: Ethernet, then IPv4, then UDP, each a program of its own. The way is kept
   in metadata in front of the packet. UDP passes, the rest is dropped. */
#include "common.h"

enum stage { STAGE_IPV4, STAGE_UDP, STAGE_COUNT };

int stage_ipv4(struct xdp_md* ctx);
int stage_udp(struct xdp_md* ctx);

struct {
  __uint(type, BPF_MAP_TYPE_PROG_ARRAY);
  __uint(max_entries, STAGE_COUNT);
  __uint(key_size, sizeof(__u32));
  __array(values, int(void*));
} stages SEC(".maps") = {
    .values =
        {
            [STAGE_IPV4] = (void*)&stage_ipv4,
            [STAGE_UDP] = (void*)&stage_udp,
        },
};

struct way {
  __u32 stages;
};

static ALWAYS_INLINE struct way* way_of(struct xdp_md* ctx) {
  struct way* way = (void*)(long)ctx->data_meta;

  return (void*)(way + 1) > packet(ctx) ? 0 : way;
}

SEC("xdp")
int tail(struct xdp_md* ctx) {
  struct ethhdr* eth;
  struct way* way;

  if (bpf_xdp_adjust_meta(ctx, -(int)sizeof(struct way))) return XDP_ABORTED;
  way = way_of(ctx);
  eth = packet(ctx);
  if (!way || (void*)(eth + 1) > packet_end(ctx)) return XDP_DROP;
  way->stages = 1;
  if (eth->h_proto == bpf_htons(ETH_P_IP)) bpf_tail_call(ctx, &stages, STAGE_IPV4);
  return XDP_DROP;
}

SEC("xdp")
int stage_ipv4(struct xdp_md* ctx) {
  struct ethhdr* eth = packet(ctx);
  struct iphdr* ip = (void*)(eth + 1);
  struct way* way = way_of(ctx);

  if (!way || (void*)(ip + 1) > packet_end(ctx)) return XDP_DROP;
  way->stages++;
  if (ip->protocol == IPPROTO_UDP) bpf_tail_call(ctx, &stages, STAGE_UDP);
  return XDP_DROP;
}

SEC("xdp")
int stage_udp(struct xdp_md* ctx) {
  struct way* way = way_of(ctx);

  if (!way) return XDP_DROP;
  way->stages++;
  return XDP_PASS;
}

char _license[] SEC("license") = "GPL";
