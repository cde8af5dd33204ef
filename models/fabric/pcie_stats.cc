// What a PciePort counted, put together for reports.
#include "models/fabric/pcie_port.h"

namespace doorbell::fabric {

using base::Picos;

namespace {

PcieStats::Pool headers_of(const PcieCredits& credits) {
  return {credits.header_stall(), credits.header_held(), credits.config().headers};
}

PcieStats::Pool data_of(const PcieCredits& credits) {
  return {credits.data_stall(), credits.data_held(), credits.config().data};
}

}  // namespace

const char* status_name(PcieStatus status) {
  switch (status) {
    case PcieStatus::kOk:
      return "ok";
    case PcieStatus::kUnsupported:
      return "unsupported request";
    case PcieStatus::kAborted:
      return "completer abort";
    case PcieStatus::kTimeout:
      return "completion timeout";
    case PcieStatus::kPoisoned:
      return "poisoned";
  }
  return "?";
}

PcieStats PciePort::stats() const {
  PcieStats s = totals_;
  s.up.tlps += s.read_requests;
  s.up.bytes = up_.bytes();
  s.up.busy = up_.busy();
  s.up.waited = up_.waited();
  s.down.bytes = down_.bytes();
  s.down.busy = down_.busy();
  s.down.waited = down_.waited();
  s.tags = {tags_.stall(), tags_.held(), tags_.count()};
  s.posted_headers = headers_of(root_posted_);
  s.posted_data = data_of(root_posted_);
  s.non_posted = headers_of(root_non_posted_);
  s.completion_headers = headers_of(device_completion_);
  s.completion_data = data_of(device_completion_);
  if (config_.partial_write_busy > Picos(0)) {
    s.write_pipe = {write_pipe_.waited(), write_pipe_.busy(), 1};
  }
  if (iommu_ != nullptr) {
    s.iotlb_hits = iommu_->hits();
    s.iotlb_misses = iommu_->misses();
    s.walkers = {iommu_->walk_stall(), iommu_->walk_busy(), iommu_->config().walkers};
  }
  if (llc_ != nullptr) {
    s.llc_hits = llc_->hits();
    s.llc_misses = llc_->misses();
  }
  return s;
}

PcieBottleneck pcie_bottleneck(const PcieStats& from, const PcieStats& to, Picos window) {
  PcieBottleneck worst{"none", 0};
  // The first that is this busy is the cause: what comes later in the list then only queues for it.
  constexpr double kSaturated = 0.95;
  const auto offer = [&](const char* name, Picos used, unsigned size) {
    if (size == 0 || window <= Picos(0)) {
      return;
    }
    const double share = static_cast<double>(used.count()) /
                         (static_cast<double>(window.count()) * static_cast<double>(size));
    if (share > worst.utilisation && worst.utilisation < kSaturated) {
      worst = {name, share};
    }
  };
  const auto pool = [&](const char* name, PcieStats::Pool PcieStats::*member) {
    offer(name, (to.*member).held - (from.*member).held, (to.*member).size);
  };
  offer("pcie up", to.up.busy - from.up.busy, 1);
  offer("pcie down", to.down.busy - from.down.busy, 1);
  pool("write pipe", &PcieStats::write_pipe);
  pool("iommu walkers", &PcieStats::walkers);
  pool("posted headers", &PcieStats::posted_headers);
  pool("posted data", &PcieStats::posted_data);
  pool("non-posted headers", &PcieStats::non_posted);
  pool("completion headers", &PcieStats::completion_headers);
  pool("completion data", &PcieStats::completion_data);
  pool("tags", &PcieStats::tags);
  return worst;
}

}  // namespace doorbell::fabric
