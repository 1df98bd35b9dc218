/** Safe markup: every text in it was escaped, or came from a source of safe markup. */
export class Markup {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** A value in a template. Text is escaped, markup is not, and `undefined` and `false` are omitted. */
export type Part = Markup | string | number | false | undefined | readonly Part[];

/**
 * Makes HTML or XML in which every text is escaped. Removes line breaks of the template and the indentation after them.
 */
export function markup(template: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const fixed = joined(template);
  let text = fixed[0] ?? "";
  for (const [index, part] of parts.entries()) text += `${textOf(part)}${fixed[index + 1] ?? ""}`;
  return new Markup(text);
}

/** Each template is processed once. */
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

/** Escapes text for content and quoted attributes, also in XML 1.0 (§2.2: replaces characters that XML cannot contain). */
export function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(FORBIDDEN, "\u{FFFD}")
    .replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

// oxlint-disable-next-line no-control-regex -- matches control characters
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;
