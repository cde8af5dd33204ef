// A million random steps of applications, drivers and cables: no chunk is lost, none doubled.
//
// Two devices, up to three sockets, rings of 2 to 16 entries, UMEMs of 8 to 24 chunks. Each step is
// made from one random number, so RapidCheck can shrink a failing run to the steps that matter. The
// model is as simple as can be: the set of chunks that the application owns. What the account finds
// nowhere must be exactly that.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "testbenches/sim/stack/xsk/bench.h"

namespace doorbell::stack::xsk {
namespace {

constexpr uint32_t kChunk = 2048;
constexpr unsigned kDevices = 2;
constexpr unsigned kSockets = 3;

// The numbers of a step, drawn from one random word.
class Draw {
 public:
  explicit Draw(uint32_t word) : word_(word) {}
  uint32_t below(uint32_t n) {
    const uint32_t value = word_ % n;
    word_ = word_ / n * 2654435761u + 12345;
    return value;
  }

 private:
  uint32_t word_;
};

// Chunks of one UMEM that the application owns; sockets that share the UMEM share this.
struct Owned {
  std::set<uint32_t> chunks;
  uint32_t total = 0;
  bool unaligned = false;
};

struct Port {
  std::unique_ptr<Socket> socket;
  std::unique_ptr<User> user;
  std::shared_ptr<Owned> owned;
  unsigned device = 0;
};

class World {
 public:
  World() : stack(hal), sockets(stack, host.shared()) {
    for (unsigned i = 0; i < kDevices; ++i) {
      devices.push_back(std::make_unique<FakeXskDevice>(hal, 1));
      stack.register_device(*devices[i]);
      devices[i]->open();
      devices[i]->zero_copy = true;
      // Nobody else sends to these: frames of redirects go back at once.
      pages.push_back(std::make_unique<PagePool>(hal, stack.pages(), pool_params()));
    }
  }
  ~World() {
    for (Port& port : ports) close(port);
    for (auto& device : devices) {
      free_skbs(*device, 1000);
      return_frames(*device);
    }
  }

  void step(uint32_t word) {
    Draw draw(word);
    const uint32_t kind = draw.below(20);
    Port& port = ports[draw.below(kSockets)];
    FakeXskDevice& device = *devices[draw.below(kDevices)];
    switch (kind) {
      case 0:
        open(port, draw);
        return;
      case 1:
        if (draw.below(4) == 0) close(port);
        return;
      case 2:
        device.carrier(draw.below(3) != 0);
        device.busy = draw.below(4) == 0;
        return;
      case 3:
        pass = draw.below(4) == 0;
        return;
      case 4:
      case 5:
        if (device.pool != nullptr) device.refill(1 + draw.below(12));
        return;
      case 6:
      case 7:
      case 8:
        receive(device, draw);
        return;
      case 9:
      case 10:
        transmit(device, draw);
        return;
      case 11:
        complete(device, draw);
        return;
      case 12:
        free_skbs(device, 1 + draw.below(4));
        return;
      default:
        if (port.socket != nullptr) application(kind, port, draw);
        return;
    }
  }

  /// Empty when every chunk is where it should be.
  std::string verdict() const {
    for (const Port& port : ports) {
      if (port.socket == nullptr) continue;
      std::set<Pool*> pools = {port.socket->pool()};
      Account account(*port.socket->pool());
      for (const Port& other : ports) {
        if (other.socket == nullptr || other.owned != port.owned) continue;
        if (pools.insert(other.socket->pool()).second) account.add(*other.socket->pool());
      }
      const std::string what = compare(account, *port.owned);
      if (!what.empty()) return what;
    }
    return {};
  }

  hal::ScriptedHal host{4u << 20, 64u << 10};
  hal::Hal hal = host.hal();
  NetStack stack;
  std::vector<std::unique_ptr<FakeXskDevice>> devices;
  std::vector<std::unique_ptr<PagePool>> pages;
  Sockets sockets;
  Port ports[kSockets];
  bool pass = false;  // the program in force
  uint64_t opened = 0;
  uint64_t moved = 0;

 private:
  static PagePoolParams pool_params() {
    PagePoolParams params;
    params.size = 16;
    params.offset = 256;
    params.max_len = 3520;
    return params;
  }

