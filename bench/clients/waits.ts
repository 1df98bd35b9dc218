/**
 * Makes full TLS handshakes one after the other, for each name that NAME yields when its `*` is a number from FROM
 * up to TO − 1:
 * `bun waits.ts PORT NAME FROM TO`. Prints the milliseconds of each as a JSON list.
 */
import { completesHandshake } from "../secure.ts";

const [port, pattern = "", from, to] = process.argv.slice(2);
const waits: number[] = [];
for (let number = Number(from); number < Number(to); number++) {
  const startedAt = performance.now();
  const name = pattern.replace("*", String(number));
  if (!(await completesHandshake(Number(port), name))) throw new Error(`no handshake for ${name}`);
  waits.push(performance.now() - startedAt);
}
console.log(JSON.stringify(waits));
