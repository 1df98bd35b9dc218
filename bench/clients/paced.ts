/**
 * Sends requests at a steady rate, whether or not the earlier ones were answered, until its stdin ends: `bun paced.ts URL
 * KEY PER_SECOND`. Every other one adds an animal. A time counts from the instant at which the request was due, so that a
 * stalled server cannot slow down its own measurement. Prints the times in milliseconds as JSON: reads, creates.
 */
import { bearer, LIST } from "../program.ts";

const [url = "", key = "", perSecond = "500"] = process.argv.slice(2);
const headers = { ...bearer(key), "content-type": "application/json" };
const body = JSON.stringify({ name: "Rex", categoryId: 1, status: "available" });
const everyMs = 1_000 / Number(perSecond);

let ended = false;
void Bun.stdin.text().then(() => {
  ended = true;
});

const times: { readonly reads: number[]; readonly creates: number[] } = { reads: [], creates: [] };
const startedAt = performance.now();
const pending = new Set<Promise<void>>();
let sent = 0;
while (!ended) {
  for (let due = startedAt + sent * everyMs; due <= performance.now(); due += everyMs) {
    const request = sent++ % 2 === 0 ? read(due) : create(due);
    pending.add(request);
    void request.finally(() => pending.delete(request));
  }
  await Bun.sleep(1);
}
await Promise.all(pending);
console.log(JSON.stringify(times));

async function read(due: number): Promise<void> {
  const response = await fetch(url + LIST, { headers });
  await response.text();
  if (response.status !== 200) throw new Error(`A read got ${response.status}.`);
  times.reads.push(performance.now() - due);
}

async function create(due: number): Promise<void> {
  const response = await fetch(`${url}/v1/pets`, { method: "POST", headers, body });
  await response.text();
  if (response.status !== 201) throw new Error(`A create got ${response.status}.`);
  times.creates.push(performance.now() - due);
}
