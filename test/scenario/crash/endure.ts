import { expect } from "bun:test";

import type { Pet } from "../../../lib/index.ts";
import { api, type Api } from "../../helpers/api.ts";
import { chance, type Chance } from "../../helpers/chance.ts";
import { startProgram, type Program } from "../../helpers/process.ts";
import { UNLIMITED } from "../../helpers/unlimited.ts";
import { issueKey, keepKeys, openAccount, type KnownKey } from "./clerk.ts";
import { expectWholeLog } from "./log.ts";
import { createLedger, type Attempt, type Ledger } from "./ledger.ts";
import { sendUntilAnswered, write } from "./writer.ts";

const WRITERS = 64;
/** Interrupts the program or its database, and resolves with a program that serves again. */
export type Strike = (program: Program, round: number) => Promise<Program>;

/** Kills the program and starts it again. */
export const killed: Strike = async ({ dataDir, end }) => {
  await end("SIGKILL");
  return startProgram({ dataDir });
};

/**
 * Strikes `rounds` times while 64 writers and an operator are at work, and expects that every acknowledged write is found
 * once, that a repeated request has one effect, and that the audit log gets every event once.
 */
export async function endure(dataDir: string, rounds: number, strike: Strike): Promise<void> {
  const dice = chance();
  const kept: { readonly key: string; readonly ledger: Ledger }[] = [];
  let program = await startProgram({ dataDir });
  try {
    for (let round = 0; round < rounds; round++) {
      const account = await openAccount(dataDir, `Round ${round}`, UNLIMITED);
      const { key } = await issueKey(dataDir, account);
      const ledger = createLedger(`round-${round}`);
      kept.push({ key, ledger });

      const server = { gone: false, over: false };
      const before = api({ base: program.origin, key });
      const writers = Array.from({ length: WRITERS }, () =>
        write(before, ledger, chance(dice.between(1, 2 ** 31)), server),
      );
      const clerk = keepKeys(dataDir, account, chance(dice.between(1, 2 ** 31)), server);
      while (!ledger.attempts.some(isAnswered)) await Bun.sleep(5);
      await Bun.sleep(dice.between(20, 500));
      // A strike on an idle server would prove nothing.
      while (ledger.attempts.every(isAnswered)) await Bun.sleep(1);
      server.gone = true;
      const struck = strike(program, round).finally(() => {
        server.over = true;
      });
      const [revived, keys] = await Promise.all([struck, clerk, ...writers]);
      program = revived;

      const after = api({ base: program.origin, key });
      await retryUnanswered(after, ledger);
      await expectFirstAnswers(after, ledger, dice);
      await expectAcknowledged(after, ledger);
      await expectKeys(after, keys);
    }
    for (const { key, ledger } of kept) {
      await expectAcknowledged(api({ base: program.origin, key }), ledger);
    }
    await expectWholeLog(dataDir);
  } finally {
    await program.end("SIGKILL");
  }
}

const isAnswered = ({ answer }: Attempt): boolean => answer !== undefined;

/** Resends interrupted requests: they take effect now, or are answered with the earlier result. */
async function retryUnanswered(client: Api, ledger: Ledger): Promise<void> {
  for (const attempt of ledger.attempts.filter((attempt) => !isAnswered(attempt))) {
    const { body } = await sendUntilAnswered(client, attempt);
    if (attempt.method === "POST") expect(ledger.knows(body.id)).toBe(false);
    ledger.settled(body.id, body);
  }
}

/** An idempotent retry returns the first answer, whatever happened to the animal since. */
async function expectFirstAnswers(client: Api, ledger: Ledger, dice: Chance): Promise<void> {
  for (const attempt of ledger.attempts.filter(() => dice.true(50 / ledger.attempts.length))) {
    const first = attempt.answer;
    const { status, text, headers } = await sendUntilAnswered(client, attempt);
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
