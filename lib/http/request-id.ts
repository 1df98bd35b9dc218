import { randomBase62, type Random } from "../base/id.ts";

const ACCEPTABLE = /^[\w-]{8,64}$/;

/** Names requests: the caller's own `X-Request-Id` if it is a decent one, else one that sorts by time. */
export function requestIds(random: Random): (sent: string | null, now: number) => string {
  // Drawn with the first request: some runtimes give no random values while modules are evaluated.
  let process: string | undefined;
  let madeAt = 0;
  let prefix = "";
  let count = 0;
  return (sent, now) => {
    if (sent !== null && ACCEPTABLE.test(sent)) return sent;
    if (process === undefined || now !== madeAt) {
      process ??= randomBase62(random, 8);
      madeAt = now;
      prefix = `req_${now.toString(36)}${process}`;
    }
    // The count goes on over the milliseconds: a clock that is put back repeats no id.
    return prefix + count++;
  };
}
