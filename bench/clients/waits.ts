/**
 * Shakes hands one after the other, always in full, with the names that a `*` in NAME makes from FROM up to below TO:
 * `bun waits.ts PORT NAME FROM TO`. Prints how long each took, in milliseconds, as a list in JSON.
 */
import { shakesHands } from "../secure.ts";

const [port, pattern = "", from, to] = process.argv.slice(2);
const waits: number[] = [];
for (let number = Number(from); number < Number(to); number++) {
  const startedAt = performance.now();
  const name = pattern.replace("*", String(number));
  if (!(await shakesHands(Number(port), name))) throw new Error(`no handshake for ${name}`);
  waits.push(performance.now() - startedAt);
}
console.log(JSON.stringify(waits));
