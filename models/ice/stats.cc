#include "models/ice/stats.h"

#include "models/ice/reads.h"

namespace doorbell::ice {
namespace {
uint32_t half(uint64_t value, bool high) {
  return high ? static_cast<uint32_t>(value >> 32) & 0xFF : static_cast<uint32_t>(value);
}
}  // namespace

Stats::Stats(Core& core) : core_(core), vsis_(kVsis) {}

void Stats::hook() {
  reg::RegFile& r = core_.regs;
  for (const uint32_t offset :
       {reg::kGlprtGorcl, reg::kGlprtUprcl, reg::kGlprtMprcl, reg::kGlprtBprcl, reg::kGlprtGotcl,
        reg::kGlprtUptcl, reg::kGlprtMptcl, reg::kGlprtBptcl}) {
    r.on_read<&Stats::read_port>(offset, *this);
    r.on_read<&Stats::read_port>(offset + 4, *this);
  }
  for (const uint32_t offset :
       {reg::kGlprtCrcerrs, reg::kGlprtRuc, reg::kGlprtRoc, reg::kGlprtTdold, reg::kPrtrpbRdpc}) {
    r.on_read<&Stats::read_port>(offset, *this);
  }
  for (const uint32_t offset : {reg::kGlvGorcl, reg::kGlvUprcl, reg::kGlvMprcl, reg::kGlvBprcl,
                                reg::kGlvGotcl, reg::kGlvUptcl, reg::kGlvMptcl, reg::kGlvBptcl}) {
    r.on_read<&Stats::read_vsi>(offset, *this);
  }
  r.on_read<&Stats::read_vsi_drops>(reg::kGlvRdpc, *this);
  r.on_read<&Stats::read_vsi_drops>(reg::kGlvTepc, *this);
  for (const uint32_t offset : {reg::kGlpciPktctNpC, reg::kGlpciLatctNpC, reg::kGlpciBytctlNpC}) {
    r.on_read<&Stats::read_pcie>(offset, *this);
  }
}

uint32_t Stats::read_port(uint32_t offset, uint32_t stored) {
  const Counters& c = core_.count;
  switch (offset) {
    case reg::kGlprtCrcerrs:
      return static_cast<uint32_t>(c.rx_bad_fcs.value);
    case reg::kGlprtRuc:
      return static_cast<uint32_t>(c.rx_too_short.value);
    case reg::kGlprtRoc:
      return static_cast<uint32_t>(c.rx_too_long.value);
    case reg::kPrtrpbRdpc:
      return static_cast<uint32_t>(c.rx_buffer_full.value);
    case reg::kGlprtTdold:
      return static_cast<uint32_t>(link_down_);
    default:
      break;
  }
  const bool high = (offset & 4) != 0;
  switch (offset & ~4u) {
    case reg::kGlprtGorcl:
      return half(port_.rx.octets, high);
    case reg::kGlprtUprcl:
      return half(port_.rx.unicast, high);
    case reg::kGlprtMprcl:
      return half(port_.rx.multicast, high);
    case reg::kGlprtBprcl:
      return half(port_.rx.broadcast, high);
    case reg::kGlprtGotcl:
      return half(port_.tx.octets, high);
    case reg::kGlprtUptcl:
      return half(port_.tx.unicast, high);
    case reg::kGlprtMptcl:
      return half(port_.tx.multicast, high);
    case reg::kGlprtBptcl:
      return half(port_.tx.broadcast, high);
    default:
      return stored;
  }
}

uint32_t Stats::read_vsi(uint32_t offset, uint32_t stored) {
  const reg::RegSpec* row = core_.regs.spec(offset);
  const uint32_t place = (offset - row->offset) / 4;
  const Both& v = vsis_[place / 2];
  const bool high = place % 2 != 0;
  switch (row->offset) {
    case reg::kGlvGorcl:
      return half(v.rx.octets, high);
    case reg::kGlvUprcl:
      return half(v.rx.unicast, high);
    case reg::kGlvMprcl:
      return half(v.rx.multicast, high);
    case reg::kGlvBprcl:
      return half(v.rx.broadcast, high);
    case reg::kGlvGotcl:
      return half(v.tx.octets, high);
    case reg::kGlvUptcl:
      return half(v.tx.unicast, high);
    case reg::kGlvMptcl:
      return half(v.tx.multicast, high);
    case reg::kGlvBptcl:
      return half(v.tx.broadcast, high);
    default:
      return stored;
  }
}

uint32_t Stats::read_vsi_drops(uint32_t offset, uint32_t) {
  const bool tx = offset >= reg::kGlvTepc;
  const uint32_t vsi = (offset - (tx ? reg::kGlvTepc : reg::kGlvRdpc)) / 4;
  return static_cast<uint32_t>(tx ? vsis_[vsi].tepc : vsis_[vsi].rdpc);
}

uint32_t Stats::read_pcie(uint32_t offset, uint32_t) {
  const Reads& reads = *core_.reads;
  return static_cast<uint32_t>(offset == reg::kGlpciPktctNpC   ? reads.issued()
                               : offset == reg::kGlpciLatctNpC ? reads.latency_ns()
                                                               : reads.bytes());
}

void Stats::reset() {
  port_ = Both();
  vsis_.assign(kVsis, Both());
  link_down_ = 0;
}

}  // namespace doorbell::ice
