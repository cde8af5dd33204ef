/* Takes the outer VLAN tag off, in place, and passes the packet on. */
#include "common.h"

SEC("xdp")
int vlan_pop(struct xdp_md* ctx) {
  void* end = packet_end(ctx);
  struct ethhdr* eth = packet(ctx);
  struct vlan_tag* tag = (void*)(eth + 1);
  __u8 macs[2 * ETH_ALEN];

  if ((void*)(tag + 1) > end || !is_vlan(eth->h_proto)) return XDP_PASS;
  __builtin_memcpy(macs, eth, sizeof(macs));
  if (bpf_xdp_adjust_head(ctx, sizeof(*tag))) return XDP_ABORTED;
  eth = packet(ctx);
  end = packet_end(ctx);
  if ((void*)(eth + 1) > end) return XDP_ABORTED;
  /* The EtherType behind the tag is already in its place. */
  __builtin_memcpy(eth, macs, sizeof(macs));
  return XDP_PASS;
}

char _license[] SEC("license") = "GPL";
