#include "sim/stack/xsk/xsk_map.h"

namespace doorbell::stack::xsk {

Verdict XskProgram::run(XdpBuff& buff, XdpContext& context) {
  context.hal.cpu.charge(hal::Op::kXdpProgram);
  uint32_t index = (buff.rxq != nullptr ? buff.rxq->index : 0) * sockets_per_queue_;
  if (sockets_per_queue_ > 1) {
    index += turn_;
    turn_ = turn_ + 1 == sockets_per_queue_ ? 0 : turn_ + 1;
  }
  XskTarget* socket = map_.at(index);
  return socket != nullptr ? redirect_to(context, *socket) : otherwise_;
}

}  // namespace doorbell::stack::xsk
