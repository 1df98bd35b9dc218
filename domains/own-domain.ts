import { done, refused, type Result } from "../lib/base/result.ts";
import { publicSuffixes } from "./dns/public-suffixes.ts";
import { parseHostname } from "./model/hostname.ts";

/** What keeps a name from being a service's own, and its A-labels as far as there are any. */
export interface OwnDomain {
  readonly name: string;
  /** It is in no public DNS, or registries sell the names below it. Absent: it can be had. */
  readonly barred?: "special_use" | "public_suffix";
}

/** Reads what a person entered as the domain of a service; refused in a sentence for what is no name at all. */
export function readOwnDomain(
  input: string,
  { allowPrivate }: { readonly allowPrivate: boolean },
): Result<OwnDomain, string> {
  const rules = { suffixes: publicSuffixes, ownDomains: [], allowPrivate };
  const read = parseHostname(input, rules);
  if (read.ok) return done({ name: read.value.hostname });
  const { code, message } = read.failure;
  if (code !== "special_use" && code !== "public_suffix") return refused(message);
  return done({ name: input.trim().toLowerCase().replace(/\.$/, ""), barred: code });
}
