import { render } from "preact";

import { App } from "./app.tsx";
import { keepFocus } from "./keep-focus.ts";
import { followSystemTheme } from "./state/theme.ts";
import { speak } from "./words/words.ts";

followSystemTheme();
keepFocus();
await speak();
const root = document.querySelector("#app");
if (root !== null) {
  root.replaceChildren();
  render(<App />, root);
}
