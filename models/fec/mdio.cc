#include "models/fec/mdio.h"

#include "models/fec/interrupts.h"

namespace doorbell::fec {

namespace {
constexpr uint32_t kSpeedOctet = 0xFF;  // what the start rule looks at, DIS_PRE included
}

void Mdio::mmfr_written(const reg::WriteEvent&) {
  if ((core_.value(reg::kMscr) & kSpeedOctet) != 0) start();
}

void Mdio::mscr_written(const reg::WriteEvent& event) {
  const bool wakes = (event.before & kSpeedOctet) == 0 && (event.after & kSpeedOctet) != 0;
  if (wakes && core_.value(reg::kMmfr) != 0) start();
}

void Mdio::start() {
  if (done_.pending()) ++core_.count.mdio_overlaps;
  ++core_.count.mdio_frames;
  const uint32_t mscr = core_.value(reg::kMscr);
  const uint64_t clocks = 2 * (uint64_t{reg::get_field(mscr::kMiiSpeed, mscr)} + 1);
  const uint64_t bits = (mscr & mscr::kDisPre) != 0 ? 32 : 64;
  core_.calendar.schedule(done_, core_.now() + core_.config.clock.cycles(clocks * bits));
}

void Mdio::finish() {
  const uint32_t mmfr = core_.value(reg::kMmfr);
  const uint32_t op = reg::get_field(mmfr::kOp, mmfr);
  const bool clause_22 = reg::get_field(mmfr::kSt, mmfr) == mmfr::kStClause22;
  const bool reads = clause_22 ? op == mmfr::kOpRead22 : op >= mmfr::kOpRead22;
  if (reads) {
    core_.regs.poke(reg::kMmfr, (mmfr & ~mmfr::kData) | read(mmfr));
  } else {
    write(mmfr);
  }
  core_.irq->raise(eir::kMii);
}

uint16_t Mdio::read(uint32_t mmfr) {
  if (reg::get_field(mmfr::kPa, mmfr) != core_.config.phy_address) return 0xFFFF;
  const uint32_t ra = reg::get_field(mmfr::kRa, mmfr);
  if (reg::get_field(mmfr::kSt, mmfr) == mmfr::kStClause22) return phy_.read(ra, core_.now());
  return phy_.read_45(ra, reg::get_field(mmfr::kOp, mmfr) == mmfr::kOpRead22);
}

void Mdio::write(uint32_t mmfr) {
  if (reg::get_field(mmfr::kPa, mmfr) != core_.config.phy_address) return;
  const uint32_t ra = reg::get_field(mmfr::kRa, mmfr);
  const auto data = static_cast<uint16_t>(mmfr & mmfr::kData);
  const uint32_t op = reg::get_field(mmfr::kOp, mmfr);
  if (reg::get_field(mmfr::kSt, mmfr) == mmfr::kStClause22) {
    if (op == mmfr::kOpWrite) phy_.write(ra, data, core_.now());
  } else if (op == mmfr::kOpAddress45) {
    phy_.set_address_45(ra, data);
  } else {
    phy_.write_45(ra, data);
  }
}

}  // namespace doorbell::fec
