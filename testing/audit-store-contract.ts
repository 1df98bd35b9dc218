import type { Eventual } from "../lib/base/eventual.ts";
import type { AuditFilter, AuditStore, ChainHead } from "../lib/audit/audit-store.ts";
import { BEGINNING, type AuditEntry, type AuditRow } from "../lib/audit/model.ts";
import { contractCase, expect, type ContractCase } from "./contract-case.ts";
import { START } from "./shelter.ts";

/** An empty audit store. */
export interface AuditStoreUnderTest {
  readonly audit: AuditStore;
  /** Called after the case. */
  close?(): Eventual<void>;
}

const EMPTY: ChainHead = { ...BEGINNING, event: 0 };

/** Returns a row. Its hash is no hash: the store does not compute it. */
function row(seq: number, more: Partial<AuditEntry> = {}): AuditRow {
  const at = START + seq;
  return { seq, event: 10 * seq, at, type: "pet.created", hash: `hash ${seq}`, ...more };
}

function headOf({ seq, event, hash }: AuditRow): ChainHead {
  return { seq, event, hash };
}

async function filled(audit: AuditStore, rows: readonly AuditRow[]): Promise<void> {
  expect(await audit.append(await audit.head(), rows)).toBe(true);
}

/** Returns the contract of every audit store. Each case runs with a store of its own. */
export function auditStoreContract(
  open: () => Eventual<AuditStoreUnderTest>,
): readonly ContractCase[] {
  const test = (name: string, body: (audit: AuditStore) => Promise<void>): ContractCase =>
    contractCase(name, open, ({ audit }) => body(audit));
  const full = row(1, {
    account: "acc_one",
    catalogue: 3,
    actor: "member:mem_a",
    channel: "dashboard",
    address: "203.0.113.7",
    subject: "pet:7",
    fields: ["name", "status"],
    values: { before: "pending", count: 2, ok: true },
  });

  return [
    test("an empty log begins before the first row", async (audit) => {
      expect(await audit.head()).toEqual(EMPTY);
      expect(await audit.checkpoint()).toEqual(BEGINNING);
      expect(await audit.after(0, 10)).toEqual([]);
      expect(await audit.list({}, { limit: 10 })).toEqual([]);
    }),

    test("rows are read as they were added, and the head moves with them", async (audit) => {
      await filled(audit, [full, row(2)]);
      expect(await audit.after(0, 10)).toEqual([full, row(2)]);
      expect(await audit.after(1, 10)).toEqual([row(2)]);
      expect(await audit.after(0, 1)).toEqual([full]);
      expect(await audit.head()).toEqual(headOf(row(2)));
    }),

    test("an append to a former head changes nothing", async (audit) => {
      await filled(audit, [row(1)]);
      expect(await audit.append(EMPTY, [row(1, { type: "pet.deleted" })])).toBe(false);
      expect(await audit.append({ ...headOf(row(1)), event: 9 }, [row(2)])).toBe(false);
      expect(await audit.append(headOf(row(1)), [])).toBe(false);
      expect(await audit.after(0, 10)).toEqual([row(1)]);
      expect(await audit.head()).toEqual(headOf(row(1)));
    }),

    test("of many appends at the same time, one succeeds", async (audit) => {
      const tried = Array.from({ length: 8 }, (_, index) =>
        audit.append(EMPTY, [row(1, { type: `type ${index}` }), row(2)]),
      );
      const done = await Promise.all(tried);
      expect(done.filter(Boolean)).toHaveLength(1);
      const types = (await audit.after(0, 10)).map(({ type }) => type);
      expect(types).toEqual([`type ${done.indexOf(true)}`, "pet.created"]);
    }),

    test("lists are filtered, and paged by time and number", async (audit) => {
      await filled(audit, [
        full,
        row(2, { account: "acc_one", actor: "key:k", subject: "pet:8", at: START + 9 }),
        row(3, { account: "acc_one", type: "key.created", actor: "member:mem_a", at: START + 9 }),
        row(4, { account: "acc_two", actor: "member:mem_b" }),
        row(5, { type: "backup.made", actor: "system" }),
      ]);
      const listed = async (
        filter: AuditFilter,
        page: { readonly after?: number; readonly limit?: number } = {},
      ): Promise<readonly number[]> =>
        (await audit.list(filter, { limit: 10, ...page })).map(({ seq }) => seq);
      expect(await listed({})).toEqual([3, 2, 5, 4, 1]);
      expect(await listed({}, { limit: 2 })).toEqual([3, 2]);
      expect(await listed({}, { limit: 2, after: 2 })).toEqual([5, 4]);
      expect(await listed({}, { after: 3 })).toEqual([2, 5, 4, 1]);
      expect(await listed({}, { after: 77 })).toEqual([]);
      expect(await listed({ accountId: "acc_one" })).toEqual([3, 2, 1]);
      expect(await listed({ accountId: "acc_one" }, { after: 2 })).toEqual([1]);
      expect(await listed({ accountId: "" })).toEqual([5]);
      expect(await listed({ accountId: "acc_one", actor: "member:mem_a" })).toEqual([3, 1]);
      expect(await listed({ accountId: "acc_one", type: "pet.created" })).toEqual([2, 1]);
      expect(await listed({ accountId: "acc_one", subject: "pet:7" })).toEqual([1]);
      expect(await listed({ actor: "member:mem_b" })).toEqual([4]);
      expect(await listed({ type: "backup.made" })).toEqual([5]);
      expect(await listed({ since: START + 5 })).toEqual([3, 2, 5]);
      expect(await listed({ until: START + 5 })).toEqual([4, 1]);
      expect(await listed({ since: START + 4, until: START + 9 }, { after: 5 })).toEqual([4]);
    }),

    test("old rows are removed up to the first one that stays, with a checkpoint", async (audit) => {
      await filled(audit, [row(1), row(2), row(3, { at: START + 99 }), row(4), row(5)]);
      const old = { before: START + 50, limit: 10, at: 7 };
      expect(await audit.remove({ ...old, limit: 1 })).toBe(1);
      expect(await audit.checkpoint()).toEqual({ seq: 1, hash: "hash 1", at: 7 });
      expect(await audit.remove({ ...old, at: 8 })).toBe(1);
      expect(await audit.checkpoint()).toEqual({ seq: 2, hash: "hash 2", at: 8 });
      expect(await audit.remove(old)).toBe(0);
      expect(await audit.checkpoint()).toEqual({ seq: 2, hash: "hash 2", at: 8 });
      expect((await audit.after(0, 10)).map(({ seq }) => seq)).toEqual([3, 4, 5]);
      expect(await audit.list({}, { limit: 10, after: 1 })).toEqual([]);
    }),

    test("the last row is never removed, so the log continues from it", async (audit) => {
      await filled(audit, [row(1), row(2)]);
      const old = { before: START + 50, limit: 10, at: 7 };
      expect(await audit.remove(old)).toBe(1);
      expect(await audit.remove(old)).toBe(0);
      expect(await audit.head()).toEqual(headOf(row(2)));
      await filled(audit, [row(3)]);
      expect((await audit.after(0, 10)).map(({ seq }) => seq)).toEqual([2, 3]);
    }),
  ];
}
