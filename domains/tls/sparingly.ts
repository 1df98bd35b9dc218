import { SECOND_MS, type Clock } from "../../lib/base/clock.ts";

const EVERY_MS = 10 * SECOND_MS;

/** Tells of one failure in ten seconds, and how many came untold before it: strangers decide how many there are. */
export function sparingly(
  clock: Pick<Clock, "now">,
  tell: (error: unknown, untold: number) => void,
): (error: unknown) => void {
  let quietUntil = Number.NEGATIVE_INFINITY;
  let untold = 0;
  return (error) => {
    const now = clock.now();
    if (now < quietUntil) {
      untold++;
      return;
    }
    tell(error, untold);
    quietUntil = now + EVERY_MS;
    untold = 0;
  };
}
