#include "io/node.hpp"

#include <algorithm>
#include <cmath>

#include "collapse/core/error.hpp"

namespace collapse::reader {
namespace {

bool contains(std::span<const std::string_view> words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_control(char c) {
  const auto code = static_cast<unsigned char>(c);
  return code < 0x20 || code == 0x7F;
}

}  // namespace

void Node::refuse(const std::string& expected) const { refuse(json::describe(*value_), expected); }

void Node::refuse(const std::string& found, const std::string& expected) const {
  throw Error(place_, found, expected);
}

void Node::demand_object(const std::string& what, std::span<const std::string_view> known,
                         std::span<const std::string_view> elsewhere,
                         std::string_view where) const {
  if (value_->kind != json::Kind::object) {
    refuse(what + ", an object with the keys " + joined(known));
  }
  for (const json::Member& member : value_->members) {
    const std::string_view key = member.name;
    if (contains(known, key)) continue;
    const Node node(member.value, member_place(place_, key));
    if (contains(elsewhere, key)) {
      node.refuse("the key " + in_quotes(key) + ", which is for scenes " + std::string(where),
                  "one of " + joined(known));
    }
    node.refuse("unknown key " + in_quotes(key),
                "one of " + joined(known) + did_you_mean(key, known));
  }
}

void Node::demand_list(const std::string& expected) const {
  if (value_->kind != json::Kind::array) refuse(expected);
}

std::optional<Node> Node::find(std::string_view key) const {
  const json::Value* member = value_->find(key);
  if (member == nullptr) return std::nullopt;
  return Node(*member, member_place(place_, key));
}

Node Node::require(std::string_view key, const std::string& expected) const {
  std::optional<Node> member = find(key);
  if (!member) refuse("no " + in_quotes(key), expected);
  return *std::move(member);
}

Node Node::item(std::size_t index) const {
  return {value_->items[index], item_place(place_, index)};
}

bool Node::boolean() const {
  if (value_->kind != json::Kind::boolean) refuse("true or false");
  return value_->boolean;
}

const std::string& Node::text(const std::string& expected) const {
  if (value_->kind != json::Kind::string) refuse(expected);
  return value_->text;
}

std::string_view Node::choice(std::span<const std::string_view> words) const {
  const std::string& word = text("one of " + joined(words));
  const auto found = std::find(words.begin(), words.end(), word);
  if (found == words.end()) refuse("one of " + joined(words) + did_you_mean(word, words));
  return *found;
}

Number Node::number() const {
  const bool written = value_->kind == json::Kind::number || value_->kind == json::Kind::string;
  std::optional<Rational> exact = written ? parse_rational(value_->text) : std::nullopt;
  if (!exact) {
    refuse("a number such as 0.25 or \"1/4\", of at most " + std::to_string(kMaxDigits) +
           " digits and with exponents within ±" + std::to_string(kMaxExponent));
  }
  Number number(*std::move(exact));
  if (!std::isfinite(number.value)) refuse("a number whose nearest double is finite");
  if (number.value == 0.0 && number.exact != 0) {
    refuse("zero, or a number whose nearest double is not zero");
  }
  return number;
}

Number Node::positive() const {
  Number result = number();
  if (result.exact <= 0) refuse("a number greater than 0");
  return result;
}

Number Node::nonnegative() const {
  Number result = number();
  if (result.exact < 0) refuse("a number not less than 0");
  return result;
}

template <int Dim>
NumberVec<Dim> Node::vector(const std::string& expected) const {
  constexpr std::size_t kSize = Dim;
  if (value_->kind != json::Kind::array || size() != kSize) refuse(expected);
  ExactVec<Dim> exact;
  for (std::size_t i = 0; i < kSize; ++i) exact[static_cast<int>(i)] = item(i).number().exact;
  NumberVec<Dim> result(std::move(exact));
  if (!(result.value.stableNorm() <= kLargest)) {
    refuse("a vector longer than 1e50", expected + ", at most 1e50 long");
  }
  return result;
}

template <int Dim>
NumberVec<Dim> Node::load() const {
  NumberVec<Dim> result = vector<Dim>();
  const double length = result.value.stableNorm();
  if (length > 0.0 && length < kSmallest) {
    refuse("a vector shorter than 1e-50", std::string(Words<Dim>::kZero) + ", or " +
                                              std::string(Words<Dim>::kVector) +
                                              " at least 1e-50 long");
  }
  return result;
}

template NumberVec<2> Node::vector<2>(const std::string&) const;
template NumberVec<3> Node::vector<3>(const std::string&) const;
template NumberVec<2> Node::load<2>() const;
template NumberVec<3> Node::load<3>() const;

void check_name(const Node& node, const std::string& name) {
  const std::string expected = "a name of 1 to " + std::to_string(kMaxNameBytes) + " bytes";
  if (name.empty()) node.refuse("an empty name", expected);
  if (name.size() > kMaxNameBytes) {
    node.refuse("a name of " + std::to_string(name.size()) + " bytes", expected);
  }
  if (std::any_of(name.begin(), name.end(), is_control)) {
    node.refuse("the name " + in_quotes(name), "a name without control characters");
  }
}

const std::string& read_name(const Node& node) {
  const std::string& name = node.text("a name, as a string");
  check_name(node, name);
  return name;
}

}  // namespace collapse::reader
