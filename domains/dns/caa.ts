import type { Clock } from "../../lib/base/clock.ts";
import { SECOND_MS } from "../../lib/base/clock.ts";
import type { CaaLookup } from "../model/caa-lookup.ts";
import type { Within } from "../ports/resolver.ts";
import { firstKnown, type Resolvers } from "./first-known.ts";

/** Each name has so long, whatever the others take: one slow zone must not use up the time of those above it. */
const NAME_TIME_MS = 5 * SECOND_MS;

/**
 * Finds the CAA records that count for `name` (RFC 8659 §3): all names up to the top are asked at once, and the
 * first set from below wins. An alias is followed at each, but the tree above its target is not climbed. A name
 * (A name has at most 127 of them above it.) One
 * that cannot be asked hides what it may have: before a set is found it ends the search.
 */
export async function lookupCaa(
  name: string,
  { resolvers, clock }: { readonly resolvers: Resolvers; readonly clock: Clock },
  { deadlineAt, ...rest }: Within,
): Promise<CaaLookup> {
  const labels = name.split(".");
  const names = labels.map((_, index) => labels.slice(index).join("."));
  const within = { deadlineAt: Math.min(deadlineAt, clock.now() + NAME_TIME_MS), ...rest };
  const answers = await Promise.all(
    names.map(async (at) => ({ at, answer: await firstKnown(resolvers, at, "CAA", within) })),
  );
  for (const { at, answer } of answers) {
    switch (answer.kind) {
      case "found": {
        const owner = answer.aliases.at(-1)?.target ?? at;
        return { kind: "found", at, owner, records: answer.records };
      }
      case "unknown": {
        const { reason, bogus, explanation } = answer;
        return { kind: "unknown", at, reason, bogus, ...(explanation && { explanation }) };
      }
      case "absent":
        continue;
      default:
        return answer satisfies never;
    }
  }
  return { kind: "absent" };
}
