#include "web/engine/answer.hpp"

#include <cstdlib>
#include <cstring>
#include <new>

namespace collapse::web {

char* text_for_the_page(const std::string& text) {
  auto* const copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy != nullptr) std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

Json error_json(const Error& error) {
  return {{"place", error.place()},
          {"found", error.found()},
          {"expected", error.expected()},
          {"message", error.what()}};
}

char* answer(const std::function<Json()>& work) {
  Json json;
  try {
    json = work();
  } catch (const Error& error) {
    json = {{"error", error_json(error)}};
  } catch (const std::bad_alloc&) {
    json = {{"error",
             {{"place", ""},
              {"found", "more than fits into memory"},
              {"expected", "a smaller scene"},
              {"message", "the scene needs more memory than the page has"}}}};
  }
  // Messages quote what a user wrote, cut after so many bytes: what is no UTF-8 is replaced.
  return text_for_the_page(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace collapse::web
