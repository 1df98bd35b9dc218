import type { Unknown } from "../answer.ts";
import { finding, type Finding } from "../finding.ts";
import { listed } from "../findings/text.ts";
import type { Survey, AuthoritativeView, NameView, ResolverView } from "../survey.ts";
import type { OurAddresses, Subject } from "./subject.ts";
import { isKnown, serversOf, type Observation, type Observations } from "./observation.ts";
import type { BrokenServer } from "../finding-facts.ts";

/** Returns the findings about servers: missing answers with their reasons, and invalid signatures. */
export function judgeServers(subject: Subject, observations: Observations): readonly Finding[] {
  const cause = rootCause(subject);
  if (cause !== undefined) return [cause];
  const { survey, zone, ours } = subject;
  const { authorities, resolvers } = observations;
  const found = [
    ...silent(authorities, zone),
    ...unresolved(survey, zone),
    ...unknownTarget(survey, ours),
  ];
  const bogus = bogusIn(survey);
  if (bogus !== undefined) found.push(bogus);
  // Resolvers belong to the operator: single failures do not concern the owner.
  if (bogus === undefined && !resolvers.some(isKnown)) found.push(...silent(resolvers, zone));
  return found;
}

/** Returns one finding per reason, with all servers concerned. */
function silent(observations: readonly Observation[], zone: string): Finding[] {
  const byReason = new Map<
    Unknown["reason"],
    { readonly answer: Unknown; servers: Observation[] }
  >();
  for (const observation of observations) {
    const { route } = observation;
    const answer = route.kind === "unknown" ? route.answer : missingIn(observation);
    if (answer === undefined || answer.bogus) continue;
    const same = byReason.get(answer.reason) ?? { answer, servers: [] };
    byReason.set(answer.reason, { answer, servers: [...same.servers, observation] });
  }
  return [...byReason].map(([reason, { answer, servers }]) => {
    const server = listed(serversOf(servers));
    const explanation = answer.explanation && { explanation: answer.explanation };
    return reason === "servfail"
      ? finding("servfail", { name: zone, ...explanation }, { server })
      : finding("dns_unreachable", { name: server, reason, ...explanation }, { server });
  });
}

/** Returns the reason if the addresses of one IP version are unknown. */
function missingIn({ route }: Observation): Unknown | undefined {
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

/** Without our own addresses, those of the domain cannot be judged. */
function unknownTarget({ target, targetA, targetAaaa }: Survey, ours: OurAddresses): Finding[] {
  if (ours.aKnown && ours.aaaaKnown) return [];
  const answer = ours.aKnown ? targetAaaa : targetA;
  return answer.kind === "unknown"
    ? [finding("dns_unreachable", { name: target, whose: "of", reason: answer.reason })]
    : [];
}

/**
 * Returns the finding for invalid signatures. It blocks unless another resolver gets an answer, because validating
 * CAs get none either. Only address lookups count, as visitors and CAs use them: some resolvers fail to validate a
 * direct lookup of a CNAME that was synthesized from a DNAME.
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

/** Returns the common cause of all missing answers, if there is one; other findings would repeat it. */
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

/** The resolver answered nothing, not even about our own target. */
function isDown(view: ResolverView): boolean {
  return [...answersOf(view), view.targetA, view.targetAaaa].every(isUnknown);
}

/** Reasons that a network problem between us and the server cannot cause. */
const NOT_NETWORK: ReadonlySet<BrokenServer["reason"]> = new Set([
  "lame",
  "refused",
  "unresolved",
  "forbidden_address",
]);

/**
 * Returns the zone's listed name servers if none of them serves it. Requires that resolvers fail as well; otherwise
 * only our own connection to the servers is blocked. If all servers are silent, a resolver must have given up, too.
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
  if (given.every((reason) => FAILS_BUT_SERVES.has(reason))) return undefined;
  const heard = resolvers.flatMap(({ cname, a, aaaa }) => [cname, a, aaaa]);
  if (heard.some((answer) => answer.kind !== "unknown" || answer.bogus)) return undefined;
  const failed = heard.some((answer) => answer.kind === "unknown" && answer.reason === "servfail");
  if (!failed && !given.some((reason) => NOT_NETWORK.has(reason))) return undefined;
  return [...reasons].map(([name, reason]) => ({ name, reason }));
}

/** Failures of servers that do serve the zone. */
const FAILS_BUT_SERVES: ReadonlySet<BrokenServer["reason"]> = new Set(["servfail", "malformed"]);

function isSilent(view: AuthoritativeView): boolean {
  return view.serial === undefined && answersOf(view).every(isUnknown);
}

/** Record types that every server supports. */
function answersOf({ cname, a, aaaa, mx }: NameView) {
  return [cname, a, aaaa, mx];
}

function isUnknown({ kind }: NameView["a"] | NameView["mx"]): boolean {
  return kind === "unknown";
}
