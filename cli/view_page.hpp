#pragma once

#include <string_view>

namespace collapse::cli {

/// The page that `view` fills with data, built from web/. Empty in a tool that was built without it.
[[nodiscard]] std::string_view view_page();

}  // namespace collapse::cli
