import { withoutUndefined } from "../../lib/base/without-undefined.ts";
import { withOrderAt } from "./apply-order.ts";
import type { Domain } from "./domain.ts";
import type { AppliedOutcome } from "./domain-outcome.ts";
import { driftStage, type Drift } from "./drift-facts.ts";
import { driftAfter, isReleased, type LookCircumstances } from "./drift.ts";
import type { News } from "./timeline.ts";

/** Applies a look at a live name. `after` is the domain with the check that belongs to the look, if there is one. */
export function applyLook(
  before: Domain,
  circumstances: LookCircumstances,
  after: Domain = before,
): AppliedOutcome {
  const { seen, now, mayLeave } = circumstances;
  const drift = driftAfter(before, circumstances);
  if (isReleased(drift, mayLeave)) return released(after, now);
  const { foundAt } = seen === "here" ? { foundAt: now } : (before.look ?? {});
  const looked = {
    ...withoutDrift(after),
    look: { at: now, ...withoutUndefined({ foundAt }) },
    ...withoutUndefined({ drift }),
  };
  return { domain: looked, news: stageNews(before, drift, after) };
}

/** Applies a check that passed: whatever looks saw before, the name leads here. */
export function applyReturn(before: Domain, after: Domain): AppliedOutcome {
  return { domain: withoutDrift(after), news: stageNews(before, undefined, after) };
}

/** Removes the drift of a domain. */
export function withoutDrift({ drift: _drift, ...domain }: Domain): Domain {
  return domain;
}

/** Reports a stage when it begins, and the return of the name. */
function stageNews(before: Domain, drift: Drift | undefined, { dns }: Domain): readonly News[] {
  const [from, to] = [driftStage(before), drift?.stage?.kind];
  if (from === to) return [];
  if (to === undefined) return [{ kind: "returned" }];
  const [code] = dns.codes;
  return [{ kind: to, ...withoutUndefined({ code }) }];
}

/** Gives up the name and deletes the certificate. The rest can be restored, as for every removed domain. */
function released(domain: Domain, now: number): AppliedOutcome {
  const {
    heldSince: _held,
    liveSince: _live,
    certificate: _certificate,
    ...rest
  } = withOrderAt(withoutDrift(domain), now);
  const { claim: _claim, look: _look, outside: _outside, ...kept } = rest;
  return {
    domain: { ...kept, removal: { at: now, reason: "released" } },
    news: [{ kind: "released", code: "released" }],
  };
}
