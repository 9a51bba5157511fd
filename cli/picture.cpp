#include "cli/picture.hpp"

#include <csignal>

#include "cli/browser.hpp"
#include "cli/output_file.hpp"
#include "cli/view_page.hpp"
#include "cli/workshop.hpp"
#include "collapse/core/error.hpp"
#include "collapse/io/page.hpp"

namespace collapse::cli {
namespace {

/// A frame is a motion of one frame, which is not judged.
void write_page_of(const Still<3>& still, const StillArguments& arguments, const PageSink& sink) {
  PageOptions options;
  options.loads = arguments.loads;
  if (!still.frame) {
    write_scene_page(view_page(), still.scene, still.state, still.contacts, &still.verdict, options,
                     sink);
    return;
  }
  options.forces = !arguments.no_forces;
  Frame<3> frame;
  frame.time = still.time;
  frame.state = still.state;
  frame.contacts = still.verdict.forces;
  MotionPage<3> page(view_page(), still.scene, TrajectoryHeader{}, true, options, sink);
  page.add(frame);
  page.finish();
}

}  // namespace

std::string page_picture(const Still<3>& still, const StillArguments& arguments) {
  if (view_page().empty()) {
    throw Error("--output", "a tool that was built without the page that pictures in space show",
                "one built with Node.js and npm installed (cmake -DCOLLAPSE_WEB=ON)");
  }
  // A child that goes away is noticed where it is written to.
  std::signal(SIGPIPE, SIG_IGN);
  const Workshop workshop;
  OutputFile page(workshop.file("picture.html"));
  write_page_of(still, arguments, [&](std::string_view text) { page.write(text); });
  page.commit();

  Progress progress;
  progress.show("starting the browser");
  const int width = arguments.draw.width;
  Browser browser(workshop.path(), width, (3 * width + 2) / 4);
  browser.open(film_address(workshop.file("picture.html")));
  browser.evaluate("collapseView.ready");
  // A mechanism is shown where it has got to at its end.
  browser.evaluate("collapseView.showTime(collapseView.duration)");
  std::string picture = browser.screenshot();
  progress.show("");
  return picture;
}

}  // namespace collapse::cli
