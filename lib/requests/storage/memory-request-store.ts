import { DAY_MS } from "../../base/clock.ts";
import type { Store } from "../../storage/store.ts";
import type { LoggedRequest, RequestDay, RequestFilter, RequestPlace } from "../model.ts";
import type { RequestStore } from "../request-store.ts";

interface Kept extends Omit<LoggedRequest, "accountId"> {
  readonly accountId: string | undefined;
}

interface Counted extends RequestDay {
  readonly accountId: string | undefined;
}

/** Creates a request store in process memory, beside `memoryStore`. */
export function memoryRequestStore({
  store,
}: {
  readonly store: Pick<Store, "accounts">;
}): RequestStore {
  const rows = new Map<string, Kept>();
  const days = new Map<string, Counted>();

  const newest = (matches: (row: Kept) => boolean, limit: number): readonly LoggedRequest[] =>
    [...rows.values()]
      .filter((row) => matches(row))
      .toSorted(byPlace)
      .slice(0, limit)
      .map(shown);

  return {
    add: async ({ rows: added, days: counts }) => {
      const [first] = added;
      if (first !== undefined && rows.has(nameOf(first))) return;
      for (const row of added) rows.set(nameOf(row), { accountId: undefined, ...row });
      for (const { accountId, at, answered, logged } of counts) {
        const name = `${accountId ?? ""} ${at}`;
        const { answered: before = 0, logged: loggedBefore = 0 } = days.get(name) ?? {};
        const sums = { answered: before + answered, logged: loggedBefore + logged };
        days.set(name, { accountId, at, ...sums });
      }
    },
    withId: (accountId, requestId, limit) =>
      newest((row) => row.accountId === accountId && row.requestId === requestId, limit),
    findAll: (requestId, limit) => newest((row) => row.requestId === requestId, limit),
    list: (accountId, filter, { limit, after }) => {
      const found = newest(
        (row) => row.accountId === accountId && isAfter(row, after) && isWanted(row, filter),
        limit + 1,
      );
      const page = found.slice(0, limit);
      const last = page.at(-1);
      return found.length > limit && last !== undefined
        ? { rows: page, rest: { at: last.at, rowId: last.rowId } }
        : { rows: page };
    },
    days: (accountId) =>
      [...days.values()]
        .filter((day) => day.accountId === accountId)
        .toSorted((a, b) => a.at - b.at)
        .map(({ at, answered, logged }) => ({ at, answered, logged })),
    purge: async (before, limit) => {
      const gone = new Set<string>();
      for (const { accountId } of days.values()) {
        if (accountId !== undefined && (await store.accounts.byId(accountId)) === undefined) {
          gone.add(accountId);
        }
      }
      const isGone = ({ accountId }: Kept | Counted): boolean =>
        accountId !== undefined && gone.has(accountId);
      return (
        removeFrom(rows, (row) => row.at < before || isGone(row), limit) +
        removeFrom(days, (day) => day.at < before - DAY_MS || isGone(day), limit)
      );
    },
  };
}

function nameOf({ accountId = "", at, rowId }: LoggedRequest | Kept): string {
  return `${accountId} ${at} ${rowId}`;
}

function shown({ accountId, ...row }: Kept): LoggedRequest {
  return structuredClone(accountId === undefined ? row : { ...row, accountId });
}

function byPlace(a: RequestPlace, b: RequestPlace): number {
  if (a.at !== b.at) return b.at - a.at;
  if (a.rowId === b.rowId) return 0;
  return a.rowId < b.rowId ? 1 : -1;
}

function isAfter(row: RequestPlace, place: RequestPlace | undefined): boolean {
  return place === undefined || byPlace(row, place) > 0;
}

function isWanted(
  { at, status, environment, keyId, operation, path }: Kept,
  filter: RequestFilter,
): boolean {
  const { from = 0, to = Infinity, statusFrom = 0, statusTo = Infinity } = filter;
  return (
    at >= from &&
    at < to &&
    status >= statusFrom &&
    status <= statusTo &&
    (filter.environment ?? environment) === environment &&
    (filter.keyId ?? keyId) === keyId &&
    (filter.operation ?? operation) === operation &&
    (filter.path ?? path) === path
  );
}

/** Removes at most `limit` entries, and returns how many. */
function removeFrom<Row>(
  from: Map<string, Row>,
  isOver: (row: Row) => boolean,
  limit: number,
): number {
  let removed = 0;
  for (const [name, row] of from) {
    if (removed >= limit) break;
    if (!isOver(row)) continue;
    from.delete(name);
    removed++;
  }
  return removed;
}
