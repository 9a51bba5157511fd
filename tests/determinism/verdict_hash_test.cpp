/// The same input gives the same bytes.

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

#include "tests/support/checked_scene.hpp"

namespace collapse::testing {
namespace {

/// FNV-1a over the bits of all numbers of a verdict.
class Hash {
 public:
  void add(std::uint64_t bits) {
    for (int byte = 0; byte < 8; ++byte) {
      value_ = (value_ ^ ((bits >> (8 * byte)) & 0xffU)) * 0x100000001b3ULL;
    }
  }
  void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325ULL;
};

template <int Dim>
std::uint64_t hash_of(const Verdict<Dim>& verdict) {
  Hash hash;
  hash.add(static_cast<std::uint64_t>(verdict.stability));
  hash.add(verdict.margin);
  hash.add(verdict.residual);
  for (const auto& contact : verdict.forces) {
    for (const double component : contact.force) hash.add(component);
  }
  for (const auto& motion : verdict.mechanism) {
    for (const double component : motion.velocity) hash.add(component);
    for (const double component : motion.spin) hash.add(component);
  }
  return hash.value();
}

std::uint64_t gallery_hash() {
  Hash hash;
  for (const scenes::Entry& entry : scenes::gallery()) {
    if (entry.framework) continue;
    hash.add(entry.dimension == 2 ? hash_of(check_gallery(entry.name).verdict)
                                  : hash_of(check_gallery<3>(entry.name).verdict));
  }
  return hash.value();
}

TEST(Determinism, ASecondRunOfTheWholeGalleryGivesTheSameBits) {
  EXPECT_EQ(gallery_hash(), gallery_hash());
}

// Of scenes whose coordinates need no transcendental function. The value changes whenever the method
// does: then it is replaced by the new one, which must be the same in every build and on every machine.
TEST(Determinism, TheBitsAreThoseOfEveryOtherMachine) {
  Hash hash;
  for (const auto& [name, options] : std::vector<std::pair<std::string, SceneOptions>>{
           {"tower", {}},
           {"diamond", {{"rows", "4"}}},
           {"diamond", {{"rows", "5"}}},
           {"wall", {{"friction", "1/2"}, {"ends", "straight"}}},
           {"slope", {}},
           {"gate", {}}}) {
    hash.add(hash_of(check_gallery(name, options).verdict));
  }
  EXPECT_EQ(hash.value(), 0xeb9ebd2fb8d51385ULL) << std::hex << hash.value();
}

}  // namespace
}  // namespace collapse::testing
