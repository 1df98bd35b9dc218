/** Answers that go on until somebody ends them: each holds a connection, so there may be only so many. */
export interface Streams {
  /** Takes a place for a caller, by what it is counted by; undefined when there is none. Giving it back twice does nothing. */
  open(counter: string): (() => void) | undefined;
}

const MAX_OF_CALLER = 20;
const MAX_OF_ALL = 1_000;

export function createStreams({
  ofCaller = MAX_OF_CALLER,
  ofAll = MAX_OF_ALL,
}: Most = {}): Streams {
  const byCounter = new Map<string, number>();
  let all = 0;
  return {
    open: (counter) => {
      const count = byCounter.get(counter) ?? 0;
      if (count >= ofCaller || all >= ofAll) return undefined;
      byCounter.set(counter, count + 1);
      all++;
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        all--;
        const left = (byCounter.get(counter) ?? 1) - 1;
        if (left === 0) byCounter.delete(counter);
        else byCounter.set(counter, left);
      };
    },
  };
}

interface Most {
  /** By one token at a time; default 20. */
  readonly ofCaller?: number;
  /** By all together; default 1,000. */
  readonly ofAll?: number;
}
