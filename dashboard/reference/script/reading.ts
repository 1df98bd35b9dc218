import { copy, all, one, matches } from "./dom.ts";

/** Marks the current section in the table of contents, and closes the contents after a choice. */
export function watchReading(): void {
  const contents = one("#contents", HTMLElement);
  const links = new Map(
    all('a[href^="#"]', HTMLAnchorElement, contents).map(
      (link) => [link.hash.slice(1), link] as const,
    ),
  );
  let current: HTMLAnchorElement | undefined;
  const observer = new IntersectionObserver(
    (entries) => {
      const seen = entries.findLast(({ isIntersecting }) => isIntersecting);
      const link = seen === undefined ? undefined : links.get(seen.target.id);
      if (link === undefined || link === current) return;
      current?.removeAttribute("aria-current");
      link.setAttribute("aria-current", "location");
      current = link;
      bringIntoView(link, contents);
    },
    // The section at a line one fifth below the top is current.
    { rootMargin: "-20% 0px -79% 0px" },
  );
  for (const id of links.keys()) {
    const section = document.querySelector(`#${CSS.escape(id)}`);
    if (section !== null) observer.observe(section);
  }
  contents.addEventListener("click", ({ target }) => {
    if (
      target instanceof Element &&
      target.closest("a") !== null &&
      contents.matches(":popover-open")
    ) {
      contents.hidePopover();
    }
  });
}

/** Scrolls the table of contents, but not the page. */
function bringIntoView(link: HTMLElement, list: HTMLElement): void {
  const { top, bottom } = link.getBoundingClientRect();
  const around = list.getBoundingClientRect();
  if (top < around.top) list.scrollTop += top - around.top;
  if (bottom > around.bottom) list.scrollTop += bottom - around.bottom;
}

/** Keeps all samples in one language, and connects their copy buttons. */
export function watchSamples(): void {
  const choices = all(".samples input[type=radio]", HTMLInputElement);
  for (const choice of choices) {
    choice.addEventListener("change", () => {
      const before = choice.getBoundingClientRect().top;
      for (const other of choices) other.checked = other.value === choice.value;
      // Samples above changed their height. Keep the clicked tab in place.
      window.scrollBy(0, choice.getBoundingClientRect().top - before);
    });
  }
  for (const button of all(".samples .copy", HTMLButtonElement)) {
    button.hidden = false;
    button.addEventListener("click", () => {
      const samples = button.closest(".samples") ?? document;
      const { value } = one("input:checked", HTMLInputElement, samples);
      const shown = one(`[data-language="${value}"] code`, HTMLElement, samples);
      void copy(shown.textContent, button);
    });
  }
}

/** Filters the table of contents. Enter opens the first match, `/` focuses the search. */
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
    // Small screens hide the contents behind a button.
    if (getComputedStyle(contents).display === "none") contents.showPopover();
    input.focus();
  });
  search.hidden = false;
}
