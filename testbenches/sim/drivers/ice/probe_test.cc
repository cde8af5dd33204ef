// Bring-up and its failures: order of registers and admin commands, contexts bit by bit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "testbenches/sim/drivers/ice/ice_bench.h"

namespace doorbell::drivers::ice {
namespace {

using ::testing::ElementsAre;
using Kind = hal::ScriptedStep::Kind;

// Register accesses in order, without polls of the admin queue's head.
std::vector<std::string> accesses(IceBench& b) {
  std::vector<std::string> list;
  for (const hal::ScriptedStep& step : b.host.steps()) {
    char text[64];
    if (step.kind == Kind::kMmioWrite) {
      std::snprintf(text, sizeof text, "w %06x %x", static_cast<unsigned>(step.address),
                    static_cast<unsigned>(step.value));
    } else if (step.kind == Kind::kMmioRead && step.address != 0x80300) {
      std::snprintf(text, sizeof text, "r %06x", static_cast<unsigned>(step.address));
    } else {
      continue;
    }
    list.push_back(text);
  }
  return list;
}

TEST(Probe, RegisterOrder) {
  IceBench b;
  b.host.record(true);
  ASSERT_EQ(b.driver->probe(), 0);
  std::vector<std::string> list = accesses(b);
  // The rings' places are the allocator's.
  for (std::string& s : list) {
    for (const char* base : {"w 080000 ", "w 080080 "}) {
      if (s.rfind(base, 0) == 0) s = base + std::string("ring");
    }
  }
  EXPECT_THAT(
      list,
      ElementsAre("r 0b8188", "r 0b6008", "r 091000", "w 091000 1", "r 091000",  // PF reset
                  "r 09e880",                                                    // which function
                  "w 080300 0", "w 080400 0", "w 080000 ring", "w 080100 0", "w 080200 80000020",
                  "r 080000",  // command ring
                  "w 080380 0", "w 080480 0", "w 080080 ring", "w 080180 0", "w 080280 80000010",
                  "r 080080", "w 080480 f",                  // event ring
                  "w 080400 1", "w 080400 2", "w 080400 3",  // version, clear PF, clear PXE
                  "w 080400 4", "w 080400 5", "w 080400 6",  // capabilities, MAC, package lock
                  "w 080400 7", "w 080400 8",                // switch, VSI
                  "w 080400 9", "w 080400 a",                // RSS key, table
                  "r 16cc54",                                // timer unit is right
                  "w 16c900 0", "r 16ca00", "w 16c900 34390000", "w 16ca80 40000000",
                  "w 16c800 40000000", "w 154000 3e", "w 160000 1b",  // vector 0
                  "w 080400 b", "w 080400 c"));                       // event mask, link
  EXPECT_THAT(b.opcodes, ElementsAre(0x0001, 0x02A4, 0x0110, 0x000A, 0x0107, 0x0008, 0x0200, 0x0210,
                                     0x0B02, 0x0B03, 0x0613, 0x0607));
}

TEST(Probe, TimerUnitIsWrittenWhenItIsNotTwoMicroseconds) {
  IceBench b;
  b.host.set_register(0x16CC54, 0x00000001);
  ASSERT_EQ(b.driver->probe(), 0);
  EXPECT_EQ(b.host.register_value(0x16CC54), 0x22220000u);
}

TEST(Probe, CommandsAreWellFormed) {
  IceDriverConfig c = IceBench::base_config();
  c.vlan_strip = true;
  IceBench b(c, 3);
  ASSERT_EQ(b.driver->probe(), 0);
  const auto at = [&](uint16_t opcode) {
    for (size_t i = 0; i < b.opcodes.size(); ++i) {
      if (b.opcodes[i] == opcode) return i;
    }
    ADD_FAILURE() << std::hex << opcode;
    return size_t{0};
  };
  // VSI: VLAN section valid, all frames, tag to the descriptor.
  const Bytes& vsi = b.buffers[at(0x0210)];
  ASSERT_EQ(vsi.size(), 128u);
  EXPECT_EQ(vsi[0], 4);
  EXPECT_EQ(vsi[12], 0x03);
  EXPECT_EQ(b.commands[at(0x0210)].flags & 0x3600, 0x3400) << "buffer, read, no interrupt";
  // RSS of VSI 5, which firmware gave.
  EXPECT_EQ(b.commands[at(0x0B02)].param[0], 0x8005u);
  const Bytes& key = b.buffers[at(0x0B02)];
  ASSERT_EQ(key.size(), 52u);
  EXPECT_EQ(key[0], 0x6d);
  EXPECT_EQ(key[51], 0);
  EXPECT_EQ(b.commands[at(0x0B03)].param[0], 0x18005u) << "PF table";
  EXPECT_NE(b.commands[at(0x0B03)].flags & 0x0200, 0) << "long buffer";
  const Bytes& lut = b.buffers[at(0x0B03)];
  ASSERT_EQ(lut.size(), 2048u);
  for (size_t i = 0; i < lut.size(); ++i) ASSERT_EQ(lut[i], i % 3);
  // Link: tell me about changes.
  EXPECT_EQ(b.commands[at(0x0607)].param[0], 0x30000u);
  EXPECT_EQ(b.driver->config().mac.text(), "02:00:00:00:00:77");
}

TEST(Probe, OwnMacIsWritten) {
  IceDriverConfig c = IceBench::base_config();
  c.mac = *net::MacAddress::parse("02:11:22:33:44:55");
  IceBench b(c);
  ASSERT_EQ(b.driver->probe(), 0);
  ASSERT_EQ(b.opcodes[5], 0x0108);
  EXPECT_EQ(b.commands[5].param[0], 0x11020000u);
  EXPECT_EQ(b.commands[5].param[1], 0x55443322u);
}

TEST(Probe, FailuresLeaveNothingBehind) {
  for (const uint16_t opcode :
       {0x0001, 0x02A4, 0x000A, 0x0107, 0x0200, 0x0210, 0x0B02, 0x0B03, 0x0613, 0x0607}) {
    IceBench b;
    b.refuse[opcode] = hw::AqError::kEperm;
    EXPECT_EQ(b.driver->probe(), -EIO) << std::hex << opcode;
    EXPECT_EQ(b.host.coherent_blocks(), 0u);
    EXPECT_FALSE(b.host.has_irq(0));
    EXPECT_EQ(b.driver->statistics().admin_failures, 1u);
  }
}

TEST(Probe, RefusesWhatItCannotUse) {
  {
    IceBench b;
    b.api_major = 2;
    EXPECT_EQ(b.driver->probe(), -EIO);
  }
  {
    IceBench b;
    b.tx_queues = 0;
    EXPECT_EQ(b.driver->probe(), -ENOSPC);
  }
  {
    IceDriverConfig c = IceBench::base_config();
    c.tx_ring = 100;
    IceBench b(c);
    EXPECT_EQ(b.driver->probe(), -EINVAL);
    EXPECT_EQ(b.host.count(hal::Op::kMmioRead), 0u) << "nothing touched";
  }
  {
    // Nobody has loaded a package: this driver has none to load.
    IceBench b;
    b.refuse[0x0008] = hw::AqError::kOk;
    EXPECT_EQ(b.driver->probe(), -ENOENT);
    EXPECT_EQ(b.opcodes.back(), 0x0009) << "the lock is given back";
  }
  {
    IceBench b;
    b.host.set_register(0x0B6008, 0);  // no reset ever done
    EXPECT_EQ(b.driver->probe(), -EIO);
  }
}

TEST(Probe, DeadFirmwareTimesOut) {
  IceBench b;
  b.firmware_dead = true;
  EXPECT_EQ(b.driver->probe(), -ETIMEDOUT);
  EXPECT_EQ(b.driver->admin().timeouts(), 1u);
  EXPECT_EQ(b.host.now().count(), 200000ll * 5000000 - 5000000) << "a second";
}

TEST(Probe, OutOfMemory) {
  for (unsigned n = 1; n <= 4; ++n) {
    IceBench b;
    b.host.fail_coherent(n, 1);
    EXPECT_EQ(b.driver->probe(), -ENOMEM) << n;
    EXPECT_EQ(b.host.coherent_blocks(), 0u);
  }
}

TEST(Admin, RingsWrap) {
  IceBench b;
  b.start();
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(b.driver->set_rss(std::vector<uint8_t>(64, 0), default_rss_key()), 0);
  }
  EXPECT_EQ(b.driver->admin().refused(), 1u) << "the package lock only";
}

TEST(Admin, EventsAreTakenAndTheirEntriesGivenBack) {
  IceBench b;
  b.link_up = false;
  b.start();
  EXPECT_FALSE(b.driver->carrier());
  EXPECT_TRUE(b.driver->queue(0).stopped);
  for (int i = 0; i < 50; ++i) {
    b.link_up = i % 2 == 0;
    hw::IceAqDesc event;
    event.opcode = 0x0607;
    event.flags = 3;
    b.post_event(event);
    b.host.raise(0);
    b.host.advance(base::Picos(0));
    EXPECT_EQ(b.driver->carrier(), b.link_up);
    EXPECT_EQ(b.driver->queue(0).stopped, !b.link_up);
    EXPECT_EQ(b.host.register_value(0x80480), static_cast<uint32_t>(i % 16));
  }
  EXPECT_EQ(b.driver->statistics().link_events, 50u);
  EXPECT_EQ(b.driver->statistics().misc_interrupts, 50u);
  EXPECT_EQ(b.host.register_value(reg::glint_dyn_ctl(0)), 0x1Bu);
  // An event nobody asked for is dropped.
  hw::IceAqDesc other;
  other.opcode = 0x0999;
  b.post_event(other);
  b.host.raise(0);
  b.host.advance(base::Picos(0));
  EXPECT_EQ(b.driver->statistics().link_events, 50u);
}

TEST(Destroy, TellsFirmwareAndFreesAll) {
  IceBench b;
  b.start();
  b.driver.reset();
  EXPECT_EQ(b.opcodes.back(), 0x0003);
  EXPECT_EQ(b.host.coherent_blocks(), 0u);
  EXPECT_FALSE(b.host.has_irq(0));
  EXPECT_FALSE(b.vector_host(0).has_irq(0));
  EXPECT_EQ(b.host.register_value(0x80200), 0u) << "command ring off";
  EXPECT_EQ(b.host.register_value(0x80280), 0u);
  EXPECT_EQ(b.host.timers_pending(), 0u);
}

}  // namespace
}  // namespace doorbell::drivers::ice
