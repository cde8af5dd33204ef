/* Swaps the MAC addresses and sends the packet back where it came from. */
#include "common.h"

SEC("xdp")
int tx(struct xdp_md* ctx) {
  struct ethhdr* eth = packet(ctx);

  if ((void*)(eth + 1) > packet_end(ctx)) return XDP_DROP;
  swap_macs(eth);
  return XDP_TX;
}

char _license[] SEC("license") = "GPL";
