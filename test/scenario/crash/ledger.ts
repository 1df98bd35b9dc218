import type { Pet } from "../../../lib/index.ts";

/** A POST or PATCH with an idempotency key, and its answer once there was one. */
export interface Attempt {
  readonly method: "POST" | "PATCH";
  readonly path: string;
  readonly body: unknown;
  readonly idempotencyKey: string;
  answer?: { readonly status: number; readonly text: string };
}

/** What the clients of one catalogue know, as far as their server had told them before it died. */
export interface Ledger {
  readonly attempts: readonly Attempt[];
  /** Notes an attempt that is about to be sent. */
  attempt(method: Attempt["method"], path: string, body: unknown): Attempt;
  /** The animal may be as it was or as `next` (undefined: gone), until `settled`. */
  may(id: number, next: Pet | undefined): void;
  /** An answer said that the animal is as `now`. */
  settled(id: number, now: Pet | undefined): void;
  /** Returns true if the id was given before, be the animal alive or gone. */
  knows(id: number): boolean;
  /** How `found`, the animals of the catalogue, differs from what may be. */
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
        ([id, states]) => !states.some((state) => told(state) === told(found.get(id))),
      );
      return [
        ...strangers.map((id) => `nobody created ${told(found.get(id))}`),
        ...wrong.map(
          ([id, states]) => `${told(found.get(id))} should be ${states.map(told).join(" or ")}`,
        ),
      ];
    },
  };
}

function told(pet: Pet | undefined): string {
  return pet === undefined ? "gone" : `${pet.id} ${pet.name} ${pet.categoryId} ${pet.status}`;
}
