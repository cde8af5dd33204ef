#include <string>

#include "models/net/wire.h"
#include "sim/apps/xdpsock.h"
#include "sim/stack/xsk/umem.h"

namespace doorbell::apps {

namespace {

bool power_of_two(uint32_t n) {
  return n != 0 && (n & (n - 1)) == 0;
}

AppMode mode_of(std::string_view word) {
  if (word == "txonly") return AppMode::kTxOnly;
  return word == "l2fwd" ? AppMode::kL2Fwd : AppMode::kRxDrop;
}

// Empty: fine.
std::string complaint(const XdpsockConfig& c, const base::ParamSet& params) {
  for (const char* key : {"rx_ring", "tx_ring", "fill_ring", "completion_ring"}) {
    if (!power_of_two(static_cast<uint32_t>(params.integer(key)))) {
      return "app." + std::string(key) + ": " + std::string(params.written(key)) +
             " is no power of two; allowed: powers of two";
    }
  }
  stack::xsk::UmemConfig umem;
  umem.bytes = c.chunks * c.chunk_bytes;
  umem.chunk_bytes = c.chunk_bytes;
  umem.headroom = c.headroom;
  umem.flags = c.unaligned ? stack::xsk::kUmemUnaligned : 0;
  if (stack::xsk::check_umem(umem) != 0) {
    return "app.chunk_size: " + std::string(params.written("chunk_size")) +
           " is no power of two; allowed: powers of two unless app.unaligned is true";
  }
  if (c.same_queue && !c.shared_umem && c.sockets > 1) {
    return "app.same_queue: several sockets on one queue share one UMEM; allowed: true with "
           "app.shared_umem = true";
  }
  if (c.poll && c.sockets > 1) {
    return "app.poll: true with several sockets; allowed: one socket, or false";
  }
  const uint32_t mine = c.shared_umem ? c.chunks / c.sockets : c.chunks;
  if (mine < c.batch) {
    return "app.chunks: " + std::to_string(mine) +
           " a socket are less than app.batch; allowed: at "
           "least app.batch a socket";
  }
  if (c.batch > c.tx_ring) {
    return "app.batch: larger than app.tx_ring; allowed: at most app.tx_ring, " +
           std::to_string(c.tx_ring);
  }
  // A chunk is sent again when the ones after it have been: by then it must be back.
  if (c.mode == AppMode::kTxOnly && mine < c.tx_ring + c.completion_ring) {
    return "app.chunks: " + std::to_string(mine) +
           " a socket could be in use all at once; allowed: at least app.tx_ring plus "
           "app.completion_ring, " +
           std::to_string(c.tx_ring + c.completion_ring);
  }
  return {};
}

}  // namespace

base::Result<XdpsockConfig> xdpsock_config(const base::ParamSet& params) {
  XdpsockConfig c;
  const auto number = [&params](const char* key) {
    return static_cast<uint32_t>(params.integer(key));
  };
  c.mode = mode_of(params.choice("mode"));
  c.zero_copy = params.boolean("zero_copy");
  c.batch = number("batch");
  c.need_wakeup = params.boolean("need_wakeup");
  c.busy_poll = params.boolean("busy_poll");
  c.busy_poll_hold = params.time("busy_poll_hold");
  c.poll = params.boolean("poll");
  c.frame = static_cast<uint32_t>(params.bytes("frame")) - net::kFcsBytes;
  c.cpu = number("cpu");
  c.queue = number("queue");
  c.sockets = number("sockets");
  c.same_queue = params.boolean("same_queue");
  c.shared_umem = params.boolean("shared_umem");
  c.rx_ring = number("rx_ring");
  c.tx_ring = number("tx_ring");
  c.fill_ring = number("fill_ring");
  c.completion_ring = number("completion_ring");
  c.chunks = number("chunks");
  c.chunk_bytes = static_cast<uint32_t>(params.bytes("chunk_size"));
  c.unaligned = params.boolean("unaligned");
  c.headroom = static_cast<uint32_t>(params.bytes("headroom"));
  if (const std::string what = complaint(c, params); !what.empty()) return base::Error{what};
  return c;
}

}  // namespace doorbell::apps
