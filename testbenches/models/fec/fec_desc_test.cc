// Descriptor bytes against vectors typed from the documents (i.MX 6ULL RM ch. 22, Linux 6.12
// fec.h).
#include "models/fec/fec_desc.h"

#include <gtest/gtest.h>

#include <array>

#include "models/desc/ring_index.h"
#include "models/fec/fec_limits.h"

namespace doorbell::fec {
namespace {

using Legacy = std::array<uint8_t, 8>;
using Enhanced = std::array<uint8_t, 32>;

template <typename Desc>
Enhanced enhanced(const Desc& d) {
  Enhanced bytes;
  bytes.fill(0xEE);
  encode(d, bytes.data(), DescFormat::kEnhanced);
  return bytes;
}

TEST(FecDesc, Layout) {
  EXPECT_EQ(kOffLength, 0u);
  EXPECT_EQ(kOffStatus, 2u);
  EXPECT_EQ(kOffAddress, 4u);
  EXPECT_EQ(kOffControl, 8u);
  EXPECT_EQ(kOffProtocol, 0xCu);
  EXPECT_EQ(kOffBdu, 0x10u);
  EXPECT_EQ(kOffTimestamp, 0x14u);
  EXPECT_EQ(stride(DescFormat::kLegacy), 8u);
  EXPECT_EQ(stride(DescFormat::kEnhanced), 32u);
}

TEST(FecDesc, RxArmed) {
  FecRxDesc d;
  d.status = rx_sc::kEmpty;
  d.address = 0x48765100;
  d.control = rx_esc::kInt;
  EXPECT_EQ(enhanced(d),
            (Enhanced{0x00, 0x00, 0x00, 0x80, 0x00, 0x51, 0x76, 0x48,  //
                      0x00, 0x00, 0x80, 0x00, 0x00, 0x00, 0x00, 0x00,  //
                      0,    0,    0,    0,    0,    0,    0,    0,    0, 0, 0, 0, 0, 0, 0, 0}));
  d.status = rx_sc::kEmpty | rx_sc::kWrap;
  EXPECT_EQ(enhanced(d)[3], 0xA0) << "the ring's last descriptor";
}

TEST(FecDesc, RxClosed) {
  EXPECT_EQ(rx_sc::kLast, 0x0800);
  EXPECT_EQ(rx_sc::kLast | rx_sc::kBroadcast, 0x0880);
  EXPECT_EQ(rx_sc::kLast | rx_sc::kMulticast, 0x0840);
  EXPECT_EQ(rx_sc::kLast | rx_sc::kMiss, 0x0900);
  EXPECT_EQ(rx_sc::kErrors, 0x0037);
  EXPECT_EQ(rx_sc::kDeviceStatus, 0x09F7);
  EXPECT_EQ(rx_sc::kLong, 0x20);
  EXPECT_EQ(rx_sc::kNonOctet, 0x10);
  EXPECT_EQ(rx_sc::kCrc, 0x04);
  EXPECT_EQ(rx_sc::kOverrun, 0x02);
  EXPECT_EQ(rx_sc::kTruncated, 0x01);
}

TEST(FecDesc, RxDecodesEveryWord) {
  const Enhanced bytes = {0x46, 0x00, 0x80, 0x28, 0x00, 0x51, 0x76, 0x48, 0x34, 0xA0, 0x80,
                          0x85, 0xCD, 0xAB, 0x11, 0x28, 0x00, 0x00, 0x00, 0x80, 0x78, 0x56,
                          0x34, 0x12, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
  const auto d = decode<FecRxDesc>(bytes.data(), DescFormat::kEnhanced);
  EXPECT_EQ(d.length, 70);
  EXPECT_EQ(d.status, rx_sc::kLast | rx_sc::kBroadcast | rx_sc::kWrap);
  EXPECT_EQ(d.address, 0x48765100u);
  EXPECT_EQ(d.control, rx_esc::kMacError | rx_esc::kPhyError | rx_esc::kUnicast | rx_esc::kInt |
                           (5u << 13) | rx_esc::kIce | rx_esc::kPcr | rx_esc::kVlan);
  EXPECT_EQ(doorbell::reg::get_field(rx_esc::kVpcp, d.control), 5u);
  EXPECT_EQ(doorbell::reg::get_field(rx_prot::kHeaderWords, d.protocol), 5u);
  EXPECT_EQ(doorbell::reg::get_field(rx_prot::kProtocol, d.protocol), 17u);
  EXPECT_EQ(doorbell::reg::get_field(rx_prot::kChecksum, d.protocol), 0xABCDu);
  EXPECT_EQ(d.bdu, kBduDone);
  EXPECT_EQ(d.timestamp, 0x12345678u);
  EXPECT_EQ(decode_status(bytes.data()), d.status);
}

TEST(FecDesc, TxSingleBuffer) {
  FecTxDesc d;
  d.length = 60;
  d.status = tx_sc::kReady | tx_sc::kIntr | tx_sc::kLast | tx_sc::kTc;
  d.address = 0x40A0B0C2;
  d.control = tx_esc::kInt | tx_esc::ftype(2);
  EXPECT_EQ(d.status, 0x9C00);
  EXPECT_EQ(d.status | tx_sc::kWrap, 0xBC00);
  EXPECT_EQ(d.control, 0x40200000u);
  EXPECT_EQ(enhanced(d),
            (Enhanced{0x3C, 0x00, 0x00, 0x9C, 0xC2, 0xB0, 0xA0, 0x40,  //
                      0x00, 0x00, 0x20, 0x40, 0x00, 0x00, 0x00, 0x00,  //
                      0,    0,    0,    0,    0,    0,    0,    0,    0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(tx_sc::kReady | tx_sc::kTc, 0x8400) << "first and middle of several";
}

TEST(FecDesc, TxControlBits) {
  EXPECT_EQ(tx_esc::ftype(0), 0u);
  EXPECT_EQ(tx_esc::ftype(1), 0x00100000u);
  EXPECT_EQ(tx_esc::kPins | tx_esc::kIins, 0x18000000u);
  EXPECT_EQ(tx_esc::kTs, 0x20000000u);
  EXPECT_EQ(tx_esc::kUseLaunchTime, 0x01000000u);
  EXPECT_EQ(tx_esc::kErrors, 0x0000BF00u);
  EXPECT_EQ(tx_esc::kFtype, 0x00F00000u);
}

TEST(FecDesc, TxClosedByDevice) {
  FecTxDesc d;
  d.status = FecOwnership::to_software(0xBC00);
  d.bdu = kBduDone;
  d.timestamp = 0x01020304;
  EXPECT_EQ(d.status, 0x3C00) << "only R is cleared";
  EXPECT_EQ(enhanced(d), (Enhanced{0, 0, 0x00, 0x3C, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  //
                                   0, 0, 0,    0x80, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(FecDesc, LegacyIsEightBytes) {
  std::array<uint8_t, 12> bytes;
  bytes.fill(0xEE);
  FecTxDesc d;
  d.length = 0x05EA;
  d.status = 0xAC00;
  d.address = 0x11223344;
  d.control = 0xFFFFFFFF;
  encode(d, bytes.data(), DescFormat::kLegacy);
  EXPECT_EQ(bytes, (std::array<uint8_t, 12>{0xEA, 0x05, 0x00, 0xAC, 0x44, 0x33, 0x22, 0x11, 0xEE,
                                            0xEE, 0xEE, 0xEE}));
  const auto back = decode<FecTxDesc>(bytes.data(), DescFormat::kLegacy);
  EXPECT_EQ(back.length, 0x05EA);
  EXPECT_EQ(back.status, 0xAC00);
  EXPECT_EQ(back.address, 0x11223344u);
  EXPECT_EQ(back.control, 0u) << "the words after the eighth byte are the next descriptor's";
  EXPECT_EQ(back.bdu, 0u);
}

TEST(FecDesc, StatusIsAStoreOfItsOwn) {
  for (DescFormat format : {DescFormat::kLegacy, DescFormat::kEnhanced}) {
    Enhanced bytes;
    bytes.fill(0);
    bytes[3] = 0x20;
    FecTxDesc d;
    d.length = 1;
    d.status = 0xBC00;
    d.address = 2;
    encode_body(d, bytes.data(), format);
    EXPECT_EQ(decode_status(bytes.data()), 0x2000) << "the body leaves the status alone";
    EXPECT_EQ(bytes[0], 1);
    EXPECT_EQ(bytes[4], 2);
    Enhanced before = bytes;
    encode_status(d.status, bytes.data());
    before[2] = 0x00;
    before[3] = 0xBC;
    EXPECT_EQ(bytes, before) << "the status changes two bytes only";
  }
}

TEST(FecDesc, OwnershipAndWrap) {
  EXPECT_TRUE(FecOwnership::device_owns(0x8000));
  EXPECT_FALSE(FecOwnership::device_owns(0x3C00));
  EXPECT_EQ(FecOwnership::next(254, 0x9C00), 255u);
  EXPECT_EQ(FecOwnership::next(255, 0xBC00), 0u);
}

// Free descriptors as the driver counts them, from its "last reclaimed" index.
TEST(FecDesc, FreshTransmitRingHas1022Free) {
  const desc::RingIndex ring(kDefaultTxRingSize);
  const uint32_t next_to_fill = 0;
  const uint32_t last_reclaimed = kDefaultTxRingSize - 1;
  EXPECT_EQ(ring.distance(next_to_fill, last_reclaimed) - 1, 1022u);
}

}  // namespace
}  // namespace doorbell::fec
