// What the DMA sanitizer and the ring checks can complain about, and the log of what they found.
//
// A rule has an id, as in result.json, and one line of help. The log keeps per rule how often it
// was broken, when first, and the message of that first time; the text of later ones is never made.
// Findings come out in the order of the table, so two runs of one scenario print the same lines.
// Times are picoseconds of simulated time. Takes no simulated time itself.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/base/units.h"

namespace doorbell::hal::checks {

// X(enumerator, "id", "help")
#define DOORBELL_CHECK_RULES(X)                                                                    \
  X(DoubleUnmap, "double-unmap", "a mapping was unmapped twice")                                   \
  X(UnmapNotMapped, "unmap-not-mapped", "unmap of an address that no mapping starts at")           \
  X(UnmapWrongLength, "unmap-wrong-length", "unmap with another length than the mapping's")        \
  X(UnmapWrongDirection, "unmap-wrong-direction", "unmap with another direction than mapped")      \
  X(UnmapDeviceOwned, "unmap-device-owned",                                                        \
    "a buffer was unmapped while a descriptor the device owns points to it")                       \
  X(SyncNotMapped, "sync-not-mapped", "sync of memory that is in no mapping")                      \
  X(SyncAfterUnmap, "sync-after-unmap", "sync of memory whose mapping has ended")                  \
  X(SyncWrongDirection, "sync-wrong-direction", "sync with another direction than mapped")         \
  X(SyncTooLong, "sync-too-long", "sync beyond the end of the mapping")                            \
  X(PageFreedMapped, "page-freed-mapped", "a page was freed while part of it is mapped")           \
  X(PageUseAfterFree, "page-use-after-free", "a freed page was touched, mapped or freed again")    \
  X(TouchDeviceOwned, "touch-device-owned",                                                        \
    "the CPU touched a buffer while the device owns its descriptor")                               \
  X(TouchNotSynced, "touch-not-synced",                                                            \
    "the CPU touched mapped memory that was not synced for it")                                    \
  X(TouchStale, "touch-stale",                                                                     \
    "the CPU used a cache line that is older than what the device wrote")                          \
  X(CoherentOutsideBlock, "coherent-outside-block",                                                \
    "coherent access or free outside every allocated block")                                       \
  X(DeviceOutsideMapping, "device-outside-mapping",                                                \
    "the device accessed memory outside every mapping and coherent block")                         \
  X(DeviceWrongDirection, "device-wrong-direction",                                                \
    "the device accessed a mapping against its direction")                                         \
  X(DeviceReadDirty, "device-read-dirty",                                                          \
    "stale data: the device read bytes whose new value is still in the CPU's cache")               \
  X(DeviceWriteDirty, "device-write-dirty",                                                        \
    "the device wrote to a line that is dirty in the CPU's cache: one of the two is lost")         \
  X(OwnershipBeforeFields, "ownership-before-fields",                                              \
    "a descriptor was handed over with nothing that orders its other words before")                \
  X(DescriptorDeviceOwned, "descriptor-device-owned",                                              \
    "the CPU wrote a descriptor that the device owns")                                             \
  X(HandoverNotMapped, "handover-not-mapped",                                                      \
    "a descriptor was handed over whose buffer is not mapped")                                     \
  X(HandoverWrongDirection, "handover-wrong-direction",                                            \
    "a descriptor was handed over whose buffer is mapped for the other direction")                 \
  X(HandoverNotSynced, "handover-not-synced",                                                      \
    "a descriptor was handed over whose buffer was not synced for the device")                     \
  X(HandoverTwice, "handover-twice",                                                               \
    "a descriptor was handed over whose buffer another descriptor of a device has")                \
  X(HandoverNoDoorbell, "handover-no-doorbell",                                                    \
    "descriptors were handed over and no doorbell followed")                                       \
  X(PostedWithoutContent, "posted-without-content",                                                \
    "a doorbell posted a descriptor that was not written for this use")                            \
  X(StaleDone, "stale-done", "a done mark of an earlier use was left in a descriptor or believed") \
  X(OutsideRing, "outside-ring", "the CPU accessed a descriptor behind the ring's end")            \
  X(RingSize, "ring-size",                                                                         \
    "the ring's size is no multiple of the driver's report threshold: it will stall")              \
  X(OwnerCounter, "owner-counter", "an owner counter that the device does not wait for")           \
  X(RingLink, "ring-link", "the links of a ring's descriptors do not make a ring")                 \
  X(RingWrap, "ring-wrap", "the wrap bit is missing in the ring's last descriptor, or set before") \
  X(DoorbellPastRing, "doorbell-past-ring", "a doorbell named a descriptor outside the ring")      \
  X(DoorbellPassesHead, "doorbell-passes-head",                                                    \
    "a doorbell moved the tail over descriptors that the device still has")                        \
  X(DoorbellNoWork, "doorbell-no-work",                                                            \
    "a doorbell with no descriptor handed over since the last")                                    \
  X(NoLoadBarrier, "no-load-barrier",                                                              \
    "no load barrier between a descriptor's ownership word and its other words")                   \
  X(DeviceWroteUnowned, "device-wrote-unowned",                                                    \
    "the device wrote a descriptor that it does not own")                                          \
  X(ReportNotAsked, "report-not-asked",                                                            \
    "the device reported a descriptor that does not ask for it")                                   \
  X(LeakCoherent, "leak-coherent", "coherent memory was not freed")                                \
  X(LeakPage, "leak-page", "a page was not freed")                                                 \
  X(LeakMapping, "leak-mapping", "a mapping was not unmapped")

enum class Rule : uint8_t {
#define DOORBELL_CHECK_ENUM(id, name, help) k##id,
  DOORBELL_CHECK_RULES(DOORBELL_CHECK_ENUM)
#undef DOORBELL_CHECK_ENUM
      kCount,
};

struct RuleInfo {
  Rule rule;
  const char* id;
  const char* help;
};

inline constexpr RuleInfo kRules[] = {
#define DOORBELL_CHECK_ROW(id, name, help) {Rule::k##id, name, help},
    DOORBELL_CHECK_RULES(DOORBELL_CHECK_ROW)
#undef DOORBELL_CHECK_ROW
};
inline constexpr size_t kRuleCount = static_cast<size_t>(Rule::kCount);

constexpr const RuleInfo& info(Rule rule) {
  return kRules[static_cast<size_t>(rule)];
}

/// One broken rule: how often, when first, and what happened then.
struct Finding {
  Rule rule = Rule::kCount;
  uint64_t count = 0;
  base::Picos first;
  std::string message;
};

/// printf into a string, for messages.
[[gnu::format(printf, 1, 2)]] std::string text(const char* format, ...);

class FindingLog {
 public:
  /// Counts one violation. `describe` is called, and must return the message, for the first only.
  template <typename Describe>
  void report(Rule rule, base::Picos at, Describe describe) {
    Finding& finding = findings_[static_cast<size_t>(rule)];
    if (finding.count++ == 0) {
      finding.rule = rule;
      finding.first = at;
      finding.message = describe();
    }
    ++total_;
  }

  uint64_t total() const { return total_; }
  uint64_t count(Rule rule) const { return findings_[static_cast<size_t>(rule)].count; }
  /// The finding of `rule`; its count is 0 if the rule was never broken.
  const Finding& of(Rule rule) const { return findings_[static_cast<size_t>(rule)]; }
  /// The rules that were broken, in the order of the table.
  std::vector<Finding> broken() const;

 private:
  std::array<Finding, kRuleCount> findings_;
  uint64_t total_ = 0;
};

}  // namespace doorbell::hal::checks
