#include "models/tsnep/tsnep_config.h"

namespace doorbell::tsnep {

TsnepConfig tsnep_config(const base::ParamSet& nic) {
  const auto number = [&nic](std::string_view name) {
    return static_cast<unsigned>(nic.integer(name));
  };
  const auto bytes = [&nic](std::string_view name) {
    return static_cast<uint32_t>(nic.bytes(name));
  };
  TsnepConfig c;
  c.queues = number("queues");
  c.gate_control = nic.boolean("gate_control");
  c.tx_fifo_bytes = bytes("tx_fifo");
  c.rx_fifo_bytes = bytes("rx_fifo");
  c.tx_prefetch = number("tx_prefetch");
  c.rx_prefetch = number("rx_prefetch");
  c.tx_cut_through = nic.choice("tx_forwarding") == "cut-through";
  c.tx_start_bytes = bytes("tx_start");
  c.rx_cut_through = nic.choice("rx_forwarding") == "cut-through";
  c.writeback_bytes = nic.choice("writeback") == "4" ? 4 : 32;
  c.writeback_at_start = nic.choice("tx_writeback") == "started";
  const std::string_view priority = nic.choice("tx_priority");
  c.tx_priority = priority == "round-robin"    ? TxPriority::kRoundRobin
                  : priority == "lowest-first" ? TxPriority::kLowestFirst
                                               : TxPriority::kHighestFirst;
  c.gate_guards_frame = nic.choice("gate_guard") == "frame";
  c.rx_looks_with_frames = nic.choice("rx_idle") == "frame";
  c.keep_disabled_interrupts = nic.choice("int_while_disabled") == "kept";
  const std::string_view statistics = nic.choice("statistics");
  c.statistics = statistics == "saturate"        ? StatisticsMode::kSaturate
                 : statistics == "clear-on-read" ? StatisticsMode::kClearOnRead
                                                 : StatisticsMode::kWrap;
  c.tx_mac_time = nic.time("tx_mac_time");
  c.rx_mac_time = nic.time("rx_mac_time");
  c.doorbell_time = nic.time("doorbell_time");
  c.step_time = nic.time("step_time");
  c.mdc = nic.frequency("mdc_clock");
  c.phy_address = number("phy_address");
  c.autoneg_time = nic.time("autoneg_time");
  return c;
}

}  // namespace doorbell::tsnep
