#include "io/scene_writer.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "collapse/core/error.hpp"
#include "collapse/io/place.hpp"

namespace collapse::foreign {
namespace {

/// How often `prime` divides `value`, taken out of it.
int take_factor(Integer& value, int prime) {
  int count = 0;
  while (value % prime == 0) {
    value /= prime;
    ++count;
  }
  return count;
}

/// `digits` times 10 to the `exponent`, as short as it gets.
std::string decimal_text(std::string digits, int exponent) {
  while (digits.size() > 1 && digits.back() == '0') {
    digits.pop_back();
    ++exponent;
  }
  const int count = static_cast<int>(digits.size());
  const int point = count + exponent;  // digits before the decimal point
  if (exponent >= 0 && point <= 21)
    return digits + std::string(static_cast<std::size_t>(exponent), '0');
  if (exponent < 0 && point > 0) return digits.insert(static_cast<std::size_t>(point), ".");
  if (point <= 0 && point > -6)
    return "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
  if (count > 1) digits.insert(1, ".");
  return digits + "e" + std::to_string(point - 1);
}

void append_lines(std::string& out, const char* key, const std::vector<std::string>& items) {
  if (items.empty()) return;
  out += std::string(",\n  \"") + key + "\": [";
  for (std::size_t i = 0; i < items.size(); ++i) out += (i == 0 ? "\n    " : ",\n    ") + items[i];
  out += "\n  ]";
}

constexpr std::size_t kLongestName = 190;  // room for a number behind

}  // namespace

std::string number_text(const Rational& value) {
  constexpr std::size_t kLongest = 40;
  const Integer top = numerator(value);
  Integer rest = denominator(value);
  const int twos = take_factor(rest, 2);
  const int fives = take_factor(rest, 5);
  if (rest != 1) return "\"" + to_string(value) + "\"";
  const int exponent = std::max(twos, fives);
  Integer scaled = abs(top);
  for (int i = twos; i < exponent; ++i) scaled *= 2;
  for (int i = fives; i < exponent; ++i) scaled *= 5;
  const std::string digits = scaled.str();
  if (digits.size() > kLongest) return "\"" + to_string(value) + "\"";
  return (top < 0 ? "-" : "") + decimal_text(digits, -exponent);
}

std::string plain_number(const Rational& value) {
  const std::string text = number_text(value);
  return text.front() == '"' ? text.substr(1, text.size() - 2) : text;
}

std::string vector_text(const ExactVec<3>& value) {
  return "[" + number_text(value[0]) + "," + number_text(value[1]) + "," + number_text(value[2]) +
         "]";
}

std::string json_string(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Rational foreign_number(std::string_view text, const std::string& place) {
  std::string plain(text);
  std::string sign;
  if (!plain.empty() && (plain.front() == '+' || plain.front() == '-')) {
    if (plain.front() == '-') sign = "-";
    plain.erase(0, 1);
  }
  plain.erase(0, std::min(plain.find_first_not_of('0'), plain.size()));
  if (plain.empty() || plain.front() < '0' || plain.front() > '9') {
    // A zero was there, or a point stands at the front.
    if (text.find_first_of("0123456789") != std::string_view::npos) plain.insert(0, "0");
  }
  if (const std::size_t point = plain.find('.');
      point != std::string::npos &&
      (point + 1 == plain.size() || plain[point + 1] == 'e' || plain[point + 1] == 'E')) {
    plain.erase(point, 1);
  }
  const std::optional<Rational> value = parse_rational(sign + plain);
  if (!value || text.find('/') != std::string_view::npos) {
    throw Error(place, in_quotes(text), "a number");
  }
  return *value;
}

void ObjectText::add(const std::string& key, const std::string& value) {
  if (!members_.empty()) members_ += ",";
  members_ += json_string(key) + ":" + value;
}

void SceneWriter::add_material(const std::string& material, const Rational& density,
                               const Rational& friction) {
  materials_.push_back(json_string(material) + ": {\"density\":" + number_text(density) +
                       ",\"friction\":" + number_text(friction) + "}");
}

void SceneWriter::add_pair(const std::string& a, const std::string& b, const Rational& friction) {
  pairs_.push_back("{\"materials\":[" + json_string(a) + "," + json_string(b) +
                   "],\"friction\":" + number_text(friction) + "}");
}

void SceneWriter::ignore(const std::string& a, const std::string& b) {
  ignored_.push_back("[" + json_string(a) + "," + json_string(b) + "]");
}

std::string SceneWriter::unique_name(const std::string& wanted) {
  std::string base = wanted.substr(0, kLongestName);
  // Not in the middle of a character.
  while (base.size() < wanted.size() && !base.empty() &&
         (static_cast<unsigned char>(wanted[base.size()]) & 0xC0U) == 0x80U) {
    base.pop_back();
  }
  for (char& c : base) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  }
  if (base.empty()) base = "unnamed";
  const auto taken = [this](const std::string& candidate) {
    return candidate == "world" ||
           std::find(names_.begin(), names_.end(), candidate) != names_.end();
  };
  std::string result = base;
  for (int number = 2; taken(result); ++number) result = base + " " + std::to_string(number);
  names_.push_back(result);
  return result;
}

std::string SceneWriter::text() const {
  std::string out = "{\n  \"collapse\": 1";
  if (!name.empty()) out += ",\n  \"name\": " + json_string(name);
  out += ",\n  \"dimension\": 3,\n  \"gravity\": " + vector_text(gravity);
  if (!materials_.empty()) {
    out += ",\n  \"materials\": {";
    for (std::size_t i = 0; i < materials_.size(); ++i) {
      out += (i == 0 ? "\n    " : ",\n    ") + materials_[i];
    }
    out += "\n  }";
  }
  append_lines(out, "pairs", pairs_);
  append_lines(out, "bodies", bodies_);
  append_lines(out, "joints", joints_);
  append_lines(out, "ignore", ignored_);
  if (step) out += ",\n  \"simulation\": {\"step\":" + number_text(*step) + "}";
  return out + "\n}\n";
}

}  // namespace collapse::foreign
