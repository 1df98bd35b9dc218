import type { Unknown } from "../answer.ts";
import { finding, type Finding } from "../finding.ts";
import { listed } from "../findings/text.ts";
import type { Survey } from "../survey.ts";
import type { OurAddresses } from "./ours.ts";
import { rootCause } from "./root-cause.ts";
import type { Subject } from "./subject.ts";
import { isKnown, serversOf, type Witness, type Witnesses } from "./witness.ts";

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
