/// `run`, `export` and pictures of frames, as a user meets them.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <thread>

#include "collapse/core/error.hpp"
#include "collapse/io/trajectory.hpp"
#include "tests/support/tool.hpp"

namespace collapse::testing {
namespace {

/// Nothing touches anything.
constexpr const char* kThrown = R"({"collapse": 1, "dimension": 2, "gravity": [0, -10],
  "simulation": {"step": "1/100", "duration": "1/2", "frame_rate": 25},
  "bodies": [
    {"name": "floor", "plane": {"normal": [0, 1], "offset": -1000}},
    {"name": "post", "box": [1, 1], "position": [500, 0], "fixed": true},
    {"name": "a \"b\", c", "polygon": [[0, 0], [3, 0], [0, 3]], "angle": 90, "velocity": [3, 4], "spin": 100}]})";

/// A triangle of bars and a point above it.
constexpr const char* kFramework = R"({"collapse": 1, "dimension": 2, "gravity": [0, -10],
  "bodies": [{"name": "ground", "plane": {"normal": [0, 1]}}],
  "framework": {
    "points": [{"name": "a", "position": [0, 0]}, {"name": "b", "position": [1, 0]},
               {"name": "c", "position": [1, 1]},
               {"name": "d, \"e\"", "position": [9, 2], "velocity": [2, 0], "mass": 3}],
    "bars": [["a", "b"], ["b", "c"], ["c", "a"]], "faces": [["a", "b", "c"]]}})";

class Run : public Tool {
 protected:
  void SetUp() override {
    Tool::SetUp();
    write("thrown.json", kThrown);
    // Falls within the first second.
    write_gallery("tower.json", "harmonic", {{"bricks", "4"}, {"factor", "6/5"}});
  }
  [[nodiscard]] std::string bytes(const std::string& name) const { return content(folder_ / name); }
  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_ / name).string();
  }
  nlohmann::json run_json(const std::string& arguments) {
    const Outcome outcome = run(arguments + " --json");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out, nullptr, false);
  }
  /// Starts the tool and goes on at once.
  [[nodiscard]] pid_t start(std::vector<std::string> arguments) const {
    const pid_t child = ::fork();
    if (child != 0) return child;
    const int nowhere = ::open("/dev/null", O_RDWR);
    const int errors = ::open(path("errors").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    ::dup2(nowhere, 0);
    ::dup2(nowhere, 1);
    ::dup2(errors, 2);
    std::vector<char*> words{const_cast<char*>("collapse")};
    for (std::string& word : arguments) words.push_back(word.data());
    words.push_back(nullptr);
    if (::chdir(folder_.c_str()) == 0) ::execv(COLLAPSE_TOOL_PATH, words.data());
    ::_exit(127);
  }
  /// Waits until the file has so many frames.
  [[nodiscard]] bool wait_for_frames(const std::string& name, std::int64_t frames) const {
    for (int i = 0; i < 6000; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      if (!has_trajectory_header(path(name))) continue;
      if (TrajectoryReader<2>(path(name)).frames() >= frames) return true;
    }
    return false;
  }
};

TEST_F(Run, JsonHasWhatTheContractPromises) {
  const nlohmann::json json = run_json("run thrown.json -o a.clps");
  EXPECT_EQ(json["frames"], 14);  // 25 frames per unit of time for 1/2, rounded up, and the start
  EXPECT_EQ(json["steps"], 13 * 4);
  EXPECT_NEAR(json["simulated"], 0.52, 1e-12);
  EXPECT_GT(json["wall"], 0.0);
  EXPECT_EQ(json["max_penetration"], 0.0);
  EXPECT_TRUE(json["energy"]["initial"].is_number());
  EXPECT_NEAR(json["energy"]["final"], json["energy"]["initial"], 2.0);
  EXPECT_TRUE(json["energy"]["max_gain"].is_number());
  EXPECT_TRUE(json["programs"].is_number_integer());
  EXPECT_TRUE(json["iterations"].is_number_integer());
  EXPECT_TRUE(json["worst_residual"].is_number());
  EXPECT_EQ(json["hash"].get<std::string>().size(), 16U);
  EXPECT_EQ(json["finished"], true);
  EXPECT_EQ(run_json("run thrown.json")["hash"], json["hash"]);  // without a file, too
}

