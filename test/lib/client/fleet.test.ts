import { expect, test } from "bun:test";

import { nodeDigest } from "../../../adapters/hosts/node.ts";
import { createClient } from "../../../lib/client/index.ts";
import { createPetstore, type Petstore } from "../../../lib/index.ts";
import { memoryStore } from "../../../lib/storage/memory.ts";
import { manualClock, type ManualClock } from "../../../testing/index.ts";
import { chance, type Chance } from "../../helpers/chance.ts";
import { START, turn } from "./scripted.ts";
import { must } from "../../helpers/outcome.ts";

const STEP_MS = 20;

/** A request from the client's view. */
interface Seen {
  readonly sentAt: number;
  answeredAt: number;
  status: number;
  retryAfterMs: number;
}

interface Fleet {
  readonly clock: ManualClock;
  readonly petstore: Petstore;
  /** Each client's requests in sending order. */
  readonly logs: readonly (readonly Seen[])[];
}

/** Runs `clients` of one Free catalogue, each with `workers` busy workers, for `minutes`. */
async function simulate({
  clients,
  workers,
  minutes,
  paceAhead,
}: {
  readonly clients: number;
  readonly workers: number;
  readonly minutes: number;
  readonly paceAhead: boolean;
}): Promise<Fleet> {
  const clock = manualClock(START + 12_345);
  const petstore = createPetstore({ store: memoryStore(), digest: nodeDigest, clock });
  const account = must(await petstore.client.accounts.create({ name: "Shelter", plan: "free" }));
  const dice = chance(1);
  const stop = new AbortController();
  const logs: Seen[][] = [];
  for (let index = 0; index < clients; index++) {
    const issued = must(await petstore.client.keys.create({ accountId: account.id }));
    const log: Seen[] = [];
    logs.push(log);
    const { pets } = createClient({
      baseUrl: "http://petstore.test/v1",
      apiKey: issued.token,
      clock,
      random: bytesOf(dice),
      paceAhead,
      fetch: async (request) => {
        const seen: Seen = {
          sentAt: clock.now(),
          answeredAt: Infinity,
          status: 0,
          retryAfterMs: 0,
        };
        log.push(seen);
        await clock.sleep(dice.between(1, 100));
        const answer = await petstore.fetch(request);
        await clock.sleep(dice.between(1, 100));
        seen.answeredAt = clock.now();
        seen.status = answer.status;
        seen.retryAfterMs = Number(answer.headers.get("retry-after") ?? 0) * 1_000;
        return answer;
      },
    });
    const work = async (): Promise<void> => {
      while (!stop.signal.aborted) {
        await pets.list({}, { signal: stop.signal }).catch(() => undefined);
      }
    };
    for (let worker = 0; worker < workers; worker++) void work();
  }
  for (const end = clock.now() + minutes * 60_000; clock.now() < end; clock.advance(STEP_MS))
    await turn();
  stop.abort();
  await turn();
  return { clock, petstore, logs };
}

function bytesOf(dice: Chance): (into: Uint8Array) => Uint8Array {
  return (into) => into.map(() => dice.between(0, 255));
}

const served = (log: readonly Seen[]): number => log.filter(({ status }) => status === 200).length;
const refused = (log: readonly Seen[]): readonly Seen[] =>
  log.filter(({ status }) => status === 429);

test("a single client never gets a 429, whatever its workers request, and uses its whole limit", async () => {
  const { logs } = await simulate({ clients: 1, workers: 50, minutes: 5, paceAhead: true });
  const [log = []] = logs;
  expect(refused(log)).toEqual([]);
  // Five windows, each slightly shorter because one request goes ahead.
  expect(served(log)).toBeGreaterThan(4.5 * 60);
});

for (const paceAhead of [true, false]) {
  test(`in a fleet, no client gets a second 429 before its wait ends (${paceAhead ? "pacing ahead" : "reacting"})`, async () => {
    const { petstore, logs } = await simulate({ clients: 8, workers: 5, minutes: 8, paceAhead });
    expect(logs.flatMap(refused).length).toBeGreaterThan(0);
    for (const log of logs) {
      for (const refusal of refused(log)) {
        // The clock advances one step until the response is read.
        const later = log.filter(({ sentAt }) => sentAt > refusal.answeredAt + STEP_MS);
        const wakes = refusal.answeredAt + refusal.retryAfterMs;
        expect(later.filter(({ sentAt }) => sentAt < wakes)).toEqual([]);
        expect(later[0]?.status).not.toBe(429);
      }
    }
    expect(logs.reduce((sum, log) => sum + served(log), 0)).toBeGreaterThan(7 * 60);
    const accounts = await petstore.client.accounts.list();
    for (const { id } of accounts) {
      const keys = await petstore.client.keys.list(id);
      expect(keys.ok && keys.value.filter(({ status }) => status === "banned")).toEqual([]);
    }
  });
}
