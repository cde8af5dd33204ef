// Platform sections [pcie] and [iommu]: defaults are those of the config, bad links are refused.
#include "models/fabric/pcie_platform.h"

#include <gtest/gtest.h>

namespace doorbell::fabric {
namespace {

using namespace base::literals;

struct Sections {
  base::ParamSet pcie{kPcieParams};
  base::ParamSet iommu{kIommuParams};
  PcieConfig config() const { return pcie_config(pcie, iommu, 5); }
  void set(const char* name, const char* value) {
    EXPECT_FALSE(pcie.set(name, base::RawValue::loose(value))) << name;
  }
};

TEST(PciePlatform, DefaultsAreTheConfigs) {
  const PcieConfig got = Sections().config();
  const PcieConfig want;
  EXPECT_EQ(got.complaint(), nullptr);
  EXPECT_EQ(got.generation, want.generation);
  EXPECT_EQ(got.lanes, want.lanes);
  EXPECT_EQ(got.max_payload, want.max_payload);
  EXPECT_EQ(got.max_read_request, want.max_read_request);
  EXPECT_EQ(got.completion_boundary, want.completion_boundary);
  EXPECT_EQ(got.address_64, want.address_64);
  EXPECT_EQ(got.ecrc, want.ecrc);
  EXPECT_EQ(got.dllp_interval, want.dllp_interval);
  EXPECT_EQ(got.device_latency, want.device_latency);
  EXPECT_NEAR(got.device_byte_time_fs, want.device_byte_time_fs, 500);
  EXPECT_EQ(got.link_latency, want.link_latency);
  EXPECT_EQ(got.switch_latency, want.switch_latency);
  EXPECT_EQ(got.root_ingress, want.root_ingress);
  EXPECT_EQ(got.root_read, want.root_read);
  EXPECT_EQ(got.root_spread, want.root_spread);
  EXPECT_EQ(got.mmio_root_latency, want.mmio_root_latency);
  EXPECT_EQ(got.ddio, want.ddio);
  EXPECT_EQ(got.llc_reads, want.llc_reads);
  EXPECT_EQ(got.llc_miss_latency, want.llc_miss_latency);
  EXPECT_EQ(got.memory_write_latency, want.memory_write_latency);
  EXPECT_EQ(got.partial_write_latency, want.partial_write_latency);
  EXPECT_EQ(got.partial_write_busy, want.partial_write_busy);
  EXPECT_EQ(got.llc_bytes, want.llc_bytes);
  EXPECT_EQ(got.llc_ways, want.llc_ways);
  EXPECT_EQ(got.ddio_ways, want.ddio_ways);
  EXPECT_EQ(got.tags, want.tags);
  EXPECT_EQ(got.root_posted.headers, want.root_posted.headers);
  EXPECT_EQ(got.root_posted.data, want.root_posted.data);
  EXPECT_EQ(got.root_non_posted.headers, want.root_non_posted.headers);
  EXPECT_EQ(got.device_completion.headers, want.device_completion.headers);
  EXPECT_EQ(got.device_completion.data, want.device_completion.data);
  EXPECT_EQ(got.device_posted.headers, want.device_posted.headers);
  EXPECT_EQ(got.device_posted.data, want.device_posted.data);
  EXPECT_EQ(got.device_non_posted.headers, want.device_non_posted.headers);
  EXPECT_EQ(got.credit_return, want.credit_return);
  EXPECT_EQ(got.completion_timeout, want.completion_timeout);
  EXPECT_EQ(got.seed, 5u);
  EXPECT_EQ(got.iommu.enabled, want.iommu.enabled);
  EXPECT_EQ(got.iommu.entries, want.iommu.entries);
  EXPECT_EQ(got.iommu.ways, want.iommu.ways);
  EXPECT_EQ(got.iommu.page_bytes, want.iommu.page_bytes);
  EXPECT_EQ(got.iommu.walkers, want.iommu.walkers);
  EXPECT_EQ(got.iommu.hit_latency, want.iommu.hit_latency);
  EXPECT_EQ(got.iommu.walk_latency, want.iommu.walk_latency);
}

TEST(PciePlatform, ValuesReachTheConfig) {
  Sections sections;
  sections.set("generation", "4");
  sections.set("lanes", "16");
  sections.set("max_payload", "512 B");
  sections.set("dllp_interval", "200 B");
  sections.set("device_bandwidth", "unlimited");
  sections.set("llc_reads", "tracked");
  const PcieConfig config = sections.config();
  EXPECT_EQ(config.generation, 4u);
  EXPECT_EQ(config.lanes, 16u);
  EXPECT_EQ(config.max_payload, 512u);
  EXPECT_EQ(config.ack_interval(), 200);
  EXPECT_EQ(config.device_byte_time_fs, 0u);
  EXPECT_EQ(config.llc_reads, LlcReads::kTracked);
  EXPECT_EQ(config.complaint(), nullptr);
}

TEST(PciePlatform, ComplaintsNameWhatIsWrong) {
  const auto complaint = [](const char* name, const char* value) {
    Sections sections;
    sections.set(name, value);
    const char* text = sections.config().complaint();
    return std::string(text == nullptr ? "" : text);
  };
  EXPECT_NE(complaint("max_payload", "300 B").find("max_payload"), std::string::npos);
  EXPECT_NE(complaint("max_read_request", "384 B").find("max_read_request"), std::string::npos);
  EXPECT_NE(complaint("completion_boundary", "100 B").find("completion_boundary"),
            std::string::npos);
  EXPECT_NE(complaint("posted_data", "8").find("data credits"), std::string::npos);
  EXPECT_NE(complaint("ddio_ways", "21").find("ddio_ways"), std::string::npos);
  Sections sections;
  EXPECT_FALSE(sections.iommu.set("enabled", base::RawValue::loose("true")));
  EXPECT_FALSE(sections.iommu.set("entries", base::RawValue::loose("48")));
  EXPECT_NE(std::string(sections.config().complaint()).find("iommu"), std::string::npos);
}

}  // namespace
}  // namespace doorbell::fabric
