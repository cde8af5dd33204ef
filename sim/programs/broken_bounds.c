/* Broken on purpose: reads an octet far behind the packet without asking where it ends. The kernel
   would refuse it; here every run is a fault and the packet is aborted. */
#include "common.h"

SEC("xdp")
int broken_bounds(struct xdp_md* ctx) {
  volatile __u8* p = packet(ctx);

  return p[4096] == 0 ? XDP_PASS : XDP_DROP;
}

char _license[] SEC("license") = "GPL";
