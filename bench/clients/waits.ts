/**
 * Makes full TLS handshakes one after the other, with the names that a `*` in NAME gives from FROM up to below TO:
 * `bun waits.ts PORT NAME FROM TO`. Prints the milliseconds of each as a JSON list.
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
