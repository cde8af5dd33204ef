#include "testbenches/sim/drivers/fec/fec_bench.h"

#include <gtest/gtest.h>

#include "models/fec/fec_regs.h"

namespace doorbell::drivers::fec {

namespace reg = hw::reg;

Bytes udp_frame(uint32_t bytes, uint8_t tag) {
  Bytes f(bytes, 0);
  const uint8_t head[] = {0x02, 0, 0, 0, 0, 1, 0x02, 0, 0, 0, 0, 2, 0x08, 0x00, 0x45};
  std::copy(std::begin(head), std::end(head), f.begin());
  base::store_be16(f.data() + 16, static_cast<uint16_t>(bytes - 14));
  f[23] = 17;
  for (uint32_t i = 42; i < bytes; ++i) f[i] = static_cast<uint8_t>(i * 7 + tag);
  return f;
}

FecDriverConfig FecBench::base_config() {
  FecDriverConfig config;
  config.assume_link = true;
  return config;
}

FecBench::FecBench(const FecDriverConfig& config)
    : stack(host.hal(), stack::NetStackConfig{2048}),
      tap(host),
      peek(host),
      driver(std::make_unique<FecDriver>(host.hal(), stack, config)) {
  wire_registers();
  stack.set_tap(&tap);
  driver->set_peek(&peek);
}

FecBench::~FecBench() {
  driver.reset();
  for (const std::string& failure : host.failures()) ADD_FAILURE() << failure;
}

void FecBench::wire_registers() {
  host.on_read(reg::kEir, [this] { return eir; });
  host.on_write(reg::kEir, [this](uint32_t v) { eir &= ~v; });
  host.on_write(reg::kEcr, [this](uint32_t v) {
    if ((v & hw::ecr::kEtherEn) != 0 && (ecr_ & hw::ecr::kEtherEn) == 0) {
      rx_next_ = {};
      tx_next_ = {};
      tdar = {};
    }
    ecr_ = v;
  });
  host.on_write(reg::kTcr, [this](uint32_t v) {
    if ((v & hw::tcr::kGts) != 0) eir |= hw::eir::kGra;
  });
  for (unsigned q = 0; q < 3; ++q) {
    host.on_write(reg::tdar(q), [this, q](uint32_t) { tdar[q] = true; });
    host.on_read(reg::tdar(q), [this, q] { return tdar[q] || tdar_sticky ? hw::kActive : 0u; });
  }
  host.on_write(reg::kMmfr, [this](uint32_t v) {
    if (v == 0) return;
    mdio_frames.push_back(v);
    if (mdio_dead) return;
    const uint32_t ra = (v >> 18) & 31;
    if (((v >> 28) & 3) == 1) phy[ra] = static_cast<uint16_t>(v);
    host.set_register(reg::kMmfr, (v & 0xFFFF0000) | phy[ra]);
    eir |= hw::eir::kMii;
  });
}

void FecBench::start() {
  ASSERT_EQ(driver->probe(), 0);
  ASSERT_EQ(driver->open(), 0);
  eir = 0;
  host.reset_counts();
}

hal::DmaAddr FecBench::rx_bd(unsigned queue, uint32_t index) const {
  return driver->rx_ring(queue).bd.at(index);
}
hal::DmaAddr FecBench::tx_bd(unsigned queue, uint32_t index) const {
  return driver->tx_ring(queue).bd.at(index);
}

bool FecBench::receive(unsigned queue, const Bytes& frame, const RxClose& close) {
  const hal::DmaAddr bd = rx_bd(queue, rx_next_[queue]);
  const uint16_t old = host.peek16(bd + hw::kOffStatus);
  if ((old & hw::rx_sc::kEmpty) == 0) return false;
  Bytes data = {0xEE, 0xEE};
  data.insert(data.end(), frame.begin(), frame.end());
  data.insert(data.end(), 4, 0xFC);
  host.device_write(host.peek32(bd + hw::kOffAddress), {data.data(), data.size()});
  const int length = close.length < 0 ? static_cast<int>(data.size()) : close.length;
  host.poke16(bd + hw::kOffLength, static_cast<uint16_t>(length));
  if (driver->config().enhanced_descriptors) {
    host.poke32(bd + hw::kOffControl, close.control);
    host.poke32(bd + hw::kOffBdu, hw::kBduDone);
    host.poke32(bd + hw::kOffTimestamp, close.timestamp);
  }
  host.poke16(
      bd + hw::kOffStatus,
      static_cast<uint16_t>((old & ~hw::rx_sc::kEmpty & ~hw::rx_sc::kDeviceStatus) | close.status));
  eir |= hw::eir::rxf(queue);
  rx_next_[queue] = driver->rx_ring(queue).bd.next(rx_next_[queue]);
  ++frames_received;
  return true;
}

std::vector<Sent> FecBench::transmit(unsigned queue, unsigned limit) {
  std::vector<Sent> sent;
  const BdRing& ring = driver->tx_ring(queue).bd;
  Sent frame;
  while (sent.size() < limit) {
    const hal::DmaAddr bd = ring.at(tx_next_[queue]);
    const uint16_t status = host.peek16(bd + hw::kOffStatus);
    if ((status & hw::tx_sc::kReady) == 0) {
      tdar[queue] = false;
      break;
    }
    const uint16_t length = host.peek16(bd + hw::kOffLength);
    const Bytes part = host.device_read(host.peek32(bd + hw::kOffAddress), length);
    frame.bytes.insert(frame.bytes.end(), part.begin(), part.end());
    frame.status.push_back(status);
    frame.control.push_back(
        driver->config().enhanced_descriptors ? host.peek32(bd + hw::kOffControl) : 0);
    frame.lengths.push_back(length);
    host.poke16(bd + hw::kOffStatus, status & ~hw::tx_sc::kReady);
    tx_next_[queue] = ring.next(tx_next_[queue]);
    if ((status & hw::tx_sc::kLast) == 0) continue;
    if (driver->config().enhanced_descriptors) host.poke32(bd + hw::kOffBdu, hw::kBduDone);
    eir |= hw::eir::txf(queue);
    sent.push_back(frame);
    frame = Sent{};
  }
  return sent;
}

void FecBench::service() {
  for (int i = 0; i < 1000 && (eir & hw::eir::kFrames) != 0; ++i) {
    host.raise(2);
    while (host.run_napi() >= host.napi_weight()) {
    }
  }
}

stack::SkBuff* FecBench::skb(const Bytes& bytes) {
  stack::SkBuff* skb = stack.skbs().alloc(256);
  if (skb == nullptr) return nullptr;
  uint8_t* p = skb->put(static_cast<uint32_t>(bytes.size()));
  host.hal().dma.touch(p, static_cast<uint32_t>(bytes.size()), hal::Touch::kWrite);
  std::copy(bytes.begin(), bytes.end(), p);
  return skb;
}

void FecBench::add_frag(stack::SkBuff& skb, const Bytes& bytes) {
  stack::Page* page = stack.skbs().alloc_page();
  host.hal().dma.touch(page->data, static_cast<uint32_t>(bytes.size()), hal::Touch::kWrite);
  std::copy(bytes.begin(), bytes.end(), page->data);
  skb.add_frag(*page, page->data, static_cast<uint32_t>(bytes.size()));
}

void FecBench::expect_no_leaks() {
  driver->stop();
  EXPECT_EQ(stack.skbs().in_use(), 0u);
  EXPECT_EQ(stack.leaked_pages, 0u);
  EXPECT_EQ(host.mappings(), 0u);
  EXPECT_EQ(stack.redirector().pending(), 0u);
}

}  // namespace doorbell::drivers::fec
