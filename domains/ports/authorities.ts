import type { Answer, DataOf, RecordType } from "../model/answer.ts";
import type { NameServer, ZoneSearch } from "../model/survey.ts";
import type { Within } from "./resolver.ts";

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
