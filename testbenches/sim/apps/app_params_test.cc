// [app]: defaults of xdpsock, and one exact message for what cannot work together.
#include <gtest/gtest.h>

#include "sim/apps/app_params.h"
#include "sim/apps/xdpsock.h"

namespace doorbell::apps {
namespace {

base::ParamSet with(std::initializer_list<std::pair<const char*, const char*>> values) {
  base::ParamSet params{base::ParamTable(kAppParams)};
  for (const auto& [key, value] : values) {
    const auto issue = params.set(key, base::RawValue::loose(value));
    EXPECT_FALSE(issue.has_value()) << key << ": " << issue->message();
  }
  return params;
}

std::string error_of(std::initializer_list<std::pair<const char*, const char*>> values) {
  auto config = xdpsock_config(with(values));
  return config ? std::string() : config.error();
}

TEST(AppParams, DefaultsOfXdpsock) {
  auto config = xdpsock_config(with({}));
  ASSERT_TRUE(config);
  const XdpsockConfig c = config.take();
  EXPECT_EQ(c.mode, AppMode::kRxDrop);
  EXPECT_TRUE(c.zero_copy);
  EXPECT_TRUE(c.need_wakeup);
  EXPECT_FALSE(c.busy_poll);
  EXPECT_FALSE(c.poll);
  EXPECT_EQ(c.batch, 64u);
  EXPECT_EQ(c.frame, 60u) << "64 with FCS";
  EXPECT_EQ(c.rx_ring, 2048u);
  EXPECT_EQ(c.tx_ring, 2048u);
  EXPECT_EQ(c.fill_ring, 4096u);
  EXPECT_EQ(c.completion_ring, 2048u);
  EXPECT_EQ(c.chunks, 4096u);
  EXPECT_EQ(c.chunk_bytes, 4096u);
  EXPECT_EQ(c.cpu, 1u);
}

TEST(AppParams, ReadsEveryKey) {
  auto config = xdpsock_config(
      with({{"mode", "l2fwd"},          {"zero_copy", "false"}, {"batch", "32"},
            {"need_wakeup", "false"},   {"busy_poll", "true"},  {"busy_poll_hold", "20 us"},
            {"frame", "128 B"},         {"cpu", "3"},           {"queue", "2"},
            {"sockets", "2"},           {"same_queue", "true"}, {"shared_umem", "true"},
            {"rx_ring", "64"},          {"tx_ring", "128"},     {"fill_ring", "256"},
            {"completion_ring", "512"}, {"chunks", "1000"},     {"chunk_size", "2048 B"},
            {"unaligned", "true"},      {"headroom", "64 B"}}));
  ASSERT_TRUE(config) << config.error();
  const XdpsockConfig c = config.take();
  EXPECT_EQ(c.mode, AppMode::kL2Fwd);
  EXPECT_FALSE(c.zero_copy);
  EXPECT_EQ(c.batch, 32u);
  EXPECT_FALSE(c.need_wakeup);
  EXPECT_TRUE(c.busy_poll);
  EXPECT_EQ(c.busy_poll_hold, base::Picos(20000000));
  EXPECT_EQ(c.frame, 124u);
  EXPECT_EQ(c.cpu, 3u);
  EXPECT_EQ(c.queue, 2u);
  EXPECT_EQ(c.sockets, 2u);
  EXPECT_TRUE(c.same_queue);
  EXPECT_TRUE(c.shared_umem);
  EXPECT_EQ(c.rx_ring, 64u);
  EXPECT_EQ(c.tx_ring, 128u);
  EXPECT_EQ(c.fill_ring, 256u);
  EXPECT_EQ(c.completion_ring, 512u);
  EXPECT_EQ(c.chunks, 1000u);
  EXPECT_EQ(c.chunk_bytes, 2048u);
  EXPECT_TRUE(c.unaligned);
  EXPECT_EQ(c.headroom, 64u);
}

TEST(AppParams, Complaints) {
  EXPECT_EQ(error_of({{"tx_ring", "100"}}),
            "app.tx_ring: 100 is no power of two; allowed: powers of two");
  EXPECT_EQ(error_of({{"chunk_size", "3000 B"}}),
            "app.chunk_size: 3000 B is no power of two; allowed: powers of two unless "
            "app.unaligned is true");
  EXPECT_EQ(error_of({{"chunk_size", "3000 B"}, {"unaligned", "true"}}), "");
  EXPECT_EQ(error_of({{"sockets", "2"}, {"same_queue", "true"}}),
            "app.same_queue: several sockets on one queue share one UMEM; allowed: true with "
            "app.shared_umem = true");
  EXPECT_EQ(error_of({{"sockets", "2"}, {"poll", "true"}}),
            "app.poll: true with several sockets; allowed: one socket, or false");
  EXPECT_EQ(error_of({{"chunks", "32"}}),
            "app.chunks: 32 a socket are less than app.batch; allowed: at least app.batch a "
            "socket");
  EXPECT_EQ(error_of({{"batch", "64"}, {"tx_ring", "32"}}),
            "app.batch: larger than app.tx_ring; allowed: at most app.tx_ring, 32");
  EXPECT_EQ(error_of({{"mode", "txonly"}, {"chunks", "4095"}}),
            "app.chunks: 4095 a socket could be in use all at once; allowed: at least app.tx_ring "
            "plus app.completion_ring, 4096");
  EXPECT_EQ(error_of({{"mode", "rxdrop"}, {"chunks", "4095"}}), "");
}

}  // namespace
}  // namespace doorbell::apps
