import { finding, type Finding } from "../finding.ts";
import type { BrokenServer } from "../finding-facts.ts";
import type { AuthoritativeView, NameView, ResolverView, Survey } from "../survey.ts";
import type { Subject } from "./subject.ts";

/** The one reason for all silence, where there is one: what follows from it says nothing new. */
export function rootCause({ survey, facts }: Subject): Finding | undefined {
  const { hostname, zone: search, resolvers } = survey;
  if (search.kind === "unknown" && resolvers.every(isDown)) {
    return finding("resolver_unreachable", { hostname });
  }
  const servers = brokenServers(survey);
  if (search.kind !== "found" || servers === undefined) return undefined;
  const { apex: zone } = search.zone;
  const atRegistrar = zone === facts.registrable;
  return finding("delegation_broken", { zone, atRegistrar, servers });
}

/** It answered nothing at all, not even about our own target. */
function isDown(view: ResolverView): boolean {
  return [...answersOf(view), view.targetA, view.targetAaaa].every(isUnknown);
}

/** Reasons that are the server's own words, or the DNS's: no network between us and it can be the cause. */
const DEFINITE: ReadonlySet<BrokenServer["reason"]> = new Set([
  "lame",
  "refused",
  "unresolved",
  "forbidden_address",
]);

/**
 * All name servers that are listed for the zone, when none of them serves it. Resolvers have to get no further: an
 * answer of theirs shows that only our way to the servers is blocked. Where all servers are silent, that may be the
 * network too, until a resolver gives up as well.
 */
function brokenServers({ zone, authoritative, resolvers }: Survey): BrokenServer[] | undefined {
  if (zone.kind !== "found") return undefined;
  const { unasked } = zone.zone;
  if (authoritative.some((view) => !isSilent(view))) return undefined;
  const reasons = new Map<string, BrokenServer["reason"]>();
  for (const { server, a } of authoritative) {
    if (a.kind === "unknown") reasons.set(server.name, a.reason);
  }
  for (const { name, reason } of unasked) if (reason !== "over_limit") reasons.set(name, reason);
  const given: readonly BrokenServer["reason"][] = [...reasons.values()];
  if (given.every((reason) => OF_ITS_OWN.has(reason))) return undefined;
  const heard = resolvers.flatMap(({ cname, a, aaaa }) => [cname, a, aaaa]);
  if (heard.some((answer) => answer.kind !== "unknown" || answer.bogus)) return undefined;
  const failed = heard.some((answer) => answer.kind === "unknown" && answer.reason === "servfail");
  if (!failed && !given.some((reason) => DEFINITE.has(reason))) return undefined;
  return [...reasons].map(([name, reason]) => ({ name, reason }));
}

/** Failures of servers that know the zone, or whose answers cannot be read. */
const OF_ITS_OWN: ReadonlySet<BrokenServer["reason"]> = new Set(["servfail", "malformed"]);

function isSilent(view: AuthoritativeView): boolean {
  return view.serial === undefined && answersOf(view).every(isUnknown);
}

/** Types of record that every server answers questions for. */
function answersOf({ cname, a, aaaa, mx }: NameView) {
  return [cname, a, aaaa, mx];
}

function isUnknown({ kind }: NameView["a"] | NameView["mx"]): boolean {
  return kind === "unknown";
}
