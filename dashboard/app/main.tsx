import { render } from "preact";

import { App } from "./app.tsx";
import { followSystemTheme } from "./state/preferences.ts";
import { startedAs } from "./words/typed.ts";
import { speak } from "./words/words.ts";

// The router would read `//host` as a host, and cannot read `//` at all.
const { pathname, search, hash } = location;
if (pathname.startsWith("//")) {
  history.replaceState(null, "", pathname.replace(/^\/+/, "/") + search + hash);
}
followSystemTheme();
startedAs(document.documentElement.dataset["program"] ?? "petstore");
await speak();
const root = document.querySelector("#app");
if (root !== null) {
  root.replaceChildren();
  render(<App />, root);
}
// Not needed for the first paint.
void import("./keep-focus.ts").then(({ keepFocus }) => {
  keepFocus();
});
