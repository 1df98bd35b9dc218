import type { MailLanguage } from "./words.ts";

/** A part of a mail's body. Texts are plain. */
export type Block =
  | { readonly text: string }
  /** A button in HTML, with the address below it. */
  | { readonly action: string; readonly url: string }
  /** Lines that another person wrote. */
  | { readonly quote: string }
  /** Labels and values, one pair a line. */
  | { readonly facts: readonly (readonly [string, string])[] }
  /** Ends the mail in small print, with an address. */
  | { readonly aside: string; readonly at: string };

/** What a mail says, before it is written as text and as HTML. */
export interface Letter {
  readonly subject: string;
  readonly blocks: readonly Block[];
}

/** Returns an instant in words. The reader's time zone is not known. */
export function instantIn(at: number, language: MailLanguage): string {
  const shown = new Intl.DateTimeFormat(language === "de" ? "de" : "en-GB", {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: "UTC",
  });
  return `${shown.format(at)} UTC`;
}

/** Returns the host of an address. */
export function hostOf(url: string): string {
  return new URL(url).host;
}

/** Longest name in a mail, in characters. */
export const MAX_NAME = 120;
/** Longest subject, in characters: longer ones are cut by many mail programs. */
const MAX_SUBJECT = 200;

/** Control characters, and characters that reorder the text around them. */
const UNSAFE = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu;
const UNSAFE_IN_LINES = /[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069]/gu;

/** Returns a text of one line, which cannot end a header, cut after `max` characters. */
export function line(text: string, max: number): string {
  return cut(text.toWellFormed().replaceAll(/\s+/gu, " ").replaceAll(UNSAFE, "").trim(), max);
}

/** Returns a text of several lines, cut after `max` characters. */
export function lines(text: string, max: number): string {
  const plain = text.toWellFormed().replaceAll(/\r\n?|[\u2028\u2029]/g, "\n");
  return cut(plain.replaceAll(UNSAFE_IN_LINES, "").trim(), max);
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max).toWellFormed().trimEnd()}…`;
}

/** Returns the subject as a header may have it. */
export function subjectOf({ subject }: Letter): string {
  return line(subject, MAX_SUBJECT);
}

/** Writes a letter as plain text. */
export function textOf({ blocks }: Letter): string {
  return `${blocks.map(plainBlock).join("\n\n")}\n`;
}

function plainBlock(block: Block): string {
  if ("text" in block) return block.text;
  if ("action" in block) return `${block.action}:\n${block.url}`;
  if ("quote" in block) return block.quote.replaceAll(/^/gm, "> ").replaceAll(/^> $/gm, ">");
  if ("aside" in block) return `${block.aside}\n${block.at}`;
  return block.facts.map(([label, value]) => `${label}: ${value}`).join("\n");
}

/** Writes a letter as HTML without pictures, scripts or addresses that are fetched. */
export function htmlOf(letter: Letter, language: string): string {
  const title = escaped(subjectOf(letter));
  return `<!doctype html>
<html lang="${escaped(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
</head>
<body style="${BODY}">
${letter.blocks.map(htmlBlock).join("\n")}
</body>
</html>
`;
}

// The mail program chooses the colours of text and background, for light and dark; only the button has both of its own.
const BODY =
  "margin:0 auto;max-width:34em;padding:1.5em 1em;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const BUTTON =
  "display:inline-block;padding:.7em 1.2em;border-radius:.4em;background:#1d4ed8;color:#ffffff;font-weight:600;text-decoration:none";
const ADDRESS = "font-size:.85em;word-break:break-all";
const QUOTE = "margin:0 0 1em;padding:0 0 0 1em;border-left:3px solid #8a94a6";

function htmlBlock(block: Block): string {
  if ("text" in block) return `<p>${withBreaks(block.text)}</p>`;
  if ("action" in block) {
    const url = escaped(block.url);
    return `<p><a href="${url}" style="${BUTTON}">${escaped(block.action)}</a></p>\n<p style="${ADDRESS}">${url}</p>`;
  }
  if ("quote" in block) {
    return `<blockquote style="${QUOTE}">${withBreaks(block.quote)}</blockquote>`;
  }
  if ("aside" in block) {
    const url = escaped(block.at);
    return `<p style="${ADDRESS}">${escaped(block.aside)}<br>\n<a href="${url}">${url}</a></p>`;
  }
  const rows = block.facts.map(([label, value]) => `${escaped(label)}: ${escaped(value)}`);
  return `<p>${rows.join("<br>\n")}</p>`;
}

function withBreaks(text: string): string {
  return escaped(text).replaceAll("\n", "<br>\n");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
