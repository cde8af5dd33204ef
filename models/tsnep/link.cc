#include "models/tsnep/link.h"

#include "models/tsnep/interrupts.h"
#include "models/tsnep/rx_engine.h"
#include "models/tsnep/tx_mac.h"

namespace doorbell::tsnep {

Link::Link(Core& core) : core_(core), phy_(core.config) {
  done_.bind<&Link::finish>(*this);
  change_.bind<&Link::look>(*this);
  plan();
}

void Link::plug(bool in) {
  phy_.plug(in, core_.now());
  look();
}

// The next moment at which the link goes up; it goes down only at once.
void Link::plan() {
  if (phy_.link_at() == base::kNever || up_) {
    core_.calendar.cancel(change_);
  } else {
    core_.calendar.schedule(change_, phy_.link_at());
  }
}

void Link::look() {
  const bool up = phy_.link_up(core_.now());
  if (up != up_) {
    up_ = up;
    ++core_.count.link_changes;
    update_carrier();
    core_.irq->link_changed();
  }
  plan();
}

void Link::update_carrier() {
  const uint32_t fitting =
      core_.config.link.count() >= 1'000'000'000 ? status::kMode1000 : status::kMode100;
  const bool carrier = up_ && mode_ == fitting;
  if (carrier == carrier_) return;
  core_.rx->catch_up(core_.now());
  carrier_ = carrier;
  core_.rx->plan();
  core_.tx_mac->plan();
}

void Link::status_written(const reg::WriteEvent& event) {
  mode_ = (event.written & status::kNoLink) != 0 ? 0 : event.written & status::kMode;
  update_carrier();
}

void Link::command_written(const reg::WriteEvent& event) {
  if ((event.written & (md_control::kRead | md_control::kWrite)) == 0) return;
  if (done_.pending()) ++core_.count.mdio_overlaps;
  ++core_.count.mdio_frames;
  command_ = event.written;
  const unsigned bits = (command_ & md_control::kPreamble) != 0 ? 64 : 32;
  core_.calendar.schedule(done_, core_.now() + core_.config.mdc.cycles(bits));
}

void Link::finish() {
  const bool ours = reg::get_field(md_control::kPhy, command_) == core_.config.phy_address;
  const unsigned number = reg::get_field(md_control::kRegister, command_);
  if ((command_ & md_control::kRead) != 0) {
    data_ = ours ? phy_.read(number, core_.now()) : uint16_t{0xFFFF};
  } else if (ours && phy_.write(number, static_cast<uint16_t>(command_ >> 16), core_.now())) {
    look();
  }
}

void Link::reset() {
  core_.calendar.cancel(done_);
  mode_ = 0;
  data_ = 0;
  update_carrier();
}

}  // namespace doorbell::tsnep
