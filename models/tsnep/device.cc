#include "models/tsnep/device.h"

namespace doorbell::tsnep {

Device::Device(base::Calendar& calendar, fabric::DmaPort& dma, const TsnepConfig& config)
    : core(calendar, dma, config),
      irq(core),
      statistics(core),
      gates(core),
      tx(core),
      rx(core),
      link(core) {
  core.irq = &irq;
  core.link = &link;
  core.gates = &gates;
  core.statistics = &statistics;
  core.rx = &rx;
  core.tx_mac = &tx;
  hook_common();
  hook_mac();
  for (unsigned q = 0; q < config.queues; ++q) hook_queue(q);
  initialise();
}

void Device::hook_common() {
  reg::RegFile& r = core.regs;
  r.on_write<&Device::time_written>(reg::kSystemTimeLow, *this);
  r.on_read<&Device::read_time>(reg::kSystemTimeLow, *this);
  r.on_read<&Device::read_time>(reg::kSystemTimeHigh, *this);
  r.on_write<&Device::rate_written>(reg::kClockRate, *this);
  r.on_read<&Device::read_counter>(reg::kCounterLow, *this);
  r.on_read<&Device::read_counter>(reg::kCounterHigh, *this);
  r.on_write<&Interrupts::enable_written>(reg::kIntEnable, irq);
  r.on_read<&Interrupts::read_enable>(reg::kIntEnable, irq);
  r.on_write<&Interrupts::active_written>(reg::kIntActive, irq);
  r.on_read<&Interrupts::read_active>(reg::kIntActive, irq);
  r.on_write<&Device::reset_written>(reg::kReset, *this);
  r.on_write<&Link::status_written>(reg::kStatus, link);
  r.on_read<&Link::read_status>(reg::kStatus, link);
  r.on_write<&Link::command_written>(reg::kMdControl, link);
  r.on_read<&Link::read_command>(reg::kMdControl, link);
  r.on_read<&Statistics::read_stat>(reg::kStat, statistics);
}

void Device::hook_mac() {
  reg::RegFile& r = core.regs;
  for (const uint32_t offset :
       {reg::kMacAddressLow, reg::kMacAddressHigh, reg::kRxAssign, reg::kRxAssignEtherType}) {
    r.on_write<&Device::filter_written>(offset, *this);
  }
  r.on_write<&GateControl::word_written>(reg::kGc, gates);
  r.on_read<&GateControl::read>(reg::kGc, gates);
  r.on_write<&GateControl::list_written>(reg::kGclA, gates);
  r.on_write<&GateControl::list_written>(reg::kGclB, gates);
}

void Device::hook_queue(unsigned queue) {
  reg::RegFile& r = core.regs;
  r.on_write<&Device::control_written>(reg::control(queue), *this);
  r.on_read<&Device::read_control>(reg::control(queue), *this);
  r.on_write<&Device::tx_address_written>(reg::tx_desc_addr_low(queue), *this);
  r.on_write<&Device::tx_address_written>(reg::tx_desc_addr_high(queue), *this);
  r.on_write<&Device::rx_address_written>(reg::rx_desc_addr_low(queue), *this);
  r.on_write<&Device::rx_address_written>(reg::rx_desc_addr_high(queue), *this);
  r.on_read<&Statistics::read_queue>(reg::rx_statistic(queue), statistics);
}

// What reads as more than the table's reset values.
void Device::initialise() {
  constexpr uint32_t kVersion = 2;  // assumption: software only reports them
  constexpr uint32_t kRevision = 1;
  core.regs.poke(reg::kType, kRevision | reg::put_field(type::kVersion, kVersion) |
                                 reg::put_field(type::kQueueCount, core.config.queues & 7) |
                                 (core.config.gate_control ? type::kGateControl : 0));
  rx.reload();
}

void Device::restore(uint32_t begin, uint32_t end) {
  for (const reg::RegSpec& row : core.regs.table()) {
    if (row.offset < begin || row.offset >= end) continue;
    for (uint32_t i = 0; i < row.count; ++i) core.regs.poke(row.offset + i * row.stride, row.reset);
  }
}

void Device::reset(uint32_t which) {
  if ((which & reset::kTxRx) != 0) {
    for (unsigned q = 0; q < core.config.queues; ++q) {
      const uint32_t block = reg::queue_block(q);
      restore(block + reg::kQueueControl, block + reg::kQueueRxStatistic + 4);
      tx.queue(q).reset();
      rx.reset(q);
      statistics.reset_queue(q);
    }
    tx.plan();
  }
  if ((which & reset::kChannel) != 0) {
    restore(reg::kMacAddressLow, reg::kGclB + 0x800);
    gates.reset();
    rx.reload();
  }
  if ((which & reset::kCommon) != 0) {
    gates.catch_up();
    restore(reg::kSystemTimeLow, reg::kQueueInfo);
    irq.reset();
    link.reset();
    statistics.reset_common();
    core.clock.reset(core.now());
    gates.time_changed();
  }
}

reg::Status Device::read(uint32_t offset, uint32_t size, uint32_t& value) {
  if (!there(offset)) return reg::Status::kUnmapped;
  if (size == 4) {
    const reg::ReadResult result = core.regs.read(offset, 4);
    value = result.value;
    return result.status;
  }
  if (!reg::narrow_access(offset, size)) {
    return core.regs.mapped(offset & ~3u) ? reg::Status::kBadSize : reg::Status::kUnmapped;
  }
  const unsigned shift = 8 * (offset & 3);
  const uint32_t mask = size == 1 ? 0xFF : 0xFFFF;
  statistics.set_lanes(mask << shift);
  const reg::ReadResult result = core.regs.read(offset & ~3u, 4);
  statistics.set_lanes(0xFFFFFFFF);
  value = result.value >> shift & mask;
  return result.status;
}

reg::Status Device::write(uint32_t offset, uint32_t size, uint32_t value) {
  if (!there(offset)) return reg::Status::kUnmapped;
  gates.catch_up();
  if (size == 4) return core.regs.write(offset, 4, value);
  if (!reg::narrow_access(offset, size)) {
    return core.regs.mapped(offset & ~3u) ? reg::Status::kBadSize : reg::Status::kUnmapped;
  }
  if (offset == reg::kGc) {
    gates.command(static_cast<uint8_t>(value));
    return reg::Status::kOk;
  }
  const unsigned shift = 8 * (offset & 3);
  const uint32_t mask = (size == 1 ? 0xFFu : 0xFFFFu) << shift;
  const uint32_t before = core.regs.peek(offset & ~3u);
  return core.regs.write(offset & ~3u, 4, (before & ~mask) | (value << shift & mask));
}

void Device::time_written(const reg::WriteEvent& event) {
  core.clock.set_time(core.now(), uint64_t{core.value(reg::kSystemTimeHigh)} << 32 | event.written);
  gates.time_changed();
}

void Device::rate_written(const reg::WriteEvent& event) {
  core.clock.set_rate(core.now(), event.written);
  gates.time_changed();
}

uint32_t Device::read_time(uint32_t offset, uint32_t) {
  const uint64_t time = core.clock.time(core.now());
  return static_cast<uint32_t>(offset == reg::kSystemTimeHigh ? time >> 32 : time);
}

uint32_t Device::read_counter(uint32_t offset, uint32_t) {
  const uint64_t time = SystemClock::counter(core.now());
  return static_cast<uint32_t>(offset == reg::kCounterHigh ? time >> 32 : time);
}

// Resets first, then stop, then start.
void Device::control_written(const reg::WriteEvent& event) {
  const unsigned queue = queue_of(event.offset);
  if ((event.written & control::kTxReset) != 0) {
    tx.queue(queue).reset();
    tx.plan();
  }
  if ((event.written & control::kRxReset) != 0) rx.reset(queue);
  if ((event.written & control::kRxDisable) != 0) rx.disable(queue);
  if ((event.written & control::kTxEnable) != 0) tx.queue(queue).enable();
  if ((event.written & control::kRxEnable) != 0) rx.enable(queue);
}

uint32_t Device::read_control(uint32_t offset, uint32_t) {
  const unsigned queue = queue_of(offset);
  return tx.queue(queue).control() | rx.control(queue);
}

void Device::tx_address_written(const reg::WriteEvent& event) {
  const unsigned queue = queue_of(event.offset);
  const bool low = event.offset == reg::tx_desc_addr_low(queue);
  const uint64_t address = uint64_t{core.value(reg::tx_desc_addr_high(queue))} << 32 |
                           (core.value(reg::tx_desc_addr_low(queue)) & desc_addr::kAddress);
  tx.queue(queue).set_address(address, low && (event.written & desc_addr::kResetOwnerCounter) != 0);
}

void Device::rx_address_written(const reg::WriteEvent& event) {
  const unsigned queue = queue_of(event.offset);
  const bool low = event.offset == reg::rx_desc_addr_low(queue);
  const uint64_t address = uint64_t{core.value(reg::rx_desc_addr_high(queue))} << 32 |
                           (core.value(reg::rx_desc_addr_low(queue)) & desc_addr::kAddress);
  rx.set_address(queue, address, low && (event.written & desc_addr::kResetOwnerCounter) != 0);
}

}  // namespace doorbell::tsnep
