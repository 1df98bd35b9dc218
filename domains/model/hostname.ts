import { done, refused, type Result } from "../../lib/base/result.ts";
import { faultOfForm, faultOfPaste, LENGTH_FAULT, type HostnameFault } from "./hostname-fault.ts";
import { toAscii, unicodeOf } from "./idna.ts";
import { specialUseOf } from "./special-use.ts";

declare const checked: unique symbol;

/** A name of the DNS that can be somebody's own domain: A-labels in lower case, without a dot at the end. */
export type Hostname = string & { readonly [checked]: true };

/** Which names are registries' own, under which others register theirs. */
export interface PublicSuffixes {
  /** Which list it is, for people: name, version and date. */
  readonly edition: string;
  /**
   * The suffix that `name`, in A-labels, is or ends in; its last label when no rule says otherwise.
   * `icann` are names that registries sell, `all` also those under which a company lets others have names.
   */
  suffixOf(name: string, section: "icann" | "all"): string;
}

export interface ParsedHostname {
  readonly hostname: Hostname;
  /** The same name as people of its language write it. */
  readonly unicode: string;
  /** What its owner bought from a registry: `shelter.org` for `pets.shelter.org`. */
  readonly registrable: string;
  /** The rest before it, `pets`, as DNS providers ask for it; `@` for the registrable name itself. */
  readonly label: string;
  /** It could be taken for another name at a glance; a warning. */
  readonly lookAlike?: LookAlike;
}

export interface HostnameRules {
  readonly suffixes: PublicSuffixes;
  /** Our base domain and other zones of ours: they and all below them are not for others. */
  readonly ownDomains: readonly string[];
  /** Accepts special-use names such as `pets.test`: laptops and tests only. */
  readonly allowPrivate: boolean;
}

/** A name is at most 253 characters; twice that leaves room for what is pasted with it. */
const MAX_INPUT = 512;

/** Reads what a person entered as a domain, or says what is wrong with it. */
export function parseHostname(
  input: string,
  rules: HostnameRules,
): Result<ParsedHostname, HostnameFault> {
  const entered = input.trim();
  if (entered === "") return fault("empty", "Enter a domain, for example pets.shelter.org.");
  if (entered.length > MAX_INPUT) return refused(LENGTH_FAULT);
  const pasted = faultOfPaste(entered);
  if (pasted !== undefined) return refused(pasted);
  // The full stop of Chinese and Japanese is a dot too (UTS #46).
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

/** What was bought from a registry to have `name`: the suffix and one label more; undefined for a suffix. */
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

/** True for `domain` and for all names below it. */
export function isAtOrBelow(name: string, domain: string): boolean {
  return name === domain || name.endsWith(`.${domain}`);
}

/** Why a name of the right form is not for its owner to attach here. */
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
    // The one place where a text becomes a Hostname, after all that can be wrong with it.
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

/** Why a label can be taken for another one at a glance. */
type LookAlike = "mixed_scripts" | "resembles_latin";

/** Scripts that are told apart; a letter of any other makes a label of its own kind. */
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

/** Scripts that are written together, Latin beside them (UTS #39 §5.2, highly restrictive). */
const TOGETHER: readonly (readonly string[])[] = [
  ["Latin", "Han", "Hiragana", "Katakana"],
  ["Latin", "Han", "Hangul"],
  ["Latin", "Han", "Bopomofo"],
];

/** Letters of Cyrillic and Greek that look like one of a to z. */
const LATIN_SHAPES = /^[авеікмнорсстухѕԁԛԝһјӏгοανυτικρ\d-]+$/u;

/** Why `name`, in Unicode, could be taken for another; undefined when nothing about it is odd. */
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
