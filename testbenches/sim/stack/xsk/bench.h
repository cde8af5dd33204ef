// A host with one device and one AF_XDP socket on it, under the scripted HAL.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/hal/scripted/scripted_hal.h"
#include "sim/stack/xsk/socket.h"
#include "sim/stack/xsk/xsk_map.h"

namespace doorbell::stack::xsk {

/// A device that takes sk_buffs, and does zero copy if it is told that it can. Its receive ring and
/// its transmit ring are lists that the test fills and empties.
class FakeXskDevice : public NetDevice {
 public:
  explicit FakeXskDevice(hal::Hal& hal, uint32_t queues = 2)
      : NetDevice(hal, queues, base::Picos(2000000000000)), hal_(hal), info_(queues) {
    for (uint32_t i = 0; i < queues; ++i) {
      info_[i].device = this;
      info_[i].index = i;
    }
  }
  const char* name() const override { return "fake"; }
  int open() override {
    set_running(true);
    set_carrier(true);
    return 0;
  }
  void stop() override {
    set_carrier(false);
    set_running(false);
  }
  void carrier(bool up) { set_carrier(up); }
  TxStatus xmit(SkBuff& skb, uint16_t queue) override {
    if (busy) return TxStatus::kBusy;
    skbs.push_back(&skb);
    sent_queue = queue;
    return TxStatus::kOk;
  }
  int xdp_xmit(XdpFrame* const* frames, int count) override {
    for (int i = 0; i < count; ++i) xdp_frames.push_back(frames[i]);
    return count;
  }
  uint16_t select_queue(const SkBuff&) override { return 0; }
  void tx_timeout(uint16_t) override {}
  int set_xdp_program(XdpProgram*) override { return 0; }
  bool accepts_xdp_frames() const override { return true; }
  hal::Napi* queue_napi(uint32_t) override { return napi; }

  int setup_xsk_pool(Pool* next, uint32_t queue) override {
    ++setups;
    if (!zero_copy) return -EOPNOTSUPP;
    if (setup_error != 0) return setup_error;
    if (pool != nullptr && next == nullptr) {
      for (XdpBuff* buff : rx_ring) pool->free(*buff);
      rx_ring.clear();
      if (pool->tx_outstanding() > 0) pool->tx_completed(static_cast<uint32_t>(tx_ring.size()));
      tx_ring.clear();
      if (pool->mapped()) pool->unmap();
    }
    pool = next;
    if (pool != nullptr && maps) {
      if (const int error = pool->map(hal_)) {
        pool = nullptr;
        return error;
      }
      pool->set_rxq_info(&info_[queue]);
    }
    return 0;
  }
  int xsk_wakeup(uint32_t queue, uint32_t flags) override {
    woken.push_back({queue, flags});
    if (on_wakeup) on_wakeup();
    return wakeup_error;
  }

  /// Takes buffers until there are `count` in the ring. How many there are then.
  size_t refill(size_t count) {
    while (rx_ring.size() < count) {
      XdpBuff* buff = pool->alloc();
      if (buff == nullptr) break;
      rx_ring.push_back(buff);
    }
    return rx_ring.size();
  }
  /// The next buffer, received into.
  XdpBuff& receive(base::ByteView packet, hal::ScriptedHal& host) {
    XdpBuff& buff = *rx_ring.front();
    rx_ring.pop_front();
    host.device_write(pool->frame_dma(buff), packet);
    pool->set_size(buff, static_cast<uint32_t>(packet.size));
    pool->sync_for_cpu(buff);
    return buff;
  }
  const RxQueueInfo& info(uint32_t queue) const { return info_[queue]; }

  bool busy = false;
  bool zero_copy = false;
  bool maps = true;
  int setup_error = 0;
  int wakeup_error = 0;
  int setups = 0;
  uint16_t sent_queue = 99;
  hal::Napi* napi = nullptr;
  Pool* pool = nullptr;
  std::deque<SkBuff*> skbs;
  std::vector<XdpFrame*> xdp_frames;
  std::deque<XdpBuff*> rx_ring;
  std::deque<Desc> tx_ring;
  struct Wakeup {
    uint32_t queue;
    uint32_t flags;
  };
  std::vector<Wakeup> woken;
  std::function<void()> on_wakeup;

