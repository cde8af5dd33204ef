#include "models/fabric/pcie_config.h"

#include <initializer_list>

namespace doorbell::fabric {
namespace {

bool power_of_two(uint64_t n) {
  return n != 0 && (n & (n - 1)) == 0;
}

bool enough(const PcieCreditConfig& pool, unsigned payload) {
  return pool.data == 0 || pool.data * 16 >= payload;
}

}  // namespace

double PcieConfig::raw_rate() const {
  static constexpr double kTransfers[] = {2.5e9, 5e9, 8e9, 16e9, 32e9};
  const double coding = generation <= 2 ? 8.0 / 10.0 : 128.0 / 130.0;
  return kTransfers[generation - 1] * coding * lanes;
}

// (MPS + 28) x AckFactor / width + internal delay, in symbol times, which are bytes per lane times
// lanes; the base specification tabulates it per lane count and pcie-bench reads it as bytes.
double PcieConfig::ack_interval() const {
  if (dllp_interval != 0) {
    return dllp_interval;
  }
  double factor = max_payload <= 256 ? 1.4 : 1.0;
  if (lanes == 8) {
    factor = max_payload <= 256 ? 2.5 : 1.0;
  } else if (lanes == 16) {
    factor = max_payload <= 256 ? 3.0 : 2.0;
  }
  const unsigned delay = generation == 1 ? 19 : generation == 2 ? 70 : 115;
  return static_cast<unsigned>((max_payload + 28) * factor / lanes) + delay;
}

double PcieConfig::tlp_rate() const {
  const double acks = 8.0 / ack_interval();
  const double credit_updates = 8.0 / ack_interval();
  const double skip_sets = 4.0 / 1538.0;
  return raw_rate() * (1.0 - acks - credit_updates - skip_sets);
}

const char* PcieConfig::complaint() const {
  if (generation < 1 || generation > 5) {
    return "generation must be 1..5";
  }
  if (!power_of_two(lanes) || lanes > 16) {
    return "lanes must be 1, 2, 4, 8 or 16";
  }
  for (const unsigned size : {max_payload, max_read_request}) {
    if (!power_of_two(size) || size < 128 || size > 4096) {
      return "max_payload and max_read_request must be powers of two from 128 B to 4 KiB";
    }
  }
  if (completion_boundary != 64 && completion_boundary != 128) {
    return "completion_boundary must be 64 B or 128 B";
  }
  if (tags < 1 || tags > 65536) {
    return "tags must be 1..65536";
  }
  if (!enough(root_posted, max_payload) || !enough(device_completion, max_payload)) {
    return "data credits must hold one TLP of max_payload";
  }
  if (ddio_ways < 1 || ddio_ways > llc_ways || llc_bytes < uint64_t{64} * llc_ways) {
    return "ddio_ways must be 1..llc_ways, and llc_bytes at least one set";
  }
  if (iommu.enabled &&
      (!power_of_two(iommu.entries) || !power_of_two(iommu.ways) || iommu.ways > iommu.entries ||
       !power_of_two(iommu.page_bytes) || iommu.walkers < 1 || iommu.walkers > 16)) {
    return "iommu: entries, ways and page_bytes are powers of two, ways <= entries, walkers 1..16";
  }
  return nullptr;
}

}  // namespace doorbell::fabric
