/* One reason to be refused for each value of REFUSED. */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#if REFUSED == 1 /* a map type that is not modelled */
struct {
  __uint(type, BPF_MAP_TYPE_RINGBUF);
  __uint(max_entries, 4096);
} events SEC(".maps");
#elif REFUSED == 2 /* maps in maps */
struct inner {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(max_entries, 1);
  __type(key, __u32);
  __type(value, __u32);
};
struct {
  __uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
  __uint(max_entries, 2);
  __type(key, __u32);
  __array(values, struct inner);
} outer SEC(".maps");
#elif REFUSED == 3 /* a member libbpf does not know */
struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(max_entries, 1);
  __type(key, __u32);
  __type(value, __u32);
  __uint(colour, 7);
} odd SEC(".maps");
#elif REFUSED == 4 /* a symbol of the kernel */
extern int bpf_needed(void) __ksym;
#elif REFUSED == 5 /* data with addresses in it */
static const char* const texts[] = {"a", "b", "c"};
volatile __u32 which;
#elif REFUSED == 8 /* no type of map */
struct {
  __uint(max_entries, 1);
  __type(key, __u32);
  __type(value, __u32);
} typeless SEC(".maps");
#endif

#if REFUSED == 6
SEC("tc")
#else
SEC("xdp")
#endif
int refused(struct xdp_md* ctx) {
#if REFUSED == 1
  return bpf_ringbuf_query(&events, 0);
#elif REFUSED == 2
  __u32 key = 0;
  return bpf_map_lookup_elem(&outer, &key) ? 1 : 2;
#elif REFUSED == 3
  __u32 key = 0;
  return bpf_map_lookup_elem(&odd, &key) ? 1 : 2;
#elif REFUSED == 4
  return bpf_needed();
#elif REFUSED == 5
  return texts[which % 3][0];
#elif REFUSED == 7
  return bpf_ktime_get_ns();
#elif REFUSED == 8
  __u32 key = 0;
  return bpf_map_lookup_elem(&typeless, &key) ? 1 : 2;
#else
  return 1;
#endif
}

#if REFUSED != 7
char _license[] SEC("license") = "GPL";
#else
char _license[] SEC("license") = "Proprietary";
#endif
