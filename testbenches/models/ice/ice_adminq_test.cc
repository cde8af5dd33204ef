// Admin queue descriptors and buffers against golden bytes.
#include "models/ice/ice_adminq.h"

#include <gtest/gtest.h>

#include <vector>

namespace doorbell::ice {
namespace {

using Bytes = std::vector<uint8_t>;

TEST(IceAdminq, DescriptorGolden) {
  IceAqDesc d;
  d.flags = aq_flag::kBuf | aq_flag::kRd | aq_flag::kSi;
  d.opcode = aq_op::kAddTxQueues;
  d.datalen = 56;
  d.retval = static_cast<uint16_t>(AqError::kEnosys);
  d.cookie_high = 0x01020304;
  d.cookie_low = 0x05060708;
  d.param[0] = 1;
  d.set_buffer(0x1122334455667788);
  Bytes b(32, 0xEE);
  encode(d, b.data());
  EXPECT_EQ(b, (Bytes{0x00, 0x34, 0x30, 0x0C, 0x38, 0x00, 0x11, 0x00, 0x04, 0x03, 0x02,
                      0x01, 0x08, 0x07, 0x06, 0x05, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00,
                      0x00, 0x00, 0x44, 0x33, 0x22, 0x11, 0x88, 0x77, 0x66, 0x55}));
  const IceAqDesc back = decode_aq(b.data());
  EXPECT_EQ(back.opcode, 0x0C30);
  EXPECT_EQ(back.buffer(), 0x1122334455667788u);
  EXPECT_EQ(back.cookie_low, d.cookie_low);
}

TEST(IceAdminq, FlagsAndCodes) {
  EXPECT_EQ(aq_flag::kDd, 1);
  EXPECT_EQ(aq_flag::kCmp, 2);
  EXPECT_EQ(aq_flag::kErr, 4);
  EXPECT_EQ(aq_flag::kLb, 0x200);
  EXPECT_EQ(aq_flag::kRd, 0x400);
  EXPECT_EQ(aq_flag::kBuf, 0x1000);
  EXPECT_EQ(aq_flag::kSi, 0x2000);
  EXPECT_EQ(static_cast<int>(AqError::kEnosys), 17);
  EXPECT_EQ(static_cast<int>(AqError::kEbusy), 12);
  EXPECT_EQ(static_cast<int>(AqError::kEexist), 13);
  EXPECT_EQ(static_cast<int>(AqError::kEnospc), 16);
  EXPECT_EQ(aq_op::kGetVersion, 0x0001);
  EXPECT_EQ(aq_op::kQueueShutdown, 0x0003);
  EXPECT_EQ(aq_op::kGetLinkStatus, 0x0607);
  EXPECT_EQ(aq_op::kSetRssKey, 0x0B02);
  EXPECT_EQ(aq_op::kSetRssLut, 0x0B03);
  EXPECT_EQ(aq_op::kDisableTxQueues, 0x0C31);
}

TEST(IceAdminq, AddAndDisableBuffers) {
  IceTxContext context;
  context.qlen = 256;
  context.legacy_int = 1;
  Bytes b(kAqTxGroupBytes + kAqTxQueueBytes, 0xEE);
  ASSERT_TRUE(encode_add_tx_queue(b.data(), 0x21, 300, context));
  EXPECT_EQ(b.size(), 56u);
  EXPECT_EQ(Bytes(b.begin(), b.begin() + 16),
            (Bytes{0x21, 0, 0, 0, 1, 0, 0, 0, 0x2C, 0x01, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF}));
  EXPECT_EQ(decode_tx_context_bytes(b.data() + 16).qlen, 256u);
  context.qlen = 1u << 13;
  EXPECT_FALSE(encode_add_tx_queue(b.data(), 0x21, 300, context));

  Bytes d(8, 0xEE);
  EXPECT_EQ(encode_disable_tx_queue(d.data(), 0x21, 300), 8u);
  EXPECT_EQ(d, (Bytes{0x21, 0, 0, 0, 1, 0, 0x2C, 0x01}));
}

TEST(IceAdminq, CapabilityElement) {
  IceAqCap c;
  c.cap = aq_cap::kRss;
  c.number = 2048;
  c.logical_id = 8;
  Bytes b(32, 0xEE);
  encode(c, b.data());
  Bytes want(32, 0);
  want[0] = 0x40;
  want[2] = 1;
  want[5] = 0x08;
  want[8] = 8;
  EXPECT_EQ(b, want);
  EXPECT_EQ(decode_aq_cap(b.data()).number, 2048u);
}

}  // namespace
}  // namespace doorbell::ice
