import { expect } from "bun:test";

import type { Pet, PetStatus } from "../../../lib/index.ts";
import type { Api, Reply } from "../../helpers/api.ts";
import type { Chance } from "../../helpers/chance.ts";
import type { Attempt, Ledger } from "./ledger.ts";

/** Creates, changes and deletes its own animals one after the other until the server dies. */
export async function write(
  api: Api,
  ledger: Ledger,
  chance: Chance,
  server: { readonly gone: boolean },
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
  while (!server.gone) {
    try {
      // Commits are shared: without occasional pauses all writers would run in lockstep.
      if (chance.true(0.2)) await Bun.sleep(chance.between(0, 5));
      await step();
    } catch (error) {
      // Interrupted: its outcome stays open in the ledger.
      if (!server.gone || !isCutOff(error)) throw error;
    }
  }
}

function isCutOff(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("ECONN");
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
  const { status } = await api.delete(`/v1/pets/${pet.id}`);
  expect(status).toBe(204);
  ledger.settled(pet.id, undefined);
}

/** Sends or resends the attempt. */
export async function send(api: Api, attempt: Attempt): Promise<Reply<Pet>> {
  const { method, path, body, idempotencyKey } = attempt;
  const headers = { "idempotency-key": idempotencyKey };
  const reply = await (method === "POST"
    ? api.post<Pet>(path, body, { headers })
    : api.patch<Pet>(path, body, { headers }));
  expect([200, 201], reply.text).toContain(reply.status);
  attempt.answer ??= { status: reply.status, text: reply.text };
  return reply;
}
