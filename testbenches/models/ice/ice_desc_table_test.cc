// The tables that people read say of every field what the encoders do with it.
#include "models/ice/ice_desc_table.h"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <string>

namespace doorbell::ice {
namespace {

// Bits by word, from a table's fields or from encoded bytes.
using Words = std::array<uint32_t, 8>;

template <typename Desc>
Words encoded(const Desc& d) {
  uint8_t bytes[32] = {};
  encode(d, bytes);
  Words words{};
  for (size_t i = 0; i < words.size(); ++i) {
    words[i] = base::load_le<uint32_t>(bytes + 4 * i);
  }
  return words;
}

// All bits of the fields called any of `names`, separated by spaces. What a field has been asked
// for is noted in `seen`.
class Table {
 public:
  explicit Table(const reg::RegTable& rows) : rows_(rows) {}
  Words bits(const std::string& names) {
    Words words{};
    size_t begin = 0;
    while (begin < names.size()) {
      const size_t end = std::min(names.find(' ', begin), names.size());
      add(names.substr(begin, end - begin), words);
      begin = end + 1;
    }
    return words;
  }
  // Fields nobody asked for.
  std::set<std::string> unseen() const {
    std::set<std::string> left;
    for (const reg::RegSpec& row : rows_) {
      for (const reg::FieldSpec& field : row.fields) {
        if (seen_.count(field.name) == 0) {
          left.insert(field.name);
        }
      }
    }
    return left;
  }

