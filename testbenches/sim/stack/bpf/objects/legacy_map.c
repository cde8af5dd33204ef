/* A map as libbpf had them before 1.0. */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

struct {
  unsigned int type, key_size, value_size, max_entries, flags;
} old SEC("maps") = {BPF_MAP_TYPE_ARRAY, 4, 8, 1, 0};

SEC("xdp")
int legacy(struct xdp_md* ctx) {
  __u32 key = 0;

  return bpf_map_lookup_elem(&old, &key) ? XDP_PASS : XDP_DROP;
}

char _license[] SEC("license") = "GPL";
