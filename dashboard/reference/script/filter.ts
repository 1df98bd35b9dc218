import { all, one } from "./element.ts";
import { matches } from "./matches.ts";

/** Narrows the list of what is on the page to what is asked for. Enter goes to the first of it, `/` begins to ask. */
export function watchFilter(): void {
  const search = one("#contents .search", HTMLElement);
  const input = one("#search", HTMLInputElement);
  const none = one("#contents .none", HTMLElement);
  const groups = all("#contents .group", HTMLElement);
  const narrow = (): void => {
    let found = 0;
    for (const group of groups) {
      const title = group.querySelector("p")?.textContent ?? "";
      let here = 0;
      for (const item of all("li", HTMLElement, group)) {
        const words = item.querySelector("a")?.dataset["words"] ?? "";
        item.hidden = !matches(input.value, `${title} ${item.textContent} ${words}`);
        if (!item.hidden) here++;
      }
      group.hidden = here === 0;
      found += here;
    }
    for (const tag of all("#contents .tag", HTMLElement)) tag.hidden = input.value.trim() !== "";
    none.hidden = found > 0;
  };
  input.addEventListener("input", narrow);
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    document
      .querySelector<HTMLAnchorElement>("#contents .group:not([hidden]) li:not([hidden]) a")
      ?.click();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    const { activeElement } = document;
    if (activeElement !== null && /^(?:INPUT|TEXTAREA|SELECT)$/.test(activeElement.tagName)) return;
    event.preventDefault();
    const contents = one("#contents", HTMLElement);
    // On a small screen the list lies behind a button.
    if (getComputedStyle(contents).display === "none") contents.showPopover();
    input.focus();
  });
  search.hidden = false;
}