 private:
  void add(const std::string& name, Words& words) {
    bool found = false;
    for (const reg::RegSpec& row : rows_) {
      for (const reg::FieldSpec& field : row.fields) {
        if (name == field.name) {
          words[row.offset / 4] |= field.mask();
          found = true;
        }
      }
    }
    EXPECT_TRUE(found) << name;
    seen_.insert(name);
  }
  reg::RegTable rows_;
  std::set<std::string> seen_;
};

IceTxDesc data_command(uint32_t cmd) {
  IceTxDesc d;
  d.cmd = cmd;
  return d;
}

TEST(IceDescTable, TransmitData) {
  Table table(kIceTxDescWords);
  IceTxDesc d;
  d.address = UINT64_MAX;
  EXPECT_EQ(encoded(d), table.bits("ADDRESS_LO ADDRESS_HI"));
  const std::pair<const char*, uint32_t> commands[] = {
      {"EOP", tx_cmd::kEop},         {"RS", tx_cmd::kRs},       {"ICRC", tx_cmd::kIcrc},
      {"IL2TAG1", tx_cmd::kIl2tag1}, {"DUMMY", tx_cmd::kDummy}, {"IIPT", tx_cmd::kIipt},
      {"L4T", tx_cmd::kL4t},         {"RE", tx_cmd::kRe}};
  for (const auto& [name, cmd] : commands) {
    EXPECT_EQ(encoded(data_command(cmd)), table.bits(name)) << name;
  }
  d = {};
  d.maclen = 0x7F;
  EXPECT_EQ(encoded(d), table.bits("MACLEN"));
  d = {};
  d.iplen = 0x7F;
  EXPECT_EQ(encoded(d), table.bits("IPLEN"));
  d = {};
  d.l4len = 0xF;
  EXPECT_EQ(encoded(d), table.bits("L4LEN_LO L4LEN_HI"));
  d.l4len = 0x3;
  EXPECT_EQ(encoded(d), table.bits("L4LEN_LO"));
  d = {};
  d.size = kMaxTxBufferBytes;
  EXPECT_EQ(encoded(d), table.bits("SIZE"));
  d = {};
  d.l2tag1 = 0xFFFF;
  EXPECT_EQ(encoded(d), table.bits("L2TAG1"));
  // What hands a descriptor back.
  EXPECT_EQ((Words{0, 0, static_cast<uint32_t>(kTxDoneQw1)}), table.bits("DTYPE"));
  EXPECT_EQ(table.unseen(), (std::set<std::string>{}));
}

TEST(IceDescTable, TransmitContext) {
  Table table(kIceTxContextWords);
  // An encoded context descriptor has its type in it: 1.
  const auto fields = [](const IceTxContextDesc& d) {
    Words words = encoded(d);
    EXPECT_EQ(words[2] & 0xF, 1u);
    words[2] &= ~0xFu;
    return words;
  };
  const std::pair<const char*, uint32_t> tunnels[] = {
      {"EIPT", tx_tunnel::kEipt},     {"EIPLEN", tx_tunnel::kEipLen},
      {"L4TUNT", tx_tunnel::kL4Tunt}, {"EIP_NOINC", tx_tunnel::kEipNoInc},
      {"NATLEN", tx_tunnel::kNatLen}, {"DECTTL", tx_tunnel::kDecTtl},
      {"L4T_CS", tx_tunnel::kL4TCs}};
  IceTxContextDesc d;
  for (const auto& [name, bits] : tunnels) {
    d.tunnel = bits;
    EXPECT_EQ(fields(d), table.bits(name)) << name;
  }
  const std::pair<const char*, uint32_t> commands[] = {{"TSO", tx_ctx_cmd::kTso},
                                                       {"TSYN", tx_ctx_cmd::kTsyn},
                                                       {"IL2TAG2", tx_ctx_cmd::kIl2tag2},
                                                       {"IL2TAG2_IL2H", tx_ctx_cmd::kIl2tag2Il2h},
                                                       {"SWTCH", tx_ctx_cmd::kSwitch}};
  for (const auto& [name, cmd] : commands) {
    d = {};
    d.cmd = cmd;
    EXPECT_EQ(fields(d), table.bits(name)) << name;
  }
  d = {};
  d.l2tag2 = 0xFFFF;
  EXPECT_EQ(fields(d), table.bits("L2TAG2"));
  d = {};
  d.tso_len = kMaxTsoBytes;
  EXPECT_EQ(fields(d), table.bits("TSO_LEN_LO TSO_LEN_HI"));
  d.tso_len = 3;
  EXPECT_EQ(fields(d), table.bits("TSO_LEN_LO"));
  d = {};
  d.mss = 0x3FFF;
  EXPECT_EQ(fields(d), table.bits("MSS"));
  EXPECT_EQ((Words{0, 0, 0xF}), table.bits("DTYPE"));
  EXPECT_EQ(reg::RegTable(kIceTxContextWords).find("COMMAND")->reset, 1u);
  EXPECT_EQ(table.unseen(), (std::set<std::string>{}));
}

TEST(IceDescTable, ReceiveRead) {
  Table table(kIceRxReadWords);
  const auto read = [](uint64_t packet, uint64_t header) {
    uint8_t bytes[32];
    encode_rx_read(bytes, packet, header);
    Words words{};
    for (size_t i = 0; i < words.size(); ++i) {
      words[i] = base::load_le<uint32_t>(bytes + 4 * i);
    }
    return words;
  };
  EXPECT_EQ(read(UINT64_MAX, 0), table.bits("PACKET_LO PACKET_HI"));
  EXPECT_EQ(read(0xFFFFFFFF, 0), table.bits("PACKET_LO"));
  EXPECT_EQ(read(0, UINT64_MAX), table.bits("HEADER_LO HEADER_HI"));
  EXPECT_EQ(read(0, 0xFFFFFFFF), table.bits("HEADER_LO"));
  // Bit 0 of the header address is where DD comes: software writes 0 there.
  EXPECT_EQ(kRxOffHeader, kRxOffStatus0);
  EXPECT_EQ(table.unseen(), (std::set<std::string>{}));
  EXPECT_EQ(reg::RegTable(kIceRxReadWords).find("ZERO")->end(), 32u);
}

TEST(IceDescTable, ReceiveWritebackStatus) {
  Table table(kIceRxWritebackWords);
  const auto status = [](uint16_t bits0, uint16_t bits1) {
    IceRxWriteback w;
    w.rxdid = 0;
    w.status0 = bits0;
    w.status1 = bits1;
    return encoded(w);
  };
  const char* names0[] = {
      "DD",   "EOF",       "HBO", "L3L4P", "XSUM_IPE",  "XSUM_L4E", "XSUM_EIPE",    "XSUM_EUDPE",
      "LPBK", "IPV6EXADD", "RXE", "CRCP",  "RSS_VALID", "L2TAG1P",  "XTRMD0_VALID", "XTRMD1_VALID"};
  for (unsigned bit = 0; bit < 16; ++bit) {
    EXPECT_EQ(status(static_cast<uint16_t>(1u << bit), 0), table.bits(names0[bit])) << names0[bit];
  }
  EXPECT_EQ(status(0, 0x000F), table.bits("CPM"));
  EXPECT_EQ(status(0, 0x0010), table.bits("NAT"));
  EXPECT_EQ(status(0, 0x0020), table.bits("CRYPTO"));
  EXPECT_EQ(status(0, 0x0800), table.bits("L2TAG2P"));
  EXPECT_EQ(status(0, 0xF000), table.bits("XTRMD2_VALID XTRMD3_VALID XTRMD4_VALID XTRMD5_VALID"));
}

TEST(IceDescTable, ReceiveWritebackFields) {
  Table table(kIceRxWritebackWords);
  const auto only = [](auto set) {
    IceRxWriteback w;
    w.rxdid = 0;
    set(w);
    return encoded(w);
  };
  using W = IceRxWriteback;
  EXPECT_EQ(only([](W& w) { w.rxdid = 0xFF; }), table.bits("RXDID"));
  EXPECT_EQ(only([](W& w) { w.mirror_id = 0x3F; }), table.bits("MIRROR_ID"));
  EXPECT_EQ(only([](W& w) { w.cast = RxCast::kMirrored; }), table.bits("UMBCAST"));
  EXPECT_EQ(only([](W& w) { w.ptype = 1023; }), table.bits("PTYPE"));
  EXPECT_EQ(only([](W& w) { w.flags0 = 63; }), table.bits("FLAGS0"));
  EXPECT_EQ(only([](W& w) { w.length = 16383; }), table.bits("LENGTH"));
  EXPECT_EQ(only([](W& w) { w.header_length = 2047; }), table.bits("HDR_LEN"));
  EXPECT_EQ(only([](W& w) { w.sph = true; }), table.bits("SPH"));
  EXPECT_EQ(only([](W& w) { w.flags1 = 15; }), table.bits("FLAGS1"));
  EXPECT_EQ(only([](W& w) { w.l2tag1 = 0xFFFF; }), table.bits("L2TAG1"));
  EXPECT_EQ(only([](W& w) { w.rss_hash = UINT32_MAX; }), table.bits("RSS_HASH"));
  EXPECT_EQ(only([](W& w) { w.flags2 = 0xFF; }), table.bits("FLAGS2"));
  EXPECT_EQ(only([](W& w) { w.ts_low = 0xFF; }), table.bits("TS_LOW"));
  EXPECT_EQ(only([](W& w) { w.l2tag2_first = 0xFFFF; }), table.bits("L2TAG2_1ST"));
  EXPECT_EQ(only([](W& w) { w.l2tag2_second = 0xFFFF; }), table.bits("L2TAG2_2ND"));
  EXPECT_EQ(only([](W& w) { w.flow_id = UINT32_MAX; }), table.bits("FLOW_ID"));
  EXPECT_EQ(only([](W& w) { w.ts_high = UINT32_MAX; }), table.bits("TS_HIGH"));
  EXPECT_EQ(reg::RegTable(kIceRxWritebackWords).find("TYPE")->reset, 2u) << "RXDID 2";
  // The rest is the status test's: two half-words of flags.
  const auto unseen = table.unseen();
  EXPECT_EQ(unseen.size(), 16u + 8u);
}

// Software writes what goes to the device and only reads what comes from it.
TEST(IceDescTable, WriteBackIsTheDevices) {
  for (const reg::RegSpec& row : reg::RegTable(kIceRxWritebackWords)) {
    EXPECT_EQ(row.mask(reg::Access::kRo), row.implemented()) << row.name;
  }
  for (const reg::RegTable& table :
       {reg::RegTable(kIceTxDescWords), reg::RegTable(kIceTxContextWords),
        reg::RegTable(kIceRxReadWords)}) {
    for (const reg::RegSpec& row : table) {
      EXPECT_EQ(row.mask(reg::Access::kRw), row.implemented()) << row.name;
    }
  }
}

}  // namespace
}  // namespace doorbell::ice
