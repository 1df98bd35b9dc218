/** What a connection has sent without completing it: a hello, an encrypted record, a head or a frame. */
export interface Unfinished {
  readonly unfinished: number;
  /** When the first of these bytes arrived. */
  readonly since: number;
}

/**
 * Decides which connection to close first when unfinished input takes too much memory: that with the largest product of
 * bytes and age. Ordinary clients send little and complete it soon. Undefined if nothing is unfinished.
 */
export function firstToClose<Item extends Unfinished>(
  all: Iterable<Item>,
  now: number,
): Item | undefined {
  let first: Item | undefined;
  let most = 0;
  for (const one of all) {
    // A clock that was set back makes no age negative.
    const weight = one.unfinished * (1 + Math.max(0, now - one.since));
    if (weight <= most) continue;
    most = weight;
    first = one;
  }
  return first;
}
