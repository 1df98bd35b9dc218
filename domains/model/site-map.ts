import { done, type Result } from "../../lib/base/result.ts";
import type { Domain, DomainRole } from "./domain.ts";
import { rolesUnder, type DomainsConfig, type RedirectFault } from "./redirects.ts";

type Attached = Pick<Domain, "name" | "role" | "heldSince">;

/**
 * The roles that a site's map gives to domains, as far as it takes effect: what it says of names that are not held waits
 * until they are. Whatever it does not name keeps its role, or leads to the primary domain that it names. Names are
 * compared as they are.
 */
export function rolesAsked(
  { primary: wanted, redirects }: DomainsConfig,
  attached: readonly Attached[],
): Result<ReadonlyMap<string, DomainRole>, RedirectFault> {
  const held = heldIn(attached);
  const rules = redirects.filter(({ from, to }) => held.has(from) && held.has(to));
  if (wanted !== undefined && held.has(wanted)) {
    return rolesUnder({ primary: wanted, redirects: rules }, attached);
  }
  return rules.length === 0 ? done(new Map()) : rolesUnder({ redirects: rules }, attached);
}

/** A name that a map waits for, and what is missing. */
export interface Awaited {
  readonly name: string;
  readonly step: "add" | "verify";
}

/** What a map names and the project does not hold, in the order in which it is named. */
export function awaitedBy(map: DomainsConfig, attached: readonly Attached[]): readonly Awaited[] {
  const names = new Set(attached.map(({ name }) => name));
  const held = heldIn(attached);
  return namesIn(map)
    .filter((name) => !held.has(name))
    .map((name) => ({ name, step: names.has(name) ? "verify" : "add" }));
}

/** Each once, the primary one first. */
export function namesIn({ primary, redirects }: DomainsConfig): readonly string[] {
  const named = redirects.flatMap(({ from, to }) => [from, to]);
  return [...new Set(primary === undefined ? named : [primary, ...named])];
}

function heldIn(attached: readonly Attached[]): ReadonlySet<string> {
  const held = attached.filter(({ heldSince }) => heldSince !== undefined);
  return new Set(held.map(({ name }) => name));
}
