import { specialUseOf } from "../../../../domains/texts.ts";

/** Why what was typed cannot be a domain, by its form alone; the service knows the rest. */
export type NameFault =
  | "empty"
  | "ip_address"
  | "wildcard"
  | "single_label"
  | "too_long"
  | "mail"
  | "invalid";

/** What somebody typed as a domain. */
export interface TypedName {
  /** The name, without what was pasted around it, in lower case, as people write it. */
  readonly name: string;
  /** Something was around it. */
  readonly pasted: boolean;
  /** As the DNS has it; absent with a fault. */
  readonly ascii?: string;
  readonly fault?: NameFault;
}

const MAX_NAME = 253;

/** What comes along when somebody copies out of a text, and nobody sees: names do not tell it apart (UTS #46). */
const UNSEEN = /[\u00AD\u200B\u2060\uFEFF]/g;

/** What texts put around a name. */
const AROUND = /^["'`“”„‚‘’«»‹›<(\s]{1,9}|["'`“”‘’«»‹›>),;\s]{1,9}$/g;

/** Reads a name, or the address of a page that somebody pasted. */
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

/** As browsers put names into the DNS (UTS #46). */
function asciiOf(name: string): string | undefined {
  if (/[\s%/\\?#@:[\]\p{Cc}\p{Cf}]/u.test(name)) return undefined;
  return URL.canParse(`http://${name}/`) ? new URL(`http://${name}/`).hostname : undefined;
}

function isLabel(label: string): boolean {
  return label.length <= 63 && /^[a-z\d]([a-z\d-]*[a-z\d])?$/.test(label);
}

/** Why a name of the right form is not for its owner to attach here; the service says it in English. */
export type RefusedName = "own_domain" | "special_use" | "public_suffix";

/** What the service has against a name that it refused, seen by what both of us know. */
export function refusedName(
  ascii: string,
  { siteHost, slug }: { readonly siteHost: string; readonly slug: string },
): RefusedName {
  // Sites are one label below what is ours.
  const ours = siteHost.startsWith(`${slug}.`) ? siteHost.slice(slug.length + 1) : siteHost;
  if (ascii === ours || ascii.endsWith(`.${ours}`)) return "own_domain";
  return specialUseOf(ascii) === undefined ? "public_suffix" : "special_use";
}
