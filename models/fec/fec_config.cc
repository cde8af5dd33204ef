#include "models/fec/fec_config.h"

namespace doorbell::fec {

FecConfig fec_config(const base::ParamSet& nic) {
  const auto number = [&nic](std::string_view name) {
    return static_cast<unsigned>(nic.integer(name));
  };
  FecConfig c;
  c.rx_fifo_bytes = static_cast<uint32_t>(nic.bytes("rx_fifo"));
  c.tx_fifo_bytes = static_cast<uint32_t>(nic.bytes("tx_fifo"));
  c.bd_prefetch = number("bd_prefetch");
  c.rx_mac_cycles = number("rx_mac_cycles");
  c.tx_mac_cycles = number("tx_mac_cycles");
  c.doorbell_cycles = number("doorbell_cycles");
  c.udma_cycles = number("udma_cycles");
  c.rx_start_words = number("rx_start_words");
  c.erratum_007885 = nic.boolean("erratum_007885");
  c.erratum_007885_cycles = number("erratum_007885_window");
  c.erratum_006358 = nic.boolean("erratum_006358");
  c.partial_frame = nic.choice("partial_frame_policy") == "drop" ? PartialFramePolicy::kDrop
                                                                 : PartialFramePolicy::kWait;
  c.event_before_coalescing = nic.boolean("event_before_coalescing");
  c.irq_per_class = nic.choice("irq_map") == "per-class";
  c.class_1_first = nic.choice("class_priority") == "1-first";
  c.shaper_counts_preamble = nic.boolean("shaper_counts_preamble");
  c.ftrl_counts_shift = nic.boolean("ftrl_counts_shift");
  c.mib_16_bits = nic.choice("mib_width") == "documented";
  c.phy_address = number("phy_address");
  c.autoneg_time = nic.time("autoneg_time");
  c.partner_pause = nic.boolean("partner_pause");
  return c;
}

}  // namespace doorbell::fec
