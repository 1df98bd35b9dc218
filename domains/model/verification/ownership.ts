import { finding, type Finding } from "../finding.ts";
import { firstFew, listed } from "../findings/text.ts";
import { ownershipIn, type OwnershipReason, type OwnershipState } from "../ownership.ts";
import type { Routing } from "./routing.ts";
import type { Subject } from "./subject.ts";
import { serversOf, type Witness, type Witnesses } from "./witness.ts";

/** Whether the ownership record is asked for, and what became of it. */
export interface Ownership {
  /** Why it is asked for; empty when it is not. */
  readonly reasons: readonly OwnershipReason[];
  readonly state: OwnershipState["kind"];
  /** Not asked for, or there: or it would be, but some servers do not have it yet. */
  readonly standing: "settled" | "settling" | "lacking" | "unknown";
  readonly findings: readonly Finding[];
}

/** The record is asked for as long as the domain's own target is not seen and there is a reason to doubt. */
export function judgeOwnership(
  subject: Subject,
  { authorities, resolvers }: Witnesses,
  { byTarget, proxied }: Pick<Routing, "byTarget" | "proxied">,
): Ownership {
  const { facts, ownership: wanted } = subject;
  const seen = proxied ? (["proxied"] as const) : [];
  const reasons = byTarget ? [] : [...facts.ownership.reasons, ...seen];
  const direct = hear(subject, authorities);
  const heard = direct.length > 0 ? direct : hear(subject, resolvers);
  const proven = heard.filter(({ state }) => state.kind === "proven");
  const lacking = heard.filter(({ state }) => state.kind !== "proven");
  const [first] = lacking;
  const state = proven.length > 0 ? "proven" : (first?.state.kind ?? "unknown");
  // What one resolver has seen another one will see too: it only remembers that there was nothing.
  if (proven.length > 0 && (first === undefined || direct.length === 0)) {
    const found = finding("ownership_found", { fqdn: wanted.fqdn }, { server: named(proven) });
    return { reasons, state, standing: "settled", findings: [found] };
  }
  if (reasons.length === 0) return { reasons, state, standing: "settled", findings: [] };
  if (first === undefined) {
    const findings = unheard(wanted.fqdn, [...authorities, ...resolvers]);
    return { reasons, state, standing: "unknown", findings };
  }
  if (proven.length > 0) {
    const findings = [disagreement(wanted.fqdn, lacking, proven)];
    return { reasons, state, standing: "settling", findings };
  }
  const findings = [missing(subject, first.state, named(lacking))];
  return { reasons, state, standing: "lacking", findings };
}

interface Heard {
  readonly witness: Witness;
  readonly state: OwnershipState;
}

/** What servers say of the record, those that say nothing left out. */
function hear({ facts }: Subject, witnesses: readonly Witness[]): readonly Heard[] {
  return witnesses
    .map((witness) => {
      const { ownership } = witness.view;
      // A server of the zone does not follow an alias; resolvers do.
      const followed = ownership.kind === "found" || ownership.aliases.length === 0;
      const state: OwnershipState = followed
        ? ownershipIn(ownership, facts.ownership.value)
        : { kind: "unknown" };
      return { witness, state };
    })
    .filter(({ state }) => state.kind !== "unknown");
}

function missing({ ownership: wanted }: Subject, state: OwnershipState, server: string): Finding {
  return state.kind === "mismatch"
    ? finding("ownership_mismatch", { wanted, values: firstFew(state.values) }, { server })
    : finding("ownership_missing", { wanted }, { server });
}

/** Nobody could be asked for the record, whatever they say of the domain itself. */
function unheard(fqdn: string, witnesses: readonly Witness[]): Finding[] {
  const answer = witnesses
    .map(({ view }) => view.ownership)
    .find((ownership) => ownership.kind === "unknown");
  return answer === undefined
    ? []
    : [finding("dns_unreachable", { name: fqdn, whose: "of", reason: answer.reason })];
}

function disagreement(fqdn: string, behind: readonly Heard[], ahead: readonly Heard[]): Finding {
  const values = behind.flatMap(({ state }) => (state.kind === "mismatch" ? state.values : []));
  return finding("ns_disagree", {
    fqdn,
    type: "TXT",
    values: firstFew([...new Set(values)]),
    behind: serversOf(behind.map(({ witness }) => witness)),
    ahead: serversOf(ahead.map(({ witness }) => witness)),
  });
}

function named(heard: readonly Heard[]): string {
  return listed(serversOf(heard.map(({ witness }) => witness)));
}
