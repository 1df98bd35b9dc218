import { done, refused, type Result } from "../../base/result.ts";
import type { AnswerId, Change, Outcome, Refusal } from "../change.ts";
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

export function purge(
  world: World,
  { now, deletedBefore, eventsBefore, limit }: Of<"purge">,
): Applied {
  let removed = 0;
  const remove = <Key, Row>(rows: Map<Key, Row>, old: (row: Row) => boolean): void => {
    const found = [...rows].filter(([, row]) => old(row)).slice(0, limit);
    for (const [key] of found) world.put(rows, key, undefined);
    removed += found.length;
  };
  for (const [id, { deletedPets, answers, pets }] of world.shelves) {
    remove(deletedPets, ({ deletedAt }) => deletedAt < deletedBefore);
    remove(answers, ({ expiresAt }) => expiresAt <= now);
    if (world.numbers.has(id)) continue;
    // Nothing else refers to the rows of a shelf: they go with it.
    world.put(world.shelves, id, undefined);
    removed += pets.count(() => true);
  }
  remove(world.counters, ({ endsAt }) => endsAt <= now);
  remove(world.events, ({ at }) => at < eventsBefore);
  remove(world.feed, ({ at }) => at < eventsBefore);
  const ended = new Map<string, number>();
  for (const { type, accountId, seq } of world.events.values()) {
    if (type === "account.deleted") ended.set(accountId, seq);
  }
  remove(world.events, ({ accountId, seq }) => seq < (ended.get(accountId) ?? 0));
  return done(removed);
}
