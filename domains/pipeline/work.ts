import { MINUTE_MS } from "../../lib/base/clock.ts";
import type { Domain } from "../model/domain.ts";
import { settle, type Outcome } from "../model/domain-settle.ts";
import { nextTask } from "../model/schedule.ts";
import type { DomainChange } from "../ports/domain-change.ts";
import type { Lease } from "../ports/leases.ts";
import type { PipelineContext } from "./context.ts";

/** A minute and a half: longer than any single step may take. */
export const LEASE_MS: number = 1.5 * MINUTE_MS;

/** A domain that is worked on, under its lease. */
export interface Work {
  readonly domain: Domain;
  readonly lease: Lease;
  readonly signal: AbortSignal;
}

/**
 * Writes what became of the domain, with `changes` that belong to it, all or nothing. Undefined: the domain was
 * changed by somebody else meanwhile, or the lease went to another worker; then nothing was written, and whoever has
 * it now decides anew.
 */
export async function save(
  { store, clock, onSaved }: PipelineContext,
  { domain, lease }: Work,
  outcome: Outcome,
  changes: readonly DomainChange[] = [],
  report?: string,
): Promise<Domain | undefined> {
  const now = clock.now();
  const { domain: to, news } = settle(domain, outcome, now);
  const dueAt = nextTask(to, now)?.at;
  const own: DomainChange = {
    kind: "domain.save",
    from: domain,
    to,
    dueAt,
    news,
    at: now,
    ...(report === undefined ? {} : { report }),
  };
  const written = await store.commit([...changes, own], { lease, until: now + LEASE_MS });
  if (!written.ok) return undefined;
  const saved = { ...to, version: domain.version + 1 };
  onSaved(saved);
  return saved;
}
