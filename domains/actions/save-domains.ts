import { done, refused, retried, type Result } from "../../lib/base/result.ts";
import type { Problem } from "../../lib/base/problem.ts";
import type { Eventual } from "../../lib/base/eventual.ts";
import type { DomainChange } from "../ports/domain-change.ts";
import type { Domain } from "../model/domain.ts";
import type { News } from "../model/timeline.ts";
import type { DomainsContext } from "./context.ts";
import { busy, noSuchDomain } from "./refusals.ts";

/** A change of a domain, with its timeline entries. */
export interface Saving {
  readonly from: Domain;
  readonly to: Domain;
  readonly news: readonly News[];
  /** Committed with it. */
  readonly also?: readonly DomainChange[];
}

/** Checks and orders change the same rows. */
const ATTEMPTS = 8;

/** Commits all changes that `decide` returns or none; calls it again if another commit was faster. */
export function saveDomains(
  context: Pick<DomainsContext, "store" | "commit" | "clock" | "changed">,
  decide: () => Promise<Result<readonly Saving[], Problem>>,
): Promise<Result<undefined, Problem>> {
  const { commit, clock, changed } = context;
  return retried(ATTEMPTS, busy, async () => {
    const decided = await decide();
    if (!decided.ok) return decided;
    if (decided.value.length === 0) return done(undefined);
    const at = clock.now();
    const written = await commit(
      decided.value.flatMap(({ also = [], ...saving }): readonly DomainChange[] => [
        { kind: "domain.save", ...saving, at },
        ...also,
      ]),
    );
    if (!written.ok) return undefined;
    for (const { from, to } of decided.value) changed({ ...to, version: from.version + 1 });
    return done(undefined);
  });
}

/** Commits the change that `decide` makes of a domain's present state; undefined: no change. */
export function saveDomain(
  context: Parameters<typeof saveDomains>[0],
  id: string,
  decide: (from: Domain) => Eventual<Result<Omit<Saving, "from"> | undefined, Problem>>,
): Promise<Result<undefined, Problem>> {
  return saveDomains(context, async () => {
    const from = await context.store.domains.byId(id);
    if (from === undefined) return refused(noSuchDomain);
    const decided = await decide(from);
    if (!decided.ok) return decided;
    return done(decided.value === undefined ? [] : [{ from, ...decided.value }]);
  });
}
