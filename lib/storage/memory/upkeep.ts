import { done, refused, type Result } from "../../base/result.ts";
import type { Change, Outcome, Refusal } from "../change.ts";
import type { AnswerId } from "../recorded-answer.ts";
import type { World } from "./world.ts";

type Of<Kind extends Change["kind"]> = Extract<Change, { kind: Kind }>;
type Applied = Result<Outcome, Refusal>;

/** The name under which a shelf keeps an answer. */
export function answerName({ request, key }: AnswerId): string {
  return JSON.stringify([request, key]);
}

export function recordAnswer(
  world: World,
  { id, fingerprint, answer, at, expiresAt }: Of<"answer.record">,
  outcomes: readonly Outcome[],
): Applied {
  const answers = world.shelves.get(id.catalogueId)?.answers;
  if (answers === undefined) return done(undefined);
  const name = answerName(id);
  const kept = answers.get(name);
  if (kept !== undefined && kept.expiresAt > at) return refused("exists");
  const { status, headers, body } = answer(outcomes);
  world.put(answers, name, { fingerprint, status, headers: { ...headers }, body, expiresAt });
  return done(undefined);
}

export function saveCounters(world: World, { counters, lastUsed }: Of<"counters.save">): Applied {
  for (const counter of counters) world.put(world.counters, counter.name, { ...counter });
  for (const { keyId, at } of lastUsed) {
    const key = world.keys.get(keyId);
    if (key !== undefined) world.put(world.keys, keyId, { ...key, lastUsedAt: at });
  }
  return done(undefined);
}
