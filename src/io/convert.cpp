#include "collapse/io/convert.hpp"

#include <algorithm>
#include <array>

namespace collapse {
namespace {

bool ends_in(std::string_view file, std::string_view ending) {
  if (file.size() < ending.size()) return false;
  const std::string_view tail = file.substr(file.size() - ending.size());
  return std::equal(tail.begin(), tail.end(), ending.begin(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
}

/// The first word of a line that is no comment.
std::string_view first_word(std::string_view text) {
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (!text.starts_with('#')) break;
    text.remove_prefix(std::min(text.find('\n'), text.size()));
  }
  return text.substr(0, text.find_first_of(" \t\r\n"));
}

}  // namespace

std::optional<ForeignFormat> guess_format(std::string_view file, std::string_view text) {
  if (ends_in(file, ".obj")) return ForeignFormat::obj;
  if (ends_in(file, ".json")) return ForeignFormat::compas;
  if (ends_in(file, ".xml") || ends_in(file, ".mjcf")) return ForeignFormat::mjcf;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::string_view word = first_word(text);
  if (word.starts_with('{')) return ForeignFormat::compas;
  if (word.starts_with('<')) return ForeignFormat::mjcf;
  constexpr std::array<std::string_view, 5> kObj = {"v", "o", "g", "f", "mtllib"};
  if (std::find(kObj.begin(), kObj.end(), word) != kObj.end()) return ForeignFormat::obj;
  return std::nullopt;
}

Converted convert(ForeignFormat format, std::string_view text, const ConvertOptions& options) {
  switch (format) {
    case ForeignFormat::compas:
      return convert_compas(text, options);
    case ForeignFormat::obj:
      return convert_obj(text, options);
    case ForeignFormat::mjcf:
      return convert_mjcf(text, options);
  }
  return {};
}

}  // namespace collapse
