import { isoTime } from "../../base/clock.ts";
import { done, refused } from "../../base/result.ts";
import { environments, seedCategories, type Account } from "../../model/account.ts";
import { type ApiKey, ENDED_KEYS_KEPT_MS, endOfKey } from "../../model/api-key.ts";
import { accountEvent, departedEvent, keyEvent, type EventType } from "../../model/event.ts";
import type { ChangeOf, Refusal } from "../change.ts";
import { emptyShelf, type Applied, type World } from "./world.ts";

export function createAccount(world: World, { account }: ChangeOf<"account.create">): Applied {
  const { id: accountId, createdAt } = account;
  if (world.accounts.has(accountId)) return refused("exists");
  world.put(world.accounts, accountId, structuredClone(account));
  for (const environment of environments) {
    // A rollback keeps the number: ids must differ, but may have gaps.
    const id = ++world.lastCatalogue;
    const shelf = emptyShelf({ id, accountId, environment });
    for (const [index, name] of seedCategories.entries()) {
      const category = { id: index + 1, name, version: 1, updatedAt: createdAt };
      shelf.categories.set(category.id, category);
    }
    world.put(world.shelves, id, shelf);
    const category = seedCategories.length + 1;
    world.put(world.numbers, id, { pet: 1, category, order: 1, revision: 1 });
  }
  world.writeEvent({
    type: "account.created",
    accountId,
    at: createdAt,
    data: accountEvent(account),
  });
  world.notice("account", accountId, createdAt);
  return done(undefined);
}

export function changeAccount(
  world: World,
  change: ChangeOf<"account.rename"> | ChangeOf<"account.plan"> | ChangeOf<"account.suspend">,
): Applied {
  const account = world.accounts.get(change.accountId);
  if (account === undefined) return refused("missing");
  switch (change.kind) {
    case "account.rename":
      keep(world, "account.updated", change.at, { ...account, name: change.name });
      break;
    case "account.plan": {
      const { plan, limits, at } = change;
      keep(world, "account.updated", at, { ...account, plan, limits: { ...limits } });
      break;
    }
    case "account.suspend": {
      const { suspendedAt, at } = change;
      const { suspendedAt: before, ...rest } = account;
      if ((before === undefined) === (suspendedAt === undefined)) break;
      if (suspendedAt === undefined) keep(world, "account.resumed", at, rest);
      else keep(world, "account.suspended", at, { ...rest, suspendedAt });
      break;
    }
  }
  return done(undefined);
}

function keep(world: World, type: EventType, at: number, account: Account): void {
  world.put(world.accounts, account.id, account);
  world.writeEvent({ type, accountId: account.id, at, data: accountEvent(account) });
  world.notice("account", account.id, at);
}

export function deleteAccount(
  world: World,
  { accountId, at }: ChangeOf<"account.delete">,
): Applied {
  if (!world.accounts.has(accountId)) return refused("missing");
  world.put(world.accounts, accountId, undefined);
  for (const key of world.keys.values()) {
    if (key.accountId === accountId) world.put(world.keys, key.id, undefined);
  }
  for (const { catalogue } of world.shelves.values()) {
    if (catalogue.accountId === accountId) world.put(world.numbers, catalogue.id, undefined);
  }
  // Now: a purge could not tell it from the usage of a new account with the same id.
  for (const rows of Object.values(world.usage)) {
    for (const [name, row] of rows) {
      if (row.accountId === accountId) world.put(rows, name, undefined);
    }
  }
  world.writeEvent({ type: "account.deleted", accountId, at, data: departedEvent(accountId) });
  world.notice("account", accountId, at);
  return done(undefined);
}

export function createKey(world: World, { key, max }: ChangeOf<"key.create">): Applied {
  const refusal = insertKey(world, key, max);
  if (refusal !== undefined) return refused(refusal);
  dropOldestEnded(world, { catalogueId: key.catalogueId, max, at: key.createdAt });
  tell(world, "key.created", key, key.createdAt);
  world.notice("key", key.id, key.createdAt);
  return done(undefined);
}

export function rotateKey(world: World, change: ChangeOf<"key.rotate">): Applied {
  const { keyId, endsAt, successor, max, at } = change;
  const { catalogueId } = successor;
  const key = world.keys.get(keyId);
  if (key === undefined || key.revokedAt !== undefined || key.replacedBy !== undefined) {
    return refused("missing");
  }
  const expiresAt = Math.min(key.expiresAt ?? Infinity, endsAt);
  world.put(world.keys, keyId, { ...key, expiresAt, replacedBy: successor.id });
  // The successor takes the place of a working key.
  const refusal = insertKey(world, successor, worksAt(key, at) ? Infinity : max);
  if (refusal !== undefined) return refused(refusal);
  if (endsAt > at && countWorking(world, { catalogueId, replaced: true, at }) > max) {
    return refused("limit");
  }
  dropOldestEnded(world, { catalogueId, max, at });
  tell(world, "key.rotated", key, at, { replacedBy: successor.id });
  world.notice("key", keyId, at);
  world.notice("key", successor.id, at);
  return done(undefined);
}

