import { specialUseOf } from "../../../../../domains/texts.ts";

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
