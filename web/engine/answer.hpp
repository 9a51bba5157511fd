#pragma once
/// How the bindings answer: JSON text that the caller frees, errors included.

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "collapse/core/error.hpp"
#include "collapse/io/answers.hpp"

namespace collapse::web {

/// Text that belongs to the caller: the page calls free() on it.
[[nodiscard]] char* text_for_the_page(const std::string& text);

/// What `work` gives, or { error: { place, found, expected, message } } where it throws.
[[nodiscard]] char* answer(const std::function<Json()>& work);

/// The same object for an error that is at hand.
[[nodiscard]] Json error_json(const Error& error);

}  // namespace collapse::web
