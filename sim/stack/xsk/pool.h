// The buffer pool of a queue: what a driver with AF_XDP zero copy works with.
//
// One pool for each queue that has sockets: the fill ring and the completion ring with their UMEM,
// and the sockets that send through the queue. A driver gets it from NetDevice::setup_xsk_pool(),
// maps it, takes receive buffers from it and peeks transmit descriptors out of it; what it takes it
// gives back: a buffer by free() or by a redirect to a socket, a descriptor by tx_completed(). In
// copy mode the socket takes the buffers. Costs: XskAlloc, XskFree, XskPeek, XskPeekBatch,
// XskComplete; rings pay for their lines; syncs pay as everywhere. Not modelled: multi-buffer
// packets, Tx metadata. Source: Linux 6.12 net/xdp/xsk_buff_pool.c, xsk.c, xdp_sock_drv.h
// (behaviour).
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "sim/hal/hal.h"
#include "sim/stack/net_stack.h"
#include "sim/stack/xsk/ring.h"
#include "sim/stack/xsk/umem.h"

namespace doorbell::stack::xsk {

class Account;
class Pool;
class Socket;

/// A receive buffer: xdp_buff with what the pool knows about it. Drivers handle the XdpBuff.
struct Buffer : XdpBuff {
  enum class State : uint8_t {
    kIdle,  ///< the chunk is elsewhere: a ring, the application, the wire
    kFree,  ///< in the pool's free list
    kOut,   ///< a driver's, or a socket's for a moment
  };
  uint64_t orig_addr = 0;  ///< of the chunk (aligned mode) or as in the fill ring
  hal::DmaAddr dma = 0;    ///< of the first byte behind the headrooms, mapped pools only
  State state = State::kIdle;
};

struct PoolConfig {
  /// The address of an invalid Tx descriptor comes back through the completion ring, as Linux
  /// 6.12.117 does; false: as before, the application never hears of it again.
  bool reclaim_invalid = true;
};

class Pool : public XskBufferOwner {
 public:
  Pool(NetStack& stack, std::shared_ptr<Umem> umem, std::unique_ptr<Queue> fill,
       std::unique_ptr<Queue> completion, const PoolConfig& config);
  ~Pool() override;
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // Driver, set-up.
  /// xsk_pool_dma_map: maps the whole UMEM without cache maintenance. 0 or -ENOMEM.
  int map(hal::Hal& hal);
  void unmap();
  bool mapped() const { return dma_hal_ != nullptr; }
  /// Bytes a device may write into a buffer.
  uint32_t rx_frame_bytes() const;
  /// Bytes from a buffer's hard start to where the device writes: XDP's and the application's.
  uint32_t rx_headroom() const { return kXdpPacketHeadroom; }
  uint32_t chunk_bytes() const { return umem_->config().chunk_bytes; }
  /// xsk_pool_set_rxq_info: buffers say they came from this queue.
  void set_rxq_info(const RxQueueInfo* rxq);
  uint32_t queue() const { return queue_; }
  NetDevice* device() const { return device_; }

  // Driver, receive.
  /// A buffer with data at its start and data_end to be set; nullptr when the fill ring is empty.
  XdpBuff* alloc();
  /// Up to `max` buffers.
  uint32_t alloc_batch(XdpBuff** out, uint32_t max);
  /// `count` buffers are there.
  bool can_alloc(uint32_t count);
  /// xsk_buff_free: to the pool's free list, not to the fill ring.
  void free(XdpBuff& buff) override;
  /// Where the device writes (xsk_buff_xdp_get_frame_dma) and where data is now.
  hal::DmaAddr frame_dma(const XdpBuff& buff) const;
  hal::DmaAddr dma(const XdpBuff& buff) const;
  /// xsk_buff_set_size: data back to the buffer's start, `bytes` long.
  void set_size(XdpBuff& buff, uint32_t bytes) const;
  /// Before the CPU looks at a received buffer: all of it, whatever was received.
  void sync_for_cpu(const XdpBuff& buff);
  /// xdp_convert_zc_to_xdp_frame: copies it to a page of its own and frees the buffer. nullptr when
  /// there is no page; the buffer stays the caller's.
  XdpFrame* to_frame(XdpBuff& buff) override;

  // Driver, transmit.
  /// One descriptor of one of the queue's sockets, in turn; its completion is reserved.
  bool tx_peek(Desc& desc);
  /// xsk_tx_peek_release_desc_batch: up to `max` descriptors; see tx_descs().
  uint32_t tx_peek_batch(uint32_t max);
  const Desc* tx_descs() const { return tx_descs_.data(); }
  /// xsk_tx_release: after tx_peek(), shows the sockets what was taken.
  void tx_release();
  hal::DmaAddr raw_dma(uint64_t addr) const;
  void raw_sync_for_device(hal::DmaAddr dma, uint32_t bytes);
  /// xsk_tx_completed: the oldest `count` peeked descriptors are done.
  void tx_completed(uint32_t count);

  // Driver, wake-ups.
  bool uses_need_wakeup() const { return uses_need_wakeup_; }
  void set_rx_need_wakeup();
  void clear_rx_need_wakeup();
  void set_tx_need_wakeup();
  void clear_tx_need_wakeup();
  /// kWakeupRx, kWakeupTx: what was set last.
  uint32_t need_wakeup() const { return cached_need_wakeup_; }

  // Accounts and tests.
  Umem& umem() { return *umem_; }
  Queue& fill_ring() { return *fill_; }
  Queue& completion_ring() { return *completion_; }
  /// Buffers that a driver or a socket holds; in the free list.
  uint32_t buffers_out() const { return out_; }
  uint32_t buffers_free() const { return static_cast<uint32_t>(free_.size()); }
  /// Descriptors peeked, or in an sk_buff, and not completed.
  uint32_t tx_outstanding() const {
    return completion_->cached_producer - completion_->ring.peek(kProducerOffset);
  }
  const std::vector<Socket*>& sockets() const { return sockets_; }

 private:
  friend class Account;
  friend class Socket;
  friend class Sockets;

  XdpBuff* take(bool sync);
  Buffer* next_from_fill();
  Buffer& bind_buffer(uint64_t addr);
  void hand_over(Buffer& buffer);
  uint64_t handle_of(const Buffer& buffer) const;
  bool peek_socket(Socket& socket, Desc& desc);
  bool next_valid(Queue& tx, Desc& desc);
  bool reclaim(uint64_t addr);
  uint32_t peek_in_turn(uint32_t max);
  uint32_t read_batch(Queue& tx, uint32_t count);
  void add_socket(Socket& socket);
  void remove_socket(Socket& socket);

  NetStack& stack_;
  hal::Hal& hal_;
  std::shared_ptr<Umem> umem_;
  std::unique_ptr<Queue> fill_;
  std::unique_ptr<Queue> completion_;
  PoolConfig config_;
  hal::Hal* dma_hal_ = nullptr;
  std::vector<hal::DmaAddr> page_dma_;
  std::vector<Buffer> buffers_;  // aligned mode: by chunk
  std::vector<Buffer*> heads_;   // unaligned mode: those not in use
  std::vector<Buffer*> free_;
  uint32_t out_ = 0;
  std::vector<Desc> tx_descs_;
  std::deque<uint32_t> reclaimed_;  // completion indices of invalid descriptors, not yet reported
  std::vector<Socket*> tx_sockets_;
  NetDevice* device_ = nullptr;
  uint32_t queue_ = 0;
  std::vector<Socket*> sockets_;  // bound
  bool uses_need_wakeup_ = false;
  uint32_t cached_need_wakeup_ = 0;
};

}  // namespace doorbell::stack::xsk
