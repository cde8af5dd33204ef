#include "models/probe/trace.h"

#include <cerrno>
#include <charconv>
#include <cstring>

namespace doorbell::probe {

namespace {
constexpr size_t kBufferBytes = 1 << 16;
constexpr const char* kPart = ".part";  // the name until the document is whole
}  // namespace

base::Result<std::unique_ptr<PerfettoTrace>> PerfettoTrace::create(const std::string& path,
                                                                   uint64_t max_events) {
  std::FILE* file = std::fopen((path + kPart).c_str(), "wb");
  if (file == nullptr) {
    return base::Error{path + ": cannot write trace: " + std::strerror(errno)};
  }
  return std::unique_ptr<PerfettoTrace>(new PerfettoTrace(path, file, max_events));
}

PerfettoTrace::PerfettoTrace(std::string path, std::FILE* file, uint64_t max_events)
    : path_(std::move(path)), file_(file), max_events_(max_events) {
  buffer_.reserve(kBufferBytes + 4096);
  put("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
      "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"doorbell\"}}");
}

PerfettoTrace::~PerfettoTrace() {
  if (file_ == nullptr) return;
  (void)std::fclose(file_);
  (void)std::remove((path_ + kPart).c_str());
}

bool PerfettoTrace::admit() {
  if (file_ == nullptr || events_ >= max_events_) {
    ++suppressed_;
    return false;
  }
  ++events_;
  return true;
}

unsigned PerfettoTrace::track_number(std::string_view track) {
  // A run has some tens of tracks, and tracing is not the fast path: a linear search does.
  for (size_t i = 0; i < tracks_.size(); ++i) {
    if (tracks_[i] == track) return static_cast<unsigned>(i + 1);
  }
  tracks_.emplace_back(track);
  const auto number = static_cast<unsigned>(tracks_.size());
  put(",\n{\"ph\":\"M\",\"pid\":1,\"tid\":");
  put_number(number);
  put(",\"name\":\"thread_name\",\"args\":{\"name\":\"");
  put_escaped(track);
  put("\"}}");
  return number;
}

void PerfettoTrace::event(char phase, std::string_view track, std::string_view name,
                          base::Picos at) {
  const unsigned number = track_number(track);
  put(",\n{\"ph\":\"");
  buffer_.push_back(phase);
  put("\",\"pid\":1,\"tid\":");
  put_number(number);
  put(",\"cat\":\"");
  put_escaped(track);
  put("\",\"name\":\"");
  put_escaped(name);
  put("\",\"ts\":");
  put_time(at);
}

void PerfettoTrace::span(const char* track, const char* name, base::Picos begin, base::Picos end,
                         uint64_t id) {
  if (!admit()) return;
  for (const char phase : {'b', 'e'}) {
    event(phase, track, name, phase == 'b' ? begin : end);
    put(",\"id\":\"");
    put_number(static_cast<int64_t>(id));
    put("\"}");
  }
  if (buffer_.size() >= kBufferBytes) flush();
}

void PerfettoTrace::instant(const char* track, const char* name, base::Picos at, uint64_t id) {
  if (!admit()) return;
  event('i', track, name, at);
  put(",\"s\":\"t\",\"args\":{\"id\":");
  put_number(static_cast<int64_t>(id));
  put("}}");
  if (buffer_.size() >= kBufferBytes) flush();
}

void PerfettoTrace::level(const char* track, const char* name, base::Picos at, int64_t value) {
  if (!admit()) return;
  event('C', track, name, at);
  put(",\"args\":{\"value\":");
  put_number(value);
  put("}}");
  if (buffer_.size() >= kBufferBytes) flush();
}

std::optional<base::Error> PerfettoTrace::close() {
  if (file_ == nullptr) return std::nullopt;
  put("\n],\"otherData\":{\"suppressed_events\":");
  put_number(static_cast<int64_t>(suppressed_));
  put("}}\n");
  flush();
  if (std::fclose(file_) != 0) failed_ = true;
  file_ = nullptr;
  const std::string part = path_ + kPart;
  if (failed_ || std::rename(part.c_str(), path_.c_str()) != 0) {
    (void)std::remove(part.c_str());
    return base::Error{path_ + ": writing the trace failed: disk full?"};
  }
  return std::nullopt;
}

void PerfettoTrace::put(std::string_view text) {
  buffer_.append(text);
}

void PerfettoTrace::put_escaped(std::string_view text) {
  static constexpr char kHex[] = "0123456789abcdef";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      buffer_.push_back('\\');
      buffer_.push_back(c);
    } else if (static_cast<unsigned char>(c) < 0x20) {
      buffer_.append("\\u00");
      buffer_.push_back(kHex[(c >> 4) & 0xF]);
      buffer_.push_back(kHex[c & 0xF]);
    } else {
      buffer_.push_back(c);
    }
  }
}

void PerfettoTrace::put_number(int64_t value) {
  char text[24];
  const auto end = std::to_chars(text, text + sizeof(text), value).ptr;
  buffer_.append(text, end);
}

void PerfettoTrace::put_time(base::Picos at) {
  int64_t ps = at.count();
  if (ps < 0) {
    buffer_.push_back('-');
    ps = -ps;
  }
  put_number(ps / 1'000'000);
  buffer_.push_back('.');
  const auto fraction = static_cast<uint32_t>(ps % 1'000'000);
  for (uint32_t unit = 100'000; unit != 0; unit /= 10) {
    buffer_.push_back(static_cast<char>('0' + fraction / unit % 10));
  }
}

void PerfettoTrace::flush() {
  if (std::fwrite(buffer_.data(), 1, buffer_.size(), file_) != buffer_.size()) failed_ = true;
  buffer_.clear();
}

}  // namespace doorbell::probe
