import type { Answer, CaaRecord, Explanation, UnknownReason } from "./answer.ts";

/** The result of climbing the tree for CAA records (RFC 8659 §3). */
export type CaaLookup =
  /** The first non-empty set, from the name upwards. */
  | {
      readonly kind: "found";
      /** The name at which the set was found. */
      readonly at: string;
      /** The owner of the records; differs from `at` if that is an alias. */
      readonly owner: string;
      readonly records: readonly [CaaRecord, ...CaaRecord[]];
    }
  /** No name has any: every CA may issue. */
  | { readonly kind: "absent" }
  /** A name did not answer before a set was found. A CA would refuse. */
  | {
      readonly kind: "unknown";
      readonly at: string;
      readonly reason: UnknownReason;
      readonly bogus: boolean;
      readonly explanation?: Explanation;
    };

/** The records on name servers that lag behind. A CA may query these, too. */
export interface CaaBehind {
  /** The name at which the servers differ. */
  readonly at: string;
  readonly servers: readonly string[];
  /** The servers with the newest records. */
  readonly ahead: readonly string[];
  readonly lookup: CaaLookup;
}

/** The records as a resolver returns them, cached or not. */
export interface CaaCached {
  /** The resolver's address; `internal-1` for the first configured one if that address is not public. */
  readonly vantage: string;
  readonly lookup: CaaLookup;
  /** When the last answer expires that differs from the name servers. */
  readonly until: number;
}

/** The CAA records of a name, from every vantage. */
export interface CaaSurvey {
  /**
   * From the authoritative servers of each name on the way up, as a CA queries them; from the resolvers where none of
   * these answered.
   */
  readonly caa: CaaLookup;
  /** Empty when all servers agree. */
  readonly caaBehind: readonly CaaBehind[];
  /** The resolvers' cached records in the order of the configuration. */
  readonly caaCached: readonly CaaCached[];
}

/** What one or more servers return for the CAA records of a name. */
export interface CaaResponse {
  /** The servers' names; empty for a resolver. */
  readonly servers: readonly string[];
  readonly answer: Answer<CaaRecord>;
}

/** A name on the way up, with the answers for it, newest first. */
export interface CaaLevel {
  readonly at: string;
  readonly responses: readonly [CaaResponse, ...CaaResponse[]];
}

/**
 * Climbs from the lowest name, using the newest answer at each (RFC 8659 §3). A name without an answer ends the climb,
 * because it may hide records.
 */
export function climbCaa(levels: readonly CaaLevel[]): CaaLookup {
  for (const { at, responses } of levels) {
    const { answer } = responses[0];
    if (answer.kind !== "absent") return stoppedAt(at, answer);
  }
  return { kind: "absent" };
}

/** Returns what a CA finds at servers that lag behind, by group of servers. */
export function caaBehind(levels: readonly CaaLevel[]): readonly CaaBehind[] {
  const behind: CaaBehind[] = [];
  for (const [index, { at, responses }] of levels.entries()) {
    const [newest, ...others] = responses;
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

/** Returns the lookup that decides. If every resolver fails, a CA fails as well, whatever single servers return. */
export function decidingCaa({ caa, caaCached }: Omit<CaaSurvey, "caaBehind">): CaaLookup {
  const [first] = caaCached;
  const failing = caaCached.every(
    ({ lookup }) => lookup.kind === "unknown" && lookup.reason === "servfail",
  );
  return first !== undefined && failing ? first.lookup : caa;
}
