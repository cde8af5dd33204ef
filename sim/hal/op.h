// The operations a core is charged for, and the label each is booked under.
//
// One row per primitive or software step. The cost of each comes from [cost] of a platform file,
// under the same name; the label is the line of the CPU table that it adds up in. "Software" rows
// are pure instruction work with warm caches; memory and device effects are separate rows, charged
// by the HAL.
#pragma once

#include <cstddef>
#include <cstdint>

namespace doorbell::hal {

/// Lines of the CPU table.
enum class Label : uint8_t {
  kDescriptor,  // uncached descriptor loads and stores
  kBarrier,     // dsb, dmb
  kCache,       // line clean and invalidate
  kMmio,        // register reads and writes
  kMemory,      // cache misses on packet data
  kXdpProgram,  // the program and its call
  kPagePool,    // allocate and recycle
  kDriver,      // the driver's own instructions
  kStack,       // skb, redirect, qdisc-less transmit
  kInterrupt,   // interrupt entry and exit, softirq, poll loop
  kXsk,         // AF_XDP: rings, buffer pool, copies
  kSyscall,     // system calls, scheduler
  kApp,         // the application's own instructions
  kCount,
};

struct LabelInfo {
  Label label;
  const char* name;
};

inline constexpr LabelInfo kLabels[] = {
    {Label::kDescriptor, "uncached descriptor access"},
    {Label::kBarrier, "memory barriers"},
    {Label::kCache, "cache maintenance"},
    {Label::kMmio, "MMIO"},
    {Label::kMemory, "cache misses"},
    {Label::kXdpProgram, "XDP program"},
    {Label::kPagePool, "page pool"},
    {Label::kDriver, "driver"},
    {Label::kStack, "skb and stack"},
    {Label::kInterrupt, "interrupt and poll"},
    {Label::kXsk, "AF_XDP"},
    {Label::kSyscall, "system calls and scheduler"},
    {Label::kApp, "application"},
};

// X(enumerator, "name in [cost]", label, "help")
#define DOORBELL_OPS(X)                                                                         \
  X(UncachedLoad, "uncached_load", kDescriptor,                                                 \
    "load from coherent memory: a round trip where DMA does not snoop, else a cache hit")       \
  X(UncachedStore, "uncached_store", kDescriptor,                                               \
    "store to coherent memory: posted where DMA does not snoop, else a cache hit")              \
  X(MmioRead, "mmio_read", kMmio, "register read: core and interconnect, without the device")   \
  X(MmioWrite, "mmio_write", kMmio, "register write, posted, with the barrier writel implies")  \
  X(Dmb, "dmb", kBarrier, "dma_wmb, dma_rmb")                                                   \
  X(Dsb, "dsb", kBarrier, "wmb, rmb, end of cache maintenance")                                 \
  X(LineClean, "line_clean", kCache,                                                            \
    "clean one 64-byte line to the point of coherency, dirty or not")                           \
  X(LineWriteback, "line_writeback", kCache, "what a dirty line adds to its clean")             \
  X(LineInvalidate, "line_invalidate", kCache, "invalidate one 64-byte line")                   \
  X(CacheMiss, "cache_miss", kMemory, "load that misses every cache")                           \
  X(IrqEntry, "irq_entry", kInterrupt, "exception entry to handler and back")                   \
  X(SoftirqEntry, "softirq_entry", kInterrupt, "raise and enter net_rx softirq")                \
  X(NapiPoll, "napi_poll", kInterrupt, "one call of a poll function by the softirq loop")       \
  X(Ksoftirqd, "ksoftirqd_switch", kInterrupt, "hand over to ksoftirqd or back")                \
  X(Idle, "idle_exit", kInterrupt, "leave WFI")                                                 \
  X(DriverRx, "driver_rx", kDriver, "receive loop, instructions of one packet")                 \
  X(DriverTx, "driver_tx", kDriver, "transmit submit, instructions of one descriptor")          \
  X(DriverClean, "driver_clean", kDriver, "transmit clean-up, instructions of one descriptor")  \
  X(TxLock, "tx_lock", kDriver, "take and release the transmit queue lock")                     \
  X(XdpProgram, "xdp_program", kXdpProgram, "native program: call, parse, decide")              \
  X(BpfRun, "bpf_run", kXdpProgram, "enter and leave a BPF program: call, prologue, epilogue")  \
  X(BpfInstruction, "bpf_instruction", kXdpProgram, "one BPF instruction, compiled by the JIT") \
  X(BpfHelper, "bpf_helper", kXdpProgram, "call of a BPF helper and back, without its work")    \
  X(BpfMapArray, "bpf_map_array", kXdpProgram, "BPF array: look-up, inlined by the JIT")        \
  X(BpfMapHash, "bpf_map_hash", kXdpProgram, "BPF hash: look-up")                               \
  X(BpfMapLpm, "bpf_map_lpm", kXdpProgram, "BPF LPM trie: look-up")                             \
  X(BpfMapUpdate, "bpf_map_update", kXdpProgram, "BPF map: update or delete by the program")    \
  X(BpfTailCall, "bpf_tail_call", kXdpProgram, "jump into another BPF program")                 \
  X(BpfOctets, "bpf_octets", kXdpProgram, "8 octets that a BPF helper copies or sums")          \
  X(XdpConvert, "xdp_convert", kStack, "xdp_buff to xdp_frame")                                 \
  X(XdpRedirect, "xdp_redirect", kStack, "redirect helper and map lookup")                      \
  X(BulkEnqueue, "bulk_enqueue", kStack, "append a frame to the bulk queue")                    \
  X(BulkFlush, "bulk_flush", kStack, "flush a bulk queue, per call")                            \
  X(XdpReturn, "xdp_return", kStack, "return an xdp_frame to its memory model")                 \
  X(PagePoolAlloc, "page_pool_alloc", kPagePool, "allocate a page from the pool cache")         \
  X(PagePoolPut, "page_pool_put", kPagePool, "give a page back to the pool")                    \
  X(PageAlloc, "page_alloc", kPagePool, "allocate a page from the page allocator")              \
  X(SkbBuild, "skb_build", kStack, "sk_buff head allocation and build_skb")                     \
  X(SkbFree, "skb_free", kStack, "free an sk_buff head")                                        \
  X(SkbReceive, "skb_receive", kStack, "GRO and netif_receive_skb up to the generic XDP hook")  \
  X(GenericXdp, "generic_xdp", kStack, "generic XDP set-up and program call on an skb")         \
  X(StackTx, "stack_tx", kStack, "dev_queue_xmit or generic_xdp_tx down to the driver")         \
  X(StackDeliver, "stack_deliver", kStack, "protocol receive up to the socket")                 \
  X(MapSetup, "dma_map", kDriver, "dma_map_single bookkeeping without cache work")              \
  X(LineTransfer, "line_transfer", kMemory, "claim a cache line that another core holds")       \
  X(CopyOctets, "copy_octets", kXsk, "8 octets that AF_XDP copies, caches warm")                \
  X(XskTxCopy, "xsk_tx_copy", kXsk, "copy-mode transmit but for sk_buff and copy")              \
  X(XskRxCopy, "xsk_rx_copy", kXsk, "copy-mode receive but for the copy")                       \
  X(XskRxZc, "xsk_rx_zc", kXsk, "zero-copy receive: a buffer to the Rx ring")                   \
  X(XskFlush, "xsk_flush", kXsk, "show a socket what it received, wake its waiters")            \
  X(XskAlloc, "xsk_alloc", kXsk, "take a receive buffer from fill ring or free list")           \
  X(XskFree, "xsk_free", kXsk, "give a receive buffer to the free list")                        \
  X(XskPeek, "xsk_peek", kXsk, "check a Tx descriptor and note its completion")                 \
  X(XskPeekBatch, "xsk_peek_batch", kXsk, "a driver's call for Tx descriptors")                 \
  X(XskComplete, "xsk_complete", kXsk, "report sent descriptors: lock and index")               \
  X(XskWakeup, "xsk_wakeup", kXsk, "call of the driver's wake-up, without its work")            \
  X(Syscall, "syscall", kSyscall, "enter and leave the kernel")                                 \
  X(XskSendmsg, "xsk_sendmsg", kSyscall, "sendto or recvfrom down to the AF_XDP socket")        \
  X(XskPoll, "xsk_poll", kSyscall, "poll on one AF_XDP socket")                                 \
  X(BusyPoll, "busy_poll", kSyscall, "enter and leave busy polling, without the poll")          \
  X(TaskSwitch, "task_switch", kSyscall, "a thread blocks, or goes on after a wake-up")         \
  X(TaskWake, "task_wake", kSyscall, "wake a sleeping thread")                                  \
  X(Tick, "tick", kSyscall, "scheduler tick, without interrupt entry and exit")                 \
  X(AppLoop, "app_loop", kApp, "one round of an application's loop")                            \
  X(AppFrame, "app_frame", kApp, "an application's work on one packet or address")

enum class Op : uint8_t {
#define DOORBELL_OP_ENUM(id, name, label, help) k##id,
  DOORBELL_OPS(DOORBELL_OP_ENUM)
#undef DOORBELL_OP_ENUM
      kCount,
};

struct OpInfo {
  Op op;
  const char* name;
  Label label;
  const char* help;
};

inline constexpr OpInfo kOps[] = {
#define DOORBELL_OP_ROW(id, name, label, help) {Op::k##id, name, Label::label, help},
    DOORBELL_OPS(DOORBELL_OP_ROW)
#undef DOORBELL_OP_ROW
};

inline constexpr size_t kOpCount = static_cast<size_t>(Op::kCount);
inline constexpr size_t kLabelCount = static_cast<size_t>(Label::kCount);

}  // namespace doorbell::hal
