#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "sim/report/result.h"

namespace doorbell::report {
namespace {

namespace fs = std::filesystem;

base::Error cannot(const std::string& what, const std::string& path, const std::string& why) {
  return base::Error{"cannot " + what + " " + path + ": " + why};
}

// Writes all of `text` to a new file at `path`; empty when it worked, else the reason.
std::string write_new_file(const std::string& path, const std::string& text) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) {
    return std::strerror(errno);
  }
  std::string why;
  size_t done = 0;
  while (done < text.size() && why.empty()) {
    const ssize_t n = ::write(fd, text.data() + done, text.size() - done);
    if (n >= 0) {
      done += static_cast<size_t>(n);
    } else if (errno != EINTR) {
      why = std::strerror(errno);
    }
  }
  // Data on disk before the rename, or a crash could leave the name on an empty file.
  if (why.empty() && ::fsync(fd) != 0 && errno != EINVAL && errno != EROFS) {
    why = std::strerror(errno);
  }
  if (::close(fd) != 0 && why.empty()) {
    why = std::strerror(errno);
  }
  return why;
}

}  // namespace

base::Result<bool> prepare_out_dir(const std::string& dir) {
  std::error_code ec;
  fs::create_directories(dir, ec);
  if (ec) {
    return cannot("create the output directory", dir, ec.message());
  }
  if (!fs::is_directory(dir, ec)) {
    return cannot("write to", dir, "it is not a directory");
  }
  if (::access(dir.c_str(), W_OK | X_OK) != 0) {
    return cannot("write to", dir, std::strerror(errno));
  }
  return true;
}

base::Result<std::string> write_result(const RunResult& result, const std::string& dir) {
  if (const auto ready = prepare_out_dir(dir); !ready) {
    return base::Error{ready.error()};
  }
  const std::string path = (fs::path(dir) / "result.json").string();
  const std::string temporary = path + "." + std::to_string(::getpid()) + ".tmp";
  const std::string why = write_new_file(temporary, to_json(result).dump(2) + "\n");
  std::error_code ec;
  if (!why.empty()) {
    fs::remove(temporary, ec);
    return cannot("write", temporary, why);
  }
  fs::rename(temporary, path, ec);
  if (ec) {
    const std::string reason = ec.message();
    fs::remove(temporary, ec);
    return cannot("write", path, reason);
  }
  return path;
}

}  // namespace doorbell::report
