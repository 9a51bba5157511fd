#pragma once

#include <string>
#include <vector>

#include "collapse/io/svg.hpp"
#include "io/svg_legend.hpp"
#include "io/svg_view.hpp"

namespace collapse::svg {

/// What all layers of a picture need to know, with one member function per layer.
/// svg.cpp has what every picture shows; svg_framework.cpp, svg_forces.cpp and svg_mechanism.cpp the rest.
class Picture {
 public:
  Picture(const Scene<2>& scene, const State<2>& state, const ContactSet<2>& contacts,
          const Verdict<2>& verdict, const DrawOptions& options);

  [[nodiscard]] std::string draw();

 private:
  [[nodiscard]] const Body<2>& body(int index) const {
    return scene_.bodies[static_cast<std::size_t>(index)];
  }
  [[nodiscard]] const Pose<2>& pose(int index) const {
    return state_.poses[static_cast<std::size_t>(index)];
  }
  /// Whether bodies and forces say under the pointer what they are: in pictures of thousands of
  /// bodies the titles would make up most of the file.
  [[nodiscard]] bool titled() const { return scene_.things() <= 300; }
  [[nodiscard]] Extent content() const;
  [[nodiscard]] Vec<2> joint_end(int index, const Vec<2>& at) const;

  void write_style();
  void tell_verdict(std::vector<Canvas::Span>& spans, std::vector<std::string>& facts);
  void draw_caption();
  void draw_bodies();
  void draw_joints();
  void draw_still_contacts();
  void draw_corners();
  void draw_names();
  void explain_materials();

  // Framework. Contacts number what touches: bodies, then faces, then points.
  [[nodiscard]] Vec<2> thing_centre(int index) const;
  [[nodiscard]] std::string thing_name(int index) const {
    return index == kWorld ? scene_.body_name(index) : scene_.thing_name(index);
  }
  void draw_framework();
  void draw_point_names();

  // Forces.
  [[nodiscard]] double force_width(double share) const;
  [[nodiscard]] Path force_arrow(const Pixel& tail, const Pixel& direction, double share) const;
  [[nodiscard]] Pixel force_tail(int on, const Vec<2>& point, const Vec<2>& normal,
                                 double share) const;
  void draw_force(int a, int b, const Vec<2>& point, const Vec<2>& force_on_b, double share,
                  const Vec<2>* normal);
  void draw_forces();
  void explain_forces(double largest, std::size_t unloaded);

  // Mechanism.
  [[nodiscard]] double top_speed(const BodyMotion<2>& motion) const;
  [[nodiscard]] double ghost_time() const;
  [[nodiscard]] Vec<2> velocity_at(int index, const Vec<2>& point) const;
  void draw_ghosts();
  void draw_velocities();
  void draw_moving_contacts();

  const Scene<2>& scene_;
  const State<2>& state_;
  const ContactSet<2>& contacts_;
  const Verdict<2>& verdict_;
  const DrawOptions& options_;

  double font_;                                  ///< of the legend; the caption's is larger
  std::vector<const BodyMotion<2>*> motion_of_;  ///< by body; null for those at rest
  TypicalSize typical_;
  double fastest_ = 0.0;  ///< speed of the fastest point of the mechanism
  double time_ = 0.0;     ///< that the last ghost has moved on
  View view_;
  std::vector<int> fill_of_;  ///< by material: number of its fill, −1 if unused
  double longest_;            ///< arrow, pixels
  double widest_;             ///< arrow shaft, pixels
  double mark_;               ///< radius of a contact's mark, pixels
  double line_;               ///< width of outlines, pixels
  Legend legend_;
  Canvas canvas_;
};

/// The corners of a square, the first at the angle `turn` and `r` from its centre.
[[nodiscard]] std::vector<Pixel> quad(const Pixel& centre, double r, double turn);

/// `1 body`, `2 bodies`.
[[nodiscard]] std::string counted(std::size_t count, const std::string& one,
                                  const std::string& many);

}  // namespace collapse::svg