/** Inserts a key if fewer than `max` keys work. */
function insertKey(world: World, key: ApiKey, max: number): Refusal | undefined {
  const catalogue = world.numbers.has(key.catalogueId)
    ? world.shelves.get(key.catalogueId)?.catalogue
    : undefined;
  if (catalogue?.accountId !== key.accountId || catalogue.environment !== key.environment) {
    return "missing";
  }
  const { catalogueId, createdAt: at } = key;
  if (countWorking(world, { catalogueId, replaced: false, at }) >= max) return "limit";
  if (world.keys.has(key.id)) return "exists";
  world.put(world.keys, key.id, structuredClone(key));
  return undefined;
}

export function changeKey(
  world: World,
  change:
    | ChangeOf<"key.rename">
    | ChangeOf<"key.revoke">
    | ChangeOf<"key.ban">
    | ChangeOf<"key.unban">,
): Applied {
  const { keyId, at } = change;
  const key = world.keys.get(keyId);
  if (key === undefined) return refused("missing");
  switch (change.kind) {
    case "key.rename": {
      const { name } = change;
      if (key.name === name) return done(undefined);
      world.put(world.keys, keyId, { ...key, name });
      tell(world, "key.updated", { ...key, name }, at);
      break;
    }
    case "key.revoke":
      if (key.revokedAt !== undefined) return done(undefined);
      world.put(world.keys, keyId, { ...key, revokedAt: at });
      tell(world, "key.revoked", key, at);
      break;
    case "key.ban": {
      const { until, level } = change.ban;
      world.put(world.keys, keyId, { ...key, ban: { ...change.ban } });
      tell(world, "key.banned", key, at, { until: isoTime(until), level });
      break;
    }
    case "key.unban":
      if (key.ban !== undefined && key.ban.until > at && key.ban.liftedAt === undefined) {
        world.put(world.keys, keyId, { ...key, ban: { ...key.ban, liftedAt: at } });
        tell(world, "key.unbanned", key, at);
      }
      break;
  }
  world.notice("key", keyId, at);
  return done(undefined);
}

function tell(
  world: World,
  type: EventType,
  key: ApiKey,
  at: number,
  more?: Readonly<Record<string, unknown>>,
): void {
  const { accountId, catalogueId } = key;
  world.writeEvent({ type, accountId, catalogueId, at, data: { ...keyEvent(key), ...more } });
}

/** Counts the keys of a catalogue that work at `at`, with or without a successor. */
function countWorking(
  world: World,
  {
    catalogueId,
    replaced,
    at,
  }: { readonly catalogueId: number; readonly replaced: boolean; readonly at: number },
): number {
  return [...world.keys.values()].filter(
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
  world: World,
  {
    catalogueId,
    max,
    at,
  }: { readonly catalogueId: number; readonly max: number; readonly at: number },
): void {
  const ended = endedBy(world, at).filter((key) => key.catalogueId === catalogueId);
  for (const { id } of ended.slice(0, Math.max(ended.length - max, 0))) drop(world, id, at);
}

/** Drops at most `limit` keys that ended long ago and returns their number. */
export function dropEndedLongAgo(world: World, now: number, limit: number): number {
  const ended = endedBy(world, now - ENDED_KEYS_KEPT_MS - 1).slice(0, limit);
  for (const { id } of ended) drop(world, id, now);
  return ended.length;
}

/** Drops a key with a notice: other processes may hold copies. */
function drop(world: World, keyId: string, at: number): void {
  world.put(world.keys, keyId, undefined);
  world.notice("key", keyId, at);
}

/** Returns the keys that ended by `at`, oldest end first. */
function endedBy(world: World, at: number): readonly ApiKey[] {
  const ended: { readonly key: ApiKey; readonly end: number }[] = [];
  for (const key of world.keys.values()) {
    const end = endOfKey(key);
    if (end !== undefined && end <= at) ended.push({ key, end });
  }
  return ended
    .toSorted((a, b) => a.end - b.end || (a.key.id < b.key.id ? -1 : 1))
    .map(({ key }) => key);
}
