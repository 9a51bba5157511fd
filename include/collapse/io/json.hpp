#pragma once
/// A JSON document as written: numbers keep their text (so that 0.1 can mean one tenth), members
/// their order, and every value knows its place for messages.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace collapse::json {

enum class Kind { null, boolean, number, string, array, object };

struct Member;

struct Value {
  Kind kind = Kind::null;
  bool boolean = false;
  std::string text;             ///< of a number as written, or of a string
  std::vector<Value> items;     ///< of an array
  std::vector<Member> members;  ///< of an object, in order

  /// The member of that name, or null.
  [[nodiscard]] const Value* find(std::string_view name) const;
};

struct Member {
  std::string name;
  Value value;
};

/// Limits that keep hostile input from filling memory or the stack.
inline constexpr std::size_t kMaxBytes = std::size_t{64} << 20;
inline constexpr int kMaxDepth = 64;
inline constexpr std::size_t kMaxValues = 10'000'000;

/// Throws Error with place `line L, column C` where `text` is not JSON, and with the path into the
/// document (`bodies[3].box`) where it nests too deep, repeats a key, or is too long.
[[nodiscard]] Value parse(std::string_view text);

/// Short words for a message: `the string "abc"`, `the number 12`, `an object`, ….
[[nodiscard]] std::string describe(const Value& value);

}  // namespace collapse::json
