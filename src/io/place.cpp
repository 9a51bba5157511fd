#include "collapse/io/place.hpp"

#include <algorithm>
#include <vector>

#include "collapse/core/error.hpp"

namespace collapse {
namespace {

/// Longer words are not compared: the cost grows with the square, and no key is nearly as long.
constexpr std::size_t kLongestCompared = 64;

constexpr bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

/// Whatever the C locale says of letters.
constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`, upper and
/// lower case alike.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> two_back(b.size() + 1);
  std::vector<std::size_t> back(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) back[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = back[j - 1] + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
      row[j] = std::min({back[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
          lower(a[i - 2]) == lower(b[j - 1])) {
        row[j] = std::min(row[j], two_back[j - 2] + 1);
      }
    }
    two_back.swap(back);
    back.swap(row);
  }
  return back[b.size()];
}

}  // namespace

std::string member_place(const std::string& parent, std::string_view key) {
  const bool plain =
      !key.empty() && key.size() <= 60 && std::all_of(key.begin(), key.end(), is_word_character);
  if (!plain) return parent + "[" + in_quotes(key) + "]";
  return parent.empty() ? std::string(key) : parent + "." + std::string(key);
}

std::string item_place(const std::string& parent, std::size_t index) {
  return parent + "[" + std::to_string(index) + "]";
}

std::string in_quotes(std::string_view text) { return "\"" + printable(std::string(text)) + "\""; }

std::string did_you_mean(std::string_view word, std::span<const std::string_view> known) {
  if (word.empty() || word.size() > kLongestCompared) return "";
  std::string_view nearest;
  // Up to a third of the letters may be wrong; the first of equally near words wins.
  std::size_t best = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string_view candidate : known) {
    if (candidate.size() > kLongestCompared) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best && distance < candidate.size()) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest.empty() ? "" : "; did you mean " + in_quotes(nearest) + "?";
}

std::string joined(std::span<const std::string_view> words) {
  std::string text;
  for (const std::string_view word : words) {
    if (!text.empty()) text += ", ";
    text += word;
  }
  return text;
}

}  // namespace collapse
