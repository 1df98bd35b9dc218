import { system } from "../../lib/model/actor.ts";
import type { Domain } from "../model/domain.ts";
import { applyOutcome, type Outcome } from "../model/apply-outcome.ts";
import type { LookCircumstances } from "../model/drift.ts";
import type { News } from "../model/timeline.ts";
import type { DomainChange } from "../ports/domain-change.ts";
import { MAX_REPORT, type VerifierReport, type VerifySubject } from "../ports/verifier.ts";
import type { PipelineContext } from "./context.ts";
import { save, type Work } from "./work.ts";

type Checked = Extract<Outcome, { readonly kind: "checked" }>;

/** The look that a check belongs to. Without `seen`, the check decides where the name leads. */
export type CheckedLook = Omit<LookCircumstances, "seen"> & {
  readonly seen: LookCircumstances["seen"] | undefined;
  /** Only the check's request through a proxy network can tell. */
  readonly proxied: boolean;
};

/** Checks a domain's DNS, due since `dueAt`, and decides who holds the name. Undefined as in `save`. */
export async function check(
  context: PipelineContext,
  work: Work,
  dueAt: number,
  look?: CheckedLook,
): Promise<Domain | undefined> {
  const { store, verifier, clock } = context;
  const { domain, signal } = work;
  const { name, accountId, heldSince } = domain;
  const beganAt = clock.now();
  // Another reason may have made the check due before it was requested. DNS timing uses the host's clock.
  const waitedMs = Math.max(0, beganAt - Math.max(dueAt, domain.watch.since));
  const dueSince = clock.host.now() - waitedMs;
  // The first account to add a name must not profit from records that another one sets later. The holder has
  // already proven ownership, so others' attempts demand nothing of it.
  const [holder, elsewhere] = await Promise.all([
    store.domains.holderOf(name),
    heldSince === undefined && store.targets.attachedElsewhere(name, accountId),
  ]);
  const rival = holder?.id === domain.id ? undefined : holder;
  const attachedBefore = domain.attachedBefore || elsewhere;
  const verify = async (one: Domain, contested: boolean): Promise<VerifierReport> => {
    const report = await verifier({ ...subjectOf(one, contested), dueSince }, signal);
    context.observe?.({ kind: "dns_checked", findings: report.findings ?? report.blocking });
    return report;
  };
  // In parallel, as both together must fit the time limit of one.
  const [report, rivalReport] = await Promise.all([
    verify({ ...domain, attachedBefore }, rival !== undefined),
    rival === undefined ? undefined : verify(rival, false),
  ]);
  // DNS timing uses the host's clock.
  const eta = report.eta === undefined ? {} : { eta: clock.fromHost(report.eta) };
  const outcome: Checked = {
    ...checkedOf({ ...report, ...eta }),
    name: nameOf(rivalReport),
    beganAt,
    mayEnd: context.mayEnd?.() ?? true,
    ...(look && { look: circumstancesOf(look, report) }),
  };
  const changes = rival === undefined ? [] : changesOf(domain, rival, outcome, clock.now());
  return save(context, work, outcome, changes, detailsOf(report));
}

/** A missing answer never counts. */
const SEEN: Readonly<Record<VerifierReport["state"], LookCircumstances["seen"]>> = {
  verified: "here",
  propagating: "here",
  blocked: "away",
  unknown: "unseen",
};

function circumstancesOf(
  { proxied, ...look }: CheckedLook,
  { state, leadsHere }: VerifierReport,
): LookCircumstances {
  // What else blocks a name, such as CAA records, does not lead its visitors elsewhere.
  const isHere = proxied && leadsHere && state === "blocked";
  return { ...look, seen: look.seen ?? (isHere ? "here" : SEEN[state]) };
}

/** Returns what the check of a domain's DNS is about. */
export function subjectOf(domain: Domain, contested: boolean): VerifySubject {
  const { name, targetLabel, ownershipToken, attachedBefore, ledHere } = domain;
  return { name, targetLabel, ownershipToken, attachedBefore, contested, ledHere };
}

function checkedOf(report: VerifierReport): Omit<Checked, "name"> {
  const { state, blocking, eta, forbidden, leadsHere, addresses } = report;
  return {
    kind: "checked",
    state,
    codes: blocking,
    leadsHere,
    eta,
    forbidden,
    addresses,
  };
}

/** A rival loses the name only if its records are known to be wrong. */
function nameOf(rivals: VerifierReport | undefined): Checked["name"] {
  if (rivals === undefined) return "free";
  return rivals.state === "blocked" ? "given_up" : "held";
}

/** Returns the changes to the holder: it is notified of a claim, and loses the name when the claim succeeds. */
function changesOf(
  domain: Domain,
  rival: Domain,
  outcome: Checked,
  now: number,
): readonly DomainChange[] {
  const { domain: after } = applyOutcome(domain, outcome, now);
  if (domain.heldSince === undefined && after.heldSince !== undefined) {
    const { domain: to, news } = applyOutcome(rival, { kind: "lost" }, now);
    return [savingRival(rival, to, news, now)];
  }
  if (domain.claim === undefined && after.claim !== undefined) {
    return [savingRival(rival, rival, [{ kind: "contested", code: "taken" }], now)];
  }
  return [];
}

/** The rival's account must not learn who of another account requested the check. */
function savingRival(from: Domain, to: Domain, news: readonly News[], at: number): DomainChange {
  return { kind: "domain.save", from, to, news, at, actor: system };
}

function detailsOf({ details }: VerifierReport): string {
  const written = JSON.stringify(details ?? null);
  return written.length > MAX_REPORT ? "null" : written;
}
