import { isoTime } from "../../base/clock.ts";
import { done, refused } from "../../base/result.ts";
import { environments, seedCategories, type Account } from "../../model/account.ts";
import { type ApiKey, ENDED_KEYS_KEPT_MS, endOfKey } from "../../model/api-key.ts";
import { accountEvent, deletedAccountEvent, keyEvent, type EventType } from "../../model/event.ts";
import type { Refusal } from "../change.ts";
import { NAME, PLAN } from "../changed-fields.ts";
import {
  emptyTables,
  type Applied,
  type Appliers,
  type MemoryState,
  type NewEvent,
} from "./state.ts";

/** Changes of accounts. */
export const accountAppliers: Appliers<`account.${string}`> = {
  "account.create": (state, { account }) => {
    const { id: accountId, createdAt } = account;
    if (state.accounts.has(accountId)) return refused("exists");
    state.put(state.accounts, accountId, structuredClone(account));
    for (const environment of environments) {
      // A rollback does not lower it: ids must be unique but may have gaps.
      const id = ++state.lastCatalogue;
      const tables = emptyTables({ id, accountId, environment });
      for (const [index, name] of seedCategories.entries()) {
        const category = { id: index + 1, name, version: 1, updatedAt: createdAt };
        tables.categories.set(category.id, category);
      }
      state.put(state.catalogues, id, tables);
      const category = seedCategories.length + 1;
      state.put(state.sequences, id, { pet: 1, category, order: 1, revision: 1 });
    }
    state.writeEvent({
      type: "account.created",
      accountId,
      at: createdAt,
      data: accountEvent(account),
    });
    state.notice("account", accountId, createdAt);
    return done(undefined);
  },
  "account.rename": (state, { accountId, name, at }) =>
    changeAccount(state, accountId, (account) => {
      saveAccount(state, { type: "account.updated", at, changed: NAME }, { ...account, name });
    }),
  "account.plan": (state, { accountId, plan, limits, at }) =>
    changeAccount(state, accountId, (account) => {
      const event = { type: "account.updated", at, changed: PLAN } as const;
      saveAccount(state, event, { ...account, plan, limits: { ...limits } });
    }),
  "account.suspend": (state, { accountId, suspendedAt, at }) =>
    changeAccount(state, accountId, ({ suspendedAt: before, ...account }) => {
      if ((before === undefined) === (suspendedAt === undefined)) return;
      if (suspendedAt === undefined) saveAccount(state, { type: "account.resumed", at }, account);
      else saveAccount(state, { type: "account.suspended", at }, { ...account, suspendedAt });
    }),
  "account.delete": (state, { accountId, at }) => {
    if (!state.accounts.has(accountId)) return refused("missing");
    state.put(state.accounts, accountId, undefined);
    for (const key of state.keys.values()) {
      if (key.accountId === accountId) state.put(state.keys, key.id, undefined);
    }
    for (const { catalogue } of state.catalogues.values()) {
      if (catalogue.accountId === accountId) state.put(state.sequences, catalogue.id, undefined);
    }
    // Removed now, because a purge could not tell it from the usage of a new account with the same id.
    for (const rows of Object.values(state.usage)) {
      for (const [name, row] of rows) {
        if (row.accountId === accountId) state.put(rows, name, undefined);
      }
    }
    state.writeEvent({
      type: "account.deleted",
      accountId,
      at,
      data: deletedAccountEvent(accountId),
    });
    state.notice("account", accountId, at);
    return done(undefined);
  },
};

function changeAccount(
  state: MemoryState,
  accountId: string,
  change: (account: Account) => void,
): Applied {
  const account = state.accounts.get(accountId);
  if (account === undefined) return refused("missing");
  change(account);
  return done(undefined);
}

function saveAccount(
  state: MemoryState,
  event: Pick<NewEvent, "type" | "at" | "changed">,
  account: Account,
): void {
  state.put(state.accounts, account.id, account);
  state.writeEvent({ ...event, accountId: account.id, data: accountEvent(account) });
  state.notice("account", account.id, event.at);
}

