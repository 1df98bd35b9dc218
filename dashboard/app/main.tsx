import { render } from "preact";

import { App } from "./app.tsx";
import { followSystemTheme } from "./state/preferences.ts";
import { speak } from "./words/words.ts";

// What stands behind two slashes is a host to the router, and where nothing does it cannot read the address.
const { pathname, search, hash } = location;
if (pathname.startsWith("//")) {
  history.replaceState(null, "", pathname.replace(/^\/+/, "/") + search + hash);
}
followSystemTheme();
await speak();
const root = document.querySelector("#app");
if (root !== null) {
  root.replaceChildren();
  render(<App />, root);
}
// Nobody needs it at first.
void import("./keep-focus.ts").then(({ keepFocus }) => {
  keepFocus();
});
