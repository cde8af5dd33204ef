// The configuration: what is refused, in which words, and what the scenario keys become.
#include <gtest/gtest.h>

#include "sim/drivers/ice/ice_config.h"
#include "sim/drivers/ice/ice_params.h"
#include "sim/drivers/ice/ice_ring.h"

namespace doorbell::drivers::ice {
namespace {

TEST(Config, RingSizes) {
  IceDriverConfig c;
  EXPECT_FALSE(check(c).has_value());
  for (const uint32_t size : {64u, 96u, 8160u, 2048u}) {
    c.tx_ring = c.rx_ring = size;
    EXPECT_FALSE(check(c).has_value()) << size;
  }
  for (const uint32_t size : {0u, 32u, 63u, 65u, 100u, 255u, 8161u, 8192u}) {
    c = {};
    c.rx_ring = size;
    EXPECT_TRUE(check(c).has_value()) << size;
    c = {};
    c.tx_ring = size;
    EXPECT_TRUE(check(c).has_value()) << size;
    c.force_ring_size = true;
    EXPECT_FALSE(check(c).has_value()) << size;
  }
}

TEST(Config, ExactMessages) {
  IceDriverConfig c;
  c.tx_ring = 100;
  EXPECT_EQ(check(c)->message,
            "key 'driver.tx_ring': the E810 driver has no ring of 100 descriptors; allowed: "
            "64..8160 in steps of 32, or force_ring_size = true");
  c.tx_ring = 256;
  c.rx_ring = 60;
  EXPECT_EQ(check(c)->message,
            "key 'driver.rx_ring': the E810 driver has no ring of 60 descriptors; allowed: "
            "64..8160 in steps of 32, or force_ring_size = true");
  c.rx_ring = 64;
  c.rs_threshold = 48;
  EXPECT_EQ(check(c)->message,
            "key 'driver.rs_threshold': 48 is no part of a ring of 256; allowed: its divisors from "
            "2 to half of it, or force_ring_size = true");
  c.rs = RsMode::kEvery;
  EXPECT_FALSE(check(c).has_value()) << "nobody looks at it";
}

TEST(Config, DefaultsOfTheKeysAreThoseOfTheStruct) {
  const base::ParamSet params{base::ParamTable(doorbell::ice::kIceDriverParams)};
  const auto read = config_from(params);
  ASSERT_TRUE(read.ok());
  const IceDriverConfig& a = read.value();
  const IceDriverConfig b;
  EXPECT_EQ(a.mode, b.mode);
  EXPECT_EQ(a.rs, b.rs);
  EXPECT_EQ(a.rs_threshold, 32u);
  EXPECT_EQ(a.rx_ring, 2048u);
  EXPECT_EQ(a.tx_ring, 256u);
  EXPECT_EQ(a.queues, 0u);
  EXPECT_EQ(a.xdp_rings, 0u);
  EXPECT_EQ(a.rx_itr.adaptive, b.rx_itr.adaptive);
  EXPECT_EQ(a.rx_itr.micros, b.rx_itr.micros);
  EXPECT_EQ(a.tx_itr.micros, b.tx_itr.micros);
  EXPECT_EQ(a.intrl_micros, b.intrl_micros);
  EXPECT_EQ(a.napi_weight, b.napi_weight);
  EXPECT_EQ(a.mtu, b.mtu);
  EXPECT_EQ(a.vlan_strip, b.vlan_strip);
  EXPECT_EQ(a.rx_csum, b.rx_csum);
  EXPECT_EQ(a.lrxqthresh, b.lrxqthresh);
  EXPECT_EQ(a.fix_hazards, b.fix_hazards);
  EXPECT_EQ(a.tx_timeout, b.tx_timeout);
}

TEST(Config, KeysAreRead) {
  base::ParamSet params{base::ParamTable(doorbell::ice::kIceDriverParams)};
  const auto set = [&](const char* key, const char* value) {
    EXPECT_FALSE(params.set(key, base::RawValue::loose(value)).has_value()) << key;
  };
  set("mode", "skb");
  set("rs", "threshold-6.12");
  set("rs_threshold", "16");
  set("rx_ring", "512");
  set("tx_ring", "128");
  set("queues", "30");
  set("shared_xdp_rings", "20");
  set("rx_adaptive", "false");
  set("rx_itr", "10 us");
  set("intrl", "8 us");
  set("mtu", "9000");
  set("fix_hazards", "true");
  const IceDriverConfig c = config_from(params).take();
  EXPECT_EQ(c.mode, XdpMode::kSkb);
  EXPECT_EQ(c.rs, RsMode::kQuarter);
  EXPECT_EQ(c.rs_threshold, 16u);
  EXPECT_EQ(c.rx_ring, 512u);
  EXPECT_EQ(c.tx_ring, 128u);
  EXPECT_EQ(c.queues, 30u);
  EXPECT_EQ(c.xdp_rings, 20u);
  EXPECT_FALSE(c.rx_itr.adaptive);
  EXPECT_EQ(c.rx_itr.micros, 10u);
  EXPECT_EQ(c.intrl_micros, 8u);
  EXPECT_EQ(c.mtu, 9000u);
  EXPECT_TRUE(c.fix_hazards);
  set("rs", "every");
  EXPECT_EQ(config_from(params).take().rs, RsMode::kEvery);
  set("tx_ring", "100");
  EXPECT_FALSE(config_from(params).ok());
  set("force_ring_size", "true");
  EXPECT_TRUE(config_from(params).ok());
}

TEST(Ring, UnusedAndUsed) {
  TxRing r;
  r.count = 64;
  EXPECT_EQ(r.unused(), 63u);
  r.ntu = 63;
  EXPECT_EQ(r.unused(), 0u);
  r.ntc = 1;
  EXPECT_EQ(r.unused(), 1u);
  r.ntu = 0;
  EXPECT_EQ(r.unused(), 0u);
  r.ntc = 0;
  EXPECT_EQ(r.unused(), 63u);
  EXPECT_EQ(r.used(), 0u);
  EXPECT_EQ(r.next(63), 0u);
  EXPECT_EQ(r.prev(0), 63u);
}

}  // namespace
}  // namespace doorbell::drivers::ice
