import { randomBase62, type Random } from "../base/id.ts";

const ACCEPTABLE = /^[\w-]{8,64}$/;

/** Names requests: the caller's own `X-Request-Id` if it is a decent one, else one that sorts by time. */
export function requestIds(random: Random): (sent: string | null, now: number) => string {
  const process = randomBase62(random, 8);
  let madeAt = 0;
  let prefix = "";
  let count = 0;
  return (sent, now) => {
    if (sent !== null && ACCEPTABLE.test(sent)) return sent;
    if (now !== madeAt) {
      madeAt = now;
      prefix = `req_${now.toString(36)}${process}`;
    }
    // The count goes on over the milliseconds: a clock that is put back repeats no id.
    return prefix + count++;
  };
}
