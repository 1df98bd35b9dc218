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
  const lame = lameServers(survey);
  const isLame = (name: string): boolean => lame.some((server) => server.name === name);
  const found = [
    ...(lame.length === 0
      ? []
      : [finding("lame_server", { ...delegationOf(subject), servers: lame })]),
    ...silent(
      authorities.filter(({ server }) => !isLame(server)),
      zone,
    ),
    ...unresolved(survey, { zone, isLame }),
    ...unknownTarget(survey, ours),
  ];
  const bogus = bogusIn(survey);
  if (bogus !== undefined) found.push(bogus);
  else if (isUnchecked(survey)) {
    found.push(finding("dnssec_unchecked", { zone }));
  }
  // Resolvers belong to the operator: single failures do not concern the owner, nor does what follows from the silence
  // of the zone's servers.
  const unexplained = authorities.some(isKnown) || found.length === 0;
  if (bogus === undefined && unexplained && !resolvers.some(isKnown)) {
    found.push(...silent(resolvers, zone, "resolver"));
  }
  return found;
}

/** Returns one finding per reason, with all servers concerned. A resolver's address is not shown to the owner. */
function silent(observations: readonly Observation[], zone: string, whose?: "resolver"): Finding[] {
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
    const explanation = answer.explanation && { explanation: answer.explanation };
    const server = listed(serversOf(servers));
    const by = whose === undefined ? { server } : {};
    if (reason === "servfail") return finding("servfail", { name: zone, ...explanation }, by);
    const asked = whose === undefined ? { name: server } : { name: zone, whose };
    return finding("dns_unreachable", { ...asked, reason, ...explanation }, by);
  });
}

/** Returns the reason if the addresses of one IP version are unknown. */
function missingIn({ route }: Observation): Unknown | undefined {
  return route.kind === "addresses" ? route.missing : undefined;
}

function unresolved(
  { zone: search }: Survey,
  { zone, isLame }: { readonly zone: string; readonly isLame: (name: string) => boolean },
): Finding[] {
  if (search.kind === "unknown") {
    const { reason } = search;
    return [finding("dns_unreachable", { name: zone, whose: "above", reason })];
  }
  if (search.kind === "absent") return [];
  const { unasked } = search.zone;
  return (["unresolved", "unlearned"] as const).flatMap((reason) => {
    const lost = unasked
      .filter((server) => server.reason === reason && !isLame(server.name))
      .map(({ name }) => name);
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
 * Returns the finding for invalid signatures. It blocks unless another validating resolver gets an answer, because
 * CAs get none either. Only address lookups count, as visitors and CAs use them: some resolvers fail to validate a
 * direct lookup of a CNAME that was synthesized from a DNAME.
 */
function bogusIn(survey: Survey): Finding | undefined {
  const { resolvers, caaCached } = survey;
  const bogus = resolvers
    .flatMap(({ a, aaaa }) => [a, aaaa])
    .find((answer): answer is Unknown => answer.kind === "unknown" && answer.bogus);
  const validating = resolvers.filter(({ validates }) => validates).map(({ vantage }) => vantage);
  const caa = caaCached
    .filter(({ vantage }) => validating.length === 0 || validating.includes(vantage))
    .map(({ lookup }) => lookup);
  const unanswered = caa.every((lookup) => lookup.kind === "unknown");
  const inCaa = unanswered
    ? caa.find((lookup) => lookup.kind === "unknown" && lookup.bogus)
    : undefined;
  // Without a validating resolver, this service has checked the signatures that it could.
  const inOwnCheck = survey.signatures === "invalid";
  const explanation =
    bogus?.explanation ?? (inCaa?.kind === "unknown" ? inCaa.explanation : undefined);
  if (bogus === undefined && inCaa === undefined && !inOwnCheck) return undefined;
  // An answer from a resolver that does not validate proves nothing.
  const contested = resolvers.some(
    ({ a, aaaa, validates }) =>
      validates === true && [a, aaaa].every((answer) => answer.kind !== "unknown"),
  );
  const zone = survey.zone.kind === "found" ? survey.zone.zone.apex : survey.hostname;
  return finding(
    "dnssec_bogus",
    { zone, ...(explanation !== undefined && { explanation }) },
    { severity: contested && inCaa === undefined && !inOwnCheck ? "warning" : "blocking" },
  );
}

/** The zone is signed, and of the resolvers that answer none validates: invalid signatures would go unnoticed. */
function isUnchecked({ zone, resolvers }: Survey): boolean {
  const answering = resolvers.filter(({ validates }) => validates !== undefined);
  const validating = answering.some(({ validates }) => validates);
  return zone.kind === "found" && zone.zone.signed && answering.length > 0 && !validating;
}

/** Returns the common cause of all missing answers, if there is one; other findings would repeat it. */
function rootCause(subject: Subject): Finding | undefined {
  const { hostname, zone: search, resolvers } = subject.survey;
  if (search.kind === "unknown" && resolvers.every(isDown)) {
    return finding("resolver_unreachable", { hostname });
  }
  const servers = brokenServers(subject.survey);
  if (servers === undefined) return undefined;
  return finding("delegation_broken", { ...delegationOf(subject), servers });
}

/** Where the name servers of a zone that was found are listed. */
function delegationOf({ zone, facts }: Subject): {
  readonly zone: string;
  readonly atRegistrar: boolean;
} {
  return { zone, atRegistrar: zone === facts.registrable };
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
 * only our own connection to the servers is blocked. If all servers are silent, a resolver must have given up, or the
 * servers above the zone must have answered us: whether a resolver gives up before our deadline is chance.
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
  const connected = authoritative.some(({ server }) => server.listedBy.includes("parent"));
  if (!failed && !connected && !given.some((reason) => NOT_NETWORK.has(reason))) return undefined;
  return [...reasons].map(([name, reason]) => ({ name, reason }));
}

/** Failures of servers that do serve the zone. */
const FAILS_BUT_SERVES: ReadonlySet<BrokenServer["reason"]> = new Set(["servfail", "malformed"]);

/** Answers of servers that do not have the zone. */
const LAME: ReadonlySet<BrokenServer["reason"]> = new Set(["lame", "refused"]);

/** Returns the listed name servers that do not serve the zone or have no address, while others serve it. */
function lameServers({ zone, authoritative }: Survey): readonly BrokenServer[] {
  const serving = new Set(
    authoritative.filter((view) => !isSilent(view)).map(({ server }) => server.name),
  );
  // Otherwise a firewall may be in the way.
  if (zone.kind !== "found" || serving.size === 0) return [];
  const lame = new Map<string, BrokenServer["reason"]>();
  for (const { server, a } of authoritative) {
    if (!serving.has(server.name) && a.kind === "unknown" && LAME.has(a.reason)) {
      lame.set(server.name, a.reason);
    }
  }
  for (const { name, reason } of zone.zone.unasked) {
    if (reason === "unresolved") lame.set(name, reason);
  }
  return [...lame].map(([name, reason]) => ({ name, reason }));
}

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
