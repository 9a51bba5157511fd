#include "collapse/io/json.hpp"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "collapse/core/error.hpp"
#include "collapse/io/place.hpp"

namespace collapse::json {
namespace {

using Library = nlohmann::json;

/// `line L, column C` of the byte at `position`; columns count characters, not bytes.
std::string place_in_text(std::string_view text, std::size_t position) {
  const std::string_view before = text.substr(0, std::min(position, text.size()));
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t newline = before.rfind('\n');
  const std::string_view row =
      newline == std::string_view::npos ? before : before.substr(newline + 1);
  const auto column = std::count_if(row.begin(), row.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  });
  return "line " + std::to_string(line) + ", column " + std::to_string(column + 1);
}

/// The library's words are `[id] parse error at line L, column C: syntax error while parsing WHAT -
/// FOUND; last read: '…'; expected EXPECTED`, where the last two parts may be absent.
Error syntax_error(std::string_view text, std::size_t position, const std::string& words) {
  const std::string place = place_in_text(text, position == 0 ? 0 : position - 1);
  const auto after = [&words](std::string_view mark) {
    const std::size_t at = words.find(mark);
    return at == std::string::npos ? std::string() : words.substr(at + mark.size());
  };
  if (const std::string number = after("number overflow parsing "); !number.empty()) {
    return {place, "the number " + printable(number), "a number whose nearest double is finite"};
  }
  const std::string reason = after(" - ");
  const std::string found = reason.substr(0, reason.find(';'));
  const std::size_t expected = reason.rfind("; expected ");
  return {
      place, found.empty() ? "text that is not JSON" : printable(found, 120),
      expected == std::string::npos ? "valid JSON" : printable(reason.substr(expected + 11), 60)};
}

/// Builds the document from the library's events.
class Builder : public nlohmann::json_sax<Library> {
 public:
  explicit Builder(std::string_view text) : text_(text) {}

  [[nodiscard]] Value take() { return std::move(root_); }

  bool null() override {
    add(Kind::null);
    return true;
  }
  bool boolean(bool value) override {
    add(Kind::boolean).boolean = value;
    return true;
  }
  bool number_integer(number_integer_t value) override {
    add(Kind::number).text = std::to_string(value);
    return true;
  }
  bool number_unsigned(number_unsigned_t value) override {
    add(Kind::number).text = std::to_string(value);
    return true;
  }
  bool number_float(number_float_t /*value*/, const string_t& written) override {
    std::string& text = add(Kind::number).text;
    text = written;
    // The library writes the decimal point of the C locale, which need not be a dot.
    const std::size_t point = text.find_first_not_of("+-0123456789eE");
    if (point != std::string::npos) text[point] = '.';
    return true;
  }
  bool string(string_t& value) override {
    add(Kind::string).text = std::move(value);
    return true;
  }
  bool binary(binary_t& /*value*/) override { return false; }

  bool start_object(std::size_t /*elements*/) override { return open(Kind::object); }
  bool start_array(std::size_t /*elements*/) override { return open(Kind::array); }
  bool key(string_t& name) override {
    open_.back()->members.push_back(Member{std::move(name), {}});
    return true;
  }
  bool end_object() override {
    refuse_repeated_keys();
    open_.pop_back();
    return true;
  }
  bool end_array() override {
    open_.pop_back();
    return true;
  }
  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::detail::exception& error) override {
    throw syntax_error(text_, position, error.what());
  }

 private:
  Value& add(Kind kind) {
    if (++values_ > kMaxValues) {
      throw Error(place(), "more than " + std::to_string(kMaxValues) + " values", "fewer");
    }
    Value* value = &root_;
    if (!open_.empty()) {
      Value& parent = *open_.back();
      value =
          parent.kind == Kind::array ? &parent.items.emplace_back() : &parent.members.back().value;
    }
    value->kind = kind;
    return *value;
  }

  bool open(Kind kind) {
    if (open_.size() >= static_cast<std::size_t>(kMaxDepth)) {
      throw Error(place(), "lists and objects more than " + std::to_string(kMaxDepth) + " deep",
                  "less nesting");
    }
    // Stays where it is while it is open: only the innermost container grows.
    open_.push_back(&add(kind));
    return true;
  }

  void refuse_repeated_keys() const {
    const auto& members = open_.back()->members;
    std::vector<std::string_view> names;
    names.reserve(members.size());
    for (const Member& member : members) names.push_back(member.name);
    std::sort(names.begin(), names.end());
    const auto repeated = std::adjacent_find(names.begin(), names.end());
    if (repeated == names.end()) return;
    throw Error(place_of_open(open_.size() - 1), "the key " + in_quotes(*repeated) + " twice",
                "every key at most once");
  }

  [[nodiscard]] std::string place() const { return place_of_open(open_.size()); }

  /// The path that leads through the innermost values of the first `depth` open containers.
  [[nodiscard]] std::string place_of_open(std::size_t depth) const {
    std::string path;
    for (std::size_t i = 0; i < depth; ++i) {
      const Value& container = *open_[i];
      if (container.kind == Kind::object && !container.members.empty()) {
        path = member_place(path, container.members.back().name);
      } else if (container.kind == Kind::array && !container.items.empty()) {
        path = item_place(path, container.items.size() - 1);
      }
    }
    return path;
  }

  std::string_view text_;
  Value root_;
  std::vector<Value*> open_;
  std::size_t values_ = 0;
};

}  // namespace

const Value* Value::find(std::string_view name) const {
  const auto found = std::find_if(members.begin(), members.end(),
                                  [name](const Member& member) { return member.name == name; });
  return found == members.end() ? nullptr : &found->value;
}

Value parse(std::string_view text) {
  if (text.size() > kMaxBytes) {
    throw Error("", "more than " + std::to_string(kMaxBytes >> 20) + " MiB of text",
                "a smaller file");
  }
  // The library takes a NUL for the end of the text and would not look at what follows.
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
    throw Error(place_in_text(text, nul), "a NUL byte", "valid JSON");
  }
  Builder builder(text);
  Library::sax_parse(text.begin(), text.end(), &builder);
  return builder.take();
}

std::string describe(const Value& value) {
  switch (value.kind) {
    case Kind::null:
      return "null";
    case Kind::boolean:
      return value.boolean ? "true" : "false";
    case Kind::number:
      return "the number " + printable(value.text, 40);
    case Kind::string:
      return "the string " + in_quotes(value.text);
    case Kind::array:
      return value.items.empty() ? "an empty list"
                                 : "a list of " + std::to_string(value.items.size());
    case Kind::object:
      return value.members.empty() ? "an empty object" : "an object";
  }
  return "";
}

}  // namespace collapse::json
