#include "collapse/core/error.hpp"
#include "collapse/io/scene_reader.hpp"
#include "io/trajectory_format.hpp"

namespace collapse {

template <int Dim>
TrajectoryReader<Dim>::TrajectoryReader(TrajectoryFile file) : TrajectoryFile(std::move(file)) {
  if (header().dimension != Dim) {
    throw Error("header, dimension", std::to_string(header().dimension),
                std::to_string(Dim) + ": this is for motions of that dimension only")
        .in_file(path());
  }
  try {
    scene_ = parse_scene<Dim>(header().scene);
  } catch (const Error& error) {
    throw trajectory::told_of("scene", error).in_file(path());
  }
  if (header().bodies != std::ssize(scene_.bodies) ||
      header().points != std::ssize(scene_.framework.points)) {
    throw Error("header", "another number of bodies or points than the scene has",
                "the same numbers")
        .in_file(path());
  }
}

template <int Dim>
Frame<Dim> TrajectoryReader<Dim>::frame(std::int64_t number) const {
  const std::string bytes = payload(number);
  const std::string place = "frame " + std::to_string(number);
  Frame<Dim> result;
  try {
    result = trajectory::decode_frame(bytes, scene_);
  } catch (const Error& error) {
    throw Error(place, error.found(), error.expected() + "; " + trajectory::good_words(number))
        .in_file(path());
  }
  if (result.number != number) {
    throw Error(place, "frame " + std::to_string(result.number), "frames in order").in_file(path());
  }
  return result;
}

template class TrajectoryReader<2>;
template class TrajectoryReader<3>;

AnyTrajectory open_trajectory(const std::string& path) {
  TrajectoryFile file(path);
  if (file.header().dimension == 2) return TrajectoryReader<2>(std::move(file));
  return TrajectoryReader<3>(std::move(file));
}

}  // namespace collapse
