// A shipped program in the XDP hook of a scripted machine.
#pragma once

#include <memory>
#include <vector>

#include "sim/hal/scripted/scripted_hal.h"
#include "sim/stack/bpf/shipped.h"
#include "sim/stack/net_device.h"
#include "support.h"

namespace doorbell::stack::bpf {

class Socket : public XskTarget {
 public:
  int receive(XdpBuff&) override { return 0; }
  int receive_generic(const XdpBuff&) override { return 0; }
  void flush() override {}
};

// A page of the pool with a packet in it, and the program that is asked.
struct Hook {
  explicit Hook(const char* name, const LoadOptions& options = {})
      : pages(host.hal().dma), context{hal} {
    auto loaded = load_program(shipped_program_path(name), options);
    EXPECT_TRUE(loaded.ok()) << loaded.error();
    if (loaded.ok()) program = loaded.take();
    PagePoolParams params;
    params.offset = 256;
    params.max_len = 3520;
    pool = std::make_unique<PagePool>(hal, pages, params);
    page = pool->alloc();
    queue.index = 3;
    buff.rxq = &queue;
    buff.data_hard_start = page->data;
    buff.page = page;
  }
  Verdict run(const std::vector<uint8_t>& frame) {
    buff.data = buff.data_meta = page->data + 256;
    buff.data_end = buff.data + frame.size();
    hal.dma.touch(buff.data, buff.length(), hal::Touch::kWrite);
    std::copy(frame.begin(), frame.end(), buff.data);
    host.reset_counts();
    return program->run(buff, context);
  }
  std::vector<uint8_t> bytes() const { return {buff.data, buff.data_end}; }
  Map& map(const char* name) { return *program->map(name); }

  hal::ScriptedHal host;
  hal::Hal hal = host.hal();
  PageMap pages;
  XdpContext context;
  std::unique_ptr<Program> program;
  std::unique_ptr<PagePool> pool;
  Page* page = nullptr;
  RxQueueInfo queue;
  XdpBuff buff;
};

}  // namespace doorbell::stack::bpf
