/* What the programs of this folder share: headers, byte order, a cursor over the packet. */
#pragma once

#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/tcp.h>
#include <linux/udp.h>

#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

#define ALWAYS_INLINE inline __attribute__((always_inline))

struct vlan_tag {
  __be16 tci;
  __be16 type;
};

static ALWAYS_INLINE void* packet(const struct xdp_md* ctx) {
  return (void*)(long)ctx->data;
}

static ALWAYS_INLINE void* packet_end(const struct xdp_md* ctx) {
  return (void*)(long)ctx->data_end;
}

static ALWAYS_INLINE int is_vlan(__be16 type) {
  return type == bpf_htons(ETH_P_8021Q) || type == bpf_htons(ETH_P_8021AD);
}

static ALWAYS_INLINE void swap_macs(struct ethhdr* eth) {
  __u16* p = (__u16*)eth;
  __u16 a = p[0], b = p[1], c = p[2];
  p[0] = p[3];
  p[1] = p[4];
  p[2] = p[5];
  p[3] = a;
  p[4] = b;
  p[5] = c;
}
