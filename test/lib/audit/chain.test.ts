import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";

import { nodeDigest } from "../../../adapters/hosts/node.ts";
import {
  createAudit,
  memoryAuditStore,
  sqlAuditStore,
  type AuditStore,
} from "../../../lib/audit/index.ts";
import { DAY_MS } from "../../../lib/base/clock.ts";
import type { Actor } from "../../../lib/model/actor.ts";
import { memoryStore } from "../../../lib/storage/memory.ts";
import { sqlStore } from "../../../lib/storage/sql-store.ts";
import { createPetstore, type Store } from "../../../lib/index.ts";
import type { Sql } from "../../../lib/sql/sql.ts";
import { manualClock } from "../../../testing/clock.ts";
import { anAccount, START } from "../../../testing/shelter.ts";
import { rowsOf, verifiedLog } from "../../helpers/audit.ts";
import { chance } from "../../helpers/chance.ts";
import { migratedSql } from "../../helpers/migrated.ts";

const staff: Actor = {
  kind: "member",
  id: "mem_a",
  from: { channel: "dashboard", address: "203.0.113.7" },
};

interface Opened {
  readonly store: Store;
  readonly auditStore: AuditStore;
  readonly clock: ReturnType<typeof manualClock>;
  readonly sql?: Sql;
}

async function inMemory(): Promise<Opened> {
  return { store: memoryStore(), auditStore: memoryAuditStore(), clock: manualClock(START) };
}

async function inSqlite(): Promise<Required<Opened>> {
  const clock = manualClock(START);
  const sql = await migratedSql(clock);
  const store = await sqlStore({ sql, clock });
  return { store, auditStore: await sqlAuditStore({ sql, clock }), clock, sql };
}

/** Creates an account with `count` animals, as staff. */
async function furnish(store: Store, count: number, id = "acc_one"): Promise<number> {
  await store.commit([{ kind: "account.create", account: anAccount(id) }], staff);
  const catalogue = await store.catalogues.of(id, "production");
  const catalogueId = catalogue?.id ?? 0;
  for (let index = 0; index < count; index++) {
    const pet = { name: `Rex ${index}`, categoryId: 1, status: "available" } as const;
    await store.commit([{ kind: "pet.create", catalogueId, pet, at: START + index }], staff);
  }
  return catalogueId;
}

/** Runs the due work of an audit log once. */
async function round({ store, auditStore, clock }: Opened): Promise<void> {
  const audit = createAudit({ store, auditStore, clock, digest: nodeDigest });
  clock.advance(1_000);
  await audit.jobs.tick();
}

