#pragma once
/// Programs as text: for bug reports, and for giving one program to several solvers.
///
///     collapse-program 1
///     block 3                       a block of three variables
///     mass 2 0 0 0 2 0 0 0 0.5      its part of M, row by row; `mass 0` if all of it is zero
///     linear 0 -19.62 0             its part of c
///     group second_order 2 compliance 1e-06 id 17 label "brick 3 on brick 1"
///     bounds 0 0                    b, one number per row
///     term 0 1 0 0 0 1 0            the columns of block 0 in these rows of G, row by row
///     end
///
/// Blocks and groups are numbered from 0 in their order; a term comes after its block. Compliance, id
/// and label are optional, in this order; in labels `\\`, `\"`, `\n`, `\r` and `\t` stand for the
/// characters that would be in the way. Empty lines and lines that begin with `#` mean nothing.
/// Numbers are written with as few digits as give the same double back: a program read is the one
/// written, bit for bit.

#include <cstdint>
#include <iosfwd>

#include "collapse/solver/program.hpp"

namespace collapse {

/// How large a program may be to be read: beyond it, a few bytes could ask for all memory.
struct ProgramLimits {
  int block_size = 10'000;
  int group_rows = 1'000'000;
  std::int64_t numbers = 1'000'000'000;  ///< entries of M, c, G and b together
};

/// A program that is not finite is written as it is, to be looked at; it cannot be read back.
void write_program(std::ostream& out, const Program& program);

/// Throws Error, with the line as its place, where the text is not a program: M must be symmetric to
/// rounding with no negative diagonal entry (whether it is positive semidefinite is left to the
/// solver), compliances not negative, all numbers finite.
[[nodiscard]] Program read_program(std::istream& in, const ProgramLimits& limits = {});

}  // namespace collapse
