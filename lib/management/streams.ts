import type { Principal } from "./model/principal.ts";

/** Answers that go on until somebody ends them: each holds a connection, so there may be only so many. */
export interface Streams {
  /** Takes a place for a caller; undefined when there is none. Giving it back twice does nothing. */
  open(caller: Pick<Principal, "counter" | "accountId">): (() => void) | undefined;
}

const MAX_OF_CALLER = 20;
/** However many tokens it has: it must not take the places of all others. */
const MAX_OF_ACCOUNT = 100;
const MAX_OF_ALL = 1_000;

export function createStreams(): Streams {
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
        { name: "all", most: MAX_OF_ALL },
        ...(accountId === undefined
          ? []
          : [{ name: `account ${accountId}`, most: MAX_OF_ACCOUNT }]),
        { name: `caller ${counter}`, most: MAX_OF_CALLER },
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
