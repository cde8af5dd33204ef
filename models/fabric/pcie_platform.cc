#include "models/fabric/pcie_platform.h"

namespace doorbell::fabric {
namespace {

unsigned number(const base::ParamSet& set, const char* name) {
  return static_cast<unsigned>(set.integer(name));
}

void read_latencies(const base::ParamSet& set, PcieConfig& config) {
  config.device_latency = set.time("device_latency");
  config.device_byte_time_fs = 0;
  if (!set.is_word("device_bandwidth", "unlimited")) {
    // Femtoseconds a byte: 8e15 / bits per second.
    const uint64_t rate = set.bit_rate("device_bandwidth").count();
    config.device_byte_time_fs = static_cast<unsigned>((8000000000000000u + rate / 2) / rate);
  }
  config.link_latency = set.time("link_latency");
  config.switch_latency = set.time("switch_latency");
  config.root_ingress = set.time("root_ingress");
  config.root_read = set.time("root_read");
  config.root_spread = set.time("root_spread");
  config.mmio_root_latency = set.time("mmio_root_latency");
}

void read_memory_side(const base::ParamSet& set, PcieConfig& config) {
  config.ddio = set.boolean("ddio");
  const auto reads = set.choice("llc_reads");
  config.llc_reads = reads == "hit"    ? LlcReads::kHit
                     : reads == "miss" ? LlcReads::kMiss
                                       : LlcReads::kTracked;
  config.llc_miss_latency = set.time("llc_miss_latency");
  config.memory_write_latency = set.time("memory_write_latency");
  config.partial_write_latency = set.time("partial_write_latency");
  config.partial_write_busy = set.time("partial_write_busy");
  config.llc_bytes = set.bytes("llc_size");
  config.llc_ways = number(set, "llc_ways");
  config.ddio_ways = number(set, "ddio_ways");
}

void read_flow_control(const base::ParamSet& set, PcieConfig& config) {
  config.tags = number(set, "tags");
  config.root_posted = {number(set, "posted_headers"), number(set, "posted_data")};
  config.root_non_posted = {number(set, "non_posted_headers"), 0};
  config.device_completion = {number(set, "completion_headers"), number(set, "completion_data")};
  config.device_posted = {number(set, "device_posted_headers"), number(set, "device_posted_data")};
  config.device_non_posted = {number(set, "device_non_posted_headers"), 0};
  config.credit_return = set.time("credit_return");
  config.completion_timeout = set.time("completion_timeout");
}

}  // namespace

PcieConfig pcie_config(const base::ParamSet& pcie, const base::ParamSet& iommu, uint64_t seed) {
  PcieConfig config;
  config.generation = number(pcie, "generation");
  config.lanes = number(pcie, "lanes");
  config.max_payload = static_cast<unsigned>(pcie.bytes("max_payload"));
  config.max_read_request = static_cast<unsigned>(pcie.bytes("max_read_request"));
  config.completion_boundary = static_cast<unsigned>(pcie.bytes("completion_boundary"));
  config.address_64 = pcie.boolean("address_64");
  config.ecrc = pcie.boolean("ecrc");
  config.relaxed_ordering = pcie.boolean("relaxed_ordering");
  if (!pcie.is_word("dllp_interval", "formula")) {
    config.dllp_interval = static_cast<unsigned>(pcie.bytes("dllp_interval"));
  }
  read_latencies(pcie, config);
  read_memory_side(pcie, config);
  read_flow_control(pcie, config);
  config.seed = seed;
  config.iommu.enabled = iommu.boolean("enabled");
  config.iommu.entries = number(iommu, "entries");
  config.iommu.ways = number(iommu, "ways");
  config.iommu.page_bytes = iommu.bytes("page");
  config.iommu.walkers = number(iommu, "walkers");
  config.iommu.hit_latency = iommu.time("hit_latency");
  config.iommu.walk_latency = iommu.time("walk_latency");
  return config;
}

}  // namespace doorbell::fabric
