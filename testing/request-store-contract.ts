import type { Eventual } from "../lib/base/eventual.ts";
import { DAY_MS } from "../lib/base/clock.ts";
import { system } from "../lib/model/actor.ts";
import type { LoggedRequest, RequestPlace } from "../lib/requests/model.ts";
import type { RequestStore } from "../lib/requests/request-store.ts";
import type { Store } from "../lib/storage/store.ts";
import { contractCase, expect, type ContractCase } from "./contract-case.ts";
import { anAccount, START } from "./shelter.ts";

/** An empty request store, and the store over the same database. */
export interface RequestStoreUnderTest {
  readonly store: Store;
  readonly requests: RequestStore;
  /** Called after the case. */
  close?(): Eventual<void>;
}

const ONE = "acc_one";
const TWO = "acc_two";

function request(row: number, more: Partial<LoggedRequest> = {}): LoggedRequest {
  return {
    accountId: ONE,
    at: START + row,
    rowId: String(row).padStart(10, "0"),
    requestId: `request-${row}`,
    environment: "production",
    keyId: "key1",
    method: "GET",
    operation: "listPets",
    path: "/pets",
    query: "status=sold",
    status: 200,
    durationMs: 3,
    counter: "catalogue",
    cost: 1,
    windows: [
      { name: "minute", limit: 60, remaining: 59, resetsAt: START + 60_000 },
      { name: "day", limit: 1_000, remaining: 999, resetsAt: START + DAY_MS },
    ],
    represents: 1,
    ...more,
  };
}

/** Returns the contract of every request store. Each case runs with a store of its own. */
export function requestStoreContract(
  open: () => Eventual<RequestStoreUnderTest>,
): readonly ContractCase[] {
  const test = (name: string, body: (made: RequestStoreUnderTest) => Promise<void>): ContractCase =>
    contractCase(name, open, async (made) => {
      for (const id of [ONE, TWO]) {
        await made.store.commit([{ kind: "account.create", account: anAccount(id) }], system);
      }
      await body(made);
    });
  const day = { at: START - (START % DAY_MS), answered: 10, logged: 2 };

  return [
    test("a request is found unchanged by its id, in its account and in all", async (made) => {
      const { requests } = made;
      const refused = request(2, {
        status: 403,
        code: "insufficient_scope",
        rule: "scope",
        scope: "pets:write",
        represents: 12,
      });
      const { accountId: _account, keyId: _key, counter: _counter, ...rest } = request(3);
      const stranger: LoggedRequest = { ...rest, requestId: "request-2", cost: 0, windows: [] };
      await requests.add({ rows: [request(1), refused, stranger], days: [] });
      expect(await requests.withId(ONE, "request-1", 5)).toEqual([request(1)]);
      expect(await requests.withId(ONE, "request-2", 5)).toEqual([refused]);
      expect(await requests.withId(TWO, "request-2", 5)).toEqual([]);
      expect(await requests.findAll("request-2", 5)).toEqual([stranger, refused]);
      expect(await requests.findAll("request-2", 1)).toEqual([stranger]);
      expect(await requests.findAll("request-9", 5)).toEqual([]);
    }),

    test("a batch that was added before is not added again", async ({ requests }) => {
      const batch = { rows: [request(1), request(2)], days: [{ ...day, accountId: ONE }] };
      await requests.add(batch);
      await requests.add(batch);
      expect((await requests.list(ONE, {}, { limit: 10 })).rows).toHaveLength(2);
      expect(await requests.days(ONE)).toEqual([day]);
    }),

    test("the counts of a day add up, for each account", async ({ requests }) => {
      const next = { at: day.at + DAY_MS, answered: 1, logged: 1 };
      await requests.add({ rows: [request(1)], days: [{ ...day, accountId: ONE }, day] });
      await requests.add({
        rows: [request(2)],
        days: [
          { ...next, accountId: ONE },
          { ...day, accountId: ONE },
        ],
      });
      expect(await requests.days(ONE)).toEqual([{ ...day, answered: 20, logged: 4 }, next]);
      expect(await requests.days(TWO)).toEqual([]);
    }),

    test("a list has the requests of its account, newest first, in pages", async (made) => {
      const { requests } = made;
      // Three of them arrive in the same millisecond.
      const rows = [1, 2, 3, 4, 5].map((row) => request(row, { at: START + Math.max(3, row) }));
      const theirs = request(6, { accountId: TWO });
      const nobody = request(7);
      const { accountId: _account, ...strange } = nobody;
      await requests.add({ rows: [...rows, theirs, strange], days: [] });
      const seen: string[] = [];
      let after: RequestPlace | undefined;
      do {
        const page = await requests.list(ONE, {}, { limit: 2, after });
        seen.push(...page.rows.map(({ requestId }) => requestId));
        after = page.rest;
      } while (after !== undefined);
      expect(seen).toEqual([5, 4, 3, 2, 1].map((row) => `request-${row}`));
    }),

    test("a list can be narrowed", async ({ requests }) => {
      const rows = [
        request(1),
        request(2, { status: 404, keyId: "key2" }),
        request(3, { status: 429, environment: "staging" }),
        request(4, { status: 500, operation: "createPet" }),
        request(5, { path: "/pets/7" }),
      ];
      await requests.add({ rows, days: [] });
      const found = async (filter: Parameters<RequestStore["list"]>[1]) =>
        (await requests.list(ONE, filter, { limit: 10 })).rows.map(({ at }) => at - START);
      expect(await found({ keyId: "key2" })).toEqual([2]);
      expect(await found({ statusFrom: 400, statusTo: 499 })).toEqual([3, 2]);
      expect(await found({ environment: "staging" })).toEqual([3]);
      expect(await found({ operation: "createPet" })).toEqual([4]);
      expect(await found({ path: "/pets/7" })).toEqual([5]);
      expect(await found({ from: START + 2, to: START + 4 })).toEqual([3, 2]);
      expect(await found({ environment: "staging", statusTo: 200 })).toEqual([]);
    }),

    test("requests and counts are purged after their time, as many as asked", async (made) => {
      const { requests } = made;
      const old = { ...day, at: day.at - 2 * DAY_MS, accountId: ONE };
      const rows = [1, 2, 3, 4].map((row) => request(row));
      await requests.add({ rows, days: [old, { ...day, accountId: ONE }] });
      expect(await requests.purge(START + 4, 2)).toBe(3);
      expect(await requests.purge(START + 4, 2)).toBe(1);
      expect(await requests.purge(START + 4, 2)).toBe(0);
      expect((await requests.list(ONE, {}, { limit: 10 })).rows).toEqual([request(4)]);
      expect(await requests.days(ONE)).toEqual([day]);
    }),

    test("the requests of a deleted account are purged, and others stay", async (made) => {
      const { requests, store } = made;
      const theirs = request(2, { accountId: TWO });
      const { accountId: _account, ...nobody } = request(3);
      await requests.add({
        rows: [request(1), theirs, nobody],
        days: [{ ...day, accountId: ONE }, { ...day, accountId: TWO }, day],
      });
      await store.commit([{ kind: "account.delete", accountId: ONE, at: START }], system);
      for (let round = 0; round < 3; round++) await requests.purge(0, 10);
      expect(await requests.findAll("request-1", 5)).toEqual([]);
      expect(await requests.days(ONE)).toEqual([]);
      expect(await requests.findAll("request-2", 5)).toEqual([theirs]);
      expect(await requests.days(TWO)).toEqual([day]);
      expect(await requests.findAll("request-3", 5)).toEqual([nobody]);
    }),
  ];
}
