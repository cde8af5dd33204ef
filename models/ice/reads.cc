#include "models/ice/reads.h"

#include "models/ice/admin.h"
#include "models/ice/pump.h"
#include "models/ice/rx_engine.h"
#include "models/ice/tx_engine.h"

namespace doorbell::ice {

using base::Picos;

Picos Reads::request(Picos at, Read read) {
  const fabric::PciePort::ReadTicket ticket = core_.pcie.request_read(at, read.address, read.bytes);
  read.at = ticket.sample;
  read.done = ticket.done;
  read.status = ticket.status;
  pending_.insert(read);
  returns_.insert({read.done});
  ++issued_;
  bytes_ += read.bytes;
  latency_ += read.done - at;
  core_.pump->wake(read.at);
  return read.done;
}

ReadKind Reads::complete_next() {
  Read read = pending_.front();
  pending_.pop();
  if (read.into == nullptr) {
    read.into = read.kind == ReadKind::kTxDescriptors ? core_.tx->descriptor_place(read)
                                                      : core_.rx->descriptor_place(read);
  }
  const fabric::PciePort::Done done = core_.pcie.complete_read(
      {read.at, read.done, read.status}, read.address, {read.into, read.bytes});
  if (!done.ok()) ++core_.count.bus_errors;
  switch (read.kind) {
    case ReadKind::kTxDescriptors:
      core_.tx->descriptors_read(read, done.time, done.ok());
      break;
    case ReadKind::kTxPayload:
      core_.tx->payload_read(read, done.time, done.ok());
      break;
    case ReadKind::kRxDescriptors:
      core_.rx->descriptors_read(read, done.time, done.ok());
      break;
    case ReadKind::kAdmin:
      core_.admin->read_done(read, done.time, done.ok());
      break;
  }
  return read.kind;
}

unsigned Reads::in_flight(Picos t) {
  while (returns_.next() <= t) returns_.pop();
  return returns_.size();
}

}  // namespace doorbell::ice