TEST_F(Run, HashIsThatOfTheStatesInTheFile) {
  const nlohmann::json json = run_json("run tower.json -o a.clps --until 1/2");
  const TrajectoryReader<2> reader(path("a.clps"));
  std::uint64_t hash = 14695981039346656037ULL;
  const auto add = [&](double number) {
    std::array<unsigned char, 8> parts{};
    std::memcpy(parts.data(), &number, 8);
    for (const unsigned char part : parts) hash = (hash ^ part) * 1099511628211ULL;
  };
  for (std::int64_t i = 0; i < reader.frames(); ++i) {
    const State<2> state = reader.frame(i).state;
    for (std::size_t k = 0; k < state.poses.size(); ++k) {
      const Pose<2>& pose = state.poses[k];
      for (const double number :
           {pose.position[0], pose.position[1], pose.rotation(0, 0), pose.rotation(1, 0),
            state.velocities[k][0], state.velocities[k][1], state.velocities[k][2]}) {
        add(number == 0.0 ? 0.0 : number);  // not −0
      }
    }
  }
  std::ostringstream hexadecimal;
  hexadecimal << std::hex << std::setw(16) << std::setfill('0') << hash;
  EXPECT_EQ(json["hash"], hexadecimal.str());
}

TEST_F(Run, StepIsShortenedToMakeWholeFrames) {
  const auto steps = [&](const std::string& options) {
    const nlohmann::json json = run_json("run thrown.json --until 1 " + options);
    return std::pair<int, double>(json["steps"], json["step"]);
  };
  EXPECT_EQ(steps("--frame-rate 30 --step 1/100"), std::pair(120, 1.0 / 120.0));
  EXPECT_EQ(steps("--frame-rate 30 --step 1/90"), std::pair(90, 1.0 / 90.0));
  EXPECT_EQ(steps("--frame-rate 1/2 --step 0.75"), std::pair(3, 2.0 / 3.0));
  EXPECT_EQ(steps("--frame-rate 30 --step 10"), std::pair(30, 1.0 / 30.0));
  EXPECT_EQ(run_json("run thrown.json --until 0")["frames"], 1);
}

TEST_F(Run, TheSameRunGivesTheSameBytes) {
  ASSERT_EQ(run("run tower.json -o a.clps --until 3/2 --threads 1").status, 0);
  ASSERT_EQ(run("run tower.json -o b.clps --until 1.5 --threads 2").status, 0);
  EXPECT_EQ(bytes("a.clps"), bytes("b.clps"));
}

TEST_F(Run, ResumesToTheSameBytesFromAKillAtAnyByte) {
  const nlohmann::json whole = run_json("run tower.json -o whole.clps --until 2");
  const std::string expected = bytes("whole.clps");
  ASSERT_GT(TrajectoryReader<2>(path("whole.clps")).frames(), 64);
  // Within the opening, the header, frames before and after the checkpoint, and the end mark.
  const std::size_t size = expected.size();
  for (const std::size_t length : {std::size_t{0}, std::size_t{5}, std::size_t{300}, size / 20,
                                   size / 2, size * 3 / 4, size - 41, size - 40, size - 1, size}) {
    write("torn.clps", expected.substr(0, length));
    const nlohmann::json json = run_json("run tower.json -o torn.clps --until 2 --resume");
    EXPECT_EQ(json["hash"], whole["hash"]) << length;
    EXPECT_EQ(json["steps"], whole["steps"]) << length;
    EXPECT_EQ(json["programs"], whole["programs"]) << length;
    EXPECT_EQ(json["contact_changes"], whole["contact_changes"]) << length;
    EXPECT_EQ(json["energy"], whole["energy"]) << length;
    EXPECT_TRUE(bytes("torn.clps") == expected) << length;
  }
}

TEST_F(Run, ResumesToTheSameBytesInEverySchemeAndModel) {
  write("framework.json", kFramework);
  for (const std::string options :
       {"tower.json --scheme acceleration", "tower.json --freezing", "tower.json --model points",
        "tower.json --friction-law associated --impact sequential",
        "tower.json --model corner-points --scheme acceleration", "framework.json",
        "framework.json --scheme acceleration"}) {
    SCOPED_TRACE(options);
    ASSERT_EQ(run("run -o whole.clps --until 3/2 " + options).status, 0);
    const std::string expected = bytes("whole.clps");
    write("torn.clps", expected.substr(0, expected.size() * 9 / 10));  // beyond the checkpoint
    ASSERT_EQ(run("run -o torn.clps --until 3/2 --resume " + options).status, 0);
    EXPECT_TRUE(bytes("torn.clps") == expected);
  }
}

