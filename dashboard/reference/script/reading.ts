import { copy } from "./copy.ts";
import { all, one } from "./element.ts";

/** Marks in the list of contents what is being read, and closes the list when something was chosen from it. */
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
    // What crosses a line a fifth below the top is what is read.
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

/** Scrolls the list alone: what is being read stays where it is. */
function bringIntoView(link: HTMLElement, list: HTMLElement): void {
  const { top, bottom } = link.getBoundingClientRect();
  const around = list.getBoundingClientRect();
  if (top < around.top) list.scrollTop += top - around.top;
  if (bottom > around.bottom) list.scrollTop += bottom - around.bottom;
}

/** One language for all samples, and a button that copies the one that is shown. */
export function watchSamples(): void {
  const choices = all(".samples input[type=radio]", HTMLInputElement);
  for (const choice of choices) {
    choice.addEventListener("change", () => {
      const before = choice.getBoundingClientRect().top;
      for (const other of choices) other.checked = other.value === choice.value;
      // Samples above grew or shrank: what was clicked stays where it is.
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
