import { MINUTE_MS } from "../../lib/base/clock.ts";
import { isAllowed, type Domain } from "../model/domain.ts";
import { settle, type Outcome } from "../model/domain-settle.ts";
import type { DomainChange } from "../ports/domain-change.ts";
import type { Lease } from "../ports/leases.ts";
import type { Observation } from "../ports/observation.ts";
import type { PipelineContext } from "./context.ts";

/** A minute and a half: longer than any single step may take. */
export const LEASE_MS: number = 1.5 * MINUTE_MS;

/** A domain that is worked on, under its lease. */
export interface Work {
  readonly domain: Domain;
  readonly lease: Lease;
  readonly signal: AbortSignal;
}

/** A person can click that often while something is written, not more. */
const MOST_TRIES = 5;

/**
 * Writes what became of the domain, with `changes` that belong to it, all or nothing. What somebody changed meanwhile
 * stays, as long as it leaves the work its sense. Undefined: it does not, or the lease went to another worker; then
 * nothing was written, and whoever has the domain now decides anew.
 */
export async function save(
  { store, clock, authorities, onSaved, observe }: PipelineContext,
  { domain, lease }: Work,
  outcome: Outcome,
  changes: readonly DomainChange[] = [],
  report?: string,
): Promise<Domain | undefined> {
  let from = domain;
  for (let tries = 1; ; tries++) {
    const now = clock.now();
    const { domain: to, news } = settle(from, outcome, now);
    const own: DomainChange = {
      kind: "domain.save",
      from,
      to,
      news,
      at: now,
      ...(report === undefined ? {} : { report }),
    };
    const written = await store.commit([...changes, own], {
      lease,
      until: clock.host.now() + LEASE_MS,
    });
    if (written.ok) {
      const saved = { ...to, version: from.version + 1 };
      onSaved(saved);
      const ended = endOf(outcome, authorities[0].id);
      if (ended !== undefined) observe?.(ended);
      return saved;
    }
    const fresh = await store.domains.byId(domain.id);
    if (written.failure !== "stale" || fresh === undefined || tries === MOST_TRIES)
      return undefined;
    if (!makesSense(domain, fresh)) return undefined;
    from = fresh;
  }
}

/** New orders go to `first`. */
function endOf(outcome: Outcome, first: string): Observation | undefined {
  if (outcome.kind === "issued") {
    return { kind: "order_ended", issuer: outcome.certificate.authority, outcome: "issued" };
  }
  if (outcome.kind !== "order_failed") return undefined;
  const { issuer, code } = outcome;
  return { kind: "order_ended", issuer: issuer?.authority ?? first, outcome: code };
}

/** What was begun for a domain as it was can be ended for it as it is: it is still there, still whose it was, and allowed. */
function makesSense(before: Domain, after: Domain): boolean {
  return (
    before.removal === after.removal &&
    before.heldSince === after.heldSince &&
    before.lostAt === after.lostAt &&
    isAllowed(before.gates) === isAllowed(after.gates) &&
    before.issuance.order?.openedAt === after.issuance.order?.openedAt
  );
}
