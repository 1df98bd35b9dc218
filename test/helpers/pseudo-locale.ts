import type { Page } from "playwright-core";

/** The brackets around every text from the catalogue. */
export const OPENING = "⟦";
export const CLOSING = "⟧";

/**
 * Switches the page to a pseudo-locale: the English texts with accents, 40 % longer, in brackets. Text without brackets is
 * not from the catalogue; text that does not fit will not fit in other languages either.
 */
export async function speakPseudo(page: Page): Promise<void> {
  await page.route(/\/assets\/[\w-]+\.js$/, async (route) => {
    const response = await route.fetch();
    const code = await response.text();
    const names = exportsOf(code);
    if (!names.some(isCatalogue)) {
      await route.fulfill({ response, body: code });
      return;
    }
    const whole = `${new URL(route.request().url()).pathname}?whole`;
    const wrapped = names.map((name) => {
      const member = `whole.${name}`;
      const made = isCatalogue(name) ? `inBrackets(${member})` : member;
      return `export const ${name} = ${made};`;
    });
    const body = `import * as whole from "${whole}";\n${PSEUDO}\n${wrapped.join("\n")}`;
    await route.fulfill({ response, body });
  });
}

/** Returns the names that a module exports. */
function exportsOf(code: string): readonly string[] {
  const lists = Array.from(code.matchAll(/export\{([^}]*)\}(?!from)/g), ([, list = ""]) => list);
  return lists
    .flatMap((list) => list.split(","))
    .map((one) => one.split(" as ").at(-1)?.trim() ?? "")
    .filter((name) => name !== "");
}

/** View modules have capitalized names and shared ones short names; other lazily loaded modules are catalogues. */
function isCatalogue(name: string): boolean {
  return /^[a-z]\w{3,}$/.test(name);
}

/** Runs in the page. */
const PSEUDO = `
const accents = { a: "å", e: "ë", i: "ï", o: "ø", u: "ü", A: "Å", E: "Ë", I: "Ï", O: "Ø", U: "Ü", n: "ñ", c: "ç", y: "ý" };
const longer = (text) => text.replace(/[aeiouAEIOUncy]/g, (letter) => accents[letter]) + " ~~~".repeat(Math.ceil(text.length * 0.1));
const pseudo = (value) => {
  if (typeof value === "string") return value === "" ? value : "${OPENING}" + longer(value.replaceAll(/[${OPENING}${CLOSING}]/g, "")) + "${CLOSING}";
  if (typeof value === "function") return (...given) => pseudo(value(...given));
  if (Array.isArray(value)) return value.map(pseudo);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, pseudo(member)]));
};
const inBrackets = (exported) => typeof exported === "object" ? pseudo(exported) : exported;`;

/** Returns visible or announced texts of the page that are not in the catalogue, except those for which `isData` is true. */
export async function strayTexts(
  page: Page,
  isData: (text: string) => boolean,
): Promise<readonly string[]> {
  const texts = await page.evaluate((opening) => {
    const found = new Set<string>();
    const look = (told: string | null, element: Element | null): void => {
      const text = (told ?? "").trim();
      if (!/\p{L}/u.test(text) || text.includes(opening) || element === null) return;
      if (element.closest("code, pre, time, .mono, kbd, script, style, .brand") !== null) return;
      // Skips elements in another language than the page.
      if (element.closest("[lang]") !== document.documentElement) return;
      if (element.closest("[translate=no]") !== null || !element.checkVisibility()) return;
      found.add(text);
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      look(node.textContent, node.parentElement);
    }
    for (const name of ["aria-label", "placeholder", "title", "alt"]) {
      for (const element of document.body.querySelectorAll(`[${name}]`)) {
        look(element.getAttribute(name), element);
      }
    }
    return [...found];
  }, OPENING);
  return texts.filter((text) => !isData(text));
}