TEST_F(Run, ResumeCutsDamageOff) {
  ASSERT_EQ(run("run tower.json -o whole.clps --until 3/2").status, 0);
  const std::string expected = bytes("whole.clps");
  const std::uint64_t end = TrajectoryReader<2>(path("whole.clps")).end_of(20);
  std::string damaged = expected;
  damaged[static_cast<std::size_t>(end) + 100] ^= 1;
  write("damaged.clps", damaged);
  const Outcome outcome = run("run tower.json -o damaged.clps --until 3/2 --resume");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("went on from frame 20, behind which"), std::string::npos)
      << outcome.out;
  EXPECT_TRUE(bytes("damaged.clps") == expected);
}

TEST_F(Run, ResumeOfAFinishedRunGoesFurtherOrSaysThatThereIsNothingToDo) {
  ASSERT_EQ(run("run tower.json -o long.clps --until 3/2").status, 0);
  ASSERT_EQ(run("run tower.json -o a.clps --until 1/2 --resume").status, 0);  // begins
  ASSERT_EQ(run("run tower.json -o a.clps --until 3/2 --resume").status, 0);
  EXPECT_TRUE(bytes("a.clps") == bytes("long.clps"));
  for (const char* until : {"3/2", "1"}) {
    const Outcome again = run(std::string("run tower.json -o a.clps --resume --until ") + until);
    EXPECT_EQ(again.status, 0);
    EXPECT_NE(again.out.find("nothing to do"), std::string::npos) << again.out;
    EXPECT_TRUE(bytes("a.clps") == bytes("long.clps"));
  }
}

TEST_F(Run, ResumeRefusesAnotherSceneOrOtherOptionsAndSaysWhich) {
  ASSERT_EQ(run("run tower.json -o a.clps --until 1/10").status, 0);
  const std::string before = bytes("a.clps");
  const std::pair<const char*, const char*> cases[] = {
      {"run tower.json -o a.clps --resume --step 1/120", "step 1/120"},
      {"run tower.json -o a.clps --resume --frame-rate 30", "frame_rate 30"},
      {"run tower.json -o a.clps --resume --friction-law associated", "friction_law"},
      {"run tower.json -o a.clps --resume --impact sequential", "impact"},
      {"run tower.json -o a.clps --resume --touch 1e-5", "touch"},
      {"run tower.json -o a.clps --resume --freezing", "freezing"},
      {"run thrown.json -o a.clps --resume --frame-rate 60 --step 1/60", "another scene"}};
  for (const auto& [arguments, words] : cases) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    expect_one_line(outcome.err);
    EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
  EXPECT_TRUE(bytes("a.clps") == before);
}

