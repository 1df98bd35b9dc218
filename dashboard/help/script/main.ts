import { followSystemTheme } from "../../app/state/preferences.ts";
import { all, one, matches } from "../../reference/script/dom.ts";

/** Filters the pages and headings of the help's start page. */
function watchSearch(input: HTMLInputElement): void {
  const none = one(".none", HTMLElement);
  const narrow = (): void => {
    const question = input.value.trim();
    let found = 0;
    for (const page of all(".page", HTMLElement)) {
      const name = all("h2, h2 + p", HTMLElement, page).map(({ textContent }) => textContent);
      const whole = matches(question, name.join(" "));
      let here = 0;
      for (const heading of all(".headings li", HTMLElement, page)) {
        heading.hidden = !matches(question, heading.textContent);
        if (!heading.hidden) here++;
      }
      one(".headings", HTMLElement, page).classList.toggle("found", question !== "");
      page.hidden = !whole && here === 0;
      if (!page.hidden) found++;
    }
    none.hidden = found > 0;
  };
  input.addEventListener("input", narrow);
  input.addEventListener("keydown", ({ key }) => {
    if (key !== "Enter") return;
    // Prefer a matching heading to its page.
    const [first] = FOUND.flatMap((selector) => all(selector, HTMLAnchorElement));
    first?.click();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || document.activeElement === input) return;
    event.preventDefault();
    input.focus();
  });
  one(".search", HTMLElement).hidden = false;
}

const FOUND: readonly string[] = [
  ".page:not([hidden]) .headings.found li:not([hidden]) a",
  ".page:not([hidden]) h2 a",
];

followSystemTheme();
const [search] = all("#search", HTMLInputElement);
if (search !== undefined) watchSearch(search);
