// What firmware does for each opcode. `command_` and `buffer_` are question and answer in one.
#include <algorithm>
#include <cstring>

#include "models/ice/admin.h"
#include "models/ice/rx_engine.h"
#include "models/ice/tx_engine.h"

namespace doorbell::ice {

AqError Admin::answer(uint32_t bytes) {
  if ((command_.flags & aq_flag::kBuf) == 0 || command_.datalen < bytes) return AqError::kE2big;
  answer_bytes_ = bytes;
  return AqError::kOk;
}

AqError Admin::execute() {
  switch (command_.opcode) {
    case aq_op::kGetVersion:
      return get_version();
    case aq_op::kFunctionCaps:
    case aq_op::kDeviceCaps:
      return capabilities();
    case aq_op::kManageMacRead:
      return mac_read();
    case aq_op::kManageMacWrite:
      return mac_write();
    case aq_op::kGetSwitchConfig:
      return switch_config();
    case aq_op::kAddVsi:
    case aq_op::kUpdateVsi:
      return vsi();
    case aq_op::kGetLinkStatus:
      return link_status();
    case aq_op::kGetPhyCaps:
      return phy_caps();
    case aq_op::kNvmRead:
      return nvm_read();
    case aq_op::kSetRssKey:
    case aq_op::kGetRssKey:
      return rss_key();
    case aq_op::kSetRssLut:
    case aq_op::kGetRssLut:
      return rss_lut();
    case aq_op::kAddTxQueues:
      return add_queues();
    case aq_op::kDisableTxQueues:
      return disable_queues();
    case aq_op::kRequestResource:
      return resource();
    case aq_op::kGetPackageInfo:
      return package_info();
    case aq_op::kReleaseResource:
    case aq_op::kDriverVersion:
    case aq_op::kQueueShutdown:
    case aq_op::kClearPxe:
    case aq_op::kClearPfConfig:
    case aq_op::kFreeVsi:
    case aq_op::kAddSwitchRules:
    case aq_op::kRemoveSwitchRules:
    case aq_op::kSetPhyConfig:
    case aq_op::kSetMacConfig:
    case aq_op::kRestartAn:
    case aq_op::kSetEventMask:
    case aq_op::kDownloadPackage:
      return AqError::kOk;
    default:
      return AqError::kEnosys;
  }
}

AqError Admin::get_version() {
  command_.param = {0, 1, 0x00010700u, 0};
  // Branch, major, minor, patch of firmware and interface.
  command_.param[2] = 0u | 7u << 8 | 3u << 16 | 0u << 24;
  command_.param[3] = 0u | uint32_t{kAqApiMajor} << 8 | uint32_t{kAqApiMinor} << 16 | 0u << 24;
  return AqError::kOk;
}

AqError Admin::capabilities() {
  const IceAqCap caps[] = {
      {aq_cap::kVsi, 1, 0, kVsis, 0, 0},          {aq_cap::kRss, 1, 0, kRssLutPf, 8, 0},
      {aq_cap::kRxQueues, 1, 0, kRxQueues, 0, 0}, {aq_cap::kTxQueues, 1, 0, kTxQueues, 0, 0},
      {aq_cap::kMsix, 1, 0, kMsixVectors, 0, 0},  {aq_cap::kMaxMtu, 1, 0, kMaxFrameBytes, 0, 0},
  };
  const auto n = static_cast<uint32_t>(std::size(caps));
  command_.param[1] = n;
  const AqError error = answer(n * kAqCapBytes);
  if (error != AqError::kOk) return AqError::kEnomem;  // tells the driver to come with more
  for (uint32_t i = 0; i < n; ++i) encode(caps[i], buffer_.data() + i * kAqCapBytes);
  return AqError::kOk;
}

AqError Admin::mac_read() {
  const AqError error = answer(8);
  if (error != AqError::kOk) return error;
  buffer_[0] = 0;
  buffer_[1] = 0;
  std::copy(core_.mac.octets.begin(), core_.mac.octets.end(), buffer_.begin() + 2);
  command_.param[0] = kAqMacLanValid;
  command_.param[1] = 1;  // one address
  return AqError::kOk;
}

AqError Admin::mac_write() {
  uint8_t bytes[16];
  for (unsigned i = 0; i < 4; ++i) base::store_le(bytes + 4 * i, command_.param[i]);
  core_.mac = net::MacAddress::from(bytes + 2);
  core_.mac_u48 = core_.mac.as_u48();
  return AqError::kOk;
}

AqError Admin::switch_config() {
  const AqError error = answer(6);
  if (error != AqError::kOk) return error;
  std::memset(buffer_.data(), 0, 6);
  constexpr uint16_t kTypeVsi = 2u << 14;
  base::store_le(buffer_.data(), static_cast<uint16_t>(kTypeVsi | kPfVsi));
  command_.param[0] = 0;
  command_.param[1] = 1;  // one element, none to follow
  return AqError::kOk;
}

// VSI properties: of all sections only VLAN stripping has an effect.
AqError Admin::vsi() {
  constexpr uint16_t kVlanValid = 1u << 2;
  constexpr unsigned kVlanFlags = 12;
  constexpr unsigned kEmodNothing = 3;
  if ((command_.flags & aq_flag::kRd) != 0 && command_.datalen > kVlanFlags &&
      (base::load_le<uint16_t>(buffer_.data()) & kVlanValid) != 0) {
    core_.vlan_strip = (buffer_[kVlanFlags] >> 3 & 3) != kEmodNothing;
  }
  command_.param[0] = kPfVsi;
  command_.param[1] = 1u | (kVsis - 1) << 16;  // used, free
  return AqError::kOk;
}

void Admin::fill_link_status() {
  std::memset(buffer_.data(), 0, kAqLinkStatusBytes);
  if (!core_.link_up(core_.now())) return;
  const uint64_t gbit = core_.config.link.count() / 1'000'000'000;
  const uint16_t speed = gbit >= 100  ? aq_link::kSpeed100G
                         : gbit >= 50 ? aq_link::kSpeed50G
                         : gbit >= 40 ? aq_link::kSpeed40G
                         : gbit >= 25 ? aq_link::kSpeed25G
                                      : aq_link::kSpeed10G;
  buffer_[aq_link::kInfoByte] =
      aq_link::kUp | aq_link::kUpPort | aq_link::kMedia | aq_link::kSignal;
  buffer_[aq_link::kAnByte] = aq_link::kAnComplete;
  base::store_le(buffer_.data() + aq_link::kMaxFrameWord, static_cast<uint16_t>(kMaxFrameBytes));
  base::store_le(buffer_.data() + aq_link::kSpeedWord, speed);
}

AqError Admin::link_status() {
  const uint32_t lse = command_.param[0] & aq_link::kLseMask;
  if (lse == aq_link::kLseEnable) link_event_ = true;
  if (lse == aq_link::kLseDisable) link_event_ = false;
  const AqError error = answer(kAqLinkStatusBytes);
  if (error != AqError::kOk) return error;
  fill_link_status();
  return AqError::kOk;
}

AqError Admin::phy_caps() {
  constexpr uint32_t kPhyCapsBytes = 560;
  const uint32_t bytes = std::min<uint32_t>(kPhyCapsBytes, command_.datalen);
  const AqError error = answer(bytes);
  if (error != AqError::kOk) return error;
  std::memset(buffer_.data(), 0, bytes);
  return AqError::kOk;
}

// Shadow RAM reads as zeros.
AqError Admin::nvm_read() {
  const AqError error = answer(command_.datalen);
  if (error != AqError::kOk) return error;
  std::memset(buffer_.data(), 0, command_.datalen);
  return AqError::kOk;
}

// The global lock says that the package is loaded already.
AqError Admin::resource() {
  const uint16_t id = static_cast<uint16_t>(command_.param[0]);
  command_.param[1] = 3000;  // ms
  if (id == kAqResourceGlobalLock) {
    command_.param[3] = kAqGlobalLockDone;
    return AqError::kEbusy;
  }
  return AqError::kOk;
}

AqError Admin::package_info() {
  const AqError error = answer(kAqPackageInfoBytes);
  if (error != AqError::kOk) return error;
  std::memset(buffer_.data(), 0, kAqPackageInfoBytes);
  base::store_le<uint32_t>(buffer_.data(), 1);
  buffer_[4] = 1;  // version 1.3.0.0
  buffer_[5] = 3;
  std::memcpy(buffer_.data() + 4 + 4 + 4, "ICE OS Default Package", 23);
  buffer_[4 + 36] = 1;  // in use
  return AqError::kOk;
}

AqError Admin::rss_key() {
  if (command_.datalen < kRssKeyBytes) return AqError::kEinval;
  if (command_.opcode == aq_op::kSetRssKey) {
    if ((command_.flags & aq_flag::kRd) == 0) return AqError::kEinval;
    core_.rx->rss().set_key(buffer_.data());
    return AqError::kOk;
  }
  const auto& key = core_.rx->rss().key();
  std::copy(key.begin(), key.end(), buffer_.begin());
  return answer(kRssKeyBytes);
}

AqError Admin::rss_lut() {
  const unsigned entries = command_.datalen;
  if (command_.opcode == aq_op::kSetRssLut) {
    if ((command_.flags & aq_flag::kRd) == 0) return AqError::kEinval;
    if (entries != kRssLutVsi && entries != 128 && entries != kRssLutGlobal &&
        entries != kRssLutPf) {
      return AqError::kEinval;
    }
    core_.rx->rss().set_lut(buffer_.data(), entries);
    return AqError::kOk;
  }
  const auto& lut = core_.rx->rss().lut();
  const auto bytes = std::min<uint32_t>(entries, static_cast<uint32_t>(lut.size()));
  std::copy(lut.begin(), lut.begin() + bytes, buffer_.begin());
  return answer(bytes);
}

AqError Admin::add_queues() {
  const unsigned groups = command_.param[0] & 0xFF;
  uint32_t at = 0;
  for (unsigned g = 0; g < groups; ++g) {
    if (at + kAqTxGroupBytes > command_.datalen) return AqError::kEinval;
    const unsigned queues = buffer_[at + 4];
    at += kAqTxGroupBytes;
    for (unsigned i = 0; i < queues; ++i, at += kAqTxQueueBytes) {
      if (at + kAqTxQueueBytes > command_.datalen) return AqError::kEinval;
      uint8_t* entry = buffer_.data() + at;
      const unsigned number = base::load_le<uint16_t>(entry + aq_txq::kId);
      const IceTxContext context = decode_tx_context_bytes(entry + aq_txq::kContext);
      // Ring sizes that software should not use are taken all the same: 8 is what fits a line pair.
      if (number >= kTxQueues || context.qlen < 8 || context.qlen > kTailMask) {
        return AqError::kEinval;
      }
      if (context.legacy_int == 0) return AqError::kEinval;  // completion queues: not modelled
      if (core_.tx->enabled(number)) return AqError::kEexist;
      core_.tx->enable(number, context, tx_queue_teid(number));
      base::store_le(entry + aq_txq::kTeid, tx_queue_teid(number));
    }
  }
  answer_bytes_ = command_.datalen;
  return AqError::kOk;
}

AqError Admin::disable_queues() {
  const unsigned groups = command_.param[0] >> 8 & 0xFF;
  uint32_t at = 0;
  for (unsigned g = 0; g < groups; ++g) {
    if (at + 6 > command_.datalen) return AqError::kEinval;
    const unsigned queues = buffer_[at + 4];
    at += 6;
    for (unsigned i = 0; i < queues; ++i, at += 2) {
      if (at + 2 > command_.datalen) return AqError::kEinval;
      const unsigned number = base::load_le<uint16_t>(buffer_.data() + at);
      if (number >= kTxQueues || !core_.tx->enabled(number)) return AqError::kEnoent;
      core_.tx->disable(number);
    }
    if (queues % 2 == 0) at += 2;
  }
  return AqError::kOk;
}

}  // namespace doorbell::ice