  // Invalid descriptors that wait for their turn keep their chunk in the completion ring as others
  // do. A closed socket's rings are gone with it, and so are the chunks in them.
  static std::string compare(const Account& account, const Owned& owned) {
    if (account.doubled() != 0) return "doubled: " + account.summary();
    if (account.strays() != 0) return "stray: " + account.summary();
    for (uint32_t chunk = 0; chunk < owned.total; ++chunk) {
      const bool mine = owned.chunks.count(chunk) != 0;
      const bool nowhere = account.places_of(chunk).empty();
      if (mine && !nowhere) return "chunk " + std::to_string(chunk) + " is the application's too";
      if (!mine && nowhere) return "chunk " + std::to_string(chunk) + " is lost";
    }
    return {};
  }

  bool set_rings(Socket& socket, Draw& draw, bool ends) {
    const auto entries = [&draw] { return 2u << draw.below(4); };
    bool ok = socket.set_ring(RingKind::kRx, entries()) == 0 &&
              socket.set_ring(RingKind::kTx, entries()) == 0;
    if (ends) {
      ok = ok && socket.set_ring(RingKind::kFill, entries()) == 0 &&
           socket.set_ring(RingKind::kCompletion, entries()) == 0;
    }
    return ok;
  }

  void open(Port& port, Draw& draw) {
    if (port.socket != nullptr) return;
    const unsigned device = draw.below(kDevices);
    auto socket = std::make_unique<Socket>(sockets);
    const uint32_t how = draw.below(4);
    Port* partner = nullptr;
    for (Port& other : ports) {
      if (how == 3 && other.socket != nullptr) partner = &other;
    }
    int error = 0;
    std::shared_ptr<Owned> owned;
    if (partner != nullptr) {
      const bool same = partner->device == device;
      ASSERT_TRUE(set_rings(*socket, draw, !same));
      error = socket->bind(*devices[device], 0, kBindSharedUmem, partner->socket.get());
      owned = partner->owned;
    } else {
      owned = std::make_shared<Owned>();
      owned->total = 8 + draw.below(17);
      owned->unaligned = draw.below(3) == 0;
      UmemConfig umem;
      umem.bytes = owned->total * kChunk;
      umem.chunk_bytes = kChunk;
      umem.flags = owned->unaligned ? kUmemUnaligned : 0;
      ASSERT_EQ(socket->register_umem(umem), 0);
      ASSERT_TRUE(set_rings(*socket, draw, true));
      for (uint32_t i = 0; i < owned->total; ++i) owned->chunks.insert(i);
      const uint32_t wakeup = draw.below(2) == 0 ? 0 : kBindNeedWakeup;
      error = socket->bind(*devices[device], 0, wakeup | (how == 0 ? kBindCopy : kBindZeroCopy));
    }
    if (error != 0) {
      EXPECT_TRUE(error == -EBUSY) << error;
      return;
    }
    ++opened;
    port.device = device;
    port.owned = std::move(owned);
    port.user = std::make_unique<User>(*socket);
    port.socket = std::move(socket);
  }

  // Others that share the UMEM must not meet chunks that were in this socket's rings: they close
  // too, as the threads of one application do.
  void close(Port& port) {
    if (port.socket == nullptr) return;
    const std::shared_ptr<Owned> owned = port.owned;
    for (Port& other : ports) {
      if (other.socket == nullptr || other.owned != owned) continue;
      other.socket->close();
      if (const Account* account = other.socket->final_account()) {
        EXPECT_EQ(account->at(Place::kDriver), 0u) << account->summary();
        EXPECT_EQ(account->doubled(), 0u) << account->summary();
      }
      other.user.reset();
      other.socket.reset();
      other.owned.reset();
    }
  }

  Socket* socket_of(const FakeXskDevice& device, Draw& draw) {
    const unsigned first = draw.below(kSockets);
    for (unsigned i = 0; i < kSockets; ++i) {
      Port& port = ports[(first + i) % kSockets];
      if (port.socket != nullptr && port.socket->device() == &device) return port.socket.get();
    }
    return nullptr;
  }

