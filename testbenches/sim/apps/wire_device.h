// A device on the simulated machine, with the rules of a real driver where an application meets
// them: 255 descriptors, 64-byte frames on a gigabit wire, interrupts 64 us after the first event,
// masked while polling, and a look for more after they are enabled again.
#pragma once

#include <algorithm>
#include <cerrno>
#include <deque>
#include <vector>

#include "sim/hal/checks/check_state.h"
#include "sim/hal/simulated/executive.h"
#include "sim/hal/simulated/machine.h"
#include "sim/hal/simulated/sim_memory.h"
#include "sim/hal/simulated/sim_mmio.h"
#include "sim/stack/xsk/pool.h"
#include "testbenches/sim/apps/fillers.h"

namespace doorbell::apps {

class WireDevice : public stack::NetDevice, public hal::NapiPoll, public hal::IrqHandler {
 public:
  static constexpr uint32_t kSlots = 255;
  static constexpr uint32_t kSpare = 18;
  static constexpr uint32_t kCleanBudget = 128;
  static constexpr unsigned kLine = 32;
  static constexpr base::Picos kSlotTime{672000};
  static constexpr base::Picos kIrqDelay{64000000};

  WireDevice(hal::Machine& machine, hal::Hal& hal, stack::NetStack& stack,
             hal::checks::CheckState& checks)
      : NetDevice(hal, 1, base::Picos(2000000000000)),
        machine_(machine),
        hal_(hal),
        stack_(stack),
        checks_(checks) {
    info_.device = this;
    irq_.bind<&WireDevice::raise>(*this);
  }
  const char* name() const override { return "wire"; }
  int open() override {
    hal_.napi.add(*this, 64);
    hal_.napi.enable();
    hal_.irq.request(0, *this);
    set_running(true);
    set_carrier(true);
    return 0;
  }
  void stop() override {
    hal_.napi.disable();
    set_carrier(false);
    set_running(false);
  }
  stack::TxStatus xmit(stack::SkBuff& skb, uint16_t) override {
    if (tx_.size() >= kSlots - kSpare) {
      stop_queue(0);
      return stack::TxStatus::kBusy;
    }
    hal_.cpu.charge(hal::Op::kDriverTx);
    send({skb.data, skb.length()}, &skb);
    return stack::TxStatus::kOk;
  }
  int xdp_xmit(stack::XdpFrame* const*, int) override { return -EOPNOTSUPP; }
  uint16_t select_queue(const stack::SkBuff&) override { return 0; }
  void tx_timeout(uint16_t) override {}
  int set_xdp_program(stack::XdpProgram* program) override {
    program_ = program;
    return 0;
  }
  bool accepts_xdp_frames() const override { return false; }
  hal::Napi* queue_napi(uint32_t) override { return &hal_.napi; }
  int setup_xsk_pool(stack::xsk::Pool* pool, uint32_t) override {
    if (pool_ != nullptr && pool == nullptr) {
      for (stack::XdpBuff* buff : rx_ring_) pool_->free(*buff);
      rx_ring_.clear();
      const auto left = static_cast<uint32_t>(tx_.size());
      tx_.clear();
      pool_->tx_completed(left);
      pool_->unmap();
    }
    pool_ = pool;
    if (pool_ == nullptr) return 0;
    if (const int error = pool_->map(hal_)) return error;
    pool_->set_rxq_info(&info_);
    return 0;
  }
  int xsk_wakeup(uint32_t, uint32_t) override {
    hal_.napi.schedule();
    return 0;
  }
  bool handle_irq(unsigned) override {
    machine_.interrupts().set_level(kLine, false, hal_.cpu.now());
    ++irqs;
    if (hal_.napi.schedule()) irq_enabled_ = false;
    return true;
  }
  int poll(int budget) override {
    ++polls;
    ++polls_on[hal_.cpu.id()];
    const bool clean_done = clean();
    const int received = pool_ != nullptr ? receive(budget) : 0;
    if (!clean_done || received == budget) return budget;
    if (hal_.napi.complete(received)) {
      irq_enabled_ = true;
      if (pending()) {
        irq_enabled_ = false;
        hal_.napi.schedule();
      } else {
        arm();
      }
    }
    return received;
  }

  /// Frames start to arrive now, one each `gap`, `count` in all.
  void arrive(base::Picos gap, uint64_t count) {
    rx_gap_ = gap;
    rx_left_ = count;
    rx_next_ = hal_.cpu.now() + gap;
    refill();
    arm();
  }

  std::vector<uint64_t> sent;  // numbers in the frames, in order
  std::vector<base::Picos> sent_at;
  uint64_t irqs = 0;
  uint64_t polls = 0;
  uint64_t polls_on[4] = {};
  uint64_t rx_taken = 0;
  uint64_t rx_missed = 0;  // no buffer in the ring

 private:
  struct Slot {
    base::Picos done;
    stack::SkBuff* skb;
  };

