/** Markup that is safe as it is: every text in it was escaped, or came from where only safe markup is made. */
export class Markup {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** What may stand in a template: text is escaped, markup is not, `undefined` and `false` are nothing. */
export type Part = Markup | string | number | false | undefined | readonly Part[];

/**
 * HTML or XML in which every text is escaped. A line break of the template, with the indentation after it, is the layout
 * of our source and no part of the markup.
 */
export function markup(template: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const fixed = joined(template);
  let text = fixed[0] ?? "";
  for (const [index, part] of parts.entries()) text += `${textOf(part)}${fixed[index + 1] ?? ""}`;
  return new Markup(text);
}

/** What stands in the source once is looked at once. */
const known = new WeakMap<TemplateStringsArray, readonly string[]>();

function joined(template: TemplateStringsArray): readonly string[] {
  let fixed = known.get(template);
  if (fixed === undefined) {
    fixed = template.map((text) => text.replaceAll(/\n\s*/g, ""));
    known.set(template, fixed);
  }
  return fixed;
}

function textOf(part: Part): string {
  if (part === undefined || part === false) return "";
  if (part instanceof Markup) return part.toString();
  if (typeof part === "string") return escaped(part);
  return typeof part === "number" ? String(part) : part.map(textOf).join("");
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text that stands for itself between tags and in quoted attributes, also in XML 1.0 (§2.2: what it cannot hold is replaced). */
export function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(UNSPEAKABLE, "\u{FFFD}")
    .replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

// oxlint-disable-next-line no-control-regex
const UNSPEAKABLE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;
