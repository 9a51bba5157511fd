/// `export` to pictures, meshes and films, as a user meets it. Films are tested with stand-ins for the browser and the
/// encoder, which can fail at will; web/tests/e2e has the true ones.

#include <csignal>
#include <nlohmann/json.hpp>

#include "tests/support/tool.hpp"

namespace collapse::testing {
namespace {

/// Answers like Chromium's debugging pipe; notes what it was asked in the file `asked`.
constexpr const char* kBrowser = R"(#!/usr/bin/python3
import base64, json, os, re
def messages():
    data = b''
    while True:
        more = os.read(3, 65536)
        if not more: return
        data += more
        while b'\0' in data:
            one, data = data.split(b'\0', 1)
            yield json.loads(one)
for m in messages():
    result = {}
    if m['method'] == 'Target.createTarget': result = {'targetId': 't'}
    if m['method'] == 'Target.attachToTarget': result = {'sessionId': 's'}
    if m['method'] == 'Page.navigate':
        assert m['params']['url'].startswith('file:///') and m['params']['url'].endswith('#film')
        assert os.path.exists(m['params']['url'][7:-5])
    if m['method'] == 'Page.captureScreenshot': result = {'data': base64.b64encode(b'picture\n').decode()}
    if m['method'] == 'Emulation.setDeviceMetricsOverride':
        with open('asked', 'a') as f: f.write('size %(width)d %(height)d\n' % m['params'])
    if m['method'] == 'Runtime.evaluate':
        value, text = None, m['params']['expression']
        if 'readyState' in text: value = True
        if 'duration' in text: value = 0.5
        time = re.fullmatch(r'collapseView\.showTime\((.*)\)', text)
        if time:
            with open('asked', 'a') as f: f.write(time[1] + '\n')
        result = {'result': {'value': value}}
    os.write(4, json.dumps({'method': 'Some.event', 'params': {}}).encode() + b'\0')
    os.write(4, json.dumps({'id': m['id'], 'result': result}).encode() + b'\0')
)";

class Export : public Tool {
 protected:
  void SetUp() override {
    Tool::SetUp();
    write_gallery("tower.json", "tower", {{"bricks", "3"}});
    ASSERT_EQ(run("run tower.json -o a.clps --until 1/2").status, 0);
    fs::create_directories(folder_ / "bin");
    fs::create_directories(folder_ / "tmp");
  }

  void program(const std::string& name, const std::string& text) {
    write("bin/" + name, text);
    fs::permissions(folder_ / "bin" / name, fs::perms::owner_all);
  }

  /// With no other programs to be found than those in `bin`.
  Outcome run_alone(const std::string& arguments, const std::string& after = "") {
    const std::string command = "cd '" + folder_.string() +
                                "' || exit 9; TMPDIR=$PWD/tmp PATH=$PWD/bin '" COLLAPSE_TOOL_PATH
                                "' " +
                                arguments + " >out 2>err" + after;
    const int status = std::system(command.c_str());
    Outcome outcome{WIFEXITED(status) ? WEXITSTATUS(status) : -1, content(folder_ / "out"),
                    content(folder_ / "err")};
    for (const char* name : {"out", "err"}) fs::remove(folder_ / name);
    return outcome;
  }

  void expect_refusal(const Outcome& outcome, const std::string& words) {
    EXPECT_EQ(outcome.status, 2) << outcome.out << outcome.err;
    expect_one_line(outcome.err);
    EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
    EXPECT_TRUE(fs::is_empty(folder_ / "tmp"));
  }

  /// A tool that was built without npm has no page to film.
  bool has_page() {
    return run_alone("export a.clps -o a.mp4").err.find("without the page") == std::string::npos;
  }
};

TEST_F(Export, PicturesAreThoseOfDraw) {
  ASSERT_EQ(run("export a.clps -o a.svg --frame 7 --width 500 --names").status, 0);
  EXPECT_EQ(content(folder_ / "a.svg"), run("draw a.clps -o - --frame 7 --width 500 --names").out);
  ASSERT_EQ(run("export tower.json -o b.svg").status, 0);
  EXPECT_EQ(content(folder_ / "b.svg"), run("draw tower.json -o -").out);
  ASSERT_EQ(run("export tower.json -o c.svg --no-forces").status, 0);
  EXPECT_NE(content(folder_ / "b.svg").find("class=\"force "), std::string::npos);
  EXPECT_EQ(content(folder_ / "c.svg").find("class=\"force "), std::string::npos);
}

TEST_F(Export, RefusesOptionsThatTheEndingDoesNotKnow) {
  const std::size_t before = files();
  const std::pair<const char*, const char*> cases[] = {
      {"export a.clps -o a.xlsx", ".csv, .glb, .pvd, .svg, .png, .mp4"},
      {"export a.clps -o a.glb --time 1", "--time: found an output that ends in .glb"},
      {"export a.clps -o a.glb --speed 2", "--speed"},
      {"export a.clps -o a.png --height 500", "--height"},
      {"export a.clps -o a.csv --no-forces", "--no-forces"},
      {"export a.clps -o a.svg --contacts b.csv", "--contacts"},
      {"export a.clps -o a.glb --frame-rate 0", "--frame-rate"},
      {"export a.clps -o a.glb --load wind", "--load"},
      {"export a.clps -o no/such/folder/a.pvd", "No such file"},
      {"export tower.json -o a.glb --frame-rate 9", "no frames"},
      {"export missing.clps -o a.glb", "missing.clps"},
      {"export a.clps -o - --json", "--json"}};
  for (const auto& [arguments, words] : cases) expect_refusal(run(arguments), words);
  EXPECT_EQ(files(), before);
}

TEST_F(Export, FolderOfGridsIsReplacedButNothingElseIs) {
  ASSERT_EQ(run("export a.clps -o a.pvd").status, 0);
  ASSERT_EQ(run("export tower.json -o a.pvd").status, 0);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "a_vtu"), fs::directory_iterator()), 2);
  write("a_vtu/notes.txt", "mine");
  const std::string kept = content(folder_ / "a.pvd");
  const std::size_t before = files();
  expect_refusal(run("export a.clps -o a.pvd"), "a_vtu: found something that was not exported");
  EXPECT_EQ(content(folder_ / "a_vtu/notes.txt"), "mine");
  EXPECT_EQ(content(folder_ / "a.pvd"), kept);
  EXPECT_EQ(files(), before);
}

