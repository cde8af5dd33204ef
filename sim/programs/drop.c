/* Drops everything. */
#include "common.h"

SEC("xdp")
int drop(struct xdp_md* ctx) {
  return XDP_DROP;
}

char _license[] SEC("license") = "GPL";
