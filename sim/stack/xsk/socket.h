// AF_XDP sockets: set-up, system calls, receive side, copy-mode transmit.
//
// Sockets is the host's list of them and of the pools, one pool a device queue. A Socket follows
// the kernel's life cycle: UMEM, rings, bind, system calls, close; calls answer 0 or a negative
// errno. Receive: a program redirects a packet through an xskmap (XskTarget), or generic XDP does;
// copy mode copies it into a chunk of the fill ring, zero copy hands the chunk over. Transmit: copy
// mode copies up to 32 packets a system call into sk_buffs and sends them straight through the
// driver; zero copy only wakes the driver. Costs: Syscall, XskSendmsg, XskPoll, XskTxCopy,
// XskComplete, XskRxCopy, XskRxZc, XskFlush, XskWakeup, and CopyOctets for each 8 octets copied.
// Not modelled: multi-buffer packets, Tx metadata, launch time, the page-fragment variant of copy
// mode, signals. Source: Linux 6.12 net/xdp/xsk.c (behaviour).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sim/hal/process.h"
#include "sim/stack/net_stack.h"
#include "sim/stack/xsk/abi.h"
#include "sim/stack/xsk/account.h"
#include "sim/stack/xsk/pool.h"

namespace doorbell::stack::xsk {

class Socket;
class Sockets;

struct SocketsConfig {
  PoolConfig pool;
  /// net.core.wmem_default: copy mode stops when this much is in sk_buffs.
  uint32_t send_buffer = 212992;
  /// Copy mode's packets of one system call, TX_BATCH_SIZE.
  uint32_t tx_batch = 32;
};

/// What a socket has in sk_buffs. Outlives the socket while any of them is out.
class SendBook : public SkbDestructor {
 public:
  SendBook(Sockets& sockets, std::shared_ptr<Pool> pool)
      : sockets_(sockets), pool_(std::move(pool)) {}
  void skb_freed(SkBuff& skb) override;

  uint32_t memory = 0;  ///< bytes charged to the socket
  uint32_t skbs = 0;
  Socket* socket = nullptr;  ///< nullptr once it is closed

 private:
  Sockets& sockets_;
  std::shared_ptr<Pool> pool_;
};

/// AF_XDP on one host. Must outlive the sk_buffs of its sockets: close the devices first.
class Sockets {
 public:
  Sockets(NetStack& stack, hal::SharedMemory& memory, const SocketsConfig& config = {});
  ~Sockets();
  Sockets(const Sockets&) = delete;
  Sockets& operator=(const Sockets&) = delete;

  NetStack& stack() { return stack_; }
  hal::SharedMemory& memory() { return memory_; }
  const SocketsConfig& config() const { return config_; }

  /// The pool of a queue, or nullptr.
  Pool* pool(const NetDevice& device, uint32_t queue) const;
  /// sk_buffs of closed sockets that are still out.
  uint32_t skbs_of_closed() const;
  /// Where every chunk of `pool` is now.
  Account account(const Pool& pool) const { return Account(pool); }

 private:
  friend class Socket;
  friend class SendBook;
  int assign(Pool& pool, NetDevice& device, uint32_t queue, uint32_t flags);
  void clear(Pool& pool);
  void forget(const SendBook& book);

  NetStack& stack_;
  hal::SharedMemory& memory_;
  SocketsConfig config_;
  std::vector<Pool*> pools_;                      // bound ones
  std::vector<std::shared_ptr<SendBook>> books_;  // of closed sockets
};

class Socket : public XskTarget {
 public:
  explicit Socket(Sockets& sockets);
  ~Socket() override;

  // Set-up.
  /// setsockopt(XDP_UMEM_REG). -EINVAL, -EBUSY when it has one, -ENOMEM.
  int register_umem(const UmemConfig& config);
  /// setsockopt(XDP_RX_RING ...). `entries` a power of two. -EINVAL, -ENOMEM.
  int set_ring(RingKind kind, uint32_t entries);
  /// bind(). `flags`: kBind...; `shared`: with kBindSharedUmem, the socket whose UMEM it uses, on
  /// the same queue or, with own fill and completion rings, on another one. -EINVAL, -EBUSY,
  /// -EBADF, -EOPNOTSUPP, or what the driver answers. Without kBindCopy and kBindZeroCopy: zero
  /// copy if the driver can, else copy.
  int bind(NetDevice& device, uint32_t queue, uint32_t flags, Socket* shared = nullptr);
  /// close(): gives up queue and rings. Chunks stay where they are; the driver gives its own back.
  void close();

