import type { Answer, CaaRecord, Explanation, UnknownReason } from "./answer.ts";

/** What climbing the tree for CAA records found (RFC 8659 §3). */
export type CaaLookup =
  /** The first set that is not empty, from the name upwards. */
  | {
      readonly kind: "found";
      /** The name of the domain or above it at which the set answered. */
      readonly at: string;
      /** Where the records are when `at` is an alias, else the same. */
      readonly owner: string;
      readonly records: readonly [CaaRecord, ...CaaRecord[]];
    }
  /** No name up to the top has any: everybody may issue. */
  | { readonly kind: "absent" }
  /** One name could not be asked before a set was found: a CA would refuse. */
  | {
      readonly kind: "unknown";
      readonly at: string;
      readonly reason: UnknownReason;
      readonly bogus: boolean;
      readonly explanation?: Explanation;
    };

/** CAA records as some name servers have them that are behind: a CA may ask these as well as the others. */
export interface CaaBehind {
  /** The name at which the servers differ. */
  readonly at: string;
  readonly servers: readonly string[];
  /** Those that have the newest records. */
  readonly ahead: readonly string[];
  readonly lookup: CaaLookup;
}

/** CAA records as a resolver has them, from its cache or fresh. */
export interface CaaCached {
  /** The address of the resolver; `internal-1` for the first configured one where that address is not public. */
  readonly vantage: string;
  readonly lookup: CaaLookup;
  /** When the last of its answers expires that differs from what the name servers say. */
  readonly until: number;
}

/** Who may issue for a name. */
export interface CaaSurvey {
  /**
   * As the authoritative servers of each name on the way up have it, which a CA asks too; a name whose servers could
   * not be asked is filled in from the resolvers.
   */
  readonly caa: CaaLookup;
  /** Empty when all servers agree. */
  readonly caaBehind: readonly CaaBehind[];
  /** In the order in which the resolvers are configured. */
  readonly caaCached: readonly CaaCached[];
}

/** What one or several servers say of the CAA records at a name. */
export interface CaaVoice {
  /** Names of the servers; empty for a resolver. */
  readonly servers: readonly string[];
  readonly answer: Answer<CaaRecord>;
}

/** A name on the way up, and what is said of it: the newest first. */
export interface CaaLevel {
  readonly at: string;
  readonly voices: readonly [CaaVoice, ...CaaVoice[]];
}

/**
 * Climbs from the lowest name upwards, believing the newest voice at each (RFC 8659 §3). A name that could not be asked
 * hides what it may have: before a set is found it ends the climb.
 */
export function climbCaa(levels: readonly CaaLevel[]): CaaLookup {
  for (const { at, voices } of levels) {
    const { answer } = voices[0];
    if (answer.kind !== "absent") return stoppedAt(at, answer);
  }
  return { kind: "absent" };
}

/** What a CA gets that asks a server which is behind, for each such group of servers. */
export function caaBehind(levels: readonly CaaLevel[]): readonly CaaBehind[] {
  const behind: CaaBehind[] = [];
  for (const [index, { at, voices }] of levels.entries()) {
    const [newest, ...others] = voices;
    for (const { servers, answer } of others) {
      const lookup =
        answer.kind === "absent" ? climbCaa(levels.slice(index + 1)) : stoppedAt(at, answer);
      behind.push({ at, servers, ahead: newest.servers, lookup });
    }
    if (newest.answer.kind !== "absent") break;
  }
  return behind;
}

function stoppedAt(
  at: string,
  answer: Exclude<Answer<CaaRecord>, { readonly kind: "absent" }>,
): CaaLookup {
  if (answer.kind === "found") {
    const owner = answer.aliases.at(-1)?.target ?? at;
    return { kind: "found", at, owner, records: answer.records };
  }
  const { reason, bogus, explanation } = answer;
  return { kind: "unknown", at, reason, bogus, ...(explanation && { explanation }) };
}

/**
 * The lookup that decides. Where every resolver gets nothing but failure, so does a CA, whatever single servers of the
 * zone say.
 */
export function decidingCaa({ caa, caaCached }: Omit<CaaSurvey, "caaBehind">): CaaLookup {
  const [first] = caaCached;
  const failing = caaCached.every(
    ({ lookup }) => lookup.kind === "unknown" && lookup.reason === "servfail",
  );
  return first !== undefined && failing ? first.lookup : caa;
}
