import { done, refused } from "../../base/result.ts";
import type { AnswerId } from "../change.ts";
import type { Appliers, MemoryState } from "./state.ts";
import {
  startOfPeriod,
  usagePeriods,
  type CountedUsage,
  type UsageQuery,
  type UsageRow,
  usageKeptMs,
} from "../../model/usage.ts";
import { dropEndedLongAgo } from "./accounts.ts";

/** Changes that the service makes for itself. */
export const upkeepAppliers: Appliers<
  "answer.record" | "counters.save" | "usage.add" | "event.write" | `setting.${string}` | "purge"
> = {
  "event.write": (state, { kind: _kind, ...event }) => {
    state.writeEvent(event);
    return done(undefined);
  },
  "setting.init": (state, { name, value }) => {
    if (!state.settings.has(name)) state.put(state.settings, name, value);
    return done(undefined);
  },
  "setting.save": (state, { name, value }) => {
    state.put(state.settings, name, value);
    return done(undefined);
  },
  "setting.replace": (state, { name, from, value }) => {
    if (state.settings.get(name) !== from) return refused("stale");
    state.put(state.settings, name, value);
    return done(undefined);
  },
  "answer.record": (state, { id, fingerprint, answer, at, expiresAt }, outcomes) => {
    const answers = state.catalogues.get(id.catalogueId)?.answers;
    if (answers === undefined) return done(undefined);
    const name = answerName(id);
    const kept = answers.get(name);
    if (kept !== undefined && kept.expiresAt > at) return refused("exists");
    const { status, headers, body } = answer(outcomes);
    state.put(answers, name, { fingerprint, status, headers: { ...headers }, body, expiresAt });
    return done(undefined);
  },
  "counters.save": (state, { counters, lastUsed }) => {
    for (const counter of counters) state.put(state.counters, counter.name, { ...counter });
    for (const { keyId, at } of lastUsed) {
      const key = state.keys.get(keyId);
      if (key !== undefined && (key.lastUsedAt ?? 0) < at)
        state.put(state.keys, keyId, { ...key, lastUsedAt: at });
    }
    return done(undefined);
  },
  "usage.add": (state, { rows }) => {
    for (const row of rows) {
      if (!state.accounts.has(row.accountId)) continue;
      for (const by of usagePeriods) {
        const at = startOfPeriod(by, row.at);
        const { accountId, keyId, operation } = row;
        const name = JSON.stringify([accountId, at, keyId, operation]);
        const before = state.usage[by].get(name);
        state.put(state.usage[by], name, before === undefined ? { ...row, at } : sum(before, row));
      }
    }
    return done(undefined);
  },
  purge: (state, change) => {
    const { now, deletedBefore, adoptersBefore, eventsBefore, limit } = change;
    const { eventsThrough = Infinity } = change;
    let removed = 0;
    const remove = <Key, Row>(rows: Map<Key, Row>, old: (row: Row) => boolean): void => {
      const found = [...rows].filter(([, row]) => old(row)).slice(0, limit);
      for (const [key] of found) state.put(rows, key, undefined);
      removed += found.length;
    };
    for (const [
      id,
      { adoptions, deletedPets, answers, pets, profiles, photos },
    ] of state.catalogues) {
      remove(deletedPets, ({ deletedAt }) => deletedAt < deletedBefore);
      for (const rows of [profiles, photos]) {
        for (const petId of rows.keys()) {
          if (!pets.has(petId) && !deletedPets.has(petId))
            state.put<number, unknown>(rows, petId, undefined);
        }
      }
      remove(adoptions, ({ savedAt }) => savedAt < adoptersBefore);
      remove(answers, ({ expiresAt }) => expiresAt <= now);
      if (state.sequences.has(id)) continue;
      // The rows of a deleted account's catalogue are referenced from nowhere else.
      state.put(state.catalogues, id, undefined);
      removed += pets.size;
    }
    remove(state.counters, ({ endsAt }) => endsAt <= now);
    remove(state.events, ({ at, seq }) => at < eventsBefore && seq <= eventsThrough);
    remove(state.feed, ({ at }) => at < eventsBefore);
    removed += dropEndedLongAgo(state, now, limit);
    for (const by of usagePeriods) {
      remove(state.usage[by], ({ at }) => at < now - usageKeptMs[by]);
    }
    const ended = new Map<string, number>();
    for (const { type, accountId, seq } of state.events.values()) {
      if (type === "account.deleted") ended.set(accountId, seq);
    }
    const isOver = (seq: number, accountId: string): boolean =>
      seq < (ended.get(accountId) ?? 0) && seq <= eventsThrough;
    remove(state.events, ({ accountId, seq }) => isOver(seq, accountId));
    return done(removed);
  },
};

/** Returns the key of a recorded answer in its table. */
export function answerName({ request, key }: AnswerId): string {
  return JSON.stringify([request, key]);
}

function sum(before: CountedUsage, more: UsageRow): CountedUsage {
  return {
    ...before,
    requests: before.requests + more.requests,
    limited: before.limited + more.limited,
    refused: before.refused + more.refused,
    failed: before.failed + more.failed,
  };
}

export function readUsage(
  state: MemoryState,
  query: UsageQuery,
  limit: number,
): readonly UsageRow[] {
  const { accountId, by, from, to, environment, keyId } = query;
  return [...state.usage[by].values()]
    .filter(
      (row) =>
        row.accountId === accountId &&
        row.at >= from &&
        row.at < to &&
        (environment ?? row.environment) === row.environment &&
        (keyId ?? row.keyId) === row.keyId,
    )
    .toSorted((a, b) => a.at - b.at || order(a.keyId, b.keyId) || order(a.operation, b.operation))
    .slice(0, limit)
    .map(({ accountId: _accountId, ...row }) => row);
}

function order(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
