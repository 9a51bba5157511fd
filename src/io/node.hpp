#pragma once
/// Typed access to a scene document. Every refusal names place, found and expected.

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "collapse/io/json.hpp"
#include "collapse/io/place.hpp"
#include "collapse/model/scene.hpp"

namespace collapse::reader {

/// How messages name things in the plane and in space.
template <int Dim>
struct Words;
template <>
struct Words<2> {
  static constexpr std::string_view kVector = "[x, y]";
  static constexpr std::string_view kZero = "[0, 0]";
  static constexpr std::string_view kHere = "in the plane";
  static constexpr std::string_view kElsewhere = "in space";
};
template <>
struct Words<3> {
  static constexpr std::string_view kVector = "[x, y, z]";
  static constexpr std::string_view kZero = "[0, 0, 0]";
  static constexpr std::string_view kHere = "in space";
  static constexpr std::string_view kElsewhere = "in the plane";
};

/// A value of the document that knows where it stands.
class Node {
 public:
  Node(const json::Value& value, std::string place) : value_(&value), place_(std::move(place)) {}

  [[nodiscard]] const json::Value& value() const { return *value_; }
  [[nodiscard]] const std::string& place() const { return place_; }

  /// What was found is this value.
  [[noreturn]] void refuse(const std::string& expected) const;
  [[noreturn]] void refuse(const std::string& found, const std::string& expected) const;

  /// Refuses anything but an object whose keys are all among `known`. Keys in `elsewhere` get a word of
  /// their own: they are known, but only in scenes `where` ("in space").
  void demand_object(const std::string& what, std::span<const std::string_view> known,
                     std::span<const std::string_view> elsewhere = {},
                     std::string_view where = {}) const;
  /// Refuses anything but a list.
  void demand_list(const std::string& expected) const;

  /// The member of an object, if it is there.
  [[nodiscard]] std::optional<Node> find(std::string_view key) const;
  [[nodiscard]] bool has(std::string_view key) const { return value_->find(key) != nullptr; }
  /// The member of an object; refuses its absence.
  [[nodiscard]] Node require(std::string_view key, const std::string& expected) const;

  /// Of a list.
  [[nodiscard]] std::size_t size() const { return value_->items.size(); }
  [[nodiscard]] Node item(std::size_t index) const;

  [[nodiscard]] bool boolean() const;
  [[nodiscard]] const std::string& text(const std::string& expected) const;
  /// One of `words`.
  [[nodiscard]] std::string_view choice(std::span<const std::string_view> words) const;

  /// Exactly as written; its nearest double is finite, and zero only if it is.
  [[nodiscard]] Number number() const;
  [[nodiscard]] Number positive() const;
  [[nodiscard]] Number nonnegative() const;
  /// `[x, y]` or `[x, y, z]`, at most kLargest long.
  template <int Dim>
  [[nodiscard]] NumberVec<Dim> vector(
      const std::string& expected = std::string(Words<Dim>::kVector)) const;
  /// The same for an acceleration or a force: zero, or at least kSmallest long.
  template <int Dim>
  [[nodiscard]] NumberVec<Dim> load() const;

 private:
  const json::Value* value_;
  std::string place_;
};

/// Lengths, masses and loads that mechanics is done with lie between these: products of several of them
/// and their squares are then far from the ends of floating point.
inline constexpr double kSmallest = 1e-50;
inline constexpr double kLargest = 1e50;

inline constexpr std::size_t kMaxNameBytes = 200;
/// Refuses names that are empty, longer than kMaxNameBytes, or hold control characters.
void check_name(const Node& node, const std::string& name);
[[nodiscard]] const std::string& read_name(const Node& node);

}  // namespace collapse::reader
