#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "cli/command.hpp"
#include "collapse/core/error.hpp"

namespace collapse::cli {
namespace {

struct InspectArguments {
  std::vector<std::string> scenes;
  double touch = ContactOptions{}.touch;
  bool json = false;
};

std::string feature_name(const Feature& feature, bool in_space) {
  switch (feature.kind) {
    case FeatureKind::vertex:
      return fmt::format("vertex {}", feature.index);
    case FeatureKind::edge:
      return fmt::format("edge {}", feature.index);
    case FeatureKind::ball:
      return fmt::format("{} {}", in_space ? "sphere" : "disk", feature.index);
    case FeatureKind::half_space:
      return "plane";
    case FeatureKind::face:
      return fmt::format("face {}", feature.index);
    case FeatureKind::cylinder:
      return fmt::format("cylinder {}", feature.index);
    case FeatureKind::capsule:
      return fmt::format("capsule {}", feature.index);
  }
  return "";
}

template <int Dim>
const char* kind_of(const Body<Dim>& body) {
  if (body.fixed) return "fixed";
  return body.motion.empty() ? "free" : "moved";
}

std::size_t convex_parts(const Shape<2>& shape) { return shape.pieces.size() + shape.balls.size(); }
std::size_t convex_parts(const Shape<3>& shape) {
  return shape.pieces.size() + shape.balls.size() + shape.cylinders.size() + shape.capsules.size();
}

/// By how much of its volume the convex parts of a body exceed it.
double approximation(const Shape<2>& /*shape*/) { return 0.0; }
double approximation(const Shape<3>& shape) { return shape.piece_excess; }

/// A number in the plane, a matrix in space.
template <class Matrix, class Convert>
Json inertia_json(const Matrix& inertia, const Convert& convert) {
  if (Matrix::RowsAtCompileTime == 1) return convert(inertia(0, 0));
  Json rows = Json::array();
  for (Eigen::Index i = 0; i < inertia.rows(); ++i) {
    Json row = Json::array();
    for (Eigen::Index j = 0; j < inertia.cols(); ++j) row.push_back(convert(inertia(i, j)));
    rows.push_back(std::move(row));
  }
  return rows;
}

template <int Dim>
Json body_json(const Loaded<Dim>& loaded, int index) {
  const Body<Dim>& body = loaded.scene.bodies[static_cast<std::size_t>(index)];
  Json json = {{"name", body.name},
               {"kind", kind_of(body)},
               {"material", loaded.scene.materials[static_cast<std::size_t>(body.material)].name}};
  if (body.shape.half_space) return json;
  json["mass"] = body.mass.mass;
  json["centre"] = to_json(loaded.state.centre(loaded.scene, index));
  json["inertia"] = inertia_json(body.mass.inertia, [](double x) { return x; });
  json["size"] = body.shape.size();
  json["convex_parts"] = convex_parts(body.shape);
  if (const double excess = approximation(body.shape); excess > 0.0) {
    json["parts_exceed_volume_by"] = excess;
  }
  if (body.exact && body.mass.exact) {
    const auto& exact = *body.mass.exact;
    const ExactVec<Dim> centre = body.exact_pose.apply(exact.centre);
    Json exact_centre = Json::array();
    for (const Rational& x : centre) exact_centre.push_back(to_string(x));
    const auto text = [](const Rational& x) { return to_string(x); };
    json["exact"] = {{"mass", to_string(exact.mass)},
                     {"centre", std::move(exact_centre)},
                     {"inertia", inertia_json(exact.inertia, text)}};
  }
  return json;
}

template <int Dim>
Json framework_json(const Framework<Dim>& framework) {
  const auto name = [&](int point) {
    return framework.points[static_cast<std::size_t>(point)].name;
  };
  Json points = Json::array();
  for (const FrameworkPoint<Dim>& point : framework.points) {
    points.push_back({{"name", point.name},
                      {"kind", point.fixed ? "fixed" : "free"},
                      {"position", to_json(point.position.value)},
                      {"mass", point.mass.value}});
  }
  Json bars = Json::array();
  for (const auto& [p, q] : framework.bars) {
    const Vec<Dim> along = framework.points[static_cast<std::size_t>(q)].position.value -
                           framework.points[static_cast<std::size_t>(p)].position.value;
    bars.push_back({{"points", {name(p), name(q)}}, {"length", along.norm()}});
  }
  Json faces = Json::array();
  for (const std::vector<int>& face : framework.faces) {
    Json corners = Json::array();
    for (const int corner : face) corners.push_back(name(corner));
    faces.push_back(std::move(corners));
  }
  return {{"points", points}, {"bars", bars}, {"faces", faces}};
}

template <int Dim>
Json inspection_json(const std::string& file, const Loaded<Dim>& loaded) {
  const Scene<Dim>& scene = loaded.scene;
  Json json = {{"scene", file}, {"name", scene.name}, {"dimension", Dim}};
  json["gravity"] = to_json(scene.gravity.value);
  json["bodies"] = Json::array();
  for (int i = 0; i < static_cast<int>(scene.bodies.size()); ++i) {
    json["bodies"].push_back(body_json(loaded, i));
  }
  if (!scene.framework.points.empty()) json["framework"] = framework_json(scene.framework);
  json["contacts"] = Json::array();
  for (const Contact<Dim>& contact : loaded.contacts.contacts) {
    json["contacts"].push_back({{"a", scene.body_name(contact.id.a)},
                                {"b", scene.body_name(contact.id.b)},
                                {"features",
                                 {feature_name(contact.id.feature_a, Dim == 3),
                                  feature_name(contact.id.feature_b, Dim == 3)}},
                                {"point", to_json(contact.point)},
                                {"normal", to_json(contact.normal)},
                                {"gap", contact.gap},
                                {"friction", contact.friction}});
  }
  json["corners"] = corners_json(scene, loaded.contacts);
  json["near_misses"] = near_misses_json(scene, loaded.contacts);
  json["isolated"] = isolated_json(scene, loaded.contacts);
  return json;
}

/// More rows than this are counted, not printed.
constexpr std::size_t kRows = 40;

template <int Dim>
std::string for_a_person(const std::string& file, const Loaded<Dim>& loaded) {
  const Scene<Dim>& scene = loaded.scene;
  std::string text =
      fmt::format("{}: {}, gravity {}\n", title(file, scene.name, false),
                  bodies_and_contacts(scene, loaded.contacts), in_brackets(scene.gravity.value, 6));
  if (!scene.framework.points.empty()) {
    text += fmt::format("framework: {} points, {} bars, {} faces (--json lists them)\n",
                        scene.framework.points.size(), scene.framework.bars.size(),
                        scene.framework.faces.size());
  }
  const std::array<const char*, 3> axes{"x", "y", "z"};
  const auto titles = [&](int width, const std::string& prefix) {
    std::string line;
    for (std::size_t k = 0; k < Dim; ++k) line += fmt::format("{:>{}}", prefix + axes[k], width);
    return line;
  };
  text += fmt::format("\n{:<24}{:<8}{:>12}{}{:>12}\n", "body", "kind", "mass", titles(12, ""),
                      Dim == 2 ? "inertia" : "");
  for (std::size_t i = 0; i < std::min(kRows, scene.bodies.size()); ++i) {
    const Body<Dim>& body = scene.bodies[i];
    text += fmt::format("{:<24}{:<8}", printable(body.name, 22), kind_of(body));
    if (!body.shape.half_space) {
      const Vec<Dim> centre = loaded.state.centre(scene, static_cast<int>(i));
      text += fmt::format("{:>12.6g}", body.mass.mass);
      for (const double x : centre) text += fmt::format("{:>12.6g}", x);
      if (Dim == 2) text += fmt::format("{:>12.6g}", body.mass.inertia(0, 0));
    }
    text += "\n";
  }
  const auto rest = [](std::size_t count) {
    return count > kRows ? fmt::format("… and {} more (--json has them all)\n", count - kRows)
                         : std::string();
  };
  text += rest(scene.bodies.size());
  if (!loaded.contacts.contacts.empty()) {
    text += fmt::format("\n{:<40}{}{}{:>10}  {}\n", "contact", titles(10, ""), titles(8, "n"),
                        "friction", "features");
  }
  for (std::size_t i = 0; i < std::min(kRows, loaded.contacts.contacts.size()); ++i) {
    const Contact<Dim>& contact = loaded.contacts.contacts[i];
    const std::string pair = fmt::format("{} – {}", printable(scene.body_name(contact.id.a), 17),
                                         printable(scene.body_name(contact.id.b), 17));
    text += fmt::format("{:<40}", pair);
    for (const double x : contact.point) text += fmt::format("{:>10.5g}", x);
    for (const double x : contact.normal) text += fmt::format("{:>8.3f}", x + 0.0);
    text += fmt::format("{:>10.3g}  {} – {}\n", contact.friction,
                        feature_name(contact.id.feature_a, Dim == 3),
                        feature_name(contact.id.feature_b, Dim == 3));
  }
  text += rest(loaded.contacts.contacts.size());
  text += remarks(scene, loaded.contacts);
  return text;
}

}  // namespace

void add_inspect(CLI::App& app, Action& action) {
  CLI::App* const command =
      app.add_subcommand("inspect", "Bodies, masses, contacts and near misses of a scene");
  const auto options = std::make_shared<InspectArguments>();
  command->add_option("SCENE", options->scenes, "Scene files, - for standard input")->required();
  add_touch_option(*command, options->touch);
  command->add_flag("--json", options->json, "One JSON object per scene, with exact masses");
  command->footer("Example:\n  collapse gallery arch | collapse inspect -");
  command->callback([options, &action] {
    action = [options] {
      return for_each_scene(options->scenes, [&](const std::string& file) {
        std::visit(
            [&](const auto& loaded) {
              fmt::print("{}", options->json ? inspection_json(file, loaded).dump() + "\n"
                                             : for_a_person(file, loaded));
            },
            load(file, options->touch, Frameworks::used));
        return kDone;
      });
    };
  });
}

}  // namespace collapse::cli
