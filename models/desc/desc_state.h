// Life cycle of a descriptor inside a device, the same for every engine; traces show these names.
//
//   Fetching -> Ready -> Moving -> WritingBack -> Returned
// Fetching: its read is on the way. Ready: the device holds it and has not begun. Moving: its data
// is being transferred. WritingBack: its completion is on the way. Returned: software owns it
// again. An engine may drop back to Returned from any state when it is stopped. No timing of its
// own.
#pragma once

#include <cstdint>

namespace doorbell::desc {

enum class DescState : uint8_t { kFetching, kReady, kMoving, kWritingBack, kReturned };

inline constexpr unsigned kDescStates = 5;

constexpr const char* state_name(DescState state) {
  switch (state) {
    case DescState::kFetching:
      return "Fetching";
    case DescState::kReady:
      return "Ready";
    case DescState::kMoving:
      return "Moving";
    case DescState::kWritingBack:
      return "WritingBack";
    case DescState::kReturned:
      return "Returned";
  }
  return "?";
}

/// Whether an engine may go from `from` to `to`.
constexpr bool may_follow(DescState from, DescState to) {
  if (to == DescState::kReturned) return from != DescState::kReturned;
  if (from == DescState::kReturned) return to == DescState::kFetching;
  return static_cast<uint8_t>(to) == static_cast<uint8_t>(from) + 1;
}

}  // namespace doorbell::desc
