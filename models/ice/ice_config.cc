#include "models/ice/ice_config.h"

namespace doorbell::ice {
namespace {

TxWriteback writeback_of(std::string_view word) {
  if (word == "immediate") return TxWriteback::kImmediate;
  if (word == "line-full") return TxWriteback::kLineFull;
  if (word == "engine") return TxWriteback::kEngine;
  return TxWriteback::kLineMerge;
}

UpArbiter arbiter_of(std::string_view word) {
  if (word == "rx-first") return UpArbiter::kRxFirst;
  if (word == "age") return UpArbiter::kAge;
  return UpArbiter::kRoundRobin;
}

}  // namespace

IceConfig ice_config(const base::ParamSet& nic) {
  const auto number = [&nic](std::string_view name) {
    return static_cast<unsigned>(nic.integer(name));
  };
  const auto bytes = [&nic](std::string_view name) {
    return static_cast<uint32_t>(nic.bytes(name));
  };
  IceConfig c;
  c.tx_writeback = writeback_of(nic.choice("tx_writeback"));
  c.tx_writeback_service = nic.time("tx_writeback_service");
  c.tx_report_sent = nic.choice("tx_report") == "sent";
  c.tx_fetch_threshold = number("tx_fetch_threshold");
  c.tx_fetch_max = number("tx_fetch_max");
  c.tx_fetch_align = nic.boolean("tx_fetch_align");
  c.tx_cache = number("tx_cache");
  c.rx_fetch = number("rx_fetch");
  c.rx_cache = number("rx_cache");
  c.quantum = bytes("quantum");
  c.tx_reads = number("tx_reads");
  c.tx_buffer = bytes("tx_buffer");
  c.rx_buffer = bytes("rx_buffer");
  c.rx_drop = nic.choice("rx_no_descriptor") == "drop";
  c.rx_merge = nic.boolean("rx_merge");
  c.itr_from_event = nic.choice("itr_rule") == "from-event";
  c.clearpba_forgets = nic.choice("clearpba") == "events";
  c.up_arbiter = arbiter_of(nic.choice("up_arbiter"));
  c.mdd_own_mac = nic.boolean("mdd_own_mac");
  c.doorbell_time = nic.time("doorbell_time");
  c.tx_schedule_time = nic.time("tx_schedule_time");
  c.tx_pipeline_time = nic.time("tx_pipeline_time");
  c.rx_pipeline_time = nic.time("rx_pipeline_time");
  c.rx_packet_time = nic.time("rx_packet_time");
  c.firmware_time = nic.time("firmware_time");
  c.queue_enable_time = nic.time("queue_enable_time");
  c.link_up_time = nic.time("link_up_time");
  return c;
}

}  // namespace doorbell::ice
