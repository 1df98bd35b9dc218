import { done, type Result } from "../../base/result.ts";
import { usageKeptMs, usagePeriods } from "../../model/usage.ts";
import type { Change, Outcome, Refusal } from "../change.ts";
import { dropEndedLongAgo } from "./key-bounds.ts";
import type { Rows, World } from "./world.ts";

export function purge(
  world: World,
  { now, deletedBefore, eventsBefore, limit }: Extract<Change, { kind: "purge" }>,
): Result<Outcome, Refusal> {
  let removed = 0;
  const remove = <Key, Row>(
    rows: Rows<Key, Row> & Iterable<readonly [Key, Row]>,
    old: (row: Row) => boolean,
  ): void => {
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
  removed += dropEndedLongAgo(world, now, limit);
  for (const by of usagePeriods) {
    remove(world.usage[by], ({ at }) => at < now - usageKeptMs[by]);
  }
  const ended = new Map<string, number>();
  for (const { type, accountId, seq } of world.events.values()) {
    if (type === "account.deleted") ended.set(accountId, seq);
  }
  remove(world.events, ({ accountId, seq }) => seq < (ended.get(accountId) ?? 0));
  return done(removed);
}