  // A packet comes in: zero copy into a buffer of the pool, else into a page.
  void receive(FakeXskDevice& device, Draw& draw) {
    const uint32_t bytes = 60 + draw.below(3) * 900;
    Socket* socket = socket_of(device, draw);
    if (device.pool != nullptr && draw.below(8) != 0) {
      if (device.rx_ring.empty()) return;
      const std::vector<uint8_t> packet(std::min(bytes, device.pool->rx_frame_bytes()), 0x11);
      XdpBuff& buff = device.receive({packet.data(), packet.size()}, host);
      finish(device, buff, socket, draw);
      return;
    }
    PagePool& pool = *pages[draw.below(kDevices)];
    XdpBuff buff;
    buff.page = pool.alloc();
    if (buff.page == nullptr) return;
    buff.data_hard_start = buff.page->data;
    buff.data = buff.data_meta = buff.page->data + kXdpPacketHeadroom;
    buff.data_end = buff.data + bytes;
    buff.rxq = &device.info(0);
    finish(device, buff, socket, draw);
  }

  void finish(FakeXskDevice& device, XdpBuff& buff, Socket* socket, Draw& draw) {
    ++moved;
    XdpContext context{hal};
    const uint32_t verdict = draw.below(8);
    if (pass || verdict == 0) {
      return_buff(hal, buff);
      return;
    }
    if (verdict == 1) {
      redirect_to(context, device.ifindex());
    } else if (socket != nullptr) {
      redirect_to(context, *socket);
    }
    if (verdict == 2 && socket != nullptr) {
      socket->receive_generic(buff);
      return_buff(hal, buff);
      return;
    }
    if (stack.redirector().redirect(buff, context) != 0) return_buff(hal, buff);
    if (draw.below(3) != 0) stack.redirector().flush();
    return_frames(device);
  }

  void return_frames(FakeXskDevice& device) {
    for (XdpFrame* frame : device.xdp_frames) return_frame(hal, *frame);
    device.xdp_frames.clear();
  }

  void transmit(FakeXskDevice& device, Draw& draw) {
    if (device.pool == nullptr) return;
    if (draw.below(3) == 0) {
      Desc desc;
      while (draw.below(3) != 0 && device.pool->tx_peek(desc)) device.tx_ring.push_back(desc);
      device.pool->tx_release();
      return;
    }
    const uint32_t count = device.pool->tx_peek_batch(1 + draw.below(16));
    for (uint32_t i = 0; i < count; ++i) device.tx_ring.push_back(device.pool->tx_descs()[i]);
    moved += count;
  }

  static void complete(FakeXskDevice& device, Draw& draw) {
    if (device.pool == nullptr) return;
    const auto count = std::min<size_t>(device.tx_ring.size(), 1 + draw.below(8));
    for (size_t i = 0; i < count; ++i) device.tx_ring.pop_front();
    if (count > 0) device.pool->tx_completed(static_cast<uint32_t>(count));
  }

  void free_skbs(FakeXskDevice& device, uint32_t count) {
    while (count-- > 0 && !device.skbs.empty()) {
      stack.skbs().free(*device.skbs.front());
      device.skbs.pop_front();
    }
  }

  void application(uint32_t kind, Port& port, Draw& draw) {
    User& user = *port.user;
    Owned& owned = *port.owned;
    hal::Process& process = host.process();
    switch (kind) {
      case 13:
      case 14:
        give(user, owned, draw);
        return;
      case 15:
      case 16:
        send(user, owned, draw);
        return;
      case 17:
        for (const Desc& desc : user.received()) {
          owned.chunks.insert(port.socket->umem()->chunk_of(desc.addr));
        }
        return;
      case 18:
        for (const uint64_t addr : take_completions(port)) {
          owned.chunks.insert(port.socket->umem()->chunk_of(addr));
        }
        return;
      default:
        if (draw.below(3) == 0) {
          port.socket->recvfrom(process);
          port.socket->poll(process, kPollIn | kPollOut, base::Picos(0));
        } else {
          port.socket->sendto(process);
        }
        return;
    }
  }