TEST_F(Run, ResumeNoticesFramesThatThisProgramWouldNotCompute) {
  ASSERT_EQ(run("run thrown.json -o a.clps").status, 0);
  {
    const TrajectoryReader<2> reader(path("a.clps"));
    TrajectoryHeader header = reader.header();
    TrajectoryWriter writer(path("forged.clps"), header);
    for (std::int64_t i = 0; i < reader.frames(); ++i) {
      Frame<2> frame = reader.frame(i);
      if (i == 5)
        frame.state.poses[2].position[0] += 1e-15 + 1e-15 * frame.state.poses[2].position[0];
      writer.write(frame);
    }
  }
  const Outcome outcome = run("run thrown.json -o forged.clps --resume --until 2");
  EXPECT_EQ(outcome.status, 2);
  expect_one_line(outcome.err);
  EXPECT_NE(outcome.err.find("forged.clps: frame 5"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("same version"), std::string::npos) << outcome.err;
}

TEST_F(Run, CtrlCLeavesAUsableFileAndResumeGoesOnToTheSameBytes) {
  for (const int signal : {SIGINT, SIGTERM, SIGKILL}) {
    fs::remove(folder_ / "a.clps");
    const pid_t child = start({"run", "tower.json", "-o", "a.clps", "--until", "5000"});
    EXPECT_TRUE(wait_for_frames("a.clps", 70));
    ASSERT_EQ(::kill(child, signal), 0);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    if (signal == SIGKILL) {
      EXPECT_TRUE(WIFSIGNALED(status));
    } else {
      EXPECT_TRUE(WIFEXITED(status));
      EXPECT_EQ(WEXITSTATUS(status), 130);
      expect_one_line(bytes("errors"));
      EXPECT_NE(bytes("errors").find("--resume"), std::string::npos) << bytes("errors");
    }
    const std::int64_t frames = TrajectoryReader<2>(path("a.clps")).good_frames();
    const std::string until = std::to_string(frames + 10) + "/60";
    const Outcome resumed = run("run tower.json -o a.clps --resume --until " + until);
    ASSERT_EQ(resumed.status, 0) << resumed.err;
    ASSERT_EQ(run("run tower.json -o b.clps --until " + until).status, 0);
    EXPECT_TRUE(bytes("a.clps") == bytes("b.clps")) << signal;
  }
}

TEST_F(Run, RefusesWithOneLineAndWritesNothing) {
  write("notes.txt", "my only copy");
  write("odd.json", R"({"collapse": 1, "dimension": 2, "simulation": {"scheme": "leapfrog"},
    "bodies": [{"disk": 1}]})");
  write("overlap.json", R"({"collapse": 1, "dimension": 2, "bodies": [
    {"name": "one", "box": [1, 1]}, {"name": "two", "box": [1, 1], "position": ["1/2", 0]}]})");
  const std::size_t before = files();
  const std::pair<const char*, const char*> cases[] = {
      {"run", "SCENE"},
      {"run missing.json -o a.clps", "missing.json"},
      {"run thrown.json -o -", "standard output"},
      {"run thrown.json --resume", "-o FILE"},
      {"run thrown.json -o notes.txt", "not a trajectory"},
      {"run thrown.json -o notes.txt --resume", "not a trajectory"},
      {"run thrown.json -o no/such/folder/a.clps", "No such file"},
      {"run thrown.json -o /dev/full", "No space left"},
      {"run thrown.json -o a.clps --step 0", "--step"},
      {"run thrown.json -o a.clps --step -1", "--step"},
      {"run thrown.json -o a.clps --step fast", "--step"},
      {"run thrown.json -o a.clps --step 1e-300", "--step"},
      {"run thrown.json -o a.clps --step 1/0", "--step"},
      {"run thrown.json -o a.clps --until -1", "--until"},
      {"run thrown.json -o a.clps --until 1e300", "--until"},
      {"run thrown.json -o a.clps --frame-rate 0", "--frame-rate"},
      {"run thrown.json -o a.clps --scheme postion", "did you mean \"position\""},
      {"run thrown.json -o a.clps --friction-law none", "coulomb, associated"},
      {"run thrown.json -o a.clps --impact hard", "simultaneous, sequential"},
      {"run thrown.json -o a.clps --model soft", "rigid, points, corner-points"},
      {"run thrown.json -o a.clps --load wind", "--load"},
      {"run thrown.json -o a.clps --touch 0", "--touch"},
      {"run thrown.json -o a.clps --threads -1", "threads"},
      {"run odd.json -o a.clps", "odd.json: simulation.scheme"},
      {"run overlap.json -o a.clps", "overlap.json"}};
  for (const auto& [arguments, words] : cases) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments << "\n" << outcome.out << outcome.err;
    EXPECT_EQ(outcome.out, "") << arguments;
    expect_one_line(outcome.err);
    EXPECT_NE(outcome.err.find(words), std::string::npos) << arguments << "\n" << outcome.err;
  }
  EXPECT_EQ(files(), before);
  EXPECT_EQ(bytes("notes.txt"), "my only copy");
  EXPECT_EQ(run("run thrown.json -o notes.txt --force").status, 0);
  EXPECT_EQ(TrajectoryReader<2>(path("notes.txt")).frames(), 14);
}

std::vector<std::vector<std::string>> csv_rows(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string>& row = rows.emplace_back(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
        row.back() += line[++i];
      } else if (line[i] == '"') {
        quoted = !quoted;
      } else if (line[i] == ',' && !quoted) {
        row.emplace_back();
      } else {
        row.back() += line[i];
      }
    }
  }
  return rows;
}

