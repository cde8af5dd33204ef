#include <cerrno>
#include <cstdio>
#include <string>

#include "models/base/bytes.h"
#include "sim/stack/bpf/helpers.h"

namespace doorbell::stack::bpf {
namespace {

constexpr uint32_t kMaxFormat = 512;
constexpr size_t kMaxLine = 512;

uint64_t negative(int error) {
  return static_cast<uint64_t>(int64_t{error});
}

// A text that ends with a zero, at most `most` octets of it; faults when it runs out of bounds.
bool read_text(Vm& vm, Addr a, uint32_t most, std::string& out) {
  for (uint32_t i = 0; i < most; ++i) {
    const uint8_t* p = vm.readable(a + i, 1, "text");
    if (p == nullptr) return false;
    if (*p == 0) return true;
    out += static_cast<char>(*p);
  }
  return true;
}

// One conversion "%[flags][width][l|ll|h|hh]type", taken apart.
struct Conversion {
  std::string flags_and_width;
  int longs = 0;
  char type = 0;
  size_t end = 0;  // behind it
};

bool parse_conversion(const std::string& format, size_t at, Conversion& out) {
  size_t i = at + 1;
  while (i < format.size() && i - at < 4 &&
         (std::string("-+ #0").find(format[i]) != std::string::npos ||
          (format[i] >= '0' && format[i] <= '9'))) {
    out.flags_and_width += format[i++];
  }
  while (i < format.size() && format[i] == 'l' && out.longs < 2) {
    ++out.longs;
    ++i;
  }
  while (i < format.size() && format[i] == 'h' && out.longs > -2 && out.longs <= 0) {
    --out.longs;
    ++i;
  }
  if (i >= format.size()) return false;
  out.type = format[i];
  out.end = i + 1;
  return true;
}

std::string number(const Conversion& c, uint64_t value) {
  const bool is_signed = c.type == 'd' || c.type == 'i';
  int64_t number = static_cast<int64_t>(value);
  if (c.longs == 0) {
    number = is_signed ? static_cast<int32_t>(value) : static_cast<int64_t>(value & 0xFFFFFFFF);
  } else if (c.longs == -1) {
    number = is_signed ? static_cast<int16_t>(value) : static_cast<int64_t>(value & 0xFFFF);
  } else if (c.longs == -2) {
    number = is_signed ? static_cast<int8_t>(value) : static_cast<int64_t>(value & 0xFF);
  }
  const std::string format = "%" + c.flags_and_width + "ll" + (is_signed ? 'd' : c.type);
  char text[300];
  const int n = std::snprintf(text, sizeof text, format.c_str(), static_cast<long long>(number));
  return n < 0 ? "" : std::string(text);
}

// Appends one conversion; false when the kernel would refuse the format or memory was out of
// bounds.
bool convert(Vm& vm, const Conversion& c, uint64_t value, std::string& out) {
  switch (c.type) {
    case 'd':
    case 'i':
    case 'u':
    case 'x':
    case 'X':
    case 'o':
      out += number(c, value);
      return true;
    case 'c':
      out += static_cast<char>(value);
      return true;
    case 's':
      return read_text(vm, value, static_cast<uint32_t>(kMaxLine), out);
    case 'p': {
      char text[24];
      std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
      out += text;
      return true;
    }
    default:
      return false;
  }
}

uint64_t print(Vm& vm, const std::string& format, const uint64_t* args, size_t count) {
  std::string line;
  size_t used = 0;
  for (size_t i = 0; i < format.size() && line.size() < kMaxLine;) {
    if (format[i] != '%') {
      line += format[i++];
      continue;
    }
    if (i + 1 < format.size() && format[i + 1] == '%') {
      line += '%';
      i += 2;
      continue;
    }
    Conversion c;
    if (!parse_conversion(format, i, c) || used >= count) return negative(-EINVAL);
    if (!convert(vm, c, args[used++], line)) return negative(-EINVAL);
    i = c.end;
  }
  while (!line.empty() && line.back() == '\n') line.pop_back();
  const size_t length = line.size();
  vm.image().trace.add(std::move(line));
  return length;
}

// Full: nothing is formatted any more.
bool log_full(Vm& vm) {
  if (!vm.image().trace.full()) return false;
  vm.image().trace.lose();
  return true;
}

}  // namespace

uint64_t help_trace_printk(Vm& vm, uint64_t format, uint64_t size, uint64_t a1, uint64_t a2,
                           uint64_t a3) {
  const auto bytes = static_cast<uint32_t>(size);
  if (bytes == 0 || bytes > kMaxFormat) return negative(-EINVAL);
  if (vm.readable(format, bytes, "format") == nullptr) return 0;
  if (log_full(vm)) return 0;
  std::string text;
  if (!read_text(vm, format, bytes, text)) return 0;
  const uint64_t args[3] = {a1, a2, a3};
  return print(vm, text, args, 3);
}

uint64_t help_trace_vprintk(Vm& vm, uint64_t format, uint64_t size, uint64_t data,
                            uint64_t data_size, uint64_t) {
  constexpr uint32_t kMaxArgs = 12;
  const auto bytes = static_cast<uint32_t>(size);
  const auto data_bytes = static_cast<uint32_t>(data_size);
  if (bytes == 0 || bytes > kMaxFormat || data_bytes % 8 != 0 || data_bytes > kMaxArgs * 8) {
    return negative(-EINVAL);
  }
  if (vm.readable(format, bytes, "format") == nullptr) return 0;
  uint64_t args[kMaxArgs] = {};
  if (data_bytes != 0) {
    const uint8_t* p = vm.readable(data, data_bytes, "arguments");
    if (p == nullptr) return 0;
    for (uint32_t i = 0; i < data_bytes / 8; ++i) args[i] = base::load_le<uint64_t>(p + i * 8);
  }
  if (log_full(vm)) return 0;
  std::string text;
  if (!read_text(vm, format, bytes, text)) return 0;
  return print(vm, text, args, data_bytes / 8);
}

}  // namespace doorbell::stack::bpf
