import { HOUR_MS } from "../../lib/base/clock.ts";
import type { AuthorityTime } from "../acme/authority-time.ts";
import { isSkewed, MAX_SKEW_MS } from "../model/clock-skew.ts";
import type { Domain } from "../model/domain.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import type { DomainStore } from "../ports/domain-store.ts";

const REVIEWS_A_ROUND = 500;

/** Where the next page begins: after a domain, or with the first one. Complete: all domains were reviewed. */
type Progress = { readonly after: string | undefined } | "complete";

const FROM_THE_FIRST: Progress = { after: undefined };

/** How often domains are reviewed while our clock and the CA's disagree: orders that are due by one of them must start. */
const DISAGREEING_MS: number = HOUR_MS;

/**
 * Returns a function that reviews the next page of domains, until all have been reviewed since the start, and since the
 * clock was last set back, or the difference between our clock and the CA's changed; hourly while they disagree.
 * `clockIsSettled` is whether the clock is compared with the CA's, for whose answer a review waits: with a slow clock,
 * every task would be moved to an earlier time.
 */
export function reviewAll(
  {
    domains,
    pipeline,
    clock,
    onDomain,
  }: {
    readonly domains: DomainStore;
    readonly pipeline: Pick<Pipeline, "review">;
    readonly clock: AuthorityTime;
    /** Called with each domain before its review. */
    readonly onDomain: (domain: Domain) => void;
  },
  clockIsSettled: () => boolean,
): () => Promise<void> {
  let progress: Progress = FROM_THE_FIRST;
  let calledAt = clock.now();
  /** When the last review began, and the difference between the clocks then. */
  let begun = { at: clock.host.now(), aheadMs: 0 };
  return async () => {
    const now = clock.now();
    const ownNow = clock.host.now();
    const aheadMs = now - ownNow;
    const isOld = aheadMs !== 0 && Math.abs(ownNow - begun.at) >= DISAGREEING_MS;
    if (now < calledAt - MAX_SKEW_MS || isSkewed(aheadMs - begun.aheadMs) || isOld) {
      progress = FROM_THE_FIRST;
    }
    calledAt = now;
    if (progress === "complete" || !clockIsSettled() || !clock.compared) return;
    if (progress.after === undefined) begun = { at: ownNow, aheadMs };
    const page = await domains.domains.all({ ...progress, limit: REVIEWS_A_ROUND });
    for (const domain of page) {
      onDomain(domain);
      await pipeline.review(domain);
    }
    progress = page.length < REVIEWS_A_ROUND ? "complete" : { after: page.at(-1)?.id };
  };
}

/**
 * Returns a function that writes the domains of the next page again whose row an older version wrote, until all have been
 * examined since the start. Until then they are missing from the operator's counts.
 */
export function recountAll({
  domains,
  pipeline,
}: {
  readonly domains: DomainStore;
  readonly pipeline: Pick<Pipeline, "rewrite">;
}): () => Promise<void> {
  let progress: Progress = FROM_THE_FIRST;
  return async () => {
    if (progress === "complete") return;
    const { ids, next } = await domains.domains.outdated({ ...progress, limit: REVIEWS_A_ROUND });
    for (const id of ids) await pipeline.rewrite(id);
    progress = next === undefined ? "complete" : { after: next };
  };
}
