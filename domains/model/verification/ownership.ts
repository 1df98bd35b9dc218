import { finding, type Finding } from "../finding.ts";
import { firstFew, listed } from "../findings/text.ts";
import { ownershipIn, type OwnershipReason, type OwnershipState } from "../ownership.ts";
import type { Routing } from "./routing.ts";
import type { Subject } from "./subject.ts";
import { serversOf, type Observation, type Observations } from "./observation.ts";

/** Whether the ownership record is required, and its state. */
export interface Ownership {
  /** Why it is required; empty if it is not. */
  readonly reasons: readonly OwnershipReason[];
  readonly state: OwnershipState["kind"];
  /** `settled`: not required, or found; `settling`: found, but not on all servers. */
  readonly readiness: "settled" | "settling" | "lacking" | "unknown";
  readonly findings: readonly Finding[];
}

/** Judges the record, which is required while the domain's own target is not seen and there is a reason for doubt. */
export function judgeOwnership(
  subject: Subject,
  { authorities, resolvers }: Observations,
  { byTarget, proxied }: Pick<Routing, "byTarget" | "proxied">,
): Ownership {
  const { facts, ownership: wanted } = subject;
  const seen = proxied ? (["proxied"] as const) : [];
  const reasons = byTarget ? [] : [...facts.ownership.reasons, ...seen];
  const direct = knownAnswers(subject, authorities);
  const heard = direct.length > 0 ? direct : knownAnswers(subject, resolvers);
  const proven = heard.filter(({ state }) => state.kind === "proven");
  const lacking = heard.filter(({ state }) => state.kind !== "proven");
  const [first] = lacking;
  const state = proven.length > 0 ? "proven" : (first?.state.kind ?? "unknown");
  // A resolver that does not have it yet has cached its absence.
  if (proven.length > 0 && (first === undefined || direct.length === 0)) {
    const found = finding("ownership_found", { fqdn: wanted.fqdn }, { server: named(proven) });
    return { reasons, state, readiness: "settled", findings: [found] };
  }
  if (reasons.length === 0) return { reasons, state, readiness: "settled", findings: [] };
  if (first === undefined) {
    const findings = unanswered(wanted.fqdn, [...authorities, ...resolvers]);
    return { reasons, state, readiness: "unknown", findings };
  }
  if (proven.length > 0) {
    const findings = [disagreement(wanted.fqdn, lacking, proven)];
    return { reasons, state, readiness: "settling", findings };
  }
  const findings = [missing(subject, first.state, named(lacking))];
  return { reasons, state, readiness: "lacking", findings };
}

interface KnownAnswer {
  readonly observation: Observation;
  readonly state: OwnershipState;
}

/** Returns the servers' known answers. */
function knownAnswers(
  { facts }: Subject,
  observations: readonly Observation[],
): readonly KnownAnswer[] {
  return observations
    .map((observation) => {
      const { ownership } = observation.view;
      // Authoritative servers do not follow an alias; resolvers do.
      const followed = ownership.kind === "found" || ownership.aliases.length === 0;
      const state: OwnershipState = followed
        ? ownershipIn(ownership, facts.ownership.value)
        : { kind: "unknown" };
      return { observation, state };
    })
    .filter(({ state }) => state.kind !== "unknown");
}

function missing({ ownership: wanted }: Subject, state: OwnershipState, server: string): Finding {
  return state.kind === "mismatch"
    ? finding("ownership_mismatch", { wanted, values: firstFew(state.values) }, { server })
    : finding("ownership_missing", { wanted }, { server });
}

/** No server answered a query for the record. */
function unanswered(fqdn: string, observations: readonly Observation[]): Finding[] {
  const answer = observations
    .map(({ view }) => view.ownership)
    .find((ownership) => ownership.kind === "unknown");
  return answer === undefined
    ? []
    : [finding("dns_unreachable", { name: fqdn, whose: "of", reason: answer.reason })];
}

function disagreement(
  fqdn: string,
  behind: readonly KnownAnswer[],
  ahead: readonly KnownAnswer[],
): Finding {
  const values = behind.flatMap(({ state }) => (state.kind === "mismatch" ? state.values : []));
  return finding("ns_disagree", {
    fqdn,
    type: "TXT",
    values: firstFew([...new Set(values)]),
    behind: serversOf(behind.map(({ observation }) => observation)),
    ahead: serversOf(ahead.map(({ observation }) => observation)),
  });
}

function named(heard: readonly KnownAnswer[]): string {
  return listed(serversOf(heard.map(({ observation }) => observation)));
}
