#pragma once
/// Input that cannot be used, and the words that say so.

#include <gtest/gtest.h>

#include <string>

#include "collapse/core/error.hpp"

namespace collapse::testing {

struct Refusal {
  std::string text;
  std::string place;     ///< all of it
  std::string found;     ///< a part of it
  std::string expected;  ///< a part of it
};

/// That `read(text)` refuses it in these words, in one line that is not too long to read.
template <class Read>
void expect_refused(const Refusal& refusal, const Read& read) {
  SCOPED_TRACE(refusal.text.substr(0, 300));
  try {
    static_cast<void>(read(refusal.text));
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.place(), refusal.place);
    EXPECT_NE(error.found().find(refusal.found), std::string::npos) << error.found();
    EXPECT_NE(error.expected().find(refusal.expected), std::string::npos) << error.expected();
    EXPECT_FALSE(error.found().empty());
    EXPECT_FALSE(error.expected().empty());
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    EXPECT_LT(std::string(error.what()).size(), 1000U);
  }
}

}  // namespace collapse::testing
