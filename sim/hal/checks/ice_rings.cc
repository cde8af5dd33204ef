#include "sim/hal/checks/ice_rings.h"

#include <algorithm>

#include "models/ice/ice_adminq.h"
#include "models/ice/ice_limits.h"
#include "models/ice/ice_regs.h"

namespace doorbell::hal::checks {

namespace hw = doorbell::ice;

RingSpec ice_tx_ring(const std::string& name, unsigned queue, DmaAddr base, uint32_t count,
                     uint32_t report_every) {
  RingSpec spec;
  spec.name = name;
  spec.handing = Handing::kTail;
  spec.direction = DmaDir::kToDevice;
  spec.stride = hw::kTxDescBytes;
  spec.count = count;
  spec.base = base;
  spec.address = {hw::kTxOffAddress, 8};
  spec.length = {hw::kTxOffQw1, 8, hw::kTxSizeShift, 0x3FFF};
  spec.control = {hw::kTxOffQw1, 8};
  spec.no_buffer_mask = hw::kTxDtypeMask;  // of all types only data is 0
  spec.report_mask = hw::kTxRsBit;
  spec.done = {hw::kTxOffQw1, 8};
  spec.done_mask = hw::kTxDtypeMask;
  spec.done_value = hw::kTxDoneQw1;
  spec.doorbell_register = hw::reg::qtx_comm_dbell(queue);
  spec.doorbell_is_index = true;
  spec.alone_in_block = true;
  spec.report_every = report_every;
  spec.running = true;
  return spec;
}

RingSpec ice_rx_ring(const std::string& name, unsigned queue, DmaAddr base, uint32_t count,
                     uint32_t buffer_bytes, bool load_barrier) {
  RingSpec spec;
  spec.name = name;
  spec.handing = Handing::kTail;
  spec.direction = DmaDir::kFromDevice;
  spec.stride = hw::kRxDescBytes;
  spec.count = count;
  spec.base = base;
  spec.address = {hw::kRxOffPacket, 8};
  spec.buffer_bytes = buffer_bytes;
  spec.done = {hw::kRxOffStatus0, 2};
  spec.done_mask = spec.done_value = hw::rx_status0::kDd;
  spec.doorbell_register = hw::reg::qrx_tail(queue);
  spec.doorbell_is_index = true;
  spec.doorbell_step = hw::kRxTailStep;
  spec.alone_in_block = true;
  spec.load_barrier = load_barrier;
  spec.running = true;
  return spec;
}

IceRings::IceRings(CheckedHal& hal, const IceRingsConfig& config) : hal_(hal), config_(config) {
  hal_.set_watch(this);
}

IceRings::~IceRings() {
  hal_.set_watch(nullptr);
}

std::string IceRings::tx_name(unsigned queue) const {
  return config_.name + " tx" + std::to_string(queue);
}

std::string IceRings::rx_name(unsigned queue) const {
  return config_.name + " rx" + std::to_string(queue);
}

void IceRings::register_write(uint32_t offset, uint32_t value, const When& when) {
  namespace reg = hw::reg;
  if (offset == reg::kPfFwAtqt) {
    admin_doorbell(value & hw::kFwQueueIndex, when);
  } else if (offset == reg::kPfFwAtqbal) {
    admin_base_ = (admin_base_ >> 32 << 32) | (value & hw::kFwBaseLow);
  } else if (offset == reg::kPfFwAtqbah) {
    admin_base_ = (admin_base_ & 0xFFFFFFFF) | uint64_t{value} << 32;
  } else if (offset == reg::kPfFwAtqlen) {
    admin_length_ = (value & hw::fw_qlen::kEnable) != 0 ? value & hw::fw_qlen::kLen : 0;
  } else if (offset >= reg::kQrxContext && offset < reg::kQrxContext + 8 * 8192) {
    const uint32_t at = offset - reg::kQrxContext;
    rx_contexts_[at % 8192 / 4][at / 8192] = value;
  } else if (offset >= reg::kQrxCtrl && offset < reg::kQrxCtrl + 4 * hw::kRxQueues) {
    rx_control((offset - reg::kQrxCtrl) / 4, value, when);
  } else if ((offset == reg::kPfgenCtrl && (value & hw::kPfgenCtrlPfswr) != 0) ||
             (offset == reg::kGlgenRtrig && value != 0)) {
    hal_.stop_rings(when.at);
    rx_enabled_.clear();
  }
}

void IceRings::rx_control(unsigned queue, uint32_t value, const When& when) {
  const bool on = (value & hw::qrx_ctrl::kQenaReq) != 0;
  if (on == rx_enabled_[queue]) return;
  rx_enabled_[queue] = on;
  if (!on) {
    hal_.stop_ring(rx_name(queue), when.at);
    return;
  }
  uint8_t bytes[hw::kRxContextBytes];
  for (unsigned i = 0; i < hw::kRxContextWords; ++i) {
    base::store_le(bytes + 4 * i, rx_contexts_[queue][i]);
  }
  const hw::IceRxContext context = hw::decode_rx_context_bytes(bytes);
  if (context.qlen == 0) return;  // the device refuses it
  RingSpec spec = ice_rx_ring(rx_name(queue), queue, context.base << hw::kRingBaseShift,
                              context.qlen, context.dbuf * hw::kRxBufferUnit, config_.load_barrier);
  hal_.add_ring(spec, when);
}

void IceRings::admin_doorbell(uint32_t tail, const When& when) {
  if (admin_length_ != 0 && tail < admin_length_) {
    while (admin_tail_ != tail) {
      const uint8_t* descriptor = hal_.state().blocks().bytes(
          admin_base_ + uint64_t{admin_tail_} * hw::kAqDescBytes, hw::kAqDescBytes);
      if (descriptor != nullptr) command(descriptor, when);
      admin_tail_ = admin_tail_ + 1 >= admin_length_ ? 0 : admin_tail_ + 1;
    }
  }
  admin_tail_ = tail;  // set up before the queue is enabled
}

void IceRings::command(const uint8_t* descriptor, const When& when) {
  const hw::IceAqDesc d = hw::decode_aq(descriptor);
  if (d.opcode != hw::aq_op::kAddTxQueues && d.opcode != hw::aq_op::kDisableTxQueues) return;
  const uint8_t* buffer = hal_.state().blocks().bytes(d.buffer(), d.datalen);
  if (buffer == nullptr) return;
  if (d.opcode == hw::aq_op::kAddTxQueues) {
    add_queues(buffer, d.datalen, d.param[0] & 0xFF, when);
  } else {
    disable_queues(buffer, d.datalen, d.param[0] >> 8 & 0xFF, when);
  }
}

void IceRings::add_queues(const uint8_t* buffer, uint32_t bytes, unsigned groups,
                          const When& when) {
  uint32_t at = 0;
  for (unsigned g = 0; g < groups && at + hw::kAqTxGroupBytes <= bytes; ++g) {
    const unsigned queues = buffer[at + 4];
    at += hw::kAqTxGroupBytes;
    for (unsigned n = 0; n < queues && at + hw::kAqTxQueueBytes <= bytes; ++n) {
      const unsigned queue = base::load_le<uint16_t>(buffer + at + hw::aq_txq::kId);
      const hw::IceTxContext context =
          hw::decode_tx_context_bytes(buffer + at + hw::aq_txq::kContext);
      at += hw::kAqTxQueueBytes;
      if (context.qlen == 0 || queue >= hw::kTxQueues) continue;
      hal_.add_ring(ice_tx_ring(tx_name(queue), queue, context.base << hw::kRingBaseShift,
                                context.qlen, config_.report_every),
                    when);
    }
  }
}

void IceRings::disable_queues(const uint8_t* buffer, uint32_t bytes, unsigned groups,
                              const When& when) {
  constexpr uint32_t kHeader = 6;  // parent, number of queues, reserved
  uint32_t at = 0;
  for (unsigned g = 0; g < groups && at + kHeader <= bytes; ++g) {
    const unsigned queues = buffer[at + 4];
    at += kHeader;
    for (unsigned n = 0; n < queues && at + 2 <= bytes; ++n, at += 2) {
      hal_.stop_ring(tx_name(base::load_le<uint16_t>(buffer + at)), when.at);
    }
    if (queues % 2 == 0) at += 2;
  }
}

}  // namespace doorbell::hal::checks
