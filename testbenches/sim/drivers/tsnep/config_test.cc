// Scenario keys to configuration.
#include <gtest/gtest.h>

#include "sim/drivers/tsnep/tsnep_config.h"
#include "sim/drivers/tsnep/tsnep_params.h"

namespace doorbell::drivers::tsnep {
namespace {

base::ParamSet params() {
  return base::ParamSet(base::ParamTable(hw::kTsnepDriverParams));
}

TEST(Config, DefaultsAreTheStructs) {
  auto result = config_from(params());
  ASSERT_TRUE(static_cast<bool>(result));
  const TsnepDriverConfig config = result.take();
  EXPECT_EQ(config.interrupt_delay_micros, 64u);
  EXPECT_EQ(config.napi_weight, 64);
  EXPECT_EQ(config.tx_poll_budget, 128u);
  EXPECT_EQ(config.tx_inline, 40u);
  EXPECT_EQ(config.rx_refill, 16u);
  EXPECT_EQ(config.rx_reuse, 192u);
  EXPECT_EQ(config.mtu, 1500u);
  EXPECT_TRUE(config.recheck);
  EXPECT_TRUE(config.fix_hazards);
  EXPECT_FALSE(config.hw_timestamps);
}

TEST(Config, ReuseBelowRefill) {
  TsnepDriverConfig config;
  config.rx_refill = 100;
  config.rx_reuse = 99;
  const auto error = check(config);
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->message,
            "key 'driver.rx_reuse': 99 is below rx_refill; allowed: rx_refill (100) to 255");
}

}  // namespace
}  // namespace doorbell::drivers::tsnep
