import { done, refused, retried, type Result } from "../../lib/base/result.ts";
import type { Problem } from "../../lib/base/problem.ts";
import type { Domain } from "../model/domain.ts";
import type { News } from "../model/timeline.ts";
import type { DomainsContext } from "./context.ts";
import { busy, noSuchDomain } from "./refusals.ts";

/** What a domain is to become, and what there is to tell of it. */
export interface Saving {
  readonly from: Domain;
  readonly to: Domain;
  readonly news: readonly News[];
}

/** Checks and orders write the same rows. */
const ATTEMPTS = 8;

/** Writes what `decide` returns, all of it or nothing; decides again when another commit was faster. */
export function saveDomains(
  context: Pick<DomainsContext, "store" | "clock" | "changed">,
  decide: () => Promise<Result<readonly Saving[], Problem>>,
): Promise<Result<undefined, Problem>> {
  const { store, clock, changed } = context;
  return retried(ATTEMPTS, busy, async () => {
    const decided = await decide();
    if (!decided.ok) return decided;
    if (decided.value.length === 0) return done(undefined);
    const at = clock.now();
    const written = await store.commit(
      decided.value.map((saving) => ({ kind: "domain.save", ...saving, at })),
    );
    if (!written.ok) return undefined;
    for (const { from, to } of decided.value) changed({ ...to, version: from.version + 1 });
    return done(undefined);
  });
}

/** Writes what `decide` makes of one domain as it stands; undefined leaves it so. */
export function saveDomain(
  context: Parameters<typeof saveDomains>[0],
  id: string,
  decide: (from: Domain) => Result<Omit<Saving, "from"> | undefined, Problem>,
): Promise<Result<undefined, Problem>> {
  return saveDomains(context, async () => {
    const from = await context.store.domains.byId(id);
    if (from === undefined) return refused(noSuchDomain);
    const decided = decide(from);
    if (!decided.ok) return decided;
    return done(decided.value === undefined ? [] : [{ from, ...decided.value }]);
  });
}
