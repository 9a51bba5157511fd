#include <fmt/core.h>

#include <array>

#include "benchmarks/analytical.hpp"
#include "benchmarks/child.hpp"
#include "collapse/analytical/heuristic.hpp"
#include "collapse/formulation/acceleration.hpp"
#include "collapse/io/scene_reader.hpp"
#include "scenes/gallery.hpp"
#include "scenes/generalised.hpp"

namespace collapse::benchmarks {
namespace {

using analytical::ConvexAnswer;
using analytical::Guess;
using analytical::HeuristicAnswer;
using analytical::LeastConstraint;
using analytical::RowSet;
using ProgressCallback = std::function<void(const std::string&)>;

/// Distance of accelerations, over those of the free fall.
double distance(const LeastConstraint& problem, const Eigen::VectorXd& x,
                const Eigen::VectorXd& y) {
  const auto size = [&](const Eigen::VectorXd& a) { return std::sqrt(a.dot(problem.M * a)); };
  return size(x - y) / size(problem.M.llt().solve(problem.f));
}

constexpr double kAgreement = 1e-6;

/// How often each guess is right, and what becomes of the others.
struct Tally {
  std::array<double, 4> guesses{};
  double worst = 0.0;
  double sum = 0.0;            ///< of the errors of Guess::neither
  double right = 0.0;          ///< Algorithm 3
  double disagreements = 0.0;  ///< heuristic and program, where a guess fitted

  void add(const LeastConstraint& problem) {
    const HeuristicAnswer heuristic = solve_heuristic(problem);
    const ConvexAnswer convex = solve_convex(problem);
    guesses.at(static_cast<std::size_t>(heuristic.guess)) += 1.0;
    const RowSet all(static_cast<std::size_t>(problem.rows()), true);
    const Eigen::VectorXd& x = convex.multipliers.x;
    if (distance(problem, solve_right(problem, all).multipliers.x, x) < kAgreement) right += 1.0;
    if (heuristic.guess == Guess::unsolved) return;
    const double error = distance(problem, heuristic.multipliers.x, x);
    if (heuristic.guess == Guess::neither) {
      worst = std::max(worst, error);
      sum += error;
    } else if (error > kAgreement) {
      disagreements += 1.0;
    }
  }
};

/// A structure at the onset of its motion, without friction.
Program onset_program(const std::string& text) {
  const Scene<2> scene = parse_scene(text);
  const State<2> state = initial_state(scene);
  const FreeBodies<2> free(scene, state);
  const std::vector<Contact<2>> contacts = find_contacts(scene, state).contacts;
  return acceleration_program<2>(scene, state, free, contacts,
                                 external_forces<2>(scene, state, free, {}));
}

struct OnsetCase {
  std::string name;
  std::map<std::string, std::string> options;
};

std::vector<OnsetCase> onset_cases() {
  std::vector<OnsetCase> cases = {{"tower", {}},
                                  {"wall", {{"friction", "0"}}},
                                  {"harmonic", {{"factor", "1.1"}}},
                                  {"triangle", {{"rows", "3"}}},
                                  {"triangle", {{"rows", "6"}}},
                                  {"diamond", {{"rows", "4"}}},
                                  {"diamond", {{"rows", "5"}}},
                                  {"arch", {{"friction", "0"}}},
                                  {"wedge", {{"friction", "0"}}},
                                  {"cylinders", {{"friction", "0"}}}};
  for (int seed = 1; seed <= 6; ++seed) {
    cases.push_back(
        {"pile",
         {{"bricks", "20"}, {"care", "0"}, {"friction", "0"}, {"seed", std::to_string(seed)}}});
  }
  return cases;
}

}  // namespace

Table heuristic_random(const ProgressCallback& progress) {
  constexpr int kProblems = 200;
  Table table;
  table.title = fmt::format(
      "contact forces of rigid bodies at rest in the plane, {} random problems each: share (%) in "
      "which the 1989 heuristic is "
      "right by its first guess, by its second, and not; error of acceleration then, over that of "
      "the free fall; share in "
      "which Algorithm 3 is right",
      kProblems);
  table.columns = {"bodies",     "contacts",   "none vanish %", "second guess %", "neither %",
                   "unsolved %", "mean error", "worst error",   "disagree %",     "Algorithm 3 %"};
  for (const int bodies : {1, 2, 4, 8}) {
    for (const int contacts : {bodies, 2 * bodies, 3 * bodies, 4 * bodies}) {
      progress(fmt::format("{} bodies, {} contacts", bodies, contacts));
      Tally tally;
      for (int i = 0; i < kProblems; ++i) {
        const int seed = 1'000'000 * bodies + 1'000 * contacts + i;
        tally.add(scenes::random_contacts(static_cast<std::uint64_t>(seed), bodies, contacts));
      }
      const auto share = [&](double count) { return 100.0 * count / kProblems; };
      const double failed = tally.guesses[2];
      table.rows.push_back({static_cast<double>(bodies), static_cast<double>(contacts),
                            share(tally.guesses[0]), share(tally.guesses[1]), share(failed),
                            share(tally.guesses[3]), failed > 0.0 ? tally.sum / failed : 0.0,
                            tally.worst, share(tally.disagreements), share(tally.right)});
    }
  }
  return table;
}

Table heuristic_scenes(const ProgressCallback& progress) {
  Table table;
  table.title =
      "contact forces at the onset of motion, without friction: right guess of the 1989 heuristic "
      "(1: none vanish, 2: second, "
      "3: neither, 4: unsolved), its error of acceleration over that of the free fall, the same of "
      "Algorithm 3, and seconds";
  table.columns = {"scene", "bodies",      "contacts",    "guess",
                   "error", "Algorithm 3", "heuristic s", "program s"};
  const std::vector<OnsetCase> cases = onset_cases();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    progress(cases[i].name);
    table.title += fmt::format("; {}: {}", i + 1, cases[i].name);
    for (const auto& [name, value] : cases[i].options) {
      if (name != "friction" && name != "care") table.title += fmt::format(" {}={}", name, value);
    }
    const Program program = onset_program(scenes::make_scene(cases[i].name, cases[i].options));
    const LeastConstraint problem = analytical::least_constraint_of(program);
    HeuristicAnswer heuristic;
    Solution convex;
    const double slow = seconds([&] { heuristic = analytical::solve_heuristic(program); });
    const double fast = seconds([&] { convex = solve(program); });
    const RowSet all(static_cast<std::size_t>(problem.rows()), true);
    const Eigen::VectorXd& x = convex.x;
    const Eigen::Index bodies = problem.f.size() / 3;
    const bool unsolved = heuristic.guess == Guess::unsolved;
    table.rows.push_back(
        {static_cast<double>(i + 1), static_cast<double>(bodies),
         static_cast<double>(problem.rows()), static_cast<double>(heuristic.guess) + 1.0,
         unsolved ? 0.0 : distance(problem, heuristic.multipliers.x, x),
         distance(problem, solve_right(problem, all).multipliers.x, x), slow, fast});
  }
  return table;
}

}  // namespace collapse::benchmarks