describe.each([
  ["memory", inMemory],
  ["SQLite", inSqlite],
] as const)("in %s", (_name, open) => {
  test("a change appears with who, what, from where and when, and without texts of people", async () => {
    const opened = await open();
    const { store, auditStore } = opened;
    const catalogueId = await furnish(store, 1);
    const [pet] = await store.pets.list(catalogueId, {}, { limit: 1, order: "asc" });
    const to = { name: "Bello", categoryId: 1, status: "pending" } as const;
    await store.commit([{ kind: "pet.update", catalogueId, from: pet!, to, at: START + 7 }], staff);
    await round(opened);
    const row = (await rowsOf(auditStore)).at(-1);
    expect(row).toMatchObject({
      at: START + 7,
      type: "pet.status_changed",
      account: "acc_one",
      catalogue: catalogueId,
      actor: "member:mem_a",
      channel: "dashboard",
      address: "203.0.113.7",
      subject: "pet:1",
      fields: ["name", "status"],
      values: { before: "available", status: "pending" },
    });
    expect(JSON.stringify(await rowsOf(auditStore))).not.toMatch(/Rex|Bello/);
  });

  test("an adopter is named as a changed field, and the person stays out", async () => {
    const opened = await open();
    const { store, auditStore } = opened;
    const catalogueId = await furnish(store, 0);
    const pet = { name: "Rex", categoryId: 1, status: "sold" } as const;
    await store.commit([{ kind: "pet.create", catalogueId, pet, at: START }], staff);
    const from = (await store.orders.byId(catalogueId, 1))!;
    const adopter = { name: "Kim Petersen", contact: "kim@example.com" };
    const change = {
      kind: "order.update",
      catalogueId,
      from,
      to: from,
      adopter,
      at: START,
    } as const;
    await store.commit([change], staff);
    await round(opened);
    const row = (await rowsOf(auditStore)).at(-1);
    expect([row?.type, row?.subject, row?.fields]).toEqual([
      "order.updated",
      "order:1",
      ["adopter"],
    ]);
    expect(JSON.stringify(await rowsOf(auditStore))).not.toMatch(/Kim|example\.com/);
  });

  test("entries that only the log has reach no reader of events", async () => {
    const opened = await open();
    const { store, auditStore } = opened;
    await furnish(store, 0);
    const entry = { kind: "event.write", type: "mail.tested", accountId: "", at: START } as const;
    await store.commit([{ ...entry, data: { outcome: "sent" } }], staff);
    await store.commit([{ ...entry, accountId: "acc_one", data: {} }], staff);
    expect((await store.events.after(0, 10)).map(({ type }) => type)).toEqual(["account.created"]);
    expect((await store.events.before(99, 10, "acc_one")).length).toBe(1);
    await round(opened);
    const rows = (await rowsOf(auditStore)).map(({ type, account }) => [type, account]);
    expect(rows).toEqual([
      ["account.created", "acc_one"],
      ["mail.tested", undefined],
      ["mail.tested", "acc_one"],
    ]);
  });

  test("the hash of each row follows from the one before it and its canonical form", async () => {
    const opened = await open();
    await furnish(opened.store, 2);
    await round(opened);
    let before = "0".repeat(64);
    for (const { hash, ...entry } of await rowsOf(opened.auditStore)) {
      // The rows of this test have one level of members with sorted texts and integers.
      const members = Object.keys(entry).toSorted();
      const sorted = Object.fromEntries(members.map((name) => [name, Reflect.get(entry, name)]));
      const text = `${before}\n${JSON.stringify(sorted)}`;
      expect(hash).toBe(createHash("sha256").update(text).digest("hex"));
      before = hash;
    }
    expect(await opened.auditStore.head()).toMatchObject({ seq: 3, hash: before });
  });

  test("rows are removed after their time, and the rest can still be verified", async () => {
    const opened = await open();
    const { store, auditStore, clock } = opened;
    await furnish(store, 3);
    await round(opened);
    const audit = createAudit({ store, auditStore, clock, keepMs: DAY_MS, digest: nodeDigest });
    clock.advance(2 * DAY_MS);
    await furnish(store, 0, "acc_two");
    await audit.jobs.tick();
    // A clock that jumped deletes nothing for a day.
    for (let hour = 0; hour < 26; hour++) {
      clock.advance(3_600_000);
      await audit.jobs.tick();
    }
    expect((await auditStore.checkpoint()).seq).toBe(4);
    expect((await rowsOf(auditStore)).map(({ seq }) => seq)).toEqual([5]);
    expect(await verifiedLog(auditStore)).toMatchObject({ rows: 1, from: { seq: 4 } });
    expect((await verifiedLog(auditStore)).fault).toBeUndefined();
  });

  test("events are not purged before the log has them", async () => {
    const { store, auditStore, clock } = await open();
    const petstore = createPetstore({
      store,
      clock,
      eventsReadThrough: async () => (await auditStore.head()).event,
    });
    await furnish(store, 2);
    const purge = async (): Promise<void> => {
      for (let day = 0; day < 33; day++) {
        clock.advance(DAY_MS - 60_000);
        await petstore.jobs.tick();
        clock.advance(60_000);
        await petstore.jobs.tick();
      }
    };
    await purge();
    expect(await store.events.recorded(0, 10)).toHaveLength(3);
    await round({ store, auditStore, clock });
    await purge();
    expect(await store.events.recorded(0, 10)).toHaveLength(0);
    expect(await rowsOf(auditStore)).toHaveLength(3);
    await petstore.close();
  });
});

