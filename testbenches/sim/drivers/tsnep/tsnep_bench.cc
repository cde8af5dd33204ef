#include "testbenches/sim/drivers/tsnep/tsnep_bench.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace doorbell::drivers::tsnep {

namespace {

constexpr uint32_t kDram = 64u << 20;
constexpr uint32_t kCoherent = 4u << 20;

uint32_t block_base(unsigned q) {
  return q == 0 ? 0 : 0x4000 + 0x1000 * (q - 1);
}
bool is_new(uint32_t seen, uint32_t last) {
  return seen != 0 && (seen == last || seen == last % 3 + 1);
}

}  // namespace

Bytes udp_frame(uint32_t bytes, uint8_t tag) {
  Bytes f(bytes, 0);
  const uint8_t head[] = {0x02, 0, 0, 0, 0, 1, 0x02, 0, 0, 0, 0, 2, 0x08, 0x00, 0x45};
  std::copy(std::begin(head), std::end(head), f.begin());
  base::store_be16(f.data() + 16, static_cast<uint16_t>(bytes - 14));
  f[23] = 17;
  for (uint32_t i = 42; i < bytes; ++i) f[i] = static_cast<uint8_t>(i * 7 + tag);
  return f;
}

Bytes swapped(Bytes frame) {
  std::swap_ranges(frame.begin(), frame.begin() + 6, frame.begin() + 6);
  return frame;
}

TsnepDriverConfig TsnepBench::with(stack::XdpProgram* program) {
  TsnepDriverConfig config;
  config.program = program;
  return config;
}

TsnepBench::TsnepBench(const TsnepDriverConfig& config, unsigned queues)
    : host(kDram, kCoherent),
      main_hal(host.hal()),
      stack(main_hal, stack::NetStackConfig{2048}),
      tap(host),
      sink(host) {
  TsnepHals hals;
  for (unsigned i = 0; i < queues; ++i) {
    queue_hosts.push_back(std::make_unique<hal::ScriptedHal>(8192, 4096));
    hal::Hal own = queue_hosts.back()->hal();
    queue_hals.push_back(std::make_unique<hal::Hal>(
        hal::Hal{main_hal.mmio, main_hal.coherent, main_hal.dma, main_hal.order, main_hal.cpu,
                 own.irq, own.napi, i == 0 ? main_hal.timers : own.timers}));
    hals.queues.push_back(queue_hals.back().get());
  }
  driver = std::make_unique<TsnepDriver>(hals, stack, config);
  wire_registers();
  stack.set_tap(&tap);
  stack.set_sink(&sink);
  driver->set_peek(this);
}

TsnepBench::~TsnepBench() {
  driver.reset();
  for (const std::string& failure : host.failures()) ADD_FAILURE() << failure;
  for (const auto& q : queue_hosts) {
    for (const std::string& failure : q->failures()) ADD_FAILURE() << failure;
  }
}

void TsnepBench::wire_registers() {
  const auto queues = static_cast<unsigned>(queue_hosts.size());
  host.set_register(0x0000, queues << 16 | 1u << 25);
  phy = {{1, 0x0024}, {4, 0x0101}, {5, 0xC101}, {9, 0x0200}, {10, 0x3800}};
  host.on_write(0x0084, [this](uint32_t v) {
    const unsigned number = v >> 3 & 31;
    const bool ours = (v >> 8 & 31) == 1;
    if ((v & 2) != 0 && ours) phy[number] = static_cast<uint16_t>(v >> 16);
    host.set_register(0x0084,
                      (v & 4) != 0 ? uint32_t{ours ? phy[number] : uint16_t{0xFFFF}} << 16 : 0);
  });
  host.on_write(0x0018, [this](uint32_t v) { enables.push_back(v); });
  host.on_read(0x0008, [this] { return static_cast<uint32_t>(host.now().count() / 1000); });
  host.on_read(0x000C, [this] { return static_cast<uint32_t>((host.now().count() / 1000) >> 32); });
  host.on_write(0x0808, [this](uint32_t v) {
    gc_commands.push_back(static_cast<uint8_t>(v));
    if ((v & 6) == 0) return;
    if ((gc_status & 0x20) != 0) {
      gc_status &= ~0x20u;
    } else if (gc_refusals > 0) {
      --gc_refusals;
      gc_status |= 0x20;
    }
  });
  host.on_read(0x0808, [this] { return gc_status; });
  for (unsigned q = 0; q < queues; ++q) wire_queue(q);
}