  // Sockets of one queue share fill and completion ring: the ends of the first one are used.
  Port& ends_of(Port& port) {
    for (Port& other : ports) {
      if (other.socket != nullptr && other.socket->pool() == port.socket->pool()) return other;
    }
    return port;
  }
  std::vector<uint64_t> take_completions(Port& port) {
    // Not kept between calls: another socket may have moved the index.
    RingMemory& ring = *ends_of(port).socket->ring(RingKind::kCompletion);
    std::vector<uint64_t> list;
    uint32_t index = ring.consumer();
    for (; index != ring.producer(); ++index) list.push_back(ring.addr(index));
    ring.set_consumer(index);
    return list;
  }

  void give(User& user, Owned& owned, Draw& draw) {
    RingMemory& ring = *user.socket.ring(RingKind::kFill);
    for (uint32_t n = 1 + draw.below(4); n > 0 && !owned.chunks.empty(); --n) {
      const uint32_t index = ring.producer();
      if (index - ring.consumer() >= ring.entries()) return;
      const uint32_t chunk = *owned.chunks.begin();
      owned.chunks.erase(chunk);
      ring.touch(index, 1, hal::Touch::kWrite);
      ring.set_addr(index, uint64_t{chunk} * kChunk + (owned.unaligned ? 0 : draw.below(kChunk)));
      ring.set_producer(index + 1);
    }
  }

  void send(User& user, Owned& owned, Draw& draw) {
    for (uint32_t n = 1 + draw.below(4); n > 0 && !owned.chunks.empty(); --n) {
      uint32_t index = 0;
      if (!user.tx.reserve(1, index)) return;
      const uint32_t chunk = *owned.chunks.rbegin();
      owned.chunks.erase(chunk);
      Desc desc{uint64_t{chunk} * kChunk, 60, 0};
      const uint32_t flaw = draw.below(10);
      if (flaw == 0) desc.len = 0;
      if (flaw == 1) desc.len = kChunk + 1;
      if (flaw == 2) desc.options = 8;
      if (owned.unaligned && flaw == 3) desc.addr |= uint64_t{256} << kOffsetShift;
      user.tx.set_desc(index, desc);
      user.tx.submit(1);
    }
  }
};

// Runs the steps; empty, or what was wrong after which step.
std::string run(const std::vector<uint32_t>& steps, uint64_t& opened, uint64_t& moved) {
  World world;
  for (size_t i = 0; i < steps.size(); ++i) {
    world.step(steps[i]);
    if (i % 8 != 7 && i + 1 != steps.size()) continue;
    const std::string what = world.verdict();
    if (!what.empty()) return "after step " + std::to_string(i) + ": " + what;
  }
  opened += world.opened;
  moved += world.moved;
  if (!world.host.failures().empty()) return world.host.failures().front();
  return {};
}

TEST(XskConservation, MillionRandomSteps) {
  setenv("RC_PARAMS", "seed=20261201 max_success=2000 max_size=2000", 1);
  uint64_t steps = 0;
  uint64_t opened = 0;
  uint64_t moved = 0;
  EXPECT_TRUE(rc::check("no chunk is lost or doubled", [&] {
    const auto words =
        *rc::gen::container<std::vector<uint32_t>>(rc::gen::inRange<uint32_t>(0, UINT32_MAX));
    steps += words.size();
    const std::string what = run(words, opened, moved);
    if (!what.empty()) RC_FAIL(what);
  }));
  EXPECT_FALSE(::testing::Test::HasFailure());
  EXPECT_GT(opened, 10000u);
  EXPECT_GT(moved, 50000u);
  // The generator's sizes grow to 2000 and come back: about a thousand steps a run.
  EXPECT_GT(steps, 900000u);
  RecordProperty("steps", std::to_string(steps));
}

// The same without a generator, long runs: what only happens late.
TEST(XskConservation, LongRuns) {
  uint64_t opened = 0;
  uint64_t moved = 0;
  uint32_t state = 1;
  for (int round = 0; round < 10; ++round) {
    std::vector<uint32_t> words(60000);
    for (uint32_t& word : words) {
      state ^= state << 13;
      state ^= state >> 17;
      state ^= state << 5;
      word = state;
    }
    ASSERT_EQ(run(words, opened, moved), "");
  }
  EXPECT_GT(opened, 5000u);
  EXPECT_GT(moved, 50000u);
}

}  // namespace
}  // namespace doorbell::stack::xsk
