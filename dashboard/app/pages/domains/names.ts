import { specialUseOf } from "../../../../domains/view/texts.ts";

/** Why the form of a text is not that of a domain. The service makes the other checks. */
type NameFault =
  | "empty"
  | "ip_address"
  | "wildcard"
  | "single_label"
  | "too_long"
  | "mail"
  | "invalid";

/** A domain as typed or pasted. */
export interface TypedName {
  /** The name in Unicode and lower case, without surrounding text. */
  readonly name: string;
  /** The input contained more than the name. */
  readonly pasted: boolean;
  /** The name as in the DNS; absent with a fault. */
  readonly ascii?: string;
  readonly fault?: NameFault;
}

const MAX_NAME = 253;

/** Invisible characters that are copied along; names ignore them (UTS #46). */
const UNSEEN = /[\u00AD\u200B\u2060\uFEFF]/g;

/** Quotes and punctuation around a name. */
const AROUND = /^["'`“”„‚‘’«»‹›<(\s]{1,9}|["'`“”‘’«»‹›>),;\s]{1,9}$/g;

/** Reads a name, or the host of a pasted URL. */
export function readName(typed: string): TypedName {
  const entered = typed.trim();
  const bare = entered.replaceAll(UNSEEN, "").replaceAll(AROUND, "");
  const authority = bare.replace(/^([a-z][a-z\d+.-]*:)?\/\//i, "").replace(/[/?#\\].*$/s, "");
  const name = authority
    .replace(/:\d*$/, "")
    .replaceAll("。", ".")
    .replace(/\.$/, "")
    .toLowerCase();
  const read = { name, pasted: name !== "" && name !== entered.toLowerCase() };
  if (name === "") return { ...read, fault: "empty" };
  if (name.includes("@")) return { ...read, fault: "mail" };
  if (/^\*(\.|$)/.test(name)) return { ...read, fault: "wildcard" };
  if (/^\[|^[\d.]+$|^[\da-f:]+:[\da-f:.]*$/.test(name)) return { ...read, fault: "ip_address" };
  const ascii = asciiOf(name);
  if (ascii === undefined) return { ...read, fault: "invalid" };
  if (ascii.length > MAX_NAME) return { ...read, fault: "too_long" };
  const labels = ascii.split(".");
  if (!labels.every(isLabel)) return { ...read, fault: "invalid" };
  return labels.length < 2 ? { ...read, fault: "single_label" } : { ...read, ascii };
}

/** Converts a name as browsers do (UTS #46). */
function asciiOf(name: string): string | undefined {
  if (/[\s%/\\?#@:[\]\p{Cc}\p{Cf}]/u.test(name)) return undefined;
  return URL.canParse(`http://${name}/`) ? new URL(`http://${name}/`).hostname : undefined;
}

function isLabel(label: string): boolean {
  return label.length <= 63 && /^[a-z\d]([a-z\d-]*[a-z\d])?$/.test(label);
}

/** Why the service refuses a well-formed name. The service says it in English. */
type NameRefusal = "own_domain" | "special_use" | "public_suffix";

/** Derives the service's reason for refusing a name. */
export function refusalOfName(
  ascii: string,
  { siteHost, slug }: { readonly siteHost: string; readonly slug: string },
): NameRefusal {
  // Sites are one label below the service's base domain.
  const ours = siteHost.startsWith(`${slug}.`) ? siteHost.slice(slug.length + 1) : siteHost;
  if (ascii === ours || ascii.endsWith(`.${ours}`)) return "own_domain";
  return specialUseOf(ascii) === undefined ? "public_suffix" : "special_use";
}
