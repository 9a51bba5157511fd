/// node embed.mjs PAGE.html OUT.cpp: the page as C++ text, which the tool is built with.
import { readFileSync, writeFileSync } from 'node:fs';

const [page, out] = process.argv.slice(2);
const text = readFileSync(page, 'utf8');
const kPiece = 12000;  // characters: compilers limit the length of one literal
const pieces = [];
for (let i = 0; i < text.length; i += kPiece) pieces.push(text.slice(i, i + kPiece));
const literals = pieces.map((piece) => `R"~collapse~(${piece})~collapse~"`).join('\n');
if (text.includes(')~collapse~"') || text.includes('\r') || text.includes('\0')) throw new Error('not a text that C++ can hold');
writeFileSync(out, `// Made by web/embed.mjs.
#include "cli/view_page.hpp"

namespace collapse::cli {

std::string_view view_page() {
  static constexpr char kPage[] =
${literals};
  return {kPage, sizeof(kPage) - 1};
}

}  // namespace collapse::cli
`);