  void send(base::ByteView frame, stack::SkBuff* skb) {
    wire_free_ = base::max(wire_free_, hal_.cpu.now()) + kSlotTime;
    tx_.push_back({wire_free_, skb});
    sent.push_back(CountingFiller::number_of(frame.data));
    sent_at.push_back(wire_free_);
    if (tx_.size() == 1) arm();
  }
  // True: there may be no more to clean.
  bool clean() {
    uint32_t done = 0;
    while (done < kCleanBudget && !tx_.empty() && tx_.front().done <= hal_.cpu.now()) {
      hal_.cpu.charge(hal::Op::kDriverClean);
      if (tx_.front().skb != nullptr) stack_.skbs().free(*tx_.front().skb);
      tx_.pop_front();
      ++done;
    }
    wake_queue(0);
    if (pool_ == nullptr) return done < kCleanBudget;
    if (done > 0) pool_->tx_completed(done);
    if (pool_->uses_need_wakeup()) pool_->set_tx_need_wakeup();
    const auto free = kSlots - static_cast<uint32_t>(tx_.size());
    if (free <= kSpare) return done < kCleanBudget;
    const uint32_t count = pool_->tx_peek_batch(free - kSpare);
    for (uint32_t i = 0; i < count; ++i) {
      const stack::xsk::Desc& desc = pool_->tx_descs()[i];
      pool_->raw_sync_for_device(pool_->raw_dma(desc.addr), desc.len);
      hal_.cpu.charge(hal::Op::kDriverTx);
    }
    for (uint32_t i = 0; i < count; ++i) {
      const stack::xsk::Desc& desc = pool_->tx_descs()[i];
      checks_.device_read(pool_->raw_dma(desc.addr), desc.len, hal_.cpu.now(), &machine_.cache());
      send({machine_.memory().pointer(pool_->raw_dma(desc.addr)), desc.len}, nullptr);
    }
    return done < kCleanBudget;
  }
  void refill() {
    while (pool_ != nullptr && rx_ring_.size() < kSlots) {
      stack::XdpBuff* buff = pool_->alloc();
      if (buff == nullptr) break;
      rx_ring_.push_back(buff);
    }
    if (pool_ == nullptr || !pool_->uses_need_wakeup()) return;
    if (rx_ring_.size() < kSlots) {
      pool_->set_rx_need_wakeup();
    } else {
      pool_->clear_rx_need_wakeup();
    }
  }
  // What came since the last look is in the ring's first buffers; what found none is lost.
  void take_arrivals() {
    while (rx_left_ > 0 && rx_next_ <= hal_.cpu.now()) {
      --rx_left_;
      rx_next_ += rx_gap_;
      if (filled_ < rx_ring_.size()) {
        ++filled_;
      } else {
        ++rx_missed;
      }
    }
  }
  int receive(int budget) {
    take_arrivals();
    int done = 0;
    for (; done < budget && filled_ > 0; ++done) {
      stack::XdpBuff& buff = *rx_ring_.front();
      rx_ring_.pop_front();
      --filled_;
      hal_.cpu.charge(hal::Op::kDriverRx);
      uint8_t* frame = machine_.memory().pointer(pool_->frame_dma(buff));
      base::store_le<uint64_t>(frame + 16, rx_taken);
      checks_.device_write(pool_->frame_dma(buff), {frame, 60}, hal_.cpu.now(), hal_.cpu.now(),
                           &machine_.cache());
      pool_->set_size(buff, 60);
      pool_->sync_for_cpu(buff);
      ++rx_taken;
      stack::XdpContext context{hal_};
      program_->run(buff, context);
      if (stack_.redirector().redirect(buff, context) != 0) pool_->free(buff);
    }
    if (done > 0) stack_.redirector().flush();
    refill();
    return done;
  }
  bool pending() {
    take_arrivals();
    return filled_ > 0 || (!tx_.empty() && tx_.front().done <= hal_.cpu.now());
  }
  // The interrupt comes 64 us after the first event from now on.
  void arm() {
    if (irq_.pending()) return;
    base::Picos first = base::kNever;
    if (!tx_.empty()) first = tx_.front().done;
    if (rx_left_ > 0) first = base::min(first, rx_next_);
    if (first == base::kNever) return;
    machine_.calendar().schedule(irq_, base::max(first, hal_.cpu.now()) + kIrqDelay);
  }
  void raise() {
    const base::Picos now = machine_.calendar().now();
    if (irq_enabled_) machine_.interrupts().set_level(kLine, true, now);
    // Another one while frames are on their way: nobody may have looked at this one.
    if (!tx_.empty() || rx_left_ > 0) machine_.calendar().schedule(irq_, now + kIrqDelay);
  }
  hal::Machine& machine_;
  hal::Hal& hal_;
  stack::NetStack& stack_;
  hal::checks::CheckState& checks_;
  stack::RxQueueInfo info_;
  stack::XdpProgram* program_ = nullptr;
  stack::xsk::Pool* pool_ = nullptr;
  std::deque<Slot> tx_;
  std::deque<stack::XdpBuff*> rx_ring_;
  size_t filled_ = 0;
  base::Picos rx_gap_;
  base::Picos rx_next_;
  uint64_t rx_left_ = 0;
  base::Picos wire_free_;
  base::Event irq_;
  bool irq_enabled_ = true;
};

}  // namespace doorbell::apps
