#include "io/trajectory_format.hpp"

#include <nlohmann/json.hpp>

#include "io/node.hpp"
#include "io/trajectory_bytes.hpp"

namespace collapse::trajectory {
namespace {

std::uint32_t head_checksum(std::string_view tag, std::uint64_t length) {
  ByteWriter out(tag.size() + 8);
  out.put(tag);
  out.put64(length);
  const std::uint64_t sum = checksum(out.take());
  return static_cast<std::uint32_t>(sum ^ (sum >> 32U));
}

int whole_number(const reader::Node& node, int largest) {
  const Number number = node.nonnegative();
  if (number.exact > largest || denominator(number.exact) != 1) {
    node.refuse("a whole number of at most " + std::to_string(largest));
  }
  return static_cast<int>(number.value);
}

}  // namespace

std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t sum = 0xcbf29ce484222325ULL;
  for (const char c : bytes) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return sum;
}

std::string block(std::string_view tag, std::string_view payload) {
  ByteWriter out(kHeadBytes + payload.size() + kTailBytes);
  out.put(tag);
  out.put32(head_checksum(tag, payload.size()));
  out.put64(payload.size());
  out.put(payload);
  out.put64(checksum(payload));
  return out.take();
}

std::optional<BlockHead> read_head(std::string_view bytes) {
  ByteReader in(bytes);
  BlockHead head;
  head.tag = in.text(4);
  const std::uint32_t sum = in.get32();
  head.length = in.get64();
  if (sum != head_checksum(head.tag, head.length)) return std::nullopt;
  return head;
}

std::uint64_t read_uint64(std::string_view bytes) { return ByteReader(bytes).get64(); }

std::string encode_header(const TrajectoryHeader& header) {
  nlohmann::ordered_json json = {{"command", header.command},     {"tool", header.tool},
                                 {"dimension", header.dimension}, {"bodies", header.bodies},
                                 {"points", header.points},       {"options", {}}};
  json["options"] = nlohmann::ordered_json::object();
  for (const auto& [name, value] : header.options) json["options"][name] = value;
  return json.dump();
}

TrajectoryHeader decode_header(std::string_view payload) {
  constexpr std::array<std::string_view, 6> keys{"command", "tool",   "dimension",
                                                 "bodies",  "points", "options"};
  constexpr int kMostThings = 100'000'000;
  const json::Value document = json::parse(payload);
  const reader::Node node(document, "");
  node.demand_object("the header of a trajectory", keys);
  const auto required = [&](std::string_view key) {
    return node.require(key, "\"" + std::string(key) + "\" in the header of a trajectory");
  };
  TrajectoryHeader header;
  header.command = required("command").text("the name of a command");
  header.tool = required("tool").text("a version");
  const reader::Node dimension = required("dimension");
  header.dimension = whole_number(dimension, 3);
  if (header.dimension < 2) dimension.refuse("2 (the plane) or 3 (space)");
  header.bodies = whole_number(required("bodies"), kMostThings);
  header.points = whole_number(required("points"), kMostThings);
  const reader::Node options = required("options");
  if (options.value().kind != json::Kind::object) options.refuse("an object");
  for (const auto& [name, value] : options.value().members) {
    const reader::Node option(value, member_place(options.place(), name));
    header.options.emplace_back(name, option.text("a value, as a string"));
  }
  return header;
}

std::string encode_end(std::int64_t frames, std::uint64_t hash) {
  ByteWriter out(16);
  out.put64(static_cast<std::uint64_t>(frames));
  out.put64(hash);
  return out.take();
}

std::optional<EndMark> decode_end(std::string_view payload) {
  if (payload.size() != 16) return std::nullopt;
  return EndMark{static_cast<std::int64_t>(read_uint64(payload)), read_uint64(payload.substr(8))};
}

Error told_of(const std::string& what, const Error& error) {
  return Error(error.place().empty() ? what : what + ", " + error.place(), error.found(),
               error.expected());
}

std::string good_words(std::int64_t frames) {
  if (frames == 0) return "no frame before it is good";
  return frames == 1 ? "the frame before it is good"
                     : "the " + std::to_string(frames) + " frames before it are good";
}

}  // namespace collapse::trajectory
