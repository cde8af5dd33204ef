/* What larger programs use, in one object: global data of every kind, static and global functions,
   a callback, weak symbols of the kernel, several programs, atomics. Compiled for each version of
   the instruction set that clang knows. */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

volatile const __u32 limit = 10;      /* .rodata */
__u64 start = 0x1122334455667788;     /* .data */
__u64 runs;                           /* .bss */
static __u32 table[4] = {1, 2, 3, 4}; /* .data, by section */

struct {
  __uint(type, BPF_MAP_TYPE_HASH);
  __uint(max_entries, 16);
  __uint(key_size, 4);
  __type(
      value, struct {
        __u64 n;
        __u32 more[3];
      });
  __uint(pinning, LIBBPF_PIN_BY_NAME);
} seen SEC(".maps");

static struct {
  __uint(type, BPF_MAP_TYPE_LRU_PERCPU_HASH);
  __uint(max_entries, 8);
  __type(key, __u64);
  __type(value, __u64);
} hidden SEC(".maps");

extern int bpf_xdp_metadata_rx_timestamp(const struct xdp_md* ctx, __u64* stamp) __ksym __weak;

static __attribute__((noinline)) __u64 scaled(__u64 n) {
  return n * 3 + table[n & 3];
}

/* A function with global linkage in .text. */
__attribute__((noinline)) int checked(__u32 n) {
  return n < limit ? (int)scaled(n) : -1;
}

struct sum {
  __u64 total;
};

static long add_index(__u32 index, void* context) {
  struct sum* sum = context;

  sum->total += index;
  return index >= limit;
}

SEC("xdp")
int first(struct xdp_md* ctx) {
  struct sum sum = {};
  __u64 stamp = 0, key = 5, one = 1;

  __sync_fetch_and_add(&runs, 1);
  bpf_loop(100, add_index, &sum, 0); /* 0 + 1 + ... + 10 */
  if (bpf_xdp_metadata_rx_timestamp) bpf_xdp_metadata_rx_timestamp(ctx, &stamp);
  bpf_map_update_elem(&hidden, &key, &one, BPF_ANY);
  start += sum.total + stamp;
  bpf_printk("run %llu of %s, %d", runs, "first", checked(4));
  return checked(7) == 25 && checked(10) == -1 ? XDP_TX : XDP_ABORTED;
}

SEC("xdp.frags")
int second(struct xdp_md* ctx) {
  __u32 key = ctx->ingress_ifindex * 256 + ctx->rx_queue_index * 16 + ctx->egress_ifindex;
  struct {
    __u64 n;
    __u32 more[3];
  } value = {.n = scaled(1)};

  bpf_map_update_elem(&seen, &key, &value, BPF_NOEXIST);
  return XDP_DROP;
}

/* Not for XDP: must not be in the way. */
SEC("tc")
int other(struct __sk_buff* skb) {
  return bpf_skb_vlan_pop(skb);
}

char _license[] SEC("license") = "Dual BSD/GPL";
