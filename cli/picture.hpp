#pragma once

#include <string>

#include "cli/still.hpp"

namespace collapse::cli {

/// What the page of a moment in space shows, as a PNG: by way of a browser. Throws Error where there is none, Interrupted
/// after a signal.
[[nodiscard]] std::string page_picture(const Still<3>& still, const StillArguments& arguments);

}  // namespace collapse::cli
