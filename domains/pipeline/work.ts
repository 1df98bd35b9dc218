import { MINUTE_MS, SECOND_MS } from "../../lib/base/clock.ts";
import { withTimeLimit, type TIMED_OUT } from "../dns/gate.ts";
import { ownProblem, type AuthorityProblem } from "../model/acme-problem.ts";
import { isAllowed, type Domain } from "../model/domain.ts";
import { applyOutcome, type Outcome } from "../model/apply-outcome.ts";
import type { DomainChange } from "../ports/domain-change.ts";
import type { Lease } from "../ports/leases.ts";
import type { Observation } from "../ports/observation.ts";
import type { PipelineContext } from "./context.ts";

/** Longer than any single step may take. */
export const LEASE_MS: number = 1.5 * MINUTE_MS;

/** Time to save the result under the lease, so that no other process repeats the step. */
const SAVE_MS: number = 15 * SECOND_MS;
const STEP_MS: number = LEASE_MS - SAVE_MS;

/** The failure of a step whose calls to the CA did not end in time. */
export const tooSlow: AuthorityProblem = ownProblem(
  "unavailable",
  "The CA took too long to answer.",
);

/** Returns when calls to the CA must end, by the host's clock, so that the lease outlives them. */
export function callsEndAt(
  { clock }: Pick<PipelineContext, "clock">,
  { lease }: { readonly lease: Lease },
): number {
  // The lease may have been acquired long ago, if the process was paused since.
  return Math.min(clock.host.now() + STEP_MS, lease.expiresAt - SAVE_MS);
}

/** Runs calls to the CA, which end at `until`. */
export function inTime<Value>(
  { clock }: Pick<PipelineContext, "clock">,
  { until, signal }: { readonly until: number; readonly signal: AbortSignal },
  run: (signal: AbortSignal) => Promise<Value>,
): Promise<Value | typeof TIMED_OUT> {
  return withTimeLimit({ clock, ms: until - clock.host.now(), signal }, run);
}

/** A domain with its lease, which is required to work on it. */
export interface Work {
  readonly domain: Domain;
  readonly lease: Lease;
  readonly signal: AbortSignal;
}

/** Enough for a user's concurrent changes during one save. */
const MAX_TRIES = 5;

/**
 * Saves an outcome together with `changes`, all or nothing. Concurrent changes by others are kept if the work still
 * makes sense. Undefined: it does not, or another worker has the lease; then nothing was saved.
 */
export async function save(
  { store, actor, clock, authorities, onSaved, observe }: PipelineContext,
  { domain, lease }: Work,
  outcome: Outcome,
  changes: readonly DomainChange[] = [],
  report?: string,
): Promise<Domain | undefined> {
  let from = domain;
  for (let tries = 1; ; tries++) {
    const now = clock.now();
    const { domain: to, news } = applyOutcome(from, outcome, now);
    const own: DomainChange = {
      kind: "domain.save",
      from,
      to,
      news,
      at: now,
      ...(report === undefined ? {} : { report }),
    };
    const written = await store.commit([...changes, own], actor, {
      lease,
      ttlMs: LEASE_MS,
      now: clock.host.now(),
    });
    if (written.ok) {
      const saved = { ...to, version: from.version + 1 };
      onSaved(saved);
      const ended = endOf(outcome, authorities[0].id);
      if (ended !== undefined) observe?.(ended);
      return saved;
    }
    const fresh = await store.domains.byId(domain.id);
    if (written.failure !== "stale" || fresh === undefined || tries === MAX_TRIES) return undefined;
    if (!stillApplies(domain, fresh)) return undefined;
    from = fresh;
  }
}

/** Without an issuer of its own, a failed order went to `first`. */
function endOf(outcome: Outcome, first: string): Observation | undefined {
  if (outcome.kind === "issued") {
    return { kind: "order_ended", issuer: outcome.certificate.authority, outcome: "issued" };
  }
  if (outcome.kind !== "order_failed") return undefined;
  const { issuer, code } = outcome;
  return { kind: "order_ended", issuer: issuer?.authority ?? first, outcome: code };
}

/** Whether work that was started for `before` can be completed for `after`. */
function stillApplies(before: Domain, after: Domain): boolean {
  return (
    before.removal === after.removal &&
    before.heldSince === after.heldSince &&
    before.lostAt === after.lostAt &&
    isAllowed(before.gates) === isAllowed(after.gates) &&
    before.issuance.order?.openedAt === after.issuance.order?.openedAt
  );
}
