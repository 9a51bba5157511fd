#pragma once
/// What a page holds, read back by other code than the page's own.

#include <gtest/gtest.h>
#include <zlib.h>

#include <bit>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace collapse::testing {

using PageJson = nlohmann::json;

inline constexpr std::string_view kPageHead =
    R"(<body><script type="application/octet-stream" id="data">)";
inline constexpr std::string_view kPageTail = "</script><p>end</p>";

inline std::string empty_page() { return std::string(kPageHead) + std::string(kPageTail); }

/// The bytes in a page: base64 by table look-up, then zlib in one go.
inline std::string data_of(const std::string& page) {
  EXPECT_TRUE(page.starts_with(kPageHead));
  EXPECT_TRUE(page.ends_with(kPageTail));
  const std::string text =
      page.substr(kPageHead.size(), page.size() - kPageHead.size() - kPageTail.size());
  EXPECT_EQ(
      text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="),
      std::string::npos);
  EXPECT_EQ(text.size() % 4, 0U);
  std::string packed;
  unsigned bits = 0;
  int held = 0;
  for (const char c : text) {
    if (c == '=') break;
    const int digit = c >= 'a'   ? c - 'a' + 26
                      : c >= 'A' ? c - 'A'
                      : c >= '0' ? c - '0' + 52
                      : c == '+' ? 62
                                 : 63;
    bits = bits << 6 | static_cast<unsigned>(digit);
    held += 6;
    if (held >= 8) packed += static_cast<char>(bits >> (held -= 8) & 0xff);
  }
  std::string bytes(10'000'000, '\0');
  uLongf length = bytes.size();
  EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(bytes.data()), &length,
                       reinterpret_cast<const Bytef*>(packed.data()), packed.size()),
            Z_OK);
  bytes.resize(length);
  return bytes;
}

class PageReader {
 public:
  explicit PageReader(std::string bytes) : bytes_(std::move(bytes)) {}

  PageJson header() {
    std::uint32_t length = 0;
    for (int i = 0; i < 4; ++i) length |= std::uint32_t{byte()} << (8 * i);
    PageJson parsed = PageJson::parse(bytes_.substr(at_, length));
    at_ += length;
    return parsed;
  }
  double real() {
    std::uint64_t bits = 0;
    for (int i = 0; i < 8; ++i) bits |= std::uint64_t{byte()} << (8 * i);
    return std::bit_cast<double>(bits);
  }
  std::uint64_t count() {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const unsigned char b = byte();
      value |= std::uint64_t{b & 0x7fU} << shift;
      if (b < 0x80) return value;
    }
  }
  std::int64_t whole() {
    const std::uint64_t value = count();
    const auto half = static_cast<std::int64_t>(value / 2);
    return value % 2 == 0 ? half : -half - 1;
  }
  [[nodiscard]] bool done() const { return at_ == bytes_.size(); }

 private:
  unsigned char byte() { return static_cast<unsigned char>(bytes_.at(at_++)); }

  std::string bytes_;
  std::size_t at_ = 0;
};

/// A number of a frame that is told as the difference to where its last two values lead.
struct PageSeries {
  std::vector<std::int64_t> values;
  std::int64_t next(std::int64_t surprise) {
    const std::size_t n = values.size();
    const std::int64_t expected = n == 0   ? 0
                                  : n == 1 ? values[0]
                                           : 2 * values[n - 1] - values[n - 2];
    values.push_back(expected + surprise);
    return values.back();
  }
};

}  // namespace collapse::testing