TEST_F(Run, ExportedFlightIsTheOneThrown) {
  ASSERT_EQ(run("run thrown.json -o a.clps").status, 0);
  ASSERT_EQ(run("export a.clps -o a.csv").status, 0);
  EXPECT_EQ(run("export a.clps -o -").out, bytes("a.csv"));
  const auto rows = csv_rows(bytes("a.csv"));
  ASSERT_EQ(rows.size(), 1U + 14U * 2U);  // the plane is left out
  EXPECT_TRUE(bytes("a.csv").starts_with("time,body,x,y,angle,vx,vy,spin\n"));
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const auto number = [&](std::size_t column) { return std::stod(rows[i][column]); };
    ASSERT_EQ(rows[i].size(), 8U);
    const double time = static_cast<double>((i - 1) / 2) / 25.0;
    EXPECT_NEAR(number(0), time, 1e-12);
    if (i % 2 == 1) {
      EXPECT_EQ(rows[i][1], "post");
      EXPECT_EQ(number(2), 500.0);
      EXPECT_EQ(number(4), 0.0);
      continue;
    }
    // Its centre, turned by 90°, begins at (−1, 1). It makes two thirds of a turn from frame to frame.
    EXPECT_EQ(rows[i][1], "a \"b\", c");
    EXPECT_NEAR(number(2), -1.0 + 3.0 * time, 1e-9);
    // First order in the step, at most: |g h t / 2|.
    EXPECT_NEAR(number(3), 1.0 + 4.0 * time - 5.0 * time * time, 0.5 * 10.0 * 0.01 * time + 1e-9);
    EXPECT_NEAR(number(4), std::acos(0.0) + 100.0 * time, 1e-6);
    EXPECT_NEAR(number(5), 3.0, 1e-9);
    EXPECT_NEAR(number(6), 4.0 - 10.0 * time, 1e-9);
    EXPECT_NEAR(number(7), 100.0, 1e-9);
  }
  // Round trip: the numbers of the file, to the last bit.
  const Frame<2> last = TrajectoryReader<2>(path("a.clps")).frame(13);
  EXPECT_EQ(std::stod(rows.back()[6]), last.state.velocities[2][1]);
}

TEST_F(Run, ExportedContactForcesCarryTheWeight) {
  write_gallery("stands.json", "tower", {{"bricks", "3"}});
  ASSERT_EQ(run("run stands.json -o a.clps --until 1/2").status, 0);
  ASSERT_EQ(run("export a.clps --contacts forces.csv --changes changes.csv").status, 0);
  const auto rows = csv_rows(bytes("forces.csv"));
  EXPECT_TRUE(bytes("forces.csv").starts_with("time,a,b,x,y,nx,ny,fx,fy\n"));
  const nlohmann::json scene = nlohmann::json::parse(run("inspect --json stands.json").out);
  const std::string ground = scene["bodies"][0]["name"];
  double weight = 0.0;
  for (const auto& body : scene["bodies"]) weight += body.value("mass", 0.0);
  weight *= -scene["gravity"][1].get<double>();
  double carried = 0.0;
  for (const auto& row : rows) {
    if (row[0] == rows.back()[0] && row[1] == ground) carried += std::stod(row[8]);
  }
  EXPECT_NEAR(carried, weight, 1e-6 * weight);
  const auto changes = csv_rows(bytes("changes.csv"));
  EXPECT_EQ(changes[0], (std::vector<std::string>{"time", "a", "b", "change"}));
  ASSERT_GT(changes.size(), 1U);
  EXPECT_EQ(changes[1][3], "closed");
}

TEST_F(Run, PointsAreExportedAsBodies) {
  write("framework.json", kFramework);
  ASSERT_EQ(run("run framework.json -o a.clps --until 3/2").status, 0);
  ASSERT_EQ(run("export a.clps -o a.csv --contacts forces.csv").status, 0);
  const auto rows = csv_rows(bytes("a.csv"));
  ASSERT_EQ(rows.size(), 1U + 91U * 4U);
  const std::vector<std::string>& last = rows.back();
  EXPECT_EQ(last[1], "d, \"e\"");
  EXPECT_NEAR(std::stod(last[2]), 9.0 + 2.0 * 1.5, 1e-9);
  EXPECT_NEAR(std::stod(last[3]), 0.0, 1e-6);  // fell on the ground
  EXPECT_EQ(last[4], "0");
  EXPECT_NEAR(std::stod(last[5]), 2.0, 1e-9);
  EXPECT_EQ(last[7], "0");
  double carried = 0.0;  // by the ground: the face of three points, and the point of mass 3
  for (const auto& row : csv_rows(bytes("forces.csv"))) {
    if (row[0] != last[0]) continue;
    EXPECT_EQ(row[1], "ground");
    EXPECT_TRUE(row[2] == "face 0" || row[2] == "d, \"e\"") << row[2];
    carried += std::stod(row[8]);
  }
  EXPECT_NEAR(carried, (3.0 + 3.0) * 10.0, 1e-6);
}