  /// Where the chunks were when the last socket of the pool was closed, the driver's given back;
  /// nullptr before that.
  const Account* final_account() const {
    return final_account_.has_value() ? &*final_account_ : nullptr;
  }

  bool bound() const { return bound_; }
  bool zero_copy() const { return zero_copy_; }
  uint32_t queue() const { return queue_; }
  NetDevice* device() const { return device_; }
  Umem* umem() { return umem_.get(); }
  Pool* pool() { return pool_.get(); }
  /// nullptr when the socket has none; a shared socket on the same queue uses its partner's fill
  /// and completion ring.
  RingMemory* ring(RingKind kind);
  Statistics statistics() const;

  /// SO_PREFER_BUSY_POLL, SO_BUSY_POLL and SO_BUSY_POLL_BUDGET: sendto, recvfrom and poll run the
  /// queue's NAPI poll on the calling core first. 0: off. `hold`: how long interrupts stay off
  /// after it (napi_defer_hard_irqs with gro_flush_timeout); 0: not.
  void set_busy_poll(int budget, base::Picos hold = base::Picos(0)) {
    busy_poll_budget_ = budget;
    busy_poll_hold_ = hold;
  }

  // System calls, in process context of `process`' core. All are non-blocking but poll().
  /// sendto(MSG_DONTWAIT). Copy mode: -EAGAIN more to send, -EBUSY a packet was dropped.
  int sendto(hal::Process& process);
  /// recvfrom(MSG_DONTWAIT).
  int recvfrom(hal::Process& process);
  /// poll() on this socket. Blocks up to `timeout` (kNever: for ever, 0: not at all) when nothing
  /// is ready. Returns the events that are.
  uint32_t poll(hal::Process& process, uint32_t events, base::Picos timeout);

  // XskTarget: from softirq context.
  int receive(XdpBuff& buff) override;
  int receive_generic(const XdpBuff& buff) override;
  void flush() override;

  uint64_t tx_queued = 0;  ///< copy mode: sk_buffs given to the driver
  uint64_t tx_dropped =
      0;                 ///< copy mode: sk_buffs dropped on the way to it, completed all the same
  uint64_t tx_busy = 0;  ///< copy mode: descriptors put back, the driver was busy
  uint64_t rx_packets = 0;
  uint64_t wakeups = 0;  ///< of the driver

 private:
  friend class Account;
  friend class Pool;
  friend class SendBook;
  enum class Sent : uint8_t { kSent, kStop, kBusy, kDropped };

  int bind_shared(NetDevice& device, uint32_t queue, Socket& shared);
  int bind_own(NetDevice& device, uint32_t queue, uint32_t flags);
  void join(std::shared_ptr<Pool> pool, NetDevice& device, uint32_t queue);
  std::shared_ptr<Pool> make_pool();
  int wake_driver(uint32_t flags);
  bool busy_loop(hal::Process& process);
  void wake_waiter();
  int generic_xmit(hal::Process& process);
  Sent send_one(const Desc& desc);
  SkBuff* build_skb(const Desc& desc, bool& too_long);
  int check_receive(const XdpBuff& buff);
  int copy_in(const XdpBuff& buff);
  int hand_over(Buffer& buffer);
  uint32_t ready_events();

  Sockets& sockets_;
  NetStack& stack_;
  hal::Hal& hal_;
  std::shared_ptr<Umem> umem_;
  std::shared_ptr<Pool> pool_;
  std::unique_ptr<Queue> rx_;
  std::unique_ptr<Queue> tx_;
  std::unique_ptr<Queue> fill_;        // until bind: then the pool's
  std::unique_ptr<Queue> completion_;  // until bind
  NetDevice* device_ = nullptr;
  uint32_t queue_ = 0;
  bool bound_ = false;
  bool zero_copy_ = false;
  int busy_poll_budget_ = 0;
  base::Picos busy_poll_hold_;
  std::shared_ptr<SendBook> book_;
  uint32_t peek_budget_spent_ = 0;
  uint64_t rx_dropped_ = 0;
  uint64_t rx_queue_full_ = 0;
  hal::Process* waiter_ = nullptr;  // blocked in poll()
  std::optional<Account> final_account_;
};

}  // namespace doorbell::stack::xsk
