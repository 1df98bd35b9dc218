import type { Answer, DataOf, RecordType } from "../model/answer.ts";
import type { NameServer, ZoneSearch } from "../model/survey.ts";

/** Limits of a lookup. */
export interface Within {
  /** Whatever is unknown at this instant, in milliseconds since the Unix epoch, becomes `unknown` with `timeout`. */
  readonly deadlineAt: number;
  readonly signal?: AbortSignal;
  /** Shared by related queries; queries of one group cannot delay those of others. */
  readonly group?: object;
}

/**
 * Looks names up from one vantage point, with the view of the clients behind it. Contract
 * (test/contract/resolver.ts):
 *
 * - Follows at most `MAX_ALIASES` aliases and returns them in order; records are those at the end of the chain, of
 *   the requested type only. A lookup of CNAME follows none.
 * - Absence is an answer: `nodata` for a name without such records, `nxdomain` for a missing name; `ttlSeconds` is
 *   the remaining lifetime of the negative answer.
 * - What could not be learned is `unknown`, never an absence. An answer with invalid signatures is `unknown` with
 *   `bogus`.
 * - Resolves by `deadlineAt`, and rejects only with the signal's reason.
 * - Compares names case-insensitively and returns them in lower case.
 */
export interface Resolver {
  /** Display name, for example `192.0.2.53`. */
  readonly vantage: string;
  lookup<Type extends RecordType>(
    name: string,
    type: Type,
    within: Within,
  ): Promise<Answer<DataOf[Type]>>;
}

/** An authoritative server's answer about one of its names. */
export interface DirectAnswer<Type extends RecordType> {
  /** Records of the name itself; an alias is in `aliases` beside an absence, and not followed. */
  readonly answer: Answer<DataOf[Type]>;
  /** Whether signatures came with the answer. */
  readonly signed: boolean;
  /** These signatures: record data of type RRSIG by owner. Absent: none. */
  readonly signatures?: readonly { readonly name: string; readonly data: Uint8Array }[];
  readonly roundTripMs: number;
}

/**
 * Queries authoritative servers directly. Both methods reject only with the signal's reason; whatever is unknown at
 * `deadlineAt` is `unknown`.
 */
export interface AuthoritativeServers {
  /** Finds the zone of `name` by following delegations, and the zone's servers. */
  zoneOf(name: string, within: Within): Promise<ZoneSearch>;
  /** Queries one server; `unknown` with `lame` if it is not authoritative for the name. */
  ask<Type extends RecordType>(
    server: NameServer,
    name: string,
    type: Type,
    within: Within,
  ): Promise<DirectAnswer<Type>>;
}
