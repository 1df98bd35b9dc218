import type { Principal } from "../accounts/principal.ts";

/** Answers that go on until somebody ends them: each holds a connection, so there may be only so many. */
export interface Streams {
  /** Takes a place for a caller; undefined when there is none. Giving it back twice does nothing. */
  open(caller: Pick<Principal, "counter" | "accountId">): (() => void) | undefined;
}

export interface StreamsOptions {
  /** Default 20. */
  readonly ofCaller?: number;
  /** However many tokens it has: it must not take the places of all others. Default 100. */
  readonly ofAccount?: number;
  /** Default 1,000. */
  readonly ofAll?: number;
}

export function createStreams({
  ofCaller = 20,
  ofAccount = 100,
  ofAll = 1_000,
}: StreamsOptions = {}): Streams {
  const taken = new Map<string, number>();
  const countOf = (holder: string): number => taken.get(holder) ?? 0;
  const add = (holder: string, more: 1 | -1): void => {
    const count = countOf(holder) + more;
    if (count === 0) taken.delete(holder);
    else taken.set(holder, count);
  };
  return {
    open: ({ counter, accountId }) => {
      const holders = [
        { name: "all", most: ofAll },
        ...(accountId === undefined ? [] : [{ name: `account ${accountId}`, most: ofAccount }]),
        { name: `caller ${counter}`, most: ofCaller },
      ];
      if (holders.some(({ name, most }) => countOf(name) >= most)) return undefined;
      for (const { name } of holders) add(name, 1);
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        for (const { name } of holders) add(name, -1);
      };
    },
  };
}