/** Changes of keys. */
export const keyAppliers: Appliers<`key.${string}`> = {
  "key.create": (state, { key, max }) => {
    const refusal = insertKey(state, key, max);
    if (refusal !== undefined) return refused(refusal);
    dropOldestEnded(state, { catalogueId: key.catalogueId, max, at: key.createdAt });
    writeKeyEvent(state, "key.created", key, key.createdAt);
    state.notice("key", key.id, key.createdAt);
    return done(undefined);
  },
  "key.rotate": (state, { keyId, endsAt, successor, max, at }) => {
    const { catalogueId } = successor;
    const key = state.keys.get(keyId);
    if (key === undefined || key.revokedAt !== undefined || key.replacedBy !== undefined) {
      return refused("missing");
    }
    const expiresAt = Math.min(key.expiresAt ?? Infinity, endsAt);
    state.put(state.keys, keyId, { ...key, expiresAt, replacedBy: successor.id });
    // The successor takes the place of the old key if that works.
    const refusal = insertKey(state, successor, worksAt(key, at) ? Infinity : max);
    if (refusal !== undefined) return refused(refusal);
    if (endsAt > at && countWorking(state, { catalogueId, replaced: true, at }) > max) {
      return refused("limit");
    }
    dropOldestEnded(state, { catalogueId, max, at });
    writeKeyEvent(state, "key.rotated", key, at, { replacedBy: successor.id });
    state.notice("key", keyId, at);
    state.notice("key", successor.id, at);
    return done(undefined);
  },
  "key.rename": (state, { keyId, name, at }) =>
    changeKey(state, keyId, (key) => {
      if (key.name !== name) saveKey(state, "key.updated", at, { ...key, name }, {}, NAME);
      return undefined;
    }),
  "key.revoke": (state, { keyId, at }) =>
    changeKey(state, keyId, (key) => {
      if (key.revokedAt === undefined) saveKey(state, "key.revoked", at, { ...key, revokedAt: at });
      return undefined;
    }),
  "key.ban": (state, { keyId, ban, from, at }) =>
    changeKey(state, keyId, (key) => {
      if (key.ban?.bannedAt !== from?.bannedAt || key.ban?.liftedAt !== from?.liftedAt) {
        return "stale";
      }
      const data = { until: isoTime(ban.until), level: ban.level };
      saveKey(state, "key.banned", at, { ...key, ban: { ...ban } }, data);
      return undefined;
    }),
  "key.unban": (state, { keyId, at }) =>
    changeKey(state, keyId, (key) => {
      const { ban } = key;
      const active = ban !== undefined && ban.until > at && ban.liftedAt === undefined;
      if (active) saveKey(state, "key.unbanned", at, { ...key, ban: { ...ban, liftedAt: at } });
      else state.notice("key", keyId, at);
      return undefined;
    }),
};

function changeKey(
  state: MemoryState,
  keyId: string,
  change: (key: ApiKey) => Refusal | undefined,
): Applied {
  const key = state.keys.get(keyId);
  if (key === undefined) return refused("missing");
  const refusal = change(key);
  return refusal === undefined ? done(undefined) : refused(refusal);
}

/** Saves a changed key, with its event and a notice. */
function saveKey(
  state: MemoryState,
  type: EventType,
  at: number,
  key: ApiKey,
  more?: Readonly<Record<string, unknown>>,
  changed?: readonly string[],
): void {
  state.put(state.keys, key.id, key);
  writeKeyEvent(state, type, key, at, more, changed);
  state.notice("key", key.id, at);
}

function writeKeyEvent(
  state: MemoryState,
  type: EventType,
  key: ApiKey,
  at: number,
  more?: Readonly<Record<string, unknown>>,
  changed?: readonly string[],
): void {
  const { accountId, catalogueId } = key;
  const data = { ...keyEvent(key), ...more };
  state.writeEvent({ type, accountId, catalogueId, at, changed, data });
}

/** Inserts a key if fewer than `max` keys work and have no successor. */
function insertKey(state: MemoryState, key: ApiKey, max: number): Refusal | undefined {
  const catalogue = state.tablesOf(key.catalogueId)?.catalogue;
  if (catalogue?.accountId !== key.accountId || catalogue.environment !== key.environment) {
    return "missing";
  }
  const { catalogueId, createdAt: at } = key;
  if (countWorking(state, { catalogueId, replaced: false, at }) >= max) return "limit";
  if (state.keys.has(key.id)) return "exists";
  state.put(state.keys, key.id, structuredClone(key));
  return undefined;
}

/** Counts the keys of a catalogue that work at `at`, with or without a successor. */
function countWorking(
  state: MemoryState,
  {
    catalogueId,
    replaced,
    at,
  }: { readonly catalogueId: number; readonly replaced: boolean; readonly at: number },
): number {
  return [...state.keys.values()].filter(
    (key) =>
      key.catalogueId === catalogueId &&
      (key.replacedBy !== undefined) === replaced &&
      worksAt(key, at),
  ).length;
}

function worksAt({ revokedAt, expiresAt }: ApiKey, at: number): boolean {
  return revokedAt === undefined && (expiresAt === undefined || expiresAt > at);
}

/** Keeps the newest `max` of the catalogue's keys that ended by `at`. */
function dropOldestEnded(
  state: MemoryState,
  {
    catalogueId,
    max,
    at,
  }: { readonly catalogueId: number; readonly max: number; readonly at: number },
): void {
  const ended = endedBy(state, at).filter((key) => key.catalogueId === catalogueId);
  for (const { id } of ended.slice(0, Math.max(ended.length - max, 0))) drop(state, id, at);
}

/** Drops at most `limit` keys that ended long ago and returns their number. */
export function dropEndedLongAgo(state: MemoryState, now: number, limit: number): number {
  const ended = endedBy(state, now - ENDED_KEYS_KEPT_MS - 1).slice(0, limit);
  for (const { id } of ended) drop(state, id, now);
  return ended.length;
}

/** Drops a key with a notice: other processes may hold copies. */
function drop(state: MemoryState, keyId: string, at: number): void {
  state.put(state.keys, keyId, undefined);
  state.notice("key", keyId, at);
}

/** Returns the keys that ended by `at`, oldest end first. */
function endedBy(state: MemoryState, at: number): readonly ApiKey[] {
  const ended: { readonly key: ApiKey; readonly end: number }[] = [];
  for (const key of state.keys.values()) {
    const end = endOfKey(key);
    if (end !== undefined && end <= at) ended.push({ key, end });
  }
  return ended
    .toSorted((a, b) => a.end - b.end || (a.key.id < b.key.id ? -1 : 1))
    .map(({ key }) => key);
}