TEST_F(Run, ExportReadsGrowingAndDamagedFiles) {
  ASSERT_EQ(run("run thrown.json -o a.clps").status, 0);
  const std::string whole = bytes("a.clps");
  const std::uint64_t end = TrajectoryReader<2>(path("a.clps")).end_of(6);
  write("torn.clps", whole.substr(0, static_cast<std::size_t>(end) + 99));
  const Outcome torn = run("export torn.clps -o -");
  EXPECT_EQ(torn.status, 0);
  EXPECT_EQ(torn.err, "");
  EXPECT_EQ(csv_rows(torn.out).size(), 1U + 7U * 2U);
  std::string damaged = whole;
  damaged[static_cast<std::size_t>(end) + 99] ^= 1;
  write("damaged.clps", damaged);
  const Outcome outcome = run("export damaged.clps -o -");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, torn.out);
  expect_one_line(outcome.err);
  EXPECT_NE(outcome.err.find("the 7 frames before it are good"), std::string::npos) << outcome.err;
}

TEST_F(Run, ExportRefusesWithOneLine) {
  ASSERT_EQ(run("run thrown.json -o a.clps").status, 0);
  const std::size_t before = files();
  const std::pair<const char*, const char*> cases[] = {
      {"export", "FILE"},
      {"export a.clps", "-o FILE.csv"},
      {"export a.clps --changes a.glb", ".csv"},
      {"export a.clps -o a.xlsx", ".csv"},
      {"export a.clps -o - --contacts -", "standard output"},
      {"export missing.clps -o a.csv", "no such file"},
      {"export thrown.json -o a.csv", "not a trajectory"},
      {"export a.clps -o no/such/folder/a.csv", "No such file"},
      {"draw a.clps -o a.svg --frame 14", "from 0 to 13"},
      {"draw a.clps -o a.svg --time soon", "--time"},
      {"draw a.clps -o a.svg --load wind", "--load"},
      {"draw thrown.json -o a.svg --time 1", "no frames"}};
  for (const auto& [arguments, words] : cases) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments << "\n" << outcome.out << outcome.err;
    EXPECT_EQ(outcome.out, "") << arguments;
    expect_one_line(outcome.err);
    EXPECT_NE(outcome.err.find(words), std::string::npos) << arguments << "\n" << outcome.err;
  }
  EXPECT_EQ(files(), before);
}

TEST_F(Run, DrawShowsAFrameOfATrajectory) {
  ASSERT_EQ(run("run tower.json -o a.clps --until 1").status, 0);
  const auto frame = [&](const std::string& options) {
    const Outcome outcome = run("draw a.clps -o a.svg --json " + options);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out, nullptr, false)["frame"].get<int>();
  };
  EXPECT_EQ(frame(""), 60);
  EXPECT_EQ(frame("--frame 7"), 7);
  EXPECT_EQ(frame("--time 1/2"), 30);
  EXPECT_NE(bytes("a.svg").find("time 0.5"), std::string::npos);
  EXPECT_EQ(bytes("a.svg").find(">undecided"), std::string::npos);
  EXPECT_EQ(frame("--time 1e9"), 60);
}

TEST_F(Run, SceneFromStandardInputAndHelp) {
  EXPECT_EQ(run("run - -o a.clps", kThrown).status, 0);
  EXPECT_EQ(run("run thrown.json -o a.clps --resume").status, 0);  // the same text
  const Outcome outcome = run("run thrown.json");
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out.find('\033'), std::string::npos);
  EXPECT_NE(outcome.out.find("14 frames, 52 steps of 0.01"), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace collapse::testing
