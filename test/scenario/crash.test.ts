import { expect, test } from "bun:test";

import { rm } from "node:fs/promises";

import type { Pet } from "../../lib/index.ts";
import type { Api } from "../helpers/api.ts";
import { api } from "../helpers/api.ts";
import type { Chance } from "../helpers/chance.ts";
import { chance, torture } from "../helpers/chance.ts";
import { startProgram, temporaryDirectory } from "../helpers/process.ts";
import type { KnownKey } from "./crash/clerk.ts";
import { issueKey, keepKeys, openAccount } from "./crash/clerk.ts";
import type { Ledger } from "./crash/ledger.ts";
import { createLedger } from "./crash/ledger.ts";
import { send, write } from "./crash/writer.ts";

const ROUNDS = torture ? 100 : 20;
const WRITERS = 64;
const LIMIT_MS = torture ? 1_800_000 : 300_000;
const UNLIMITED = { perMinute: 100_000_000, perDay: 1_000_000_000 };

test(
  `${ROUNDS} times kill -9 with ${WRITERS} writers lose nothing that was acknowledged`,
  async () => {
    const dice = chance();
    const dataDir = await temporaryDirectory();
    const rounds: { readonly key: string; readonly ledger: Ledger }[] = [];
    let cutOff = 0;
    let program = await startProgram({ dataDir });
    try {
      for (let round = 0; round < ROUNDS; round++) {
        const account = await openAccount(dataDir, `Round ${round}`, UNLIMITED);
        const { key } = await issueKey(dataDir, account);
        const ledger = createLedger(`round-${round}`);
        rounds.push({ key, ledger });

        const server = { gone: false };
        const before = api({ base: program.origin, key });
        const writers = Array.from({ length: WRITERS }, () =>
          write(before, ledger, chance(dice.between(1, 2 ** 31)), server),
        );
        const clerk = keepKeys(dataDir, account, chance(dice.between(1, 2 ** 31)), server);
        await Bun.sleep(dice.between(20, 500));
        server.gone = true;
        await program.end("SIGKILL");
        await Promise.all(writers);
        const keys = await clerk;
        if (ledger.attempts.some(({ answer }) => answer === undefined)) cutOff++;

        program = await startProgram({ dataDir });
        const after = api({ base: program.origin, key });
        await retryUnanswered(after, ledger);
        await expectFirstAnswers(after, ledger, dice);
        await expectAcknowledged(after, ledger);
        await expectKeys(after, keys);
      }
      for (const { key, ledger } of rounds) {
        await expectAcknowledged(api({ base: program.origin, key }), ledger);
      }
      // Killing an idle server proves little; most kills must interrupt work.
      expect(cutOff).toBeGreaterThan(ROUNDS / 2);
    } finally {
      await program.end("SIGKILL");
      await rm(dataDir, { recursive: true, force: true });
    }
  },
  LIMIT_MS,
);

test(
  "a reported ban survives kill -9",
  async () => {
    const dataDir = await temporaryDirectory();
    let program = await startProgram({ dataDir });
    try {
      const account = await openAccount(dataDir, "Impatient", { perMinute: 1, perDay: 1_000 });
      const { key } = await issueKey(dataDir, account);
      const errorCode = async (): Promise<string | undefined> => {
        const { body } = await api({ base: program.origin, key }).get<{ code?: string }>(
          "/v1/pets",
        );
        return body.code;
      };
      // A ban needs more than 20 requests later than 2 s after the first refusal.
      while ((await errorCode()) !== "key_banned") await Bun.sleep(20);
      await program.end("SIGKILL");
      program = await startProgram({ dataDir });
      expect(await errorCode()).toBe("key_banned");
    } finally {
      await program.end("SIGKILL");
      await rm(dataDir, { recursive: true, force: true });
    }
  },
  LIMIT_MS,
);

/** Resends interrupted requests: they take effect now, or are answered with the earlier result. */
async function retryUnanswered(client: Api, ledger: Ledger): Promise<void> {
  for (const attempt of ledger.attempts.filter(({ answer }) => answer === undefined)) {
    const { body } = await send(client, attempt);
    if (attempt.method === "POST") expect(ledger.knows(body.id)).toBe(false);
    ledger.settled(body.id, body);
  }
}

/** An idempotent retry returns the first answer, whatever happened to the animal since. */
async function expectFirstAnswers(client: Api, ledger: Ledger, dice: Chance): Promise<void> {
  for (const attempt of ledger.attempts.filter(() => dice.true(50 / ledger.attempts.length))) {
    const first = attempt.answer;
    const { status, text, headers } = await send(client, attempt);
    expect({ status, text }).toEqual({ status: first?.status ?? 0, text: first?.text ?? "" });
    expect(headers.get("idempotent-replayed")).toBe("true");
  }
}

/** Every animal has a state known to its clients, no others exist, and each sale has exactly one order. */
async function expectAcknowledged(client: Api, ledger: Ledger): Promise<void> {
  const pets = await everything<Pet>(client, "/v1/pets?limit=100&sort=id");
  const byId = new Map(pets.map((pet) => [pet.id, pet]));
  expect(byId.size).toBe(pets.length);
  expect(ledger.contradictions(byId)).toEqual([]);

  const orders = await everything<{ readonly petId: number }>(client, "/v1/store/orders?limit=100");
  const ordered = new Set(orders.map(({ petId }) => petId));
  expect(ordered.size).toBe(orders.length);
  const mistaken = pets.filter(({ id, status }) => ordered.has(id) !== (status === "sold"));
  expect(mistaken).toEqual([]);
}

async function expectKeys(client: Api, keys: readonly KnownKey[]): Promise<void> {
  for (const { id, key, state } of keys) {
    const { body } = await client.as(key).get<{ readonly code?: string }>("/v1/rate-limit");
    const expected = {
      active: [undefined],
      revoking: [undefined, "revoked_api_key"],
      revoked: ["revoked_api_key"],
    }[state];
    expect(expected, `key ${id} is ${state}`).toContain(body.code);
  }
}

/** Returns all pages of a list. */
async function everything<Row>(client: Api, path: string): Promise<readonly Row[]> {
  const { status, headers, body, text } = await client.get<readonly Row[]>(path);
  expect(status, text).toBe(200);
  const next = /<([^>]*)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
  if (next === undefined) return body;
  const { pathname, search } = new URL(next);
  return [...body, ...(await everything<Row>(client, pathname + search))];
}
