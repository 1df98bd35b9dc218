import { recordsOf } from "../answer.ts";
import { finding, type FindingOf } from "../finding.ts";
import type { Route } from "./route.ts";
import type { Subject } from "./subject.ts";

/** A name beside it, which nobody has created, is answered in the same way: there is no record of its own. */
export function answeredByWildcard({ survey, apex }: Subject, route: Route): boolean {
  // The head of a zone is never the work of a wildcard (RFC 4592 §2.2).
  if (apex) return false;
  const { a } = survey.wildcard;
  const [alias] = a.aliases;
  if (route.kind === "alias") return alias?.target === route.target;
  if (route.kind !== "addresses" || alias !== undefined) return false;
  const sibling = recordsOf(a);
  return (
    route.a.length > 0 &&
    route.a.length === sibling.length &&
    route.a.every((one) => sibling.includes(one))
  );
}

export function wildcardMatch(
  { survey, alias }: Subject,
  leadsHere: boolean,
): FindingOf<"wildcard_match"> {
  const { name } = survey.wildcard;
  const wildcard = `*${name.slice(name.indexOf("."))}`;
  return finding("wildcard_match", { wildcard, wanted: alias, leadsHere });
}
