// What ethtool asks a driver for: interrupt coalescing, statistics, and the scenario's keys.
#include <cerrno>

#include "models/fec/fec_mib.h"
#include "sim/drivers/fec/fec_driver.h"

namespace doorbell::drivers::fec {

namespace reg = hw::reg;
namespace mib = hw::mib;

namespace {

uint32_t coalesce_value(const Coalesce& setting, base::Hertz ahb) {
  return hw::ic_value(setting.frames,
                      static_cast<uint32_t>(hw::ic_ticks(setting.micros, ahb.count())));
}

bool countable(const Coalesce& setting, base::Hertz ahb) {
  return setting.frames <= hw::kIcMaxFrames &&
         hw::ic_ticks(setting.micros, ahb.count()) <= hw::kIcMaxTicks;
}

struct MibRow {
  uint32_t offset;
  const char* name;
};
// Names as `ethtool -S` of Linux 6.12 shows them.
constexpr MibRow kMibRows[] = {
    {mib::kRmonTDrop, "tx_dropped"},
    {mib::kRmonTPackets, "tx_packets"},
    {mib::kRmonTBcPkt, "tx_broadcast"},
    {mib::kRmonTMcPkt, "tx_multicast"},
    {mib::kRmonTCrcAlign, "tx_crc_errors"},
    {mib::kRmonTUndersize, "tx_undersize"},
    {mib::kRmonTOversize, "tx_oversize"},
    {mib::kRmonTFrag, "tx_fragment"},
    {mib::kRmonTJab, "tx_jabber"},
    {mib::kRmonTCol, "tx_collision"},
    {mib::kRmonTP64, "tx_64byte"},
    {mib::kRmonTP65To127, "tx_65to127byte"},
    {mib::kRmonTP128To255, "tx_128to255byte"},
    {mib::kRmonTP256To511, "tx_256to511byte"},
    {mib::kRmonTP512To1023, "tx_512to1023byte"},
    {mib::kRmonTP1024To2047, "tx_1024to2047byte"},
    {mib::kRmonTPGte2048, "tx_GTE2048byte"},
    {mib::kRmonTOctets, "tx_octets"},
    {mib::kIeeeTDrop, "IEEE_tx_drop"},
    {mib::kIeeeTFrameOk, "IEEE_tx_frame_ok"},
    {mib::kIeeeT1Col, "IEEE_tx_1col"},
    {mib::kIeeeTMcol, "IEEE_tx_mcol"},
    {mib::kIeeeTDef, "IEEE_tx_def"},
    {mib::kIeeeTLcol, "IEEE_tx_lcol"},
    {mib::kIeeeTExcol, "IEEE_tx_excol"},
    {mib::kIeeeTMacErr, "IEEE_tx_macerr"},
    {mib::kIeeeTCsErr, "IEEE_tx_cserr"},
    {mib::kIeeeTSqe, "IEEE_tx_sqe"},
    {mib::kIeeeTFdxFc, "IEEE_tx_fdxfc"},
    {mib::kIeeeTOctetsOk, "IEEE_tx_octets_ok"},
    {mib::kRmonRPackets, "rx_packets"},
    {mib::kRmonRBcPkt, "rx_broadcast"},
    {mib::kRmonRMcPkt, "rx_multicast"},
    {mib::kRmonRCrcAlign, "rx_crc_errors"},
    {mib::kRmonRUndersize, "rx_undersize"},
    {mib::kRmonROversize, "rx_oversize"},
    {mib::kRmonRFrag, "rx_fragment"},
    {mib::kRmonRJab, "rx_jabber"},
    {mib::kRmonRP64, "rx_64byte"},
    {mib::kRmonRP65To127, "rx_65to127byte"},
    {mib::kRmonRP128To255, "rx_128to255byte"},
    {mib::kRmonRP256To511, "rx_256to511byte"},
    {mib::kRmonRP512To1023, "rx_512to1023byte"},
    {mib::kRmonRP1024To2047, "rx_1024to2047byte"},
    {mib::kRmonRPGte2048, "rx_GTE2048byte"},
    {mib::kRmonROctets, "rx_octets"},
    {mib::kIeeeRDrop, "IEEE_rx_drop"},
    {mib::kIeeeRFrameOk, "IEEE_rx_frame_ok"},
    {mib::kIeeeRCrc, "IEEE_rx_crc"},
    {mib::kIeeeRAlign, "IEEE_rx_align"},
    {mib::kIeeeRMacErr, "IEEE_rx_macerr"},
    {mib::kIeeeRFdxFc, "IEEE_rx_fdxfc"},
    {mib::kIeeeROctetsOk, "IEEE_rx_octets_ok"},
};

}  // namespace

void FecDriver::program_coalesce() {
  const uint32_t tx = coalesce_value(config_.tx_coalesce, config_.ahb_clock);
  const uint32_t rx = coalesce_value(config_.rx_coalesce, config_.ahb_clock);
  for (unsigned q = 0; q < hw::kRings; ++q) {
    wr(reg::txic(q), tx);
    wr(reg::rxic(q), rx);
  }
}

int FecDriver::set_coalesce(const Coalesce& rx, const Coalesce& tx) {
  if (!countable(rx, config_.ahb_clock) || !countable(tx, config_.ahb_clock)) return -EINVAL;
  config_.rx_coalesce = rx;
  config_.tx_coalesce = tx;
  if (running()) program_coalesce();
  return 0;
}

std::vector<StatisticRow> FecDriver::statistic_rows() const {
  const FecStatistics& s = stats_;
  return {
      {"rx_packets", s.rx_packets, "frames taken from receive rings without error status"},
      {"rx_bytes", s.rx_bytes, "their lengths as the descriptors say"},
      {"rx_errors", s.rx_errors, "receive descriptors with an error"},
      {"rx_dropped", s.rx_dropped, "frames dropped for want of memory"},
      {"rx_length_errors", s.rx_length_errors, "too long, or spread over descriptors"},
      {"rx_crc_errors", s.rx_crc_errors, "bad frame check sequence"},
      {"rx_frame_errors", s.rx_frame_errors, "alignment error or truncated"},
      {"rx_fifo_errors", s.rx_fifo_errors, "receive FIFO overrun"},
      {"rx_csum_good", s.rx_csum_good, "checksums verified by the device"},
      {"rx_vlan_stripped", s.rx_vlan_stripped, "VLAN tags taken out"},
      {"tx_packets", s.tx_packets, "packets reclaimed after transmission"},
      {"tx_bytes", s.tx_bytes, "their lengths"},
      {"tx_errors", s.tx_errors, "transmit errors and timeouts"},
      {"tx_dropped", s.tx_dropped, "packets of the stack not queued"},
      {"tx_timeouts", s.tx_timeouts, "the transmit watchdog fired"},
      {"tx_doorbells", s.tx_doorbells, "TDAR writes of submit paths"},
      {"tx_doorbells_skipped", s.tx_doorbells_skipped, "TDAR stayed set over four reads"},
      {"tx_kicks", s.tx_kicks, "clean-up found TDAR clear with descriptors pending"},
      {"tx_timestamps", s.tx_timestamps, "transmit time stamps read"},
      {"rx_xdp_redirect", s.rx_xdp_redirect, "XDP verdict redirect"},
      {"rx_xdp_pass", s.rx_xdp_pass, "XDP verdict pass"},
      {"rx_xdp_drop", s.rx_xdp_drop, "XDP verdict drop, aborted or unknown"},
      {"rx_xdp_tx", s.rx_xdp_tx, "XDP verdict tx"},
      {"rx_xdp_tx_errors", s.rx_xdp_tx_errors, "XDP_TX not queued"},
      {"tx_xdp_xmit", s.tx_xdp_xmit, "redirected frames queued"},
      {"tx_xdp_xmit_errors", s.tx_xdp_xmit_errors, "redirected frames not queued"},
      {"restarts", s.restarts, "device restarts, with probe and open"},
      {"interrupts", s.interrupts, "calls of the interrupt handler"},
      {"polls", s.polls, "calls of the poll function"},
      {"graceful_stop_timeouts", s.graceful_stop_timeouts, "no GRA 10 us after GTS"},
      {"mdio_timeouts", s.mdio_timeouts, "MDIO transfers without an end"},
  };
}

std::vector<StatisticRow> FecDriver::read_mib() {
  std::vector<StatisticRow> rows;
  rows.reserve(std::size(kMibRows));
  for (const MibRow& row : kMibRows) rows.push_back({row.name, rd(row.offset), "MIB counter"});
  return rows;
}

FecDriverConfig config_from(const base::ParamSet& params) {
  const auto micros = [&](const char* key) {
    return static_cast<uint32_t>(params.time(key).count() / 1000000);
  };
  FecDriverConfig config;
  config.mode = params.choice("mode") == "skb" ? XdpMode::kSkb : XdpMode::kNative;
  config.xdp_frame_conversion = params.boolean("xdp_frame_conversion");
  config.doorbell =
      params.choice("doorbell") == "batched" ? DoorbellMode::kBatched : DoorbellMode::kPerFrame;
  config.dma_sync = params.choice("dma_sync") == "full" ? DmaSync::kFull : DmaSync::kUsed;
  config.rx_ring = static_cast<uint32_t>(params.integer("rx_ring"));
  config.tx_ring = static_cast<uint32_t>(params.integer("tx_ring"));
  config.rx_coalesce = {static_cast<uint32_t>(params.integer("rx_coalesce_frames")),
                        micros("rx_coalesce_time")};
  config.tx_coalesce = {static_cast<uint32_t>(params.integer("tx_coalesce_frames")),
                        micros("tx_coalesce_time")};
  config.pause = params.boolean("pause");
  config.napi_weight = static_cast<int>(params.integer("napi_weight"));
  config.erratum_007885_workaround = params.boolean("erratum_007885_workaround");
  config.rx_dma_rmb = params.boolean("rx_dma_rmb");
  config.tx_timeout = params.time("tx_timeout");
  config.hw_timestamps = params.boolean("hw_timestamps");
  config.enhanced_descriptors = params.boolean("enhanced_descriptors");
  config.vlan_strip = params.boolean("vlan_strip");
  config.rx_csum = params.boolean("rx_csum");
  config.promiscuous = params.boolean("promiscuous");
  config.assume_link = params.boolean("assume_link");
  return config;
}

}  // namespace doorbell::drivers::fec
