import { expect } from "bun:test";

import type { Pet, PetStatus } from "../../../lib/index.ts";
import type { Api, Reply } from "../../helpers/api.ts";
import type { Chance } from "../../helpers/chance.ts";
import type { Attempt, Ledger } from "./ledger.ts";

/** Creates, changes and deletes its own animals one after the other until the server dies, or its outage is over. */
export async function write(
  api: Api,
  ledger: Ledger,
  chance: Chance,
  server: { readonly gone: boolean; readonly over: boolean },
): Promise<void> {
  const own: Pet[] = [];
  const step = async (): Promise<void> => {
    const turn = chance.next();
    const index = chance.between(0, own.length - 1);
    const pet = own[index];
    if (pet === undefined || turn < 0.5) {
      own.push(await create(api, ledger, chance));
    } else if (turn < 0.85) {
      own[index] = await change(api, ledger, chance, pet);
    } else {
      own.splice(index, 1);
      await remove(api, ledger, pet);
    }
  };
  while (!server.over) {
    try {
      // Commits are shared: without occasional pauses all writers would run in lockstep.
      if (chance.true(0.2)) await Bun.sleep(chance.between(0, 5));
      await step();
    } catch (error) {
      // Interrupted: its outcome stays open in the ledger.
      if (!server.gone || !isCutOff(error)) throw error;
      return;
    }
  }
}

/** The database is down: the write may have been applied. */
class Unavailable extends Error {}

function isCutOff(error: unknown): boolean {
  if (error instanceof Unavailable) return true;
  return error instanceof Error && "code" in error && String(error.code).startsWith("ECONN");
}

function answered<Body>(reply: Reply<Body>, ...statuses: readonly number[]): Reply<Body> {
  if (reply.status === 503) {
    expect(reply.text).toContain('"code":"unavailable"');
    expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
    throw new Unavailable(reply.text);
  }
  expect(statuses, reply.text).toContain(reply.status);
  return reply;
}

async function create(api: Api, ledger: Ledger, chance: Chance): Promise<Pet> {
  const attempt = ledger.attempt("POST", "/v1/pets", {
    name: `Pet ${ledger.attempts.length}`,
    categoryId: chance.between(1, 3),
    status: chance.pick(["available", "pending", "sold"]),
  });
  const { body } = await send(api, attempt);
  expect(ledger.knows(body.id)).toBe(false);
  ledger.settled(body.id, body);
  return body;
}

const sequel: Readonly<Record<PetStatus, PetStatus>> = {
  available: "pending",
  pending: "sold",
  sold: "sold",
};

async function change(api: Api, ledger: Ledger, chance: Chance, pet: Pet): Promise<Pet> {
  const changes = chance.true(0.5)
    ? { name: `Changed ${ledger.attempts.length}` }
    : { status: sequel[pet.status] };
  ledger.may(pet.id, { ...pet, ...changes });
  const { body } = await send(api, ledger.attempt("PATCH", `/v1/pets/${pet.id}`, changes));
  ledger.settled(pet.id, body);
  return body;
}

async function remove(api: Api, ledger: Ledger, pet: Pet): Promise<void> {
  ledger.may(pet.id, undefined);
  answered(await api.delete(`/v1/pets/${pet.id}`), 204);
  ledger.settled(pet.id, undefined);
}

/** Sends or resends the attempt. */
async function send(api: Api, attempt: Attempt): Promise<Reply<Pet>> {
  const { method, path, body, idempotencyKey } = attempt;
  const headers = { "idempotency-key": idempotencyKey };
  const reply = await (method === "POST"
    ? api.post<Pet>(path, body, { headers })
    : api.patch<Pet>(path, body, { headers }));
  answered(reply, 200, 201);
  attempt.answer ??= { status: reply.status, text: reply.text };
  return reply;
}

/** Resends the attempt while the database is down, as any client does: its connections may have been lost unnoticed. */
export async function sendUntilAnswered(api: Api, attempt: Attempt): Promise<Reply<Pet>> {
  for (;;) {
    try {
      return await send(api, attempt);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      await Bun.sleep(20);
    }
  }
}
