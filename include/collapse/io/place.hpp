#pragma once
/// Places in a scene as messages name them, and guesses at what a misspelt word was meant to be.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace collapse {

/// `parent.key`; keys that are not plain words are quoted: `materials["red brick"]`.
[[nodiscard]] std::string member_place(const std::string& parent, std::string_view key);
/// `parent[index]`.
[[nodiscard]] std::string item_place(const std::string& parent, std::size_t index);

/// `"text"`, printable and short.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// `; did you mean "friction"?` with the known word nearest to `word`, empty if none is near.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       std::span<const std::string_view> known);

/// `a, b, c`.
[[nodiscard]] std::string joined(std::span<const std::string_view> words);

}  // namespace collapse