TEST_F(Export, DamagedFilesGiveTheFramesBefore) {
  std::string bytes = content(folder_ / "a.clps");
  bytes[bytes.size() - bytes.size() / 4] ^= 1;
  write("b.clps", bytes);
  for (const std::string name : {"b.glb", "b.pvd"}) {
    const Outcome outcome = run("export b.clps --json -o " + name);
    EXPECT_EQ(outcome.status, 2);
    expect_one_line(outcome.err);
    const int frames = nlohmann::json::parse(outcome.out)["frames"];
    EXPECT_GT(frames, 5);
    EXPECT_LT(frames, 31);
    EXPECT_TRUE(fs::exists(folder_ / name));
  }
}

TEST_F(Export, MissingProgramsAreNamed) {
  expect_refusal(run_alone("export a.clps -o a.png"), "librsvg2-bin");
  expect_refusal(run_alone("draw tower.json -o a.png"), "rsvg-convert");
  program("rsvg-convert", "#!/bin/sh\necho 'first words' >&2\necho 'no memory' >&2\nexit 1\n");
  expect_refusal(run_alone("export a.clps -o a.png"), "rsvg-convert: found no memory");
  if (!has_page()) GTEST_SKIP() << "built without the page";
  expect_refusal(run_alone("export a.clps -o a.mp4"), "Chromium to be installed");
  program("chromium", kBrowser);
  expect_refusal(run_alone("export a.clps -o a.mp4"), "no ffmpeg");
  EXPECT_FALSE(fs::exists(folder_ / "a.png"));
  EXPECT_FALSE(fs::exists(folder_ / "a.mp4"));
}

TEST_F(Export, FilmsShowEveryMomentOnce) {
  if (!has_page()) GTEST_SKIP() << "built without the page";
  program("chromium", kBrowser);
  program("ffmpeg", "#!/bin/sh\nfor file; do :; done\nexec /bin/cat >\"$file\"\n");
  const Outcome outcome =
      run_alone("export a.clps -o a.mp4 --frame-rate 8 --speed 2 --width 640 --json");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(nlohmann::json::parse(outcome.out)["frames"], 3);
  EXPECT_EQ(content(folder_ / "asked"), "size 640 360\n0\n0.25\n0.5\n");
  EXPECT_EQ(content(folder_ / "a.mp4"), "picture\npicture\npicture\n");
  EXPECT_TRUE(fs::is_empty(folder_ / "tmp"));
  expect_refusal(run_alone("export tower.json -o b.mp4"), "a scene, which does not move");
  expect_refusal(run_alone("export a.clps -o b.mp4 --width 801"), "--width: found 801");
  expect_refusal(run_alone("export a.clps -o b.mp4 --speed 0.000001"), "at most a million");
  program("ffmpeg", "#!/bin/sh\necho 'Unknown encoder' >&2\nexit 1\n");
  expect_refusal(run_alone("export a.clps -o b.mp4"), "ffmpeg: found Unknown encoder");
  program("chromium", "#!/bin/sh\necho 'no display' >&2\nexit 1\n");
  expect_refusal(run_alone("export a.clps -o b.mp4"), "has ended: no display");
  EXPECT_FALSE(fs::exists(folder_ / "b.mp4"));
}

TEST_F(Export, CtrlCEndsTheBrowserAndLeavesNothing) {
  if (!has_page()) GTEST_SKIP() << "built without the page";
  // Never answers, and tells by what number it can be found.
  program("chromium", "#!/bin/sh\necho $$ >\"$TMPDIR/../browser\"\nexec /bin/sleep 1000\n");
  program("ffmpeg", "#!/bin/sh\nexit 0\n");
  const std::size_t before = files() + 1;
  const Outcome outcome =
      run_alone("export a.clps -o a.mp4",
                " & tool=$!; n=0; while ! [ -s browser ] && [ $n -lt 400 ]; do /bin/sleep 0.05; "
                "n=$((n+1)); done; kill -TERM $tool; wait $tool");
  EXPECT_EQ(outcome.status, 130) << outcome.err;
  EXPECT_EQ(files(), before);
  EXPECT_TRUE(fs::is_empty(folder_ / "tmp"));
  const std::string number = content(folder_ / "browser");
  ASSERT_FALSE(number.empty());
  EXPECT_NE(::kill(std::stoi(number), 0), 0) << "the browser still runs";
}

}  // namespace
}  // namespace collapse::testing
