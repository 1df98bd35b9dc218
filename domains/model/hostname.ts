import { done, refused, type Result } from "../../lib/base/result.ts";
import { faultOfForm, faultOfPaste, LENGTH_FAULT, type HostnameFault } from "./hostname-fault.ts";
import { toAscii, unicodeOf } from "./idna.ts";
import { specialUseOf } from "./special-use.ts";

declare const checked: unique symbol;

/** A valid custom domain: A-labels in lower case, without the trailing dot. */
export type Hostname = string & { readonly [checked]: true };

/** The names under which registries and companies let others register. */
export interface PublicSuffixes {
  /** The name, version and date of the list. */
  readonly edition: string;
  /**
   * Returns the public suffix of `name`, in A-labels; by default its last label. `icann`: suffixes of registries
   * only; `all`: also those of companies.
   */
  suffixOf(name: string, section: "icann" | "all"): string;
}

export interface ParsedHostname {
  readonly hostname: Hostname;
  /** The name in Unicode. */
  readonly unicode: string;
  /** The registered domain: `shelter.org` for `pets.shelter.org`. */
  readonly registrable: string;
  /** The part before it, `pets`; `@` for the registered domain itself. */
  readonly label: string;
  /** Set if the name could be mistaken for another one. */
  readonly lookAlike?: LookAlike;
}

export interface HostnameRules {
  readonly suffixes: PublicSuffixes;
  /** Zones of this service. They and all names below them are refused. */
  readonly ownDomains: readonly string[];
  /** Accepts special-use names such as `pets.test`. For laptops and tests only. */
  readonly allowPrivate: boolean;
}

/** A name has at most 253 characters; twice that leaves room for pasted extras. */
const MAX_INPUT = 512;

/** Parses what a person entered as a domain, or explains what is wrong. */
export function parseHostname(
  input: string,
  rules: HostnameRules,
): Result<ParsedHostname, HostnameFault> {
  const entered = input.trim();
  if (entered === "") return fault("empty", "Enter a domain, for example pets.shelter.org.");
  if (entered.length > MAX_INPUT) return refused(LENGTH_FAULT);
  const pasted = faultOfPaste(entered);
  if (pasted !== undefined) return refused(pasted);
  // The ideographic full stop is a dot, too (UTS #46).
  const name = toAscii(entered.replace(/[.。]$/u, ""));
  if (name === undefined) {
    return fault(
      "invalid_character",
      "A domain consists of letters, digits and hyphens, with dots between its parts.",
    );
  }
  const malformed = faultOfForm(name);
  if (malformed !== undefined) return refused(malformed);
  return barred(name, rules) ?? done(described(name, rules.suffixes));
}

/** Returns the suffix and one more label. Undefined: `name` is a suffix. */
export function registrableOf(
  name: string,
  suffixes: PublicSuffixes,
  section: "icann" | "all" = "icann",
): string | undefined {
  const suffix = suffixes.suffixOf(name, section);
  if (name === suffix) return undefined;
  const before = name.slice(0, -suffix.length - 1);
  return `${before.slice(before.lastIndexOf(".") + 1)}.${suffix}`;
}

/** Reports whether `name` is `domain` or below it. */
export function isAtOrBelow(name: string, domain: string): boolean {
  return name === domain || name.endsWith(`.${domain}`);
}

/** Returns why a well-formed name cannot be attached. */
function barred(name: string, { ownDomains, suffixes, allowPrivate }: HostnameRules) {
  const own = ownDomains.find((domain) => isAtOrBelow(name, domain));
  if (own !== undefined) {
    return fault("own_domain", `${own} is this service's own domain. Enter one of yours.`);
  }
  const special = allowPrivate ? undefined : specialUseOf(name);
  if (special !== undefined) {
    return fault(
      "special_use",
      `Names in "${special}" are not in the public DNS, and no certificate is issued for them.`,
    );
  }
  if (suffixes.suffixOf(name, "icann") !== name) return undefined;
  return fault(
    "public_suffix",
    `Domains are registered under ${name}; enter yours, for example shelter.${name}.`,
  );
}

function described(name: string, suffixes: PublicSuffixes): ParsedHostname {
  const registrable = registrableOf(name, suffixes) ?? name;
  const unicode = unicodeOf(name);
  const lookAlike = lookAlikeOf(unicode);
  return {
    // The only place that creates a Hostname, after all checks.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    hostname: name as Hostname,
    unicode,
    registrable,
    label: name === registrable ? "@" : name.slice(0, -registrable.length - 1),
    ...(lookAlike !== undefined && { lookAlike }),
  };
}

function fault(code: HostnameFault["code"], message: string) {
  return refused<HostnameFault>({ code, message });
}

/** Why a label could be mistaken for another one. */
type LookAlike = "mixed_scripts" | "resembles_latin";

/** Distinguished scripts. A letter of any other script counts as `other`. */
const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ["Latin", /\p{Script=Latin}/u],
  ["Cyrillic", /\p{Script=Cyrillic}/u],
  ["Greek", /\p{Script=Greek}/u],
  ["Armenian", /\p{Script=Armenian}/u],
  ["Han", /\p{Script=Han}/u],
  ["Hiragana", /\p{Script=Hiragana}/u],
  ["Katakana", /\p{Script=Katakana}/u],
  ["Hangul", /\p{Script=Hangul}/u],
  ["Bopomofo", /\p{Script=Bopomofo}/u],
  ["other", /\p{Letter}/u],
];

/** Scripts that are written together (UTS #39 §5.2, highly restrictive). */
const TOGETHER: readonly (readonly string[])[] = [
  ["Latin", "Han", "Hiragana", "Katakana"],
  ["Latin", "Han", "Hangul"],
  ["Latin", "Han", "Bopomofo"],
];

/** Cyrillic and Greek letters that look like a to z. */
const LATIN_SHAPES = /^[авеікмнорсстухѕԁԛԝһјӏгοανυτικρ\d-]+$/u;

/** Returns why `name`, in Unicode, could be mistaken for another one. Undefined: it cannot. */
export function lookAlikeOf(name: string): LookAlike | undefined {
  const labels = name.split(".").filter((label) => /[^\p{ASCII}]/u.test(label));
  if (labels.some(isMixed)) return "mixed_scripts";
  return labels.some((label) => LATIN_SHAPES.test(label)) ? "resembles_latin" : undefined;
}

function isMixed(label: string): boolean {
  const scripts = new Set<string>();
  for (const character of label) {
    if (/\p{Letter}/u.test(character)) scripts.add(scriptOf(character));
  }
  if (scripts.size < 2) return false;
  return !TOGETHER.some((group) => [...scripts].every((script) => group.includes(script)));
}

function scriptOf(letter: string): string {
  return SCRIPTS.find(([, pattern]) => pattern.test(letter))?.[0] ?? "other";
}
