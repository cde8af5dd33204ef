/* Broken on purpose: never ends. The kernel would refuse it; here the instruction budget ends the
   run as a fault and the packet is aborted. */
#include "common.h"

SEC("xdp")
int broken_loop(struct xdp_md* ctx) {
  volatile __u32 i = 0;

  for (;;) i++;
  return XDP_PASS;
}

char _license[] SEC("license") = "GPL";
