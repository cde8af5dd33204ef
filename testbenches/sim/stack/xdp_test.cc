#include "sim/stack/xdp.h"

#include <gtest/gtest.h>

#include "sim/hal/scripted/scripted_hal.h"

namespace doorbell::stack {
namespace {

struct Bench {
  Bench() : pages(host.hal().dma), context{hal} {
    PagePoolParams params;
    params.offset = 256;
    params.max_len = 3520;
    pool = std::make_unique<PagePool>(hal, pages, params);
    page = pool->alloc();
    buff.data_hard_start = page->data;
    buff.page = page;
    put({});
    host.reset_counts();
  }
  void put(const std::vector<uint8_t>& bytes) {
    buff.data = buff.data_meta = page->data + 258;
    buff.data_end = buff.data + bytes.size();
    if (bytes.empty()) return;
    hal.dma.touch(buff.data, buff.length(), hal::Touch::kWrite);
    std::copy(bytes.begin(), bytes.end(), buff.data);
  }
  hal::ScriptedHal host;
  hal::Hal hal = host.hal();
  PageMap pages;
  XdpContext context;
  std::unique_ptr<PagePool> pool;
  Page* page = nullptr;
  XdpBuff buff;
};

std::vector<uint8_t> frame(std::vector<uint8_t> type_and_more, size_t bytes = 60) {
  std::vector<uint8_t> f(bytes);
  for (uint8_t i = 0; i < 12; ++i) f[i] = static_cast<uint8_t>(i + 1);
  for (size_t i = 0; i < type_and_more.size() && i + 12 < bytes; ++i) f[i + 12] = type_and_more[i];
  return f;
}

TEST(XdpPrograms, FixedVerdictsChargeOneRunAndTouchNothing) {
  Bench b;
  XdpPassProgram pass;
  XdpDropProgram drop;
  EXPECT_EQ(pass.run(b.buff, b.context), Verdict::kPass);
  EXPECT_EQ(drop.run(b.buff, b.context), Verdict::kDrop);
  EXPECT_EQ(b.host.count(hal::Op::kXdpProgram), 2u);
  EXPECT_EQ(b.host.count(hal::Op::kCacheMiss), 0u);
}

TEST(XdpPrograms, TxSwapsMacsAndCountsTheProtocol) {
  Bench b;
  std::vector<uint8_t> f = frame({0x08, 0x00, 0x45});
  f[23] = 17;
  b.put(f);
  XdpTxProgram program;
  EXPECT_EQ(program.run(b.buff, b.context), Verdict::kTx);
  const std::vector<uint8_t> want = {7, 8, 9, 10, 11, 12, 1, 2, 3, 4, 5, 6};
  EXPECT_TRUE(std::equal(want.begin(), want.end(), b.buff.data));
  EXPECT_EQ(program.counts().total(17), 1u);
}

TEST(XdpPrograms, TxLooksBehindTwoTagsAndNoMore) {
  Bench b;
  XdpTxProgram program;
  std::vector<uint8_t> two = frame({0x88, 0xA8, 0, 1, 0x81, 0x00, 0, 2, 0x08, 0x00});
  two[22 + 9] = 6;
  b.put(two);
  program.run(b.buff, b.context);
  EXPECT_EQ(program.counts().total(6), 1u);
  b.put(frame({0x81, 0, 0, 1, 0x81, 0, 0, 2, 0x81, 0, 0, 3, 0x08, 0x00}));
  program.run(b.buff, b.context);
  EXPECT_EQ(program.counts().total(255), 1u);
}

TEST(XdpPrograms, TxReadsIpv6) {
  Bench b;
  XdpTxProgram program;
  std::vector<uint8_t> f = frame({0x86, 0xDD, 0x60});
  f[14 + 6] = 58;
  b.put(f);
  program.run(b.buff, b.context);
  EXPECT_EQ(program.counts().total(58), 1u);
}

TEST(XdpPrograms, ShortPacketsAreNotReadPastTheirEnd) {
  Bench b;
  XdpTxProgram program;
  for (size_t bytes = 0; bytes < 60; ++bytes) {
    b.put(frame({0x81, 0x00, 0, 1, 0x08, 0x00}, bytes < 12 ? 12 : bytes));
    b.buff.data_end = b.buff.data + bytes;
    const Verdict verdict = program.run(b.buff, b.context);
    EXPECT_EQ(verdict, bytes < 14 ? Verdict::kDrop : Verdict::kTx) << bytes;
  }
  EXPECT_EQ(program.counts().total(255), 38u - 14u);
}

TEST(XdpPrograms, UdpOnlyDropsOthers) {
  Bench b;
  XdpTxProgram program(true);
  std::vector<uint8_t> f = frame({0x08, 0x00, 0x45});
  f[23] = 6;
  b.put(f);
  EXPECT_EQ(program.run(b.buff, b.context), Verdict::kDrop);
  f[23] = 17;
  b.put(f);
  EXPECT_EQ(program.run(b.buff, b.context), Verdict::kTx);
}

TEST(XdpPrograms, RedirectNamesItsPort) {
  Bench b;
  XdpRedirectProgram program(5);
  b.put(frame({0x08, 0x00}));
  EXPECT_EQ(program.run(b.buff, b.context), Verdict::kRedirect);
  EXPECT_EQ(b.context.redirect_ifindex, 5u);
  EXPECT_EQ(b.buff.data[0], 7);
}

TEST(XdpFrame, ConversionDescribesTheBufferAndPaysForTheHeadroom) {
  Bench b;
  b.put(frame({0x08, 0x00}));
  b.host.reset_counts();
  XdpFrame* frame = convert_to_frame(b.hal, b.buff);
  ASSERT_NE(frame, nullptr);
  EXPECT_EQ(frame->data, b.buff.data);
  EXPECT_EQ(frame->len, 60u);
  EXPECT_EQ(frame->headroom, 258u - 40u);
  EXPECT_EQ(frame->page, b.page);
  EXPECT_EQ(b.host.count(hal::Op::kXdpConvert), 1u);
  EXPECT_EQ(b.host.count(hal::Op::kCacheMiss), 1u);
}

TEST(XdpFrame, ConversionNeedsRoom) {
  Bench b;
  b.buff.data = b.page->data + 40;
  EXPECT_NE(convert_to_frame(b.hal, b.buff), nullptr);
  b.buff.data = b.page->data + 39;
  EXPECT_EQ(convert_to_frame(b.hal, b.buff), nullptr);
}

TEST(XdpFrame, ReturnCleansTheWholeBuffer) {
  Bench b;
  b.put(frame({0x08, 0x00}));
  XdpFrame* frame = convert_to_frame(b.hal, b.buff);
  b.host.reset_counts();
  return_frame(b.hal, *frame);
  EXPECT_EQ(b.host.count(hal::Op::kXdpReturn), 1u);
  EXPECT_EQ(b.host.count(hal::Op::kLineClean), 55u);
  EXPECT_EQ(b.pool->inflight(), 0u);
}

}  // namespace
}  // namespace doorbell::stack