void TsnepBench::wire_queue(unsigned q) {
  const uint32_t base = block_base(q);
  host.on_write(base + 0x108, [this, q](uint32_t v) {
    if ((v & 0x200) != 0) rx_running[q] = true;
    if ((v & 0x400) != 0 && !rx_stuck) rx_running[q] = false;
    if ((v & 0x1) != 0) tx[q].counter = 1;
  });
  host.on_read(base + 0x108, [this, q] {
    host.advance(base::Picos(1000000));
    if (sends_alone && !tx_stuck) finish(q);
    return (rx_running[q] ? 0x200u : 0u) | (tx_stuck ? 0x2u : 0u);
  });
  const auto address = [this, q, base](std::map<unsigned, Engine>& engines, uint32_t low) {
    host.on_write(base + low, [&engines, q](uint32_t v) {
      EXPECT_EQ(v & 0xFF, 1u) << "bit 0 resets the counter, the address is a multiple of 256";
      engines[q].next = v & 0xFFFFFF00;
      engines[q].counter = 1;
    });
    host.on_write(base + low + 4,
                  [&engines, q](uint32_t v) { engines[q].next |= uint64_t{v} << 32; });
  };
  address(tx, 0x140);
  address(rx, 0x180);
}

void TsnepBench::start() {
  ASSERT_EQ(driver->probe(), 0);
  ASSERT_EQ(driver->open(), 0);
  host.advance(base::Picos(1000000));
  ASSERT_TRUE(driver->carrier());
  enables.clear();
  host.reset_counts();
}

std::vector<Sent> TsnepBench::transmit(unsigned q, size_t limit) {
  std::vector<Sent> frames;
  Engine& engine = tx[q];
  Sent frame;
  while (engine.next != 0 && frames.size() < limit) {
    const uint64_t block = engine.next;
    const uint32_t p = host.peek32(block + 128);
    if (!is_new(p >> 30, engine.counter)) break;
    engine.counter = p >> 30;
    engine.next = host.peek64(block + 144);
    const uint32_t bytes = host.peek32(block + 132);
    const bool inlined = (p & 1u << 17) != 0;
    const Bytes part = host.device_read(inlined ? block + 152 : host.peek64(block + 152), bytes);
    if (frame.properties.empty()) frame.block = block;
    frame.bytes.insert(frame.bytes.end(), part.begin(), part.end());
    frame.properties.push_back(p);
    frame.lengths.push_back(bytes);
    if ((p & 1u << 16) == 0) continue;
    EXPECT_EQ(frame.properties[0] & 0x3FFF, frame.bytes.size());
    frames.push_back(frame);
    frame = Sent{};
  }
  return frames;
}

void TsnepBench::acknowledge(const Sent& frame, uint32_t extra, uint64_t stamp) {
  host.poke64(frame.block + 16, stamp);
  host.poke32(frame.block, (frame.properties[0] & 0xE0000000) | extra);
}

size_t TsnepBench::finish(unsigned q) {
  const std::vector<Sent> frames = transmit(q);
  for (const Sent& frame : frames) acknowledge(frame);
  return frames.size();
}

bool TsnepBench::receive(const Bytes& frame, unsigned q, uint64_t stamp) {
  Engine& engine = rx[q];
  const uint64_t block = engine.next;
  const uint32_t p = host.peek32(block + 128);
  if (!rx_running[q] || !is_new(p >> 30, engine.counter)) return false;
  engine.counter = p >> 30;
  engine.next = host.peek64(block + 144);
  Bytes all(16, 0xEE);
  base::store_le<uint64_t>(all.data() + 8, stamp);
  all.insert(all.end(), frame.begin(), frame.end());
  all.insert(all.end(), {0xFC, 0x5A, 0xFC, 0x5A});
  EXPECT_GE(p & 0x3FFC, all.size());
  host.device_write(host.peek64(block + 152), {all.data(), all.size()});
  host.poke32(block, (p & 0xC0000000) | static_cast<uint32_t>(all.size()));
  return true;
}

int TsnepBench::poll(unsigned q) {
  if (!queue_hosts[q]->napi_scheduled()) {
    if (q == 0) host.set_register(0x001C, 0x300);
    queue_hosts[q]->raise(0);
  }
  return queue_hosts[q]->run_napi();
}

stack::SkBuff* TsnepBench::skb(const Bytes& bytes) {
  stack::SkBuff* skb = stack.skbs().alloc(256);
  if (skb == nullptr) return nullptr;
  uint8_t* p = skb->put(static_cast<uint32_t>(bytes.size()));
  main_hal.dma.touch(p, static_cast<uint32_t>(bytes.size()), hal::Touch::kWrite);
  std::copy(bytes.begin(), bytes.end(), p);
  return skb;
}

void TsnepBench::add_frag(stack::SkBuff& skb, const Bytes& bytes) {
  stack::Page* page = stack.skbs().alloc_page();
  main_hal.dma.touch(page->data, static_cast<uint32_t>(bytes.size()), hal::Touch::kWrite);
  std::copy(bytes.begin(), bytes.end(), page->data);
  skb.add_frag(*page, page->data, static_cast<uint32_t>(bytes.size()));
}

void TsnepBench::expect_no_leaks() {
  driver->stop();
  EXPECT_EQ(stack.skbs().in_use(), 0u);
  EXPECT_EQ(stack.leaked_pages, 0u);
  EXPECT_EQ(host.mappings(), 0u);
  EXPECT_EQ(stack.redirector().pending(), 0u);
  EXPECT_EQ(host.coherent_blocks(), 1u) << "the lock words";
}

}  // namespace doorbell::drivers::tsnep
