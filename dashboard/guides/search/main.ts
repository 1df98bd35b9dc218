import { element, one } from "../../reference/script/dom.ts";
import { createSearch, type Hit, type Piece } from "./engine.ts";
import type { Entry, Kind } from "./entry.ts";

interface Words {
  readonly none: string;
  readonly found: (count: number) => string;
  readonly kinds: Readonly<Partial<Record<Kind, string>>>;
}

const WORDS: Readonly<Record<"en" | "de", Words>> = {
  en: {
    none: "No matches. Try a shorter word.",
    found: (count) => `${count} ${count === 1 ? "result" : "results"}`,
    kinds: {
      operation: "Operation",
      schema: "Schema",
      header: "Header",
      error: "Error",
      parameter: "Parameter",
    },
  },
  de: {
    none: "Nichts gefunden. Versuchen Sie ein kürzeres Wort.",
    found: (count) => (count === 1 ? "1 Ergebnis" : `${count} Ergebnisse`),
    kinds: { foreign: "auf Englisch" },
  },
};

/** Fetches the index and connects the field: a combobox with a list of results (ARIA APG). Rejects if the index does not load. */
export async function openSearch(find: HTMLElement): Promise<void> {
  const response = await fetch(find.dataset["index"] ?? "", { credentials: "omit" });
  if (!response.ok) throw new Error(`The index of the search is a ${response.status}.`);
  const entries: readonly Entry[] = await response.json();
  connect(find, createSearch(entries));
}

function connect(find: HTMLElement, search: (question: string) => readonly Hit[]): void {
  const input = one("#search", HTMLInputElement, find);
  const list = one("#results", HTMLElement, find);
  const status = one("[role=status]", HTMLElement, find);
  const words = WORDS[document.documentElement.lang === "de" ? "de" : "en"];
  let hits: readonly Hit[] = [];
  let active = -1;

  const choose = (index: number): void => {
    list.children[active]?.setAttribute("aria-selected", "false");
    active = index;
    const option = list.children[active];
    option?.setAttribute("aria-selected", "true");
    option?.scrollIntoView({ block: "nearest" });
    if (option === undefined) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", option.id);
  };
  const show = (shown: boolean): void => {
    list.hidden = !shown;
    input.setAttribute("aria-expanded", String(shown));
    if (!shown) choose(-1);
  };
  const update = (): void => {
    const asked = input.value.trim() !== "";
    hits = search(input.value);
    list.replaceChildren(...hits.map((hit, index) => optionOf(hit, index, words)));
    list.scrollTop = 0;
    show(hits.length > 0);
    // Enter opens the first result, so it is marked.
    if (hits.length > 0) choose(0);
    status.textContent = asked ? (hits.length > 0 ? words.found(hits.length) : words.none) : "";
    status.className = asked && hits.length === 0 ? "none" : "";
  };
  const open = (index: number, apart: boolean): void => {
    const path = hits[index]?.entry[2];
    if (path === undefined) return;
    if (apart) {
      window.open(path, "_blank", "noopener");
      return;
    }
    show(false);
    input.value = "";
    input.blur();
    location.assign(path);
  };

  input.addEventListener("input", update);
  input.addEventListener("keydown", (event) => {
    const { key, isComposing } = event;
    if (isComposing) return;
    if (key === "ArrowDown" || key === "ArrowUp") {
      if (hits.length === 0) return;
      event.preventDefault();
      if (list.hidden) show(true);
      const next = key === "ArrowDown" ? active + 1 : Math.max(active, 0) - 1;
      choose((next + hits.length) % hits.length);
    } else if (key === "Enter") {
      event.preventDefault();
      if (!list.hidden) open(Math.max(0, active), event.ctrlKey || event.metaKey);
    } else if (key === "Escape" && !list.hidden) {
      // The next Escape clears the field.
      event.preventDefault();
      show(false);
    }
  });
  input.addEventListener("focus", () => {
    if (hits.length > 0 && input.value.trim() !== "") show(true);
  });
  input.addEventListener("blur", () => {
    show(false);
  });
  // Keeps the focus in the field.
  list.addEventListener("mousedown", (event) => {
    event.preventDefault();
  });
  list.addEventListener("click", (event) => {
    const option = event.target instanceof Element ? event.target.closest("[role=option]") : null;
    if (option !== null) {
      open([...list.children].indexOf(option), event.ctrlKey || event.metaKey);
    }
  });
  // What was typed while the index loaded. An earlier attempt may have failed.
  update();
}

function optionOf(
  { entry, title, place, excerpt }: Hit,
  index: number,
  { kinds }: Words,
): HTMLElement {
  const [kind] = entry;
  const label = kinds[kind];
  return element(
    "li",
    { role: "option", id: `result-${index}`, "aria-selected": "false" },
    element("span", { class: "title" }, ...nodesOf(title)),
    label !== undefined && element("span", { class: "kind" }, label),
    place.length > 0 && element("span", { class: "place" }, ...nodesOf(place)),
    excerpt.length > 0 && element("span", { class: "excerpt" }, ...nodesOf(excerpt)),
  );
}

function nodesOf(pieces: readonly Piece[]): readonly (Node | string)[] {
  return pieces.map(({ text, marked }) => (marked ? element("mark", {}, text) : text));
}
