import type { Answer, DataOf, RecordType } from "../model/answer.ts";
import type { NameServer, ZoneSearch } from "../model/survey.ts";

/** How long an answer is waited for. */
export interface Within {
  /** After that instant what is not known yet is `unknown` with `timeout`. */
  readonly deadlineAt: number;
  readonly signal?: AbortSignal;
  /** The same for all questions that belong together: those who ask much do not hold up others. */
  readonly asker?: object;
}

/**
 * Answers questions about names from one vantage, as those behind it see them. What every adapter must
 * promise (test/contract/resolver.ts):
 *
 * - Aliases are followed to the end, at most `MAX_ALIASES` of them, and told in order; records are those of the
 *   name at the end, of the type that was asked for and no other. Asked for CNAME, it follows none.
 * - Absence is an answer: `nodata` for a name that exists without such records, `nxdomain` for one that does
 *   not; the `ttlSeconds` are what is left of the time for which the vantage believes it.
 * - What could not be learned is `unknown`, never an absence. When an answer exists but its signatures do not
 *   hold, it is `unknown` and `bogus`.
 * - It answers by `deadlineAt`, and rejects with the signal's reason and for nothing else.
 * - Names are compared without regard to case, and given in lower case.
 */
export interface Resolver {
  /** How people call it, for example `192.0.2.53`. */
  readonly vantage: string;
  lookup<Type extends RecordType>(
    name: string,
    type: Type,
    within: Within,
  ): Promise<Answer<DataOf[Type]>>;
}

/** What an authoritative server says of one of its names, with what tells how far it has come. */
export interface OwnAnswer<Type extends RecordType> {
  /** Records of the name itself; an alias there is told in `aliases` beside an absence, and not followed. */
  readonly answer: Answer<DataOf[Type]>;
  /** Signatures came with it. */
  readonly signed: boolean;
  readonly roundTripMs: number;
}

/**
 * The servers that know a name at first hand. Neither method rejects but with the signal's reason, and what is not
 * known by `deadlineAt` is `unknown`.
 */
export interface Authorities {
  /** The zone in which `name` lies, by its delegations, and the servers to be asked for it. */
  zoneOf(name: string, within: Within): Promise<ZoneSearch>;
  /** Asks one of them. A server that has no authority over the name is `unknown` with `lame`. */
  ask<Type extends RecordType>(
    server: NameServer,
    name: string,
    type: Type,
    within: Within,
  ): Promise<OwnAnswer<Type>>;
}
