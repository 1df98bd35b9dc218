import type { Unknown } from "../answer.ts";
import { finding, type Finding } from "../finding.ts";
import { listed } from "../findings/text.ts";
import type { Survey, AuthoritativeView, NameView, ResolverView } from "../survey.ts";
import type { OurAddresses, Subject } from "./subject.ts";
import { isKnown, serversOf, type Witness, type Witnesses } from "./witness.ts";
import type { BrokenServer } from "../finding-facts.ts";

/** What is to be said of those who were asked: who said nothing and why, and whose signatures are wrong. */
export function judgeServers(subject: Subject, witnesses: Witnesses): readonly Finding[] {
  const cause = rootCause(subject);
  if (cause !== undefined) return [cause];
  const { survey, zone, ours } = subject;
  const { authorities, resolvers } = witnesses;
  const found = [
    ...silent(authorities, zone),
    ...unresolved(survey, zone),
    ...unknownTarget(survey, ours),
  ];
  const bogus = bogusIn(survey);
  if (bogus !== undefined) found.push(bogus);
  // Resolvers are the operator's own: that one is out of order concerns the owner only when all are.
  if (bogus === undefined && !resolvers.some(isKnown)) found.push(...silent(resolvers, zone));
  return found;
}

/** One finding for each reason, naming all servers that gave it. */
function silent(witnesses: readonly Witness[], zone: string): Finding[] {
  const byReason = new Map<Unknown["reason"], { readonly answer: Unknown; servers: Witness[] }>();
  for (const witness of witnesses) {
    const { route } = witness;
    const answer = route.kind === "unknown" ? route.answer : missingIn(witness);
    if (answer === undefined || answer.bogus) continue;
    const same = byReason.get(answer.reason) ?? { answer, servers: [] };
    byReason.set(answer.reason, { answer, servers: [...same.servers, witness] });
  }
  return [...byReason].map(([reason, { answer, servers }]) => {
    const server = listed(serversOf(servers));
    const explanation = answer.explanation && { explanation: answer.explanation };
    return reason === "servfail"
      ? finding("servfail", { name: zone, ...explanation }, { server })
      : finding("dns_unreachable", { name: server, reason, ...explanation }, { server });
  });
}

/** Addresses of one kind that could not be asked for. */
function missingIn({ route }: Witness): Unknown | undefined {
  return route.kind === "addresses" ? route.missing : undefined;
}

function unresolved({ zone: search }: Survey, zone: string): Finding[] {
  if (search.kind === "unknown") {
    const { reason } = search;
    return [finding("dns_unreachable", { name: zone, whose: "above", reason })];
  }
  if (search.kind === "absent") return [];
  const { unasked } = search.zone;
  return (["unresolved", "unlearned"] as const).flatMap((reason) => {
    const lost = unasked.filter((server) => server.reason === reason).map(({ name }) => name);
    return lost.length === 0 ? [] : [finding("dns_unreachable", { name: listed(lost), reason })];
  });
}

/** Without our own addresses, those of the domain cannot be told from others. */
function unknownTarget({ target, targetA, targetAaaa }: Survey, ours: OurAddresses): Finding[] {
  if (ours.aKnown && ours.aaaaKnown) return [];
  const answer = ours.aKnown ? targetAaaa : targetA;
  return answer.kind === "unknown"
    ? [finding("dns_unreachable", { name: target, whose: "of", reason: answer.reason })]
    : [];
}

/**
 * Signatures that a resolver has found wrong. They block as long as no other one gets an answer: a CA that checks
 * them would get none either. Addresses are what visitors and CAs ask for: of a CNAME that a DNAME makes there are
 * resolvers that cannot tell when they are asked for it alone.
 */
function bogusIn(survey: Survey): Finding | undefined {
  const { resolvers, caaCached } = survey;
  const bogus = resolvers
    .flatMap(({ a, aaaa }) => [a, aaaa])
    .find((answer): answer is Unknown => answer.kind === "unknown" && answer.bogus);
  const caa = caaCached.map(({ lookup }) => lookup);
  const unanswered = caa.every((lookup) => lookup.kind === "unknown");
  const inCaa = unanswered
    ? caa.find((lookup) => lookup.kind === "unknown" && lookup.bogus)
    : undefined;
  const explanation =
    bogus?.explanation ?? (inCaa?.kind === "unknown" ? inCaa.explanation : undefined);
  if (bogus === undefined && inCaa === undefined) return undefined;
  const contested = resolvers.some(({ a, aaaa }) =>
    [a, aaaa].every((answer) => answer.kind !== "unknown"),
  );
  const zone = survey.zone.kind === "found" ? survey.zone.zone.apex : survey.hostname;
  return finding(
    "dnssec_bogus",
    { zone, ...(explanation !== undefined && { explanation }) },
    { severity: contested && inCaa === undefined ? "warning" : "blocking" },
  );
}

/** The one reason for all silence, where there is one: what follows from it says nothing new. */
function rootCause({ survey, facts }: Subject): Finding | undefined {
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