 private:
  hal::Hal& hal_;
  std::vector<RxQueueInfo> info_;
};

struct Bench {
  static constexpr uint32_t kChunk = 2048;

  Bench() : stack(hal), device(hal), sockets(stack, host.shared()) {
    stack.register_device(device);
    device.open();
  }
  ~Bench() {
    for (const std::string& failure : host.failures()) ADD_FAILURE() << failure;
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;
  /// A socket with all rings, not bound.
  std::unique_ptr<Socket> make(uint32_t chunks = 16, uint32_t entries = 8, uint32_t flags = 0,
                               uint32_t headroom = 0) {
    auto socket = std::make_unique<Socket>(sockets);
    UmemConfig umem;
    umem.bytes = chunks * kChunk;
    umem.chunk_bytes = kChunk;
    umem.flags = flags;
    umem.headroom = headroom;
    EXPECT_EQ(socket->register_umem(umem), 0);
    for (const RingKind kind :
         {RingKind::kFill, RingKind::kCompletion, RingKind::kRx, RingKind::kTx}) {
      EXPECT_EQ(socket->set_ring(kind, entries), 0);
    }
    return socket;
  }
  std::unique_ptr<Socket> bound(uint32_t bind_flags, uint32_t chunks = 16, uint32_t entries = 8) {
    auto socket = make(chunks, entries);
    EXPECT_EQ(socket->bind(device, 0, bind_flags), 0);
    return socket;
  }
  std::unique_ptr<Socket> zero_copy(uint32_t chunks = 16, uint32_t entries = 8) {
    device.zero_copy = true;
    return bound(kBindZeroCopy | kBindNeedWakeup, chunks, entries);
  }
  /// A received packet in a page of a page pool; the pool is the test's.
  XdpBuff page_buff(PagePool& pool, uint32_t bytes, uint8_t first = 0x40, uint32_t queue = 0) {
    XdpBuff buff;
    buff.page = pool.alloc();
    buff.data_hard_start = buff.page->data;
    buff.data = buff.data_meta = buff.page->data + kXdpPacketHeadroom;
    buff.data_end = buff.data + bytes;
    buff.rxq = &device.info(queue);
    hal.dma.touch(buff.data, bytes, hal::Touch::kWrite);
    for (uint32_t i = 0; i < bytes; ++i) buff.data[i] = static_cast<uint8_t>(first + i);
    return buff;
  }
  PagePoolParams pool_params() const {
    PagePoolParams params;
    params.offset = 256;
    params.max_len = 3520;
    return params;
  }

  hal::ScriptedHal host{32u << 20};
  hal::Hal hal = host.hal();
  NetStack stack;
  FakeXskDevice device;
  Sockets sockets;
};

/// The application's side of a socket's rings.
struct User {
  explicit User(Socket& s)
      : socket(s),
        fill(*s.ring(RingKind::kFill)),
        completion(*s.ring(RingKind::kCompletion)),
        rx(*s.ring(RingKind::kRx)),
        tx(*s.ring(RingKind::kTx)) {}
  void give(uint64_t addr) {
    uint32_t index = 0;
    ASSERT_TRUE(fill.reserve(1, index));
    fill.set_addr(index, addr);
    fill.submit(1);
  }
  void send(const Desc& desc) {
    uint32_t index = 0;
    ASSERT_TRUE(tx.reserve(1, index));
    tx.set_desc(index, desc);
    tx.submit(1);
  }
  std::vector<Desc> received() {
    std::vector<Desc> list;
    uint32_t index = 0;
    const uint32_t count = rx.peek(64, index);
    for (uint32_t i = 0; i < count; ++i) list.push_back(rx.desc(index + i));
    if (count > 0) rx.release(count);
    return list;
  }
  std::vector<uint64_t> completed() {
    std::vector<uint64_t> list;
    uint32_t index = 0;
    const uint32_t count = completion.peek(64, index);
    for (uint32_t i = 0; i < count; ++i) list.push_back(completion.addr(index + i));
    if (count > 0) completion.release(count);
    return list;
  }
  Socket& socket;
  UserProducer fill;
  UserConsumer completion;
  UserConsumer rx;
  UserProducer tx;
};

}  // namespace doorbell::stack::xsk
