#pragma once
/// From numbers to the text inside a page: bytes → zlib → base64.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "collapse/io/page.hpp"

namespace collapse {

/// Appends numbers to a string of bytes.
class PageBytes {
 public:
  /// Seven bits to a byte, the lowest first; the eighth says that more follow.
  void count(std::uint64_t number);
  /// Small numbers of either sign become small counts: 0, −1, 1, −2, 2, …
  void whole(std::int64_t number);
  void real(double number);  ///< eight bytes, the lowest first
  void length(std::uint32_t number);
  void text(std::string_view characters) { bytes_ += characters; }

  [[nodiscard]] const std::string& bytes() const { return bytes_; }
  void clear() { bytes_.clear(); }

 private:
  std::string bytes_;
};

/// Writes `page` up to its element for data, then what it is given in there, then the rest of `page`,
/// which has to live as long.
class PageStream {
 public:
  PageStream(std::string_view page, PageSink sink);
  ~PageStream();
  PageStream(const PageStream&) = delete;
  PageStream& operator=(const PageStream&) = delete;

  void write(std::string_view bytes);
  void finish();

 private:
  struct Deflater;

  void compress(std::string_view bytes, bool last);
  void encode(std::string_view bytes, bool last);

  PageSink sink_;
  std::string_view rest_;
  std::unique_ptr<Deflater> deflater_;
  std::string left_;  ///< of the bytes to encode: fewer than three
  std::uint64_t written_ = 0;
};

}  // namespace collapse
