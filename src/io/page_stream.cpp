#include "io/page_stream.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <bit>

#include "collapse/core/check.hpp"
#include "collapse/core/error.hpp"
#include "io/base64.hpp"

namespace collapse {
namespace {

constexpr std::string_view kDataElement =
    R"(<script type="application/octet-stream" id="data"></script>)";
constexpr std::string_view kEndOfElement = "</script>";

/// Browsers hold an element's text as one string, of at most 2²⁹ characters.
constexpr std::uint64_t kLargestText = 500'000'000;

}  // namespace

void PageBytes::count(std::uint64_t number) {
  while (number >= 0x80) {
    bytes_ += static_cast<char>(0x80 | (number & 0x7f));
    number >>= 7;
  }
  bytes_ += static_cast<char>(number);
}

void PageBytes::whole(std::int64_t number) {
  const auto bits = static_cast<std::uint64_t>(number);
  count(number < 0 ? ~(bits << 1) : bits << 1);
}

void PageBytes::real(double number) {
  auto bits = std::bit_cast<std::uint64_t>(number);
  for (int i = 0; i < 8; ++i, bits >>= 8) bytes_ += static_cast<char>(bits & 0xff);
}

void PageBytes::length(std::uint32_t number) {
  for (int i = 0; i < 4; ++i, number >>= 8) bytes_ += static_cast<char>(number & 0xff);
}

struct PageStream::Deflater {
  z_stream stream{};
};

PageStream::PageStream(std::string_view page, PageSink sink)
    : sink_(std::move(sink)), deflater_(std::make_unique<Deflater>()) {
  const std::size_t element = page.find(kDataElement);
  if (element == std::string_view::npos) {
    throw Error("", "a page without an element for data", "one built from web/view.html");
  }
  const std::size_t inside = element + kDataElement.size() - kEndOfElement.size();
  if (deflateInit(&deflater_->stream, Z_DEFAULT_COMPRESSION) != Z_OK) throw std::bad_alloc();
  sink_(page.substr(0, inside));
  rest_ = page.substr(inside);
}

PageStream::~PageStream() { deflateEnd(&deflater_->stream); }

void PageStream::write(std::string_view bytes) { compress(bytes, false); }

void PageStream::finish() {
  compress({}, true);
  sink_(rest_);
}

void PageStream::compress(std::string_view bytes, bool last) {
  z_stream& stream = deflater_->stream;
  // zlib does not write to its input, but its interface is older than const.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // NOLINT
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::array<char, 1 << 15> out;
  do {
    stream.next_out = reinterpret_cast<Bytef*>(out.data());  // NOLINT
    stream.avail_out = out.size();
    const int status = deflate(&stream, last ? Z_FINISH : Z_NO_FLUSH);
    COLLAPSE_DEMAND(status != Z_STREAM_ERROR);
    encode({out.data(), out.size() - stream.avail_out}, false);
  } while (stream.avail_out == 0);
  if (last) encode({}, true);
}

void PageStream::encode(std::string_view bytes, bool last) {
  left_ += bytes;
  const std::size_t whole = last ? left_.size() : left_.size() / 3 * 3;
  const std::string text = base64(std::string_view(left_).substr(0, whole));
  left_.erase(0, whole);
  written_ += text.size();
  if (written_ > kLargestText) {
    throw Error("", "a page of more than 500 MB, which browsers do not open",
                "fewer frames (--frame-rate) or no forces (--no-forces)");
  }
  if (!text.empty()) sink_(text);
}

}  // namespace collapse
