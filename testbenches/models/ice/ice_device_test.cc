// The device as a whole: registers, admin queue, statistics, resets, ledgers, determinism.
#include <gtest/gtest.h>

#include "models/net/station.h"
#include "models/net/traffic.h"
#include "testbenches/models/ice/bench.h"

namespace doorbell::ice::test {
namespace {

TEST(IceConfiguration, DefaultsOfKeysAndOfTheStructAgree) {
  const IceConfig a = ice_config(base::ParamSet{base::ParamTable(kIceNicParams)});
  const IceConfig b;
  EXPECT_EQ(a.tx_writeback, b.tx_writeback);
  EXPECT_EQ(a.tx_writeback_service, b.tx_writeback_service);
  EXPECT_EQ(a.tx_report_sent, b.tx_report_sent);
  EXPECT_EQ(a.tx_fetch_threshold, b.tx_fetch_threshold);
  EXPECT_EQ(a.tx_fetch_max, b.tx_fetch_max);
  EXPECT_EQ(a.tx_fetch_align, b.tx_fetch_align);
  EXPECT_EQ(a.tx_cache, b.tx_cache);
  EXPECT_EQ(a.quantum, b.quantum);
  EXPECT_EQ(a.tx_reads, b.tx_reads);
  EXPECT_EQ(a.tx_buffer, b.tx_buffer);
  EXPECT_EQ(a.mdd_own_mac, b.mdd_own_mac);
  EXPECT_EQ(a.rx_fetch, b.rx_fetch);
  EXPECT_EQ(a.rx_cache, b.rx_cache);
  EXPECT_EQ(a.rx_buffer, b.rx_buffer);
  EXPECT_EQ(a.rx_drop, b.rx_drop);
  EXPECT_EQ(a.rx_merge, b.rx_merge);
  EXPECT_EQ(a.itr_from_event, b.itr_from_event);
  EXPECT_EQ(a.clearpba_forgets, b.clearpba_forgets);
  EXPECT_EQ(a.up_arbiter, b.up_arbiter);
  EXPECT_EQ(a.doorbell_time, b.doorbell_time);
  EXPECT_EQ(a.tx_schedule_time, b.tx_schedule_time);
  EXPECT_EQ(a.tx_pipeline_time, b.tx_pipeline_time);
  EXPECT_EQ(a.rx_pipeline_time, b.rx_pipeline_time);
  EXPECT_EQ(a.rx_packet_time, b.rx_packet_time);
  EXPECT_EQ(a.firmware_time, b.firmware_time);
  EXPECT_EQ(a.queue_enable_time, b.queue_enable_time);
  EXPECT_EQ(a.link_up_time, b.link_up_time);
}

TEST(IceConfiguration, WordsOfTheKeys) {
  base::ParamSet set{base::ParamTable(kIceNicParams)};
  const auto with = [&set](const char* key, const char* word) {
    EXPECT_FALSE(set.set(key, base::RawValue::of_text(word))) << key << " " << word;
    return ice_config(set);
  };
  EXPECT_EQ(with("tx_writeback", "immediate").tx_writeback, TxWriteback::kImmediate);
  EXPECT_EQ(with("tx_writeback", "line-full").tx_writeback, TxWriteback::kLineFull);
  EXPECT_EQ(with("tx_writeback", "engine").tx_writeback, TxWriteback::kEngine);
  EXPECT_EQ(with("tx_writeback", "line-merge").tx_writeback, TxWriteback::kLineMerge);
  EXPECT_TRUE(with("tx_report", "sent").tx_report_sent);
  EXPECT_TRUE(with("rx_no_descriptor", "drop").rx_drop);
  EXPECT_TRUE(with("itr_rule", "from-event").itr_from_event);
  EXPECT_TRUE(with("clearpba", "events").clearpba_forgets);
  EXPECT_EQ(with("up_arbiter", "rx-first").up_arbiter, UpArbiter::kRxFirst);
  EXPECT_EQ(with("up_arbiter", "age").up_arbiter, UpArbiter::kAge);
  EXPECT_TRUE(set.set("tx_writeback", base::RawValue::of_text("never")));
}

TEST(IceRegisters, BusErrors) {
  Bench b;
  uint32_t v = 0;
  EXPECT_EQ(b.access(false, 0x4, &v, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(b.access(true, 0x02000000, &v, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(b.access(true, reg::kQtxCommDbell, &v, 2), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(b.access(true, reg::kQtxCommDbell + 1, &v, 4), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(b.access(false, 0x9000, &v, 4, true), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(b.count("register_errors"), 5u);
}

TEST(IceRegisters, ResetValuesFollowTheConfiguration) {
  IceConfig config;
  config.tx_cache = 128;
  config.tx_fetch_threshold = 7;
  config.quantum = 4096;
  fabric::PcieConfig link = Bench::pcie_config();
  link.generation = 4;
  Bench b(config, link);
  EXPECT_EQ(b.rd(reg::kGllanTclanCacheCtl), 7u | 1u << 6 | 128u << 22);
  EXPECT_EQ(b.rd(reg::glcomm_quanta_prof(15)), 4096u);
  EXPECT_EQ(b.rd(reg::kGlcommMinMaxPkt), 9728u | 17u << 16 | 64u << 22);
  EXPECT_EQ(b.rd(reg::kGlpciLinkcap), 0xFu | 5u << 9);
  EXPECT_EQ(b.rd(reg::kPflanTxQalloc), 0x80000000u | 16383u << 16);
  EXPECT_EQ(b.rd(reg::kPflanRxQalloc), 0x80000000u | 2047u << 16);
  EXPECT_EQ(b.rd(reg::kPfintAlloc), 0x80000000u | 2047u << 12);
  b.wr(reg::kGllanTclanCacheCtl, 1);
  b.wr(reg::kGlgenRtrig, glgen_rtrig::kGlobr);
  EXPECT_EQ(b.rd(reg::kGllanTclanCacheCtl), 7u | 1u << 6 | 128u << 22);
  EXPECT_EQ(reg::get_field(glgen_rstat::kResetType, b.rd(reg::kGlgenRstat)), 2u);
}

TEST(IceRegisters, AccessAheadOfTheCalendarRunsIt) {
  Bench b;
  b.add_rx(0, 64);
  b.refill(0, 56);
  b.in.push(b.now() + 5_us, frame(60));
  tlm::tlm_generic_payload payload;
  uint32_t value = 0;
  payload.set_read();
  payload.set_address(reg::kGlprtUprcl);
  payload.set_data_ptr(reinterpret_cast<uint8_t*>(&value));
  payload.set_data_length(4);
  payload.set_streaming_width(4);
  sc_core::sc_time delay = fabric::to_sc(b.now() + 10_us);
  const Picos want = b.now() + 10_us;
  b.bus->b_transport(payload, delay);
  EXPECT_EQ(b.now(), want);
  EXPECT_EQ(value, 1u);
}

TEST(IceRegisters, IndirectContext) {
  Bench b;
  IceTxContext c = b.tx_context(5, 256);
  c.src_vsi = 3;
  b.add_tx(5, c);
  b.wr(reg::kGlcommQtxCntxCtl, 5u | glcomm_qtx_cntx_ctl::kCmdExec);
  uint8_t want[40] = {};
  ASSERT_TRUE(encode(c, want));
  for (unsigned i = 0; i < 10; ++i) {
    EXPECT_EQ(b.rd(reg::glcomm_qtx_cntx_data(i)), base::load_le<uint32_t>(want + 4 * i)) << i;
  }
  EXPECT_EQ(b.rd(reg::kGlcommQtxCntxCtl) & glcomm_qtx_cntx_ctl::kCmdExec, 0u);
  EXPECT_EQ(b.rd(reg::kGlcommQtxCntxStat), 0u);
}

struct AdminBench : Bench {
  AdminBench() { open_admin(); }
  IceAqDesc op(uint16_t opcode, const Bytes& data = {}, size_t room = 0, uint32_t p0 = 0) {
    IceAqDesc d;
    d.opcode = opcode;
    d.cookie_high = 0xAABBCCDD;
    d.cookie_low = 0x11223344;
    d.param[0] = p0;
    const IceAqDesc back = admin(d, data, room);
    EXPECT_EQ(back.cookie_high, 0xAABBCCDDu);
    EXPECT_EQ(back.cookie_low, 0x11223344u);
    EXPECT_EQ(back.opcode, opcode);
    EXPECT_NE(back.flags & aq_flag::kCmp, 0);
    EXPECT_EQ((back.flags & aq_flag::kErr) != 0, back.retval != 0);
    return back;
  }
};

TEST(IceAdmin, GetVersion) {
  AdminBench b;
  const IceAqDesc d = b.op(aq_op::kGetVersion);
  EXPECT_EQ(d.retval, 0);
  EXPECT_EQ(d.param[3] >> 8 & 0xFF, 1u) << "API major";
  EXPECT_EQ(d.param[3] >> 16 & 0xFF, 7u) << "API minor";
  EXPECT_EQ(b.rd(reg::kPfFwAtqh), 1u);
}

TEST(IceAdmin, UnknownOpcode) {
  AdminBench b;
  EXPECT_EQ(b.op(0x0777).retval, 17) << "ENOSYS";
}

TEST(IceAdmin, Capabilities) {
  AdminBench b;
  EXPECT_EQ(b.op(aq_op::kFunctionCaps, {}, 32).retval, 9) << "ENOMEM: the buffer is too small";
  const IceAqDesc d = b.op(aq_op::kFunctionCaps, {}, 4096);
  EXPECT_EQ(d.retval, 0);
  ASSERT_EQ(d.param[1], 6u);
  std::map<uint16_t, IceAqCap> caps;
  for (unsigned i = 0; i < 6; ++i) {
    const IceAqCap c = decode_aq_cap(b.at(Bench::kAdminBuffer + i * kAqCapBytes));
    caps[c.cap] = c;
  }
  EXPECT_EQ(caps[aq_cap::kTxQueues].number, 16384u);
  EXPECT_EQ(caps[aq_cap::kRxQueues].number, 2048u);
  EXPECT_EQ(caps[aq_cap::kMsix].number, 1024u);
  EXPECT_EQ(caps[aq_cap::kRss].number, 2048u);
}

TEST(IceAdmin, MacReadAndWrite) {
  AdminBench b;
  EXPECT_EQ(b.op(aq_op::kManageMacRead, {}, 64).retval, 0);
  EXPECT_EQ(b.bytes_at(Bench::kAdminBuffer, 8), (Bytes{0, 0, 0x02, 0x00, 0x5E, 0x10, 0x00, 0x01}));
  IceAqDesc d;
  d.opcode = aq_op::kManageMacWrite;
  d.param[0] = 0x02u << 16 | 0xA0u << 24;
  d.param[1] = 0x44332211;
  EXPECT_EQ(b.admin(d).retval, 0);
  b.op(aq_op::kManageMacRead, {}, 64);
  EXPECT_EQ(b.bytes_at(Bench::kAdminBuffer + 2, 6), (Bytes{0x02, 0xA0, 0x11, 0x22, 0x33, 0x44}));
}

TEST(IceAdmin, LinkStatusAndItsEvent) {
  AdminBench b;
  b.enable_msix(2);
  b.wr(reg::kPfintFwCtl, Bench::cause(1, 3));
  b.arm(1);
  const IceAqDesc d = b.op(aq_op::kGetLinkStatus, {}, 64, aq_link::kLseEnable);
  EXPECT_EQ(d.retval, 0);
  EXPECT_NE(b.at(Bench::kAdminBuffer)[aq_link::kInfoByte] & aq_link::kUp, 0);
  EXPECT_EQ(base::load_le<uint16_t>(b.at(Bench::kAdminBuffer) + aq_link::kSpeedWord),
            aq_link::kSpeed100G);
  EXPECT_EQ(base::load_le<uint16_t>(b.at(Bench::kAdminBuffer) + aq_link::kMaxFrameWord), 9728);
  b.run(5_us);
  const IceAqDesc event = decode_aq(b.at(Bench::kEventRing));
  EXPECT_EQ(event.opcode, aq_op::kGetLinkStatus);
  EXPECT_NE(event.flags & aq_flag::kDd, 0);
  EXPECT_EQ(b.rd(reg::kPfFwArqh), 1u);
  EXPECT_EQ(b.count("admin_events"), 1u);
  ASSERT_GE(b.msix.messages.size(), 1u);
  EXPECT_EQ(b.msix.messages[0].data, 1u);
}

TEST(IceAdmin, TxQueues) {
  AdminBench b;
  const auto add = [&b](uint16_t queue, const IceTxContext& c) {
    Bytes buffer(kAqTxGroupBytes + kAqTxQueueBytes);
    EXPECT_TRUE(encode_add_tx_queue(buffer.data(), 0x20, queue, c));
    return b.op(aq_op::kAddTxQueues, buffer, 0, 1).retval;
  };
  IceTxContext c = b.tx_context(0, 256);
  EXPECT_EQ(add(16383, c), 0);
  EXPECT_EQ(base::load_le<uint32_t>(b.at(Bench::kAdminBuffer + kAqTxGroupBytes + aq_txq::kTeid)),
            tx_queue_teid(16383));
  EXPECT_EQ(add(16383, c), 13) << "EEXIST";
  EXPECT_EQ(add(16384, c), 14) << "EINVAL";
  c.qlen = 0;
  EXPECT_EQ(add(1, c), 14);
  c.qlen = 256;
  c.legacy_int = 0;
  EXPECT_EQ(add(1, c), 14) << "completion queues are not there";
  Bytes remove(8);
  encode_disable_tx_queue(remove.data(), 0x20, 16383);
  EXPECT_EQ(b.op(aq_op::kDisableTxQueues, remove, 0, 1u << 8).retval, 0);
  EXPECT_EQ(b.op(aq_op::kDisableTxQueues, remove, 0, 1u << 8).retval, 2) << "ENOENT";
}

TEST(IceAdmin, SeveralQueuesInOneCommand) {
  AdminBench b;
  Bytes buffer(kAqTxGroupBytes + 3 * kAqTxQueueBytes);
  base::store_le<uint32_t>(buffer.data(), 0x20);
  buffer[4] = 3;
  for (unsigned i = 0; i < 3; ++i) {
    uint8_t* q = buffer.data() + kAqTxGroupBytes + i * kAqTxQueueBytes;
    base::store_le<uint16_t>(q, static_cast<uint16_t>(10 + i));
    EXPECT_TRUE(encode(b.tx_context(10 + i, 64), q + aq_txq::kContext));
  }
  EXPECT_EQ(b.op(aq_op::kAddTxQueues, buffer, 0, 1).retval, 0);
  buffer.resize(40);
  EXPECT_EQ(b.op(aq_op::kAddTxQueues, buffer, 0, 1).retval, 14) << "buffer cut off";
  Bytes remove(4 + 2 + 6);
  remove[4] = 3;
  for (unsigned i = 0; i < 3; ++i) {
    base::store_le<uint16_t>(remove.data() + 6 + 2 * i, static_cast<uint16_t>(10 + i));
  }
  EXPECT_EQ(b.op(aq_op::kDisableTxQueues, remove, 0, 1u << 8).retval, 0);
}

TEST(IceAdmin, RssKeyAndTable) {
  AdminBench b;
  Bytes key(kRssKeyBytes);
  for (unsigned i = 0; i < key.size(); ++i) key[i] = static_cast<uint8_t>(i + 1);
  EXPECT_EQ(b.op(aq_op::kSetRssKey, key).retval, 0);
  EXPECT_EQ(b.op(aq_op::kGetRssKey, {}, kRssKeyBytes).retval, 0);
  EXPECT_EQ(b.bytes_at(Bench::kAdminBuffer, kRssKeyBytes), key);
  EXPECT_EQ(b.op(aq_op::kSetRssKey, Bytes(51)).retval, 14);
  for (const unsigned n : {64u, 512u, 2048u}) {
    Bytes lut(n);
    for (unsigned i = 0; i < n; ++i) lut[i] = static_cast<uint8_t>(i % 7);
    EXPECT_EQ(b.op(aq_op::kSetRssLut, lut).retval, 0) << n;
    EXPECT_EQ(b.op(aq_op::kGetRssLut, {}, n).retval, 0);
    EXPECT_EQ(b.bytes_at(Bench::kAdminBuffer, n), lut);
  }
  EXPECT_EQ(b.op(aq_op::kSetRssLut, Bytes(100)).retval, 14);
}

TEST(IceAdmin, TheRestAnswersPlausibly) {
  AdminBench b;
  for (const uint16_t opcode :
       {aq_op::kDriverVersion, aq_op::kReleaseResource, aq_op::kClearPxe, aq_op::kClearPfConfig,
        aq_op::kSetEventMask, aq_op::kSetMacConfig, aq_op::kRestartAn, aq_op::kFreeVsi}) {
    EXPECT_EQ(b.op(opcode).retval, 0) << std::hex << opcode;
  }
  EXPECT_EQ(b.op(aq_op::kDownloadPackage, Bytes(4096)).retval, 0);
  EXPECT_EQ(b.op(aq_op::kGetPackageInfo, {}, 512).retval, 0);
  EXPECT_EQ(base::load_le<uint32_t>(b.at(Bench::kAdminBuffer)), 1u);
  EXPECT_EQ(b.op(aq_op::kNvmRead, {}, 512).retval, 0);
  EXPECT_EQ(b.op(aq_op::kGetPhyCaps, {}, 560).retval, 0);
  EXPECT_EQ(b.op(aq_op::kGetSwitchConfig, {}, 512).retval, 0);
  EXPECT_EQ(base::load_le<uint16_t>(b.at(Bench::kAdminBuffer)), 2u << 14);
  EXPECT_EQ(b.op(aq_op::kRequestResource, {}, 0, kAqResourceNvm | 1u << 16).retval, 0);
  const IceAqDesc lock = b.op(aq_op::kRequestResource, {}, 0, kAqResourceGlobalLock | 2u << 16);
  EXPECT_EQ(lock.retval, 12);
  EXPECT_EQ(lock.param[3] & 0xFFFF, kAqGlobalLockDone);
  EXPECT_EQ(b.op(aq_op::kQueueShutdown, {}, 0, 1).retval, 0);
}

TEST(IceAdmin, RingWraps) {
  AdminBench b;
  for (int i = 0; i < 200; ++i) {
    ASSERT_EQ(b.op(aq_op::kGetVersion).retval, 0) << i;
  }
  EXPECT_EQ(b.count("admin_commands"), 200u);
  EXPECT_EQ(b.rd(reg::kPfFwAtqh), 200 % Bench::kAdminEntries);
}

TEST(IceAdmin, TailBeyondTheRing) {
  AdminBench b;
  b.wr(reg::kPfFwAtqt, 1000);
  b.run(50_us);
  EXPECT_NE(b.rd(reg::kPfFwAtqlen) & fw_qlen::kCrit, 0u);
}

TEST(IceAdmin, VlanStripping) {
  AdminBench b;
  Bytes props(64, 0);
  props[0] = 4;   // the VLAN section is valid
  props[12] = 0;  // strip both
  EXPECT_EQ(b.op(aq_op::kUpdateVsi, props).retval, 0);
  b.add_rx(0, 64);
  b.wr(reg::qrx_itr(0), kQrxItrNoExpr);
  b.refill(0, 56);
  Bytes f = frame(100);
  base::store_be16(f.data() + 12, 0x8100);
  base::store_be16(f.data() + 14, 0x6123);
  base::store_be16(f.data() + 16, 0x88B5);
  b.in.push(b.now() + 1_us, f);
  b.run(5_us);
  const IceRxWriteback w = b.rx_at(0, 0);
  EXPECT_EQ(w.length, 96);
  EXPECT_EQ(w.l2tag1, 0x6123);
  EXPECT_NE(w.status0 & rx_status0::kL2tag1p, 0);
  Bytes want(f.begin(), f.begin() + 12);
  want.insert(want.end(), f.begin() + 16, f.end());
  EXPECT_EQ(b.bytes_at(b.rx_buffer(0, 0), 96), want);
  b.ice.settle();
  EXPECT_EQ(b.ice.rx_buffer_bytes(), 0u);
}

TEST(IceStats, Transmit) {
  Bench b;
  IceTxContext c = b.tx_context(0, 64);
  c.src_vsi = 9;
  b.add_tx(0, c);
  const Bytes all{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
  const Bytes group{0x01, 0x00, 0x5E, 0x00, 0x00, 0x01};
  b.put_frame(0, frame(60));
  b.put_frame(0, frame(100, 1, all));
  b.put_frame(0, frame(200, 1, group));
  b.ring_tx(0);
  b.run(10_us);
  EXPECT_EQ(b.rd(reg::kGlprtGotcl), 64u + 104 + 204);
  EXPECT_EQ(b.rd(reg::kGlprtGotcl + 4), 0u);
  EXPECT_EQ(b.rd(reg::kGlprtUptcl), 1u);
  EXPECT_EQ(b.rd(reg::kGlprtMptcl), 1u);
  EXPECT_EQ(b.rd(reg::kGlprtBptcl), 1u);
  EXPECT_EQ(b.rd(reg::kGlvGotcl + 8 * 9), 64u + 104 + 204);
  EXPECT_EQ(b.rd(reg::kGlvUptcl + 8 * 9), 1u);
  EXPECT_EQ(b.rd(reg::kGlvUptcl), 0u) << "another VSI";
  // Reads of descriptors and payload, as the non-posted counters have them.
  EXPECT_GE(b.rd(reg::kGlpciPktctNpC), 4u);
  EXPECT_GE(b.rd(reg::kGlpciBytctlNpC), 48u + 360);
  EXPECT_GT(b.rd(reg::kGlpciLatctNpC), 4u * 500);
}

}  // namespace
}  // namespace doorbell::ice::test
