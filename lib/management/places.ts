import type { Principal } from "../accounts/principal.ts";
import type { Eventual } from "../base/eventual.ts";

/** What a caller has a place for: an open event stream, or a DNS check under way. */
export type PlaceKind = "stream" | "check";

/** Releases a place. Later calls change nothing. */
export type Leave = () => void;

/** A place that a caller asks for, and how many of its kind the caller and its account may have. */
export interface AskedPlace {
  readonly kind: PlaceKind;
  readonly caller: string;
  /** The most places of the caller. */
  readonly ofCaller: number;
  /** Undefined for an operator. */
  readonly accountId: string | undefined;
  /** The most places of all callers of its account. */
  readonly ofAccount: number;
}

/** Counts the places of several processes together. Those of a killed process become free without it. */
export interface SharedPlaces {
  /** Resolves with undefined if no place is free. Rejects with `StoreUnavailable`. */
  take(asked: AskedPlace): Promise<Leave | undefined>;
}

/** Limits what callers do at the same time. */
export interface Places {
  /** Takes a place for a caller; undefined if none is free. Rejects with `StoreUnavailable`. */
  take(caller: Pick<Principal, "counter" | "accountId">): Eventual<Leave | undefined>;
}

export interface PlacesOptions {
  readonly kind: PlaceKind;
  /** Most places of a caller, in all processes. */
  readonly ofCaller: number;
  /** Most places of an account with all its tokens and sessions, in all processes. */
  readonly ofAccount: number;
  /** Most places of all callers in this process, whose connections and memory they need. */
  readonly ofProcess: number;
  /** Default: this process is the only one. */
  readonly shared?: SharedPlaces | undefined;
}

export function createPlaces({
  kind,
  ofCaller,
  ofAccount,
  ofProcess,
  shared,
}: PlacesOptions): Places {
  const taken = new Map<string, number>();
  const countOf = (holder: string): number => taken.get(holder) ?? 0;
  const add = (holder: string, more: 1 | -1): void => {
    const count = countOf(holder) + more;
    if (count === 0) taken.delete(holder);
    else taken.set(holder, count);
  };

  const takeHere: (caller: Pick<Principal, "counter" | "accountId">) => Leave | undefined = ({
    counter,
    accountId,
  }) => {
    const holders = [
      { name: "all", most: ofProcess },
      ...(accountId === undefined ? [] : [{ name: `account ${accountId}`, most: ofAccount }]),
      { name: `caller ${counter}`, most: ofCaller },
    ];
    if (holders.some(({ name, most }) => countOf(name) >= most)) return undefined;
    for (const { name } of holders) add(name, 1);
    return once(() => {
      for (const { name } of holders) add(name, -1);
    });
  };

  const takeTogether = async (
    asked: AskedPlace,
    together: SharedPlaces,
    leaveHere: Leave,
  ): Promise<Leave | undefined> => {
    let leave: Leave | undefined;
    try {
      leave = await together.take(asked);
    } finally {
      if (leave === undefined) leaveHere();
    }
    if (leave === undefined) return undefined;
    const leaveThere = leave;
    return once(() => {
      leaveHere();
      leaveThere();
    });
  };

  return {
    take: (caller) => {
      const leaveHere = takeHere(caller);
      if (leaveHere === undefined || shared === undefined) return leaveHere;
      const { counter, accountId } = caller;
      const asked = { kind, caller: counter, ofCaller, accountId, ofAccount };
      return takeTogether(asked, shared, leaveHere);
    },
  };
}

function once(leave: Leave): Leave {
  let left = false;
  return () => {
    if (left) return;
    left = true;
    leave();
  };
}

/** The places for open event streams, each of which holds a connection. */
export function streamPlaces(shared?: SharedPlaces): Places {
  return createPlaces({ kind: "stream", ofCaller: 20, ofAccount: 100, ofProcess: 1_000, shared });
}
