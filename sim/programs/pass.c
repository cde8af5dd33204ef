/* Passes everything to the stack. */
#include "common.h"

SEC("xdp")
int pass(struct xdp_md* ctx) {
  return XDP_PASS;
}

char _license[] SEC("license") = "GPL";
