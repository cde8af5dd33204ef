// Spans and instants for a time-line viewer (ui.perfetto.dev, chrome://tracing).
//
// Blocks hold a TraceSink pointer that is null when tracing is off, so the price of an unused trace
// is one branch: `if (trace_) trace_->span(...)`. Spans of descriptors carry the names of
// desc::DescState and the descriptor's running number as id. Tracing never changes simulated time
// or the digest. Strings passed in need to live during the call only. Times are simulated time,
// exact to 1 ps. PerfettoTrace streams JSON in the Trace Event Format (Google, "Trace Event
// Format", async events "b"/"e", instants "i", counters "C"); spans of one track may overlap
// freely.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/result.h"
#include "models/base/units.h"

namespace doorbell::probe {

class TraceSink {
 public:
  virtual ~TraceSink() = default;
  /// Something that took from `begin` to `end` on `track`; spans of one thing share an `id`.
  virtual void span(const char* track, const char* name, base::Picos begin, base::Picos end,
                    uint64_t id) = 0;
  /// Something that happened at one moment.
  virtual void instant(const char* track, const char* name, base::Picos at, uint64_t id) = 0;
  /// A quantity that has `value` from now on: ring occupancy, FIFO level.
  virtual void level(const char* track, const char* name, base::Picos at, int64_t value) = 0;
};

class PerfettoTrace final : public TraceSink {
 public:
  /// Opens `path`.part for writing; close() gives it its name, and without close() it is removed.
  /// After `max_events` events the rest are counted, not written, so that
  /// a long run cannot fill the disk.
  static base::Result<std::unique_ptr<PerfettoTrace>> create(const std::string& path,
                                                             uint64_t max_events = 4'000'000);
  ~PerfettoTrace() override;

  void span(const char* track, const char* name, base::Picos begin, base::Picos end,
            uint64_t id) override;
  void instant(const char* track, const char* name, base::Picos at, uint64_t id) override;
  void level(const char* track, const char* name, base::Picos at, int64_t value) override;

  /// Ends the document and closes the file. The error, if any write failed since create().
  std::optional<base::Error> close();
  uint64_t events() const { return events_; }
  uint64_t suppressed() const { return suppressed_; }

 private:
  PerfettoTrace(std::string path, std::FILE* file, uint64_t max_events);
  bool admit();
  unsigned track_number(std::string_view track);
  void event(char phase, std::string_view track, std::string_view name, base::Picos at);
  void put(std::string_view text);
  void put_escaped(std::string_view text);
  void put_number(int64_t value);
  void put_time(base::Picos at);  // microseconds with six decimals
  void flush();

  std::string path_;
  std::FILE* file_;
  uint64_t max_events_;
  uint64_t events_ = 0;
  uint64_t suppressed_ = 0;
  bool failed_ = false;
  std::vector<std::string> tracks_;
  std::string buffer_;
};

}  // namespace doorbell::probe
