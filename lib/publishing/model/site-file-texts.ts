import { countCodePoints } from "../../base/code-points.ts";
import { normalized } from "../../base/normalized.ts";
import { string, type Schema } from "../../base/schema.ts";
import { faultOfCharacters, textPatterns, trimText } from "../../model/text.ts";

const CONTROL = /\p{Cc}/u;

/** One line of display text, 1 to `max` characters. */
export function line(max: number, description: string): Schema<string> {
  return shownText(max, "line", description);
}

/** Display text on any number of lines, 1 to `max` characters. */
export function lines(max: number, description: string): Schema<string> {
  return shownText(max, "lines", description);
}

function shownText(max: number, kind: "line" | "lines", description: string): Schema<string> {
  const fault = (text: string): string | undefined => {
    if (trimText(text) === "") return "must not be empty";
    if (countCodePoints(text, max * 2) > max) return `must be at most ${max} characters long`;
    if (!text.isWellFormed()) return "must be well-formed Unicode, without lone surrogates";
    return faultOfCharacters(text, kind);
  };
  const [visible, pattern] = textPatterns(kind);
  const form = {
    minLength: 1,
    maxLength: max,
    pattern,
    allOf: [{ type: "string", pattern: visible }],
  };
  return string(fault, { ...form, description });
}

/** A text that matches `pattern`, which must have no flags. `fault` is the error message. */
export function matching(
  pattern: RegExp,
  max: number,
  fault: string,
  words: object,
): Schema<string> {
  const fits = (text: string): boolean =>
    countCodePoints(text, max * 2) <= max && text.isWellFormed() && pattern.test(text);
  return string((text) => (fits(text) ? undefined : fault), {
    pattern: pattern.source,
    maxLength: max,
    ...words,
  });
}

const MAX_ADDRESS = 2_048;

/** An absolute http or https URL without credentials. */
export function webAddress(description: string): Schema<string> {
  return string(faultOfWebAddress, { format: "uri", maxLength: MAX_ADDRESS, description });
}

/** Returns why `text` is not an absolute web address; undefined if valid. */
export function faultOfWebAddress(text: string): string | undefined {
  const readable = text.length <= MAX_ADDRESS && !UNWRITTEN.test(text) && URL.canParse(text);
  if (!readable || !/^https?:\/\/[^/]/i.test(text)) {
    return "must be an address that begins with https:// or http://";
  }
  const url = new URL(text);
  return url.username === "" && url.password === ""
    ? undefined
    : "must not hold a user or password";
}

/** The kinds of addresses that a link may have. */
type LinkKind = "https" | "http" | "mailto" | "tel";

/** `mailto:` with one address and nothing else: further fields could write the visitor's message. */
const MAILTO = "mailto:[A-Za-z0-9.!$*+/=^_{|}~'-]{1,64}@[A-Za-z0-9.-]{1,253}";
const TEL = "tel:[+0-9][-0-9().]{2,30}";

/** An address that a link of the site leads to, of one of `kinds`. */
export function linkAddress(
  kinds: readonly LinkKind[],
  description: string,
  example: string,
): Schema<string> {
  return string((text) => faultOfLink(text, kinds), {
    format: "uri",
    maxLength: MAX_ADDRESS,
    pattern: `^(?:${[...(kinds.includes("http") ? ["https?://.+"] : []), ...mailAndPhone(kinds)].join("|")})$`,
    description: `${description} An address that begins with ${listed(kinds)}.`,
    examples: [example],
  });
}

function mailAndPhone(kinds: readonly LinkKind[]): readonly string[] {
  return [...(kinds.includes("mailto") ? [MAILTO] : []), ...(kinds.includes("tel") ? [TEL] : [])];
}

function faultOfLink(text: string, kinds: readonly LinkKind[]): string | undefined {
  const kind = kinds.find((one) => text.startsWith(`${one}:`));
  if (kind === undefined) return `must be an address that begins with ${listed(kinds)}`;
  if (kind === "https" || kind === "http") return faultOfWebAddress(text);
  if (text.length > MAX_ADDRESS || !text.isWellFormed()) return "must be a shorter address";
  if (kind === "mailto") {
    return new RegExp(`^${MAILTO}$`).test(text)
      ? undefined
      : "must be mailto: and one email address, such as mailto:hello@example.org";
  }
  return new RegExp(`^${TEL}$`).test(text)
    ? undefined
    : "must be tel: and a telephone number without spaces, such as tel:+1-555-0100";
}

/** `https://, http:// or mailto:` */
function listed(kinds: readonly LinkKind[]): string {
  const written = kinds.map((kind) => (kind.startsWith("http") ? `${kind}://` : `${kind}:`));
  return `${written.slice(0, -1).join(", ")} or ${written.at(-1) ?? ""}`;
}

/** Characters that browsers drop or rewrite in an address, and lone surrogates. */
const UNWRITTEN = /[\p{Cc}\p{Cs}\s\\]/u;

/** Returns why `text` is not a decoded path of the site; undefined if valid. */
export function faultOfPath(text: string): string | undefined {
  if (!text.startsWith("/")) return 'must begin with "/"';
  if (text.length > MAX_ADDRESS) return `must be at most ${MAX_ADDRESS} characters long`;
  if (text.startsWith("//")) return 'must not begin with "//"';
  if (CONTROL.test(text) || text.includes("\\")) {
    return "must not contain control characters and backslashes";
  }
  if (!text.isWellFormed() || normalized(text, "NFC") !== text)
    return "must be Unicode in its form NFC";
  return /\/\.\.?(?:\/|$)/.test(text) ? 'must not contain "." and ".."' : undefined;
}

/** Returns why `text` is not a path pattern; undefined if valid. */
export function faultOfPattern(text: string): string | undefined {
  if (text.slice(0, -1).includes("*")) return 'may have a "*" at its end alone';
  if (/[?#%]/.test(text)) return 'must be a decoded path, without "?", "#" and "%"';
  return faultOfPath(text);
}

/** Returns why `text` is not a redirect target (a path of the site or a web address, with an optional final `*`). */
export function faultOfTarget(text: string): string | undefined {
  const [first = "", ...others] = text.split("*");
  if (others.length > 0 && !text.endsWith("*")) return 'may have a "*" at its end alone';
  if (others.length > 1) return 'may have one "*"';
  if (!text.isWellFormed()) return "must be well-formed Unicode, without lone surrogates";
  if (text.startsWith("/")) return faultOfPath(first.split(/[?#]/)[0] ?? "");
  const fault = faultOfWebAddress(first);
  if (fault !== undefined) return `must be a path of the site, or ${fault.replace("must be ", "")}`;
  // The text for `*` must not become part of the host.
  return others.length === 0 || /^https?:\/\/[^/]+\//i.test(first)
    ? undefined
    : 'must have a "/" between the host and "*"';
}
