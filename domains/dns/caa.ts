import type { Clock } from "../../lib/base/clock.ts";
import { SECOND_MS } from "../../lib/base/clock.ts";
import { unknown, type Answer, type CaaRecord } from "../model/answer.ts";
import {
  caaBehind,
  climbCaa,
  type CaaLevel,
  type CaaLookup,
  type CaaSurvey,
  type CaaVoice,
} from "../model/caa-lookup.ts";
import type { Authorities } from "../ports/authorities.ts";
import type { Resolver, Within } from "../ports/resolver.ts";
import { authoritativeCaa } from "./authoritative-caa.ts";
import type { Resolvers } from "./first-known.ts";

/** Each name has so long, whatever the others take: one slow zone must not use up the time of those above it. */
const NAME_TIME_MS = 5 * SECOND_MS;

/**
 * Finds the CAA records that count for `name` (RFC 8659 §3). All names up to the top are asked at once, of the
 * resolvers and of the servers of the zones that they lie in; the first set from below wins. An alias is followed at
 * each, but the tree above its target is not climbed. A name has at most 127 names above it.
 */
export async function lookupCaa(
  name: string,
  {
    resolvers,
    authorities,
    clock,
  }: {
    readonly resolvers: Resolvers;
    readonly authorities: Authorities;
    readonly clock: Clock;
  },
  within: Within,
): Promise<CaaSurvey> {
  const labels = name.split(".");
  const names = labels.map((_, index) => labels.slice(index).join("."));
  const soon = (): Within => ({
    ...within,
    deadlineAt: Math.min(within.deadlineAt, clock.now() + NAME_TIME_MS),
  });
  const [direct, caches] = await Promise.all([
    authoritativeCaa(names, { authorities, within, soon }),
    Promise.all(resolvers.map((resolver) => cacheOf(resolver, names, { clock, within: soon() }))),
  ]);
  const levels = names.map((at, index): CaaLevel => {
    const [newest, ...others] = direct.get(at) ?? [];
    const voices: CaaLevel["voices"] =
      newest === undefined ? [fromCaches(caches, index)] : [newest, ...others];
    return { at, voices };
  });
  const caa = climbCaa(levels);
  return {
    caa,
    caaBehind: caaBehind(levels),
    caaCached: caches.map(({ vantage, answers, at }) => {
      const lookup = climbCaa(
        names.map((one, index) => ({ at: one, voices: [voiceOf(answers[index])] })),
      );
      const differing = new Set([stopOf(caa), stopOf(lookup)]);
      const ttls = answers.map((answer, index) =>
        differing.has(names[index]) ? ttlOf(answer) : 0,
      );
      return { vantage, lookup, until: at + Math.max(0, ...ttls) * SECOND_MS };
    }),
  };
}

/** What one resolver says of each of the names. */
interface Cache {
  readonly vantage: string;
  readonly answers: readonly Answer<CaaRecord>[];
  /** When it had said so. */
  readonly at: number;
}

async function cacheOf(
  resolver: Resolver,
  names: readonly string[],
  { clock, within }: { readonly clock: Clock; readonly within: Within },
): Promise<Cache> {
  const answers = await Promise.all(names.map((at) => resolver.lookup(at, "CAA", within)));
  return { vantage: resolver.vantage, answers, at: clock.now() };
}

/** The word of the first resolver that knows; when none does, what the first one lacked. */
function fromCaches(caches: readonly Cache[], index: number): CaaVoice {
  const answers = caches.flatMap(({ answers: all }) => all[index] ?? []);
  return voiceOf(answers.find(({ kind }) => kind !== "unknown") ?? answers[0]);
}

function voiceOf(answer: Answer<CaaRecord> | undefined): CaaVoice {
  return { servers: [], answer: answer ?? unknown("timeout") };
}

/** The name at which a climb ended. */
function stopOf(lookup: CaaLookup): string | undefined {
  return lookup.kind === "absent" ? undefined : lookup.at;
}

function ttlOf(answer: Answer<unknown>): number {
  return answer.kind === "unknown" ? 0 : answer.ttlSeconds;
}