describe("tampering is found", () => {
  /** Makes a log of eight rows, changes its tables, and verifies it. */
  async function tampered(statement: string): Promise<string> {
    const opened = await inSqlite();
    await furnish(opened.store, 7);
    await round(opened);
    const noted = { seq: 5, hash: (await rowsOf(opened.auditStore))[4]!.hash };
    await opened.sql.batch(
      statement.split(";").map((text) => ({ text, values: [] })),
      () => true,
    );
    const { fault } = await verifiedLog(opened.auditStore, noted);
    return fault === undefined ? "whole" : `${fault.code} ${fault.seq}`;
  }

  test.each([
    ["SELECT 1", "whole"],
    ["UPDATE audit_log SET at = at + 1 WHERE seq = 3", "changed 3"],
    ["UPDATE audit_log SET type = 'pet.deleted' WHERE seq = 3", "changed 3"],
    ["UPDATE audit_log SET account_id = 'acc_two' WHERE seq = 3", "changed 3"],
    ["UPDATE audit_log SET catalogue_id = NULL WHERE seq = 3", "changed 3"],
    ["UPDATE audit_log SET actor = 'system' WHERE seq = 3", "changed 3"],
    ["UPDATE audit_log SET channel = NULL WHERE seq = 3", "changed 3"],
    ["UPDATE audit_log SET address = '198.51.100.1' WHERE seq = 3", "changed 3"],
    ["UPDATE audit_log SET subject = 'pet:9' WHERE seq = 3", "changed 3"],
    ["UPDATE audit_log SET details = '{}' WHERE seq = 3", "changed 3"],
    ["UPDATE audit_log SET details = 'no JSON' WHERE seq = 3", "changed 3"],
    ["UPDATE audit_log SET event_seq = 1 WHERE seq = 3", "changed 3"],
    ["UPDATE audit_log SET hash = 'x' WHERE seq = 3", "changed 3"],
    ["DELETE FROM audit_log WHERE seq = 3", "missing 4"],
    ["DELETE FROM audit_log WHERE seq = 1", "missing 2"],
    ["DELETE FROM audit_log WHERE seq >= 7", "truncated 6"],
    [
      "UPDATE audit_log SET seq = 99 WHERE seq = 3;UPDATE audit_log SET seq = 3 WHERE seq = 4;UPDATE audit_log SET seq = 4 WHERE seq = 99",
      "changed 3",
    ],
    // With the row that was noted elsewhere.
    [
      "DELETE FROM audit_log WHERE seq >= 4;UPDATE audit_chain SET seq = 3, hash = (SELECT hash FROM audit_log WHERE seq = 3)",
      "not_the_noted 5",
    ],
  ])("%s", async (statement, expected) => {
    expect(await tampered(statement)).toBe(expected);
  });

  test("a log that was written anew is whole, but not the one that was noted", async () => {
    const [first, second] = [await inSqlite(), await inSqlite()];
    for (const [index, opened] of [first, second].entries()) {
      await furnish(opened.store, 3 + index);
      await round(opened);
    }
    expect((await verifiedLog(second.auditStore)).fault).toBeUndefined();
    const other = await inMemory();
    await furnish(other.store, 9, "acc_other");
    await round(other);
    const noted = await other.auditStore.head();
    expect((await verifiedLog(second.auditStore, noted)).fault?.code).toBe("not_the_noted");
    const own = await second.auditStore.head();
    expect(await verifiedLog(second.auditStore, own)).toMatchObject({ noted: true, rows: 5 });
  });
});

describe("each event is in the log once", () => {
  test("although two processes write it at the same time", async () => {
    const { store, auditStore, clock } = await inSqlite();
    await furnish(store, 400);
    const audits = [1, 2, 3].map(() =>
      createAudit({ store, auditStore, clock, digest: nodeDigest }),
    );
    clock.advance(1_000);
    await Promise.all(audits.map(({ jobs }) => jobs.tick()));
    const events = (await rowsOf(auditStore)).map(({ event }) => event);
    expect(events).toEqual((await store.events.recorded(0, 1_000)).map(({ seq }) => seq));
    expect((await verifiedLog(auditStore)).fault).toBeUndefined();
  });

  test("although the process dies before or after any step", async () => {
    const { between } = chance(7);
    const { store, sql, clock } = await inSqlite();
    const real = await sqlAuditStore({ sql, clock });
    let failures = 0;
    const dying = async <Value>(act: () => Value | Promise<Value>): Promise<Value> => {
      if (between(0, 3) === 0) throw new Error(`died before ${failures++}`);
      const value = await act();
      // What was written stays, but nobody gets to know.
      if (between(0, 3) === 0) throw new Error(`died after ${failures++}`);
      return value;
    };
    const auditStore: AuditStore = {
      ...real,
      head: () => dying(() => real.head()),
      append: (from, rows) => dying(() => real.append(from, rows)),
    };
    for (let round = 0; round < 40; round++) {
      await furnish(store, between(0, 20), `acc_${round}`);
      const audit = createAudit({ store, auditStore, clock, digest: nodeDigest });
      clock.advance(1_000);
      await audit.jobs.tick();
    }
    expect(failures).toBeGreaterThan(10);
    await round({ store, auditStore: real, clock });
    const events = (await rowsOf(real)).map(({ event }) => event);
    expect(events).toEqual((await store.events.recorded(0, 10_000)).map(({ seq }) => seq));
    expect((await verifiedLog(real)).fault).toBeUndefined();
  });
});
