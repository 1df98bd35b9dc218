import type { FieldError } from "../../base/problem.ts";
import type { DomainsRequest } from "./site-file.ts";

/** What cannot be in a map of domains, whichever of them are verified one day. */
export function faultsOfDomains({
  primary,
  redirects = [],
}: DomainsRequest): readonly FieldError[] {
  const leadsTo = new Map(redirects.map(({ from, to }) => [named(from), named(to)]));
  const seen = new Set<string>();
  return redirects.flatMap(({ from, to }, index) => {
    const at = `/domains/redirects/${index}`;
    const [source, target] = [named(from), named(to)];
    if (seen.has(source)) return [fault(`${at}/from`, `leads from ${from} a second time`)];
    seen.add(source);
    if (primary !== undefined && source === named(primary)) {
      return [fault(`${at}/from`, `is ${from}, the primary domain, which leads nowhere else`)];
    }
    if (leadsBack(source, leadsTo)) return [fault(`${at}/to`, "leads in a circle")];
    return leadsTo.has(target)
      ? [fault(`${at}/to`, `is ${to}, which leads somewhere else itself`)]
      : [];
  });
}

function leadsBack(source: string, leadsTo: ReadonlyMap<string, string>): boolean {
  let at = leadsTo.get(source);
  // As many steps as there are redirects: after that it goes round without `source`.
  for (let step = 0; at !== undefined && step < leadsTo.size; step++) {
    if (at === source) return true;
    at = leadsTo.get(at);
  }
  return false;
}

function named(domain: string): string {
  return domain.normalize("NFC").toLowerCase();
}

function fault(pointer: string, words: string): FieldError {
  const name = pointer.slice(pointer.lastIndexOf("/") + 1);
  return { pointer, code: "invalid_value", message: `"${name}" ${words}.` };
}
