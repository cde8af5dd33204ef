#include "testbenches/sim/drivers/ice/ice_bench.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace doorbell::drivers::ice {

namespace {
constexpr uint32_t kDram = 64u << 20;
constexpr uint32_t kCoherent = 4u << 20;
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

IceDriverConfig IceBench::base_config() {
  IceDriverConfig config;
  config.rx_ring = 128;
  config.tx_ring = 256;
  config.rx_itr = {false, 50};
  config.tx_itr = {false, 50};
  return config;
}

IceDriverConfig IceBench::with(stack::XdpProgram* program, RsMode rs) {
  IceDriverConfig config = base_config();
  config.program = program;
  config.rs = rs;
  return config;
}

IceBench::IceBench(const IceDriverConfig& config, unsigned vectors, unsigned cpus)
    : host(kDram, kCoherent),
      main_hal(host.hal()),
      stack(main_hal, stack::NetStackConfig{4096}),
      tap(host) {
  IceHals hals;
  hals.misc = &main_hal;
  hals.cpus = cpus;
  for (unsigned i = 0; i < vectors; ++i) {
    vector_hosts.push_back(std::make_unique<hal::ScriptedHal>(8192, 4096));
    hal::Hal own = vector_hosts.back()->hal();
    vector_hals.push_back(std::make_unique<hal::Hal>(
        hal::Hal{main_hal.mmio, main_hal.coherent, main_hal.dma, main_hal.order, main_hal.cpu,
                 own.irq, own.napi, own.timers}));
    hals.vectors.push_back(vector_hals.back().get());
  }
  driver = std::make_unique<IceDriver>(hals, stack, config);
  wire_registers();
  stack.set_tap(&tap);
  driver->set_peek(this);
}

IceBench::~IceBench() {
  driver.reset();
  for (const std::string& failure : host.failures()) ADD_FAILURE() << failure;
  for (const auto& v : vector_hosts) {
    for (const std::string& failure : v->failures()) ADD_FAILURE() << failure;
  }
}

void IceBench::wire_registers() {
  host.set_register(reg::kGlnvmUld, 0x18);
  host.set_register(reg::kGlintCtl, 0x22220000);
  host.on_write(reg::kPfgenCtrl, [this](uint32_t) { host.set_register(reg::kPfgenCtrl, 0); });
  host.on_write(reg::kPfFwAtqlen, [this](uint32_t v) {
    if ((v & hw::fw_qlen::kEnable) == 0) command_head_ = event_head_ = 0;
  });
  host.on_write(reg::kPfFwAtqt, [this](uint32_t tail) { run_firmware(tail); });
  for (unsigned q = 0; q < 64; ++q) {
    host.on_write(reg::qrx_ctrl(q), [this, q](uint32_t v) {
      const bool on = (v & hw::qrx_ctrl::kQenaReq) != 0 && !rx_never_enables;
      host.set_register(reg::qrx_ctrl(q),
                        on ? v | hw::qrx_ctrl::kQenaStat : v & ~hw::qrx_ctrl::kQenaStat);
      if (on) rx_head[q] = 0;
    });
  }
  for (unsigned q = 0; q < 128; ++q) {
    host.on_write(reg::qtx_comm_dbell(q), [this, q](uint32_t v) { tx[q].tail = v; });
  }
}

void IceBench::run_firmware(uint32_t tail) {
  if (firmware_dead || (host.register_value(reg::kPfFwAtqlen) & hw::fw_qlen::kEnable) == 0) return;
  const uint64_t ring = host.register_value(reg::kPfFwAtqbal);
  const uint32_t size = host.register_value(reg::kPfFwAtqlen) & hw::fw_qlen::kLen;
  while (command_head_ != tail) {
    const hal::DmaAddr at = ring + command_head_ * hw::kAqDescBytes;
    hw::IceAqDesc d = hw::decode_aq(host.device_read(at, hw::kAqDescBytes).data());
    Bytes buffer;
    if ((d.flags & hw::aq_flag::kBuf) != 0) buffer = host.device_read(d.buffer(), d.datalen);
    opcodes.push_back(d.opcode);
    commands.push_back(d);
    buffers.push_back((d.flags & hw::aq_flag::kRd) != 0 ? buffer : Bytes());
    const uint64_t address = d.buffer();
    const auto refused = refuse.find(d.opcode);
    const hw::AqError error = refused != refuse.end() ? refused->second : execute(d, buffer);
    if (!buffer.empty() && error == hw::AqError::kOk) {
      host.device_write(address, {buffer.data(), buffer.size()});
    }
    d.flags |= hw::aq_flag::kDd | hw::aq_flag::kCmp;
    if (error != hw::AqError::kOk) d.flags |= hw::aq_flag::kErr;
    d.retval = static_cast<uint16_t>(error);
    uint8_t raw[hw::kAqDescBytes];
    encode(d, raw);
    host.device_write(at, {raw, sizeof raw});
    command_head_ = command_head_ + 1 == size ? 0 : command_head_ + 1;
  }
  host.set_register(reg::kPfFwAtqh, command_head_);
}

hw::AqError IceBench::execute(hw::IceAqDesc& d, Bytes& buffer) {
  switch (d.opcode) {
    case hw::aq_op::kGetVersion:
      d.param[3] = uint32_t{api_major} << 8;
      break;
    case hw::aq_op::kFunctionCaps: {
      const hw::IceAqCap caps[] = {{hw::aq_cap::kRxQueues, 1, 0, 2048, 0, 0},
                                   {hw::aq_cap::kTxQueues, 1, 0, tx_queues, 0, 0},
                                   {hw::aq_cap::kMsix, 1, 0, 1024, 0, 0}};
      for (unsigned i = 0; i < 3; ++i) encode(caps[i], buffer.data() + i * hw::kAqCapBytes);
      d.param[1] = 3;
      break;
    }
    case hw::aq_op::kManageMacRead:
      buffer.assign({0, 0, 0x02, 0, 0, 0, 0, 0x77});
      d.param[0] = hw::kAqMacLanValid;
      break;
    case hw::aq_op::kRequestResource:
      d.param[3] = hw::kAqGlobalLockDone;
      return hw::AqError::kEbusy;
    case hw::aq_op::kAddVsi:
      d.param[0] = 5;
      break;
    case hw::aq_op::kGetLinkStatus:
      buffer[hw::aq_link::kInfoByte] = link_up ? hw::aq_link::kUp : 0;
      break;
    case hw::aq_op::kAddTxQueues: {
      uint8_t* entry = buffer.data() + hw::kAqTxGroupBytes;
      const unsigned q = base::load_le<uint16_t>(entry + hw::aq_txq::kId);
      tx[q] = TxQueue();
      tx[q].enabled = true;
      tx[q].context = hw::decode_tx_context_bytes(entry + hw::aq_txq::kContext);
      base::store_le(entry + hw::aq_txq::kTeid, hw::tx_queue_teid(q));
      break;
    }
    case hw::aq_op::kDisableTxQueues:
      tx[base::load_le<uint16_t>(buffer.data() + 6)].enabled = false;
      break;
    default:
      break;
  }
  return hw::AqError::kOk;
}

void IceBench::post_event(const hw::IceAqDesc& event) {
  const uint64_t ring = host.register_value(reg::kPfFwArqbal);
  const uint32_t size = host.register_value(reg::kPfFwArqlen) & hw::fw_qlen::kLen;
  uint8_t raw[hw::kAqDescBytes];
  encode(event, raw);
  host.device_write(ring + event_head_ * hw::kAqDescBytes, {raw, sizeof raw});
  event_head_ = event_head_ + 1 == size ? 0 : event_head_ + 1;
  host.set_register(reg::kPfFwArqh, event_head_);
}

void IceBench::start() {
  ASSERT_EQ(driver->probe(), 0);
  ASSERT_EQ(driver->open(), 0);
  host.reset_counts();
}

std::vector<Sent> IceBench::transmit(unsigned q, size_t limit) {
  std::vector<Sent> sent;
  TxQueue& queue = tx[q];
  const uint32_t size = queue.context.qlen;
  const uint64_t ring = queue.context.base << hw::kRingBaseShift;
  Sent frame;
  while (queue.enabled && queue.head != queue.tail && sent.size() < limit) {
    const uint32_t i = queue.head;
    const hal::DmaAddr at = ring + uint64_t{i} * hw::kTxDescBytes;
    const uint64_t qw1 = host.peek64(at + 8);
    queue.head = i + 1 == size ? 0 : i + 1;
    frame.indices.push_back(i);
    frame.qw1.push_back(qw1);
    if (hw::tx_dtype(qw1) == hw::TxDtype::kContext) {
      frame.has_context = true;
      frame.context = hw::tx_context_desc(host.peek64(at), qw1);
      continue;
    }
    EXPECT_EQ(hw::tx_dtype(qw1), hw::TxDtype::kData) << "queue " << q << " index " << i;
    const uint32_t bytes = hw::tx_size_of(qw1);
    const Bytes part = host.device_read(host.peek64(at), bytes);
    frame.bytes.insert(frame.bytes.end(), part.begin(), part.end());
    frame.sizes.push_back(bytes);
    if ((qw1 & hw::kTxRsBit) != 0) queue.reports.push_back(i);
    if ((qw1 & hw::kTxEopBit) == 0) continue;
    sent.push_back(frame);
    frame = Sent{};
  }
  return sent;
}

void IceBench::report(unsigned q) {
  TxQueue& queue = tx[q];
  const uint64_t ring = queue.context.base << hw::kRingBaseShift;
  for (const uint32_t i : queue.reports) {
    host.poke64(ring + uint64_t{i} * hw::kTxDescBytes + 8, hw::kTxDoneQw1);
  }
  queue.reports.clear();
}

uint32_t IceBench::posted(unsigned i) const {
  const RxRing& ring = driver->rx_ring(i);
  const auto head = rx_head.find(ring.queue);
  const uint32_t from = head == rx_head.end() ? 0 : head->second;
  const uint32_t tail =
      const_cast<hal::ScriptedHal&>(host).register_value(reg::qrx_tail(ring.queue));
  return tail >= from ? tail - from : tail + ring.count - from;
}

bool IceBench::receive_buffer(unsigned i, const Bytes& part, uint16_t status,
                              const RxClose& close) {
  if (posted(i) == 0) return false;
  const RxRing& ring = driver->rx_ring(i);
  uint32_t& head = rx_head[ring.queue];
  const hal::DmaAddr at = ring.at(head);
  EXPECT_EQ(host.peek64(at + 8) & 1, 0u) << "the header address would show DD";
  host.device_write(host.peek64(at), {part.data(), part.size()});
  hw::IceRxWriteback w;
  w.length = static_cast<uint16_t>(part.size());
  w.status0 = static_cast<uint16_t>(status | hw::rx_status0::kDd);
  w.l2tag1 = close.tag;
  w.rss_hash = close.hash;
  uint8_t raw[hw::kRxDescBytes];
  encode(w, raw);
  host.device_write(at, {raw, sizeof raw});
  head = ring.next(head);
  return true;
}

bool IceBench::receive(unsigned i, const Bytes& frame, const RxClose& close) {
  const uint32_t buffer = driver->rx_buffer_bytes();
  const auto buffers_needed = static_cast<uint32_t>((frame.size() + buffer - 1) / buffer);
  if (posted(i) < buffers_needed) return false;
  for (size_t at = 0; at < frame.size(); at += buffer) {
    const size_t end = std::min(frame.size(), at + buffer);
    const bool last = end == frame.size();
    const Bytes part(frame.begin() + static_cast<ptrdiff_t>(at),
                     frame.begin() + static_cast<ptrdiff_t>(end));
    receive_buffer(i, part, static_cast<uint16_t>(close.status | (last ? hw::rx_status0::kEof : 0)),
                   close);
  }
  return true;
}

int IceBench::poll(unsigned i) {
  if (!vector_hosts[i]->napi_scheduled()) vector_hosts[i]->raise(0);
  return vector_hosts[i]->run_napi();
}

void IceBench::service(unsigned i) {
  vector_hosts[i]->raise(0);
  for (int n = 0; n < 1000 && vector_hosts[i]->napi_scheduled(); ++n) vector_hosts[i]->run_napi();
}

stack::SkBuff* IceBench::skb(const Bytes& bytes) {
  stack::SkBuff* skb = stack.skbs().alloc(256);
  if (skb == nullptr) return nullptr;
  uint8_t* p = skb->put(static_cast<uint32_t>(bytes.size()));
  main_hal.dma.touch(p, static_cast<uint32_t>(bytes.size()), hal::Touch::kWrite);
  std::copy(bytes.begin(), bytes.end(), p);
  return skb;
}

void IceBench::add_frag(stack::SkBuff& skb, const Bytes& bytes) {
  stack::Page* page = stack.skbs().alloc_page();
  main_hal.dma.touch(page->data, static_cast<uint32_t>(bytes.size()), hal::Touch::kWrite);
  std::copy(bytes.begin(), bytes.end(), page->data);
  skb.add_frag(*page, page->data, static_cast<uint32_t>(bytes.size()));
}

void IceBench::expect_no_leaks() {
  driver->stop();
  EXPECT_EQ(stack.skbs().in_use(), 0u);
  EXPECT_EQ(stack.leaked_pages, 0u);
  EXPECT_EQ(host.mappings(), 0u);
  EXPECT_EQ(stack.redirector().pending(), 0u);
  // What is left of coherent memory is the admin queue's.
  EXPECT_EQ(host.coherent_blocks(), driver->admin().is_open() ? 4u : 0u);
}

}  // namespace doorbell::drivers::ice
