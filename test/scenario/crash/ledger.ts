import type { Pet } from "../../../lib/index.ts";

/** A POST or PATCH with an idempotency key, and its response if there was one. */
export interface Attempt {
  readonly method: "POST" | "PATCH";
  readonly path: string;
  readonly body: unknown;
  readonly idempotencyKey: string;
  answer?: { readonly status: number; readonly text: string };
}

/** The knowledge of one catalogue's clients, from the responses before the server died. */
export interface Ledger {
  readonly attempts: readonly Attempt[];
  /** Records an attempt before it is sent. */
  attempt(method: Attempt["method"], path: string, body: unknown): Attempt;
  /** Until `settled`, the animal is in its old state or in `next` (undefined: deleted). */
  may(id: number, next: Pet | undefined): void;
  /** Records that a response confirmed the animal's state. */
  settled(id: number, now: Pet | undefined): void;
  /** Returns true if the id was assigned before, to an existing or deleted animal. */
  knows(id: number): boolean;
  /** Returns how the animals `found` differ from the possible states. */
  contradictions(found: ReadonlyMap<number, Pet>): readonly string[];
}

export function createLedger(name: string): Ledger {
  const attempts: Attempt[] = [];
  const possible = new Map<number, readonly (Pet | undefined)[]>();
  return {
    attempts,
    attempt: (method, path, body) => {
      const attempt = { method, path, body, idempotencyKey: `${name}-${attempts.length}` };
      attempts.push(attempt);
      return attempt;
    },
    may: (id, next) => possible.set(id, [...(possible.get(id) ?? []), next]),
    settled: (id, now) => possible.set(id, [now]),
    knows: (id) => possible.has(id),
    contradictions: (found) => {
      const strangers = [...found.keys()].filter((id) => !possible.has(id));
      const wrong = [...possible].filter(
        ([id, states]) =>
          !states.some((state) => describePet(state) === describePet(found.get(id))),
      );
      return [
        ...strangers.map((id) => `nobody created ${describePet(found.get(id))}`),
        ...wrong.map(
          ([id, states]) =>
            `${describePet(found.get(id))} should be ${states.map(describePet).join(" or ")}`,
        ),
      ];
    },
  };
}

function describePet(pet: Pet | undefined): string {
  return pet === undefined ? "gone" : `${pet.id} ${pet.name} ${pet.categoryId} ${pet.status}`;
}
