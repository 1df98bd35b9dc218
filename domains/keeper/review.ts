import type { AuthorityTime } from "../acme/authority-time.ts";
import { MAX_SKEW_MS } from "../model/clock-skew.ts";
import type { Domain } from "../model/domain.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import type { DomainStore } from "../ports/domain-store.ts";

const REVIEWS_A_ROUND = 500;

/** Where the next page begins: after a domain, or with the first one. Complete: all domains were reviewed. */
type Progress = { readonly after: string | undefined } | "complete";

const FROM_THE_FIRST: Progress = { after: undefined };

/**
 * Returns a function that reviews the next page of domains, until all have been reviewed since the start, and since the
 * clock was last set back. `clockIsSettled` is whether the clock is compared with the CA's, for whose answer a review waits:
 * with a slow clock, every task would be moved to an earlier time.
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
  return async () => {
    const now = clock.now();
    if (now < calledAt - MAX_SKEW_MS) progress = FROM_THE_FIRST;
    calledAt = now;
    if (progress === "complete" || !clockIsSettled() || !clock.compared) return;
    const page = await domains.domains.all({ ...progress, limit: REVIEWS_A_ROUND });
    for (const domain of page) {
      onDomain(domain);
      await pipeline.review(domain);
    }
    progress = page.length < REVIEWS_A_ROUND ? "complete" : { after: page.at(-1)?.id };
  };
}
