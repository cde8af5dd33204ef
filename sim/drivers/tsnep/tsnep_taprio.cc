// Gate control lists: arithmetic of starts and changes, and their way into the device.
#include "sim/drivers/tsnep/tsnep_taprio.h"

#include <algorithm>
#include <cerrno>

#include "sim/drivers/tsnep/tsnep_driver.h"

namespace doorbell::drivers::tsnep {

namespace reg = hw::reg;

namespace {
constexpr uint64_t kTimeBits = uint64_t{1} << 32;
constexpr unsigned kAttempts = 16;
}  // namespace

int check(const GateSchedule& schedule) {
  if (schedule.entries.empty() || schedule.cycle_time == 0) return -EINVAL;
  if (schedule.entries.size() > hw::gcl::kUsable) return -ERANGE;
  uint64_t sum = 0;
  for (const GateEntry& entry : schedule.entries) {
    if (entry.interval < hw::gcl::kMinIntervalNs) return -EINVAL;
    sum += entry.interval;
  }
  if (sum != schedule.cycle_time || schedule.cycle_extension >= schedule.cycle_time) {
    return -EINVAL;
  }
  return 0;
}

uint64_t first_start(const GateSchedule& schedule, uint64_t after) {
  if (schedule.base_time > after) return schedule.base_time;
  const uint64_t cycles = (after - schedule.base_time) / schedule.cycle_time + 1;
  return schedule.base_time + cycles * schedule.cycle_time;
}

void GateList::set(const GateSchedule& schedule, uint64_t start) {
  entries_ = schedule.entries;
  cycle_ = schedule.cycle_time;
  extension_ = schedule.cycle_extension;
  start_ = start;
}

std::vector<GateOperation> GateList::operations() const {
  std::vector<GateOperation> result;
  for (unsigned i = 0; i < entries_.size(); ++i) {
    const uint32_t last = i + 1 == entries_.size() ? hw::gcl::kLast : 0;
    result.push_back({i, entries_[i].gates | last, entries_[i].interval});
  }
  return result;
}

// Three operations in a row: the one that is cut, the trigger before it, and the one under way.
uint64_t GateList::change_limit() const {
  const size_t n = entries_.size();
  uint64_t limit = 0;
  for (size_t i = 0; i < n; ++i) {
    uint64_t sum = i + 1 == n ? extension_ : 0;
    for (size_t back = 0; back < 3; ++back) sum += entries_[(i + 3 * n - back) % n].interval;
    limit = std::max(limit, sum);
  }
  return limit;
}

uint64_t GateList::begin_of(unsigned index) const {
  uint64_t begin = 0;
  for (unsigned i = 0; i < index; ++i) begin += entries_[i].interval;
  return begin;
}

GateChange GateList::change_at(uint64_t at) const {
  const auto n = static_cast<unsigned>(entries_.size());
  const uint64_t offset = (at - start_) % cycle_;
  // The operation that will end at `at`, and how much longer than planned it is; or how long.
  unsigned index = n - 1;
  uint64_t length = entries_[index].interval + offset;
  if (offset > extension_) {
    unsigned cut = 0;
    while (begin_of(cut + 1) < offset) ++cut;
    const uint64_t piece = offset - begin_of(cut);
    if (piece >= hw::gcl::kMinIntervalNs) {
      index = cut;
      length = piece;
    } else if (cut > 0) {
      index = cut - 1;  // too short to stand alone
      length = entries_[index].interval + piece;
    }
  }
  const unsigned before = index == 0 ? n - 1 : index - 1;
  GateChange change;
  change.inserted = {hw::gcl::kInserted, entries_[index].gates | hw::gcl::kChange,
                     static_cast<uint32_t>(length)};
  const uint32_t last = before + 1 == n ? hw::gcl::kLast : 0;
  change.trigger = {before, entries_[before].gates | last | hw::gcl::kInsert,
                    entries_[before].interval};
  change.time = at - length - entries_[before].interval;
  return change;
}

void TsnepDriver::write_operation(unsigned list, const GateOperation& operation) {
  const uint32_t at = reg::gcl_operation(list, operation.index);
  wr(at + 4, operation.interval);
  wr(at, operation.properties);
}

int TsnepDriver::set_gate_schedule(const GateSchedule& schedule) {
  if (!gate_control_) return -EOPNOTSUPP;
  if (const int error = check(schedule)) return error;
  if ((rd(reg::kGc) & hw::gc::kChangePending) != 0) return -EBUSY;
  const unsigned list = gates_run_ ? 1 - gate_list_ : gate_list_;
  GateList wanted;
  wanted.set(schedule, 0);
  for (const GateOperation& operation : wanted.operations()) write_operation(list, operation);
  for (unsigned i = 0; i < kAttempts; ++i) {
    bool late = false;
    if (const int error = try_gate_list(schedule, list, late)) return error;
    if (!late) {
      gate_list_ = list;
      gates_run_ = true;
      return 0;
    }
    ++stats_.gate_retries;
  }
  return -EAGAIN;
}

// Opens the window in which the device accepts an enable, works out when the list can start, and
// enables it. `late`: the window had closed; nothing has changed then.
int TsnepDriver::try_gate_list(const GateSchedule& schedule, unsigned list, bool& late) {
  const GateList& running = gate_lists_[1 - list];
  const bool change = gates_run_;
  hal_.mmio.write8(reg::kGc, static_cast<uint8_t>(hw::gc::kEnableTimeout));
  const uint64_t now = ptp_time();
  uint64_t after = now + hw::gc::kTimeoutNs;
  if (change) after = std::max(after + running.change_limit(), running.start());
  uint64_t start = first_start(schedule, after);
  // The trigger must lie in the running list.
  while (change && running.change_at(start).time < running.start()) start += schedule.cycle_time;
  if (start - now >= kTimeBits) return -EAGAIN;
  GateChange how;
  if (change) {
    how = running.change_at(start);
    write_operation(1 - list, how.inserted);
    write_operation(1 - list, how.trigger);
    wr(reg::kGcChange, static_cast<uint32_t>(how.time));
  }
  wr(reg::kGcTime, static_cast<uint32_t>(start));
  const auto enable = static_cast<uint8_t>(list == 0 ? hw::gc::kEnableA : hw::gc::kEnableB);
  hal_.mmio.write8(reg::kGc, enable);
  late = (rd(reg::kGc) & hw::gc::kTimeoutSignal) != 0;
  if (!late) {
    gate_lists_[list].set(schedule, start);
    return 0;
  }
  hal_.mmio.write8(reg::kGc, enable);  // acknowledges the signal, and does nothing else
  if (change) {
    how.trigger.properties &= ~hw::gcl::kInsert;
    write_operation(1 - list, how.trigger);
  }
  return 0;
}

void TsnepDriver::clear_gate_schedule() {
  if (!gate_control_) return;
  hal_.mmio.write8(reg::kGc, static_cast<uint8_t>(hw::gc::kDisable));
  gates_run_ = false;
  for (GateList& list : gate_lists_) list.clear();
}

}  // namespace doorbell::drivers::tsnep
