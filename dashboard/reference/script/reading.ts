import { store } from "../../app/state/preferences.ts";
import { copy, all, one } from "./dom.ts";

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

/** Keeps all samples in one language, which this browser remembers, and connects their copy buttons. */
export function watchSamples(): void {
  const choices = all(".samples input[type=radio]", HTMLInputElement);
  // The styles show the remembered language before this script runs.
  const { sample: remembered } = document.documentElement.dataset;
  for (const choice of choices) {
    if (remembered !== undefined) choice.checked = choice.value === remembered;
  }
  for (const choice of choices) {
    choice.addEventListener("change", () => {
      const before = choice.getBoundingClientRect().top;
      for (const other of choices) other.checked = other.value === choice.value;
      document.documentElement.dataset["sample"] = choice.value;
      store("sample", choice.value);
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
