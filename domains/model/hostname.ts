import { done, refused, type Result } from "../../lib/base/result.ts";
import { parseAddress } from "../../lib/model/client-address.ts";
import { lookAlikeOf, type LookAlike } from "./look-alike.ts";
import { fromPunycode } from "./punycode.ts";
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

/** Why a name cannot be a custom domain. The message is for people and says what to enter. */
export interface HostnameFault {
  readonly code:
    | "empty"
    | "has_scheme"
    | "has_path"
    | "has_port"
    | "has_user"
    | "ip_address"
    | "wildcard"
    | "invalid_character"
    | "invalid_label"
    | "too_long"
    | "single_label"
    | "public_suffix"
    | "special_use"
    | "own_domain";
  readonly message: string;
}

export interface HostnameRules {
  readonly suffixes: PublicSuffixes;
  /** Our base domain and other zones of ours: they and all below them are not for others. */
  readonly ownDomains: readonly string[];
  /** Accepts special-use names such as `pets.test`: laptops and tests only. */
  readonly allowPrivate: boolean;
}

/** A name is at most 253 characters; an IDN is shorter in Unicode. Twice that leaves room for a pasted scheme. */
const MAX_INPUT = 512;
const MAX_NAME = 253;
const MAX_LABEL = 63;

/** Reads what a person entered as a domain, or says what is wrong with it. */
export function parseHostname(
  input: string,
  rules: HostnameRules,
): Result<ParsedHostname, HostnameFault> {
  const entered = input.trim();
  if (entered === "") return fault("empty", "Enter a domain, for example pets.shelter.org.");
  if (entered.length > MAX_INPUT) return tooLong();
  const pasted = faultOfPaste(entered);
  if (pasted !== undefined) return refused(pasted);
  const ascii = toAscii(withoutDot(entered));
  if (ascii === undefined) {
    return fault(
      "invalid_character",
      "A domain consists of letters, digits and hyphens, with dots between its parts.",
    );
  }
  const wrong = faultOfName(ascii, rules);
  if (wrong !== undefined) return refused(wrong);
  return done(described(ascii, rules.suffixes));
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

/** `name` in Unicode; labels that are no valid IDN stay as they are. */
export function unicodeOf(name: string): string {
  const labels = name.split(".").map((label) => {
    if (!label.startsWith("xn--")) return label;
    const text = fromPunycode(label.slice(4));
    // What does not come back as the same label is nobody's way to write it.
    return text !== undefined && idnaAscii(text) === label ? text : label;
  });
  return labels.join(".");
}

/** A pasted address, with what is to be entered instead. */
function faultOfPaste(entered: string): HostnameFault | undefined {
  const address = entered.replace(/^\[|\]$/g, "");
  if (parseAddress(address) !== undefined) return ipFault;
  const scheme = /^[a-z][a-z\d+.-]*:\/\/|^\/\//i.exec(entered)?.[0] ?? "";
  const authority = /^[^/?#\\]*/.exec(entered.slice(scheme.length))?.[0] ?? "";
  const name = authority.replace(/^.*@/, "").replace(/:\d*$/, "");
  const instead = `Enter the name alone${name === "" ? "" : `: ${clipped(name)}`}.`;
  if (scheme !== "") return { code: "has_scheme", message: `This is an address. ${instead}` };
  if (authority !== entered) {
    return { code: "has_path", message: `A domain has no path. ${instead}` };
  }
  if (authority.includes("@")) {
    return { code: "has_user", message: `This looks like a mail address. ${instead}` };
  }
  return authority.includes(":")
    ? { code: "has_port", message: `A domain has no port. ${instead}` }
    : undefined;
}

function faultOfName(name: string, { ownDomains, suffixes, allowPrivate }: HostnameRules) {
  if (name.startsWith("*.") || name === "*") {
    return failure("wildcard", "Wildcards are not supported. Add each name by itself.");
  }
  if (parseAddress(name) !== undefined) return ipFault;
  const labels = name.split(".");
  const wrong = labels.find((label) => !isLabel(label));
  if (wrong !== undefined) return faultOfLabel(wrong);
  if (name.length > MAX_NAME) return tooLong().failure;
  if (labels.length < 2) {
    return failure(
      "single_label",
      `"${name}" is one word. Enter a domain with its ending, for example pets.shelter.org.`,
    );
  }
  // Numbers at the end are read as an address by browsers (WHATWG URL §3.5).
  if (/^(\d+|0x[\da-f]*)$/.test(labels.at(-1) ?? "")) return ipFault;
  const own = ownDomains.find((domain) => isAtOrBelow(name, domain));
  if (own !== undefined) {
    return failure("own_domain", `${own} is this service's own domain. Enter one of yours.`);
  }
  const special = allowPrivate ? undefined : specialUseOf(name);
  if (special !== undefined) {
    return failure(
      "special_use",
      `Names in "${special}" are not in the public DNS, and no certificate is issued for them.`,
    );
  }
  return suffixes.suffixOf(name, "icann") === name
    ? failure(
        "public_suffix",
        `Domains are registered under ${name}; enter yours, for example shelter.${name}.`,
      )
    : undefined;
}

function faultOfLabel(label: string): HostnameFault {
  if (label === "") return failure("invalid_label", "There is nothing between two dots.");
  if (label.length > MAX_LABEL) {
    return failure("invalid_label", `A part of the name is longer than ${MAX_LABEL} characters.`);
  }
  if (/[^a-z\d-]/.test(label)) {
    const odd = /[^a-z\d-]/.exec(label)?.[0] ?? "";
    return failure("invalid_character", `"${odd}" cannot be part of a domain.`);
  }
  return failure(
    "invalid_label",
    `"${label}" cannot be part of a domain: hyphens stand between letters and digits, and "xn--" before Punycode.`,
  );
}

/** Letters, digits, hyphens, at most 63, no hyphen at its ends (RFC 5890 §2.3.1). */
function isLabel(label: string): boolean {
  if (label.length > MAX_LABEL || !/^[a-z\d]([a-z\d-]*[a-z\d])?$/.test(label)) return false;
  // "--" in the third place is kept for encodings, of which there is one (RFC 5891 §4.2.3.1).
  if (label.slice(2, 4) !== "--") return true;
  return label.startsWith("xn--") && unicodeOf(label) !== label;
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

/** The name in A-labels; undefined when a character cannot be in one. */
function toAscii(name: string): string | undefined {
  if (/^[\x21-\x7e]+$/.test(name)) return name.toLowerCase();
  return idnaAscii(name);
}

/** A name with other letters in A-labels (UTS #46), by the one converter that every runtime has. */
function idnaAscii(name: string): string | undefined {
  // URL would decode, drop or take for an end of the name what follows.
  if (/[\s%/\\?#@:[\]\p{Cc}\p{Cf}]/u.test(name)) return undefined;
  return URL.canParse(`http://${name}/`) ? new URL(`http://${name}/`).hostname : undefined;
}

/** True for `domain` and for all names below it. */
export function isAtOrBelow(name: string, domain: string): boolean {
  return name === domain || name.endsWith(`.${domain}`);
}

function withoutDot(name: string): string {
  return name.replace(/[.。]$/u, "");
}

function clipped(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

const ipFault: HostnameFault = {
  code: "ip_address",
  message: "This is an IP address. Enter a domain, for example pets.shelter.org.",
};

function failure(code: HostnameFault["code"], message: string): HostnameFault {
  return { code, message };
}

function fault(code: HostnameFault["code"], message: string) {
  return refused(failure(code, message));
}

function tooLong() {
  return fault("too_long", `A domain is at most ${MAX_NAME} characters long.`);
}
