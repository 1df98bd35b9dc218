import { isoTime } from "../lib/base/clock.ts";
import type { Eventual } from "../lib/base/eventual.ts";
import type { EnquiryChange, EnquiryStore, NewEnquiry } from "../lib/enquiries/enquiry-store.ts";
import type { Enquiry } from "../lib/enquiries/model.ts";
import { system, visitor, type Actor } from "../lib/model/actor.ts";
import type { Store } from "../lib/storage/store.ts";
import { contractCase, expect, type ContractCase } from "./contract-case.ts";
import { anAccount, START } from "./shelter.ts";

/** An empty enquiry store, and the store over the same database. */
export interface EnquiryStoreUnderTest {
  readonly store: Store;
  readonly enquiries: EnquiryStore;
  /** Called after the case. */
  close?(): Eventual<void>;
}

interface Opened extends EnquiryStoreUnderTest {
  readonly first: number;
  readonly second: number;
  readonly add: (more?: Added) => Promise<number>;
}

type Added = Partial<NewEnquiry> & { readonly stamp?: string };
type Add = Extract<EnquiryChange, { readonly kind: "enquiry.add" }>;

const PAGE = { limit: 10, order: "desc" } as const;
const staff: Actor = { kind: "member", id: "mem_one" };

function enquiry(more: Partial<NewEnquiry> = {}): NewEnquiry {
  return {
    catalogueId: 1,
    projectId: "prj_one",
    site: "Happy Tails",
    language: "en",
    petId: 7,
    petName: "Rex",
    name: "Kim Petersen",
    email: "kim@example.com",
    message: "Two lines\nof text",
    createdAt: START,
    ...more,
  };
}

function added({ stamp = "s", ...more }: Added = {}): Add {
  const bounds = { dayBefore: START - 10, maxPerDay: 100, maxKept: 100 };
  return { kind: "enquiry.add", enquiry: enquiry(more), stamp, ...bounds };
}

/** Returns the contract of every enquiry store. Each case runs with a store of its own. */
export function enquiryStoreContract(
  open: () => Eventual<EnquiryStoreUnderTest>,
): readonly ContractCase[] {
  const test = (name: string, body: (made: Opened) => Promise<void>): ContractCase =>
    contractCase(name, open, async (made) => {
      const [first = 0, second = 0] = await Promise.all(
        ["acc_one", "acc_two"].map(async (id) => {
          await made.store.commit([{ kind: "account.create", account: anAccount(id) }], system);
          return (await made.store.catalogues.of(id, "production"))?.id;
        }),
      );
      let stamps = 0;
      const add: Opened["add"] = async (more = {}) => {
        const change = added({ catalogueId: first, stamp: `s${stamps++}`, ...more });
        const done = await made.enquiries.commit([change], visitor);
        if (!done.ok) throw new Error(done.failure);
        return done.value[0] ?? 0;
      };
      await body({ ...made, first, second, add });
    });
  const found = async (
    { enquiries }: Opened,
    catalogueId: number,
    id: number,
  ): Promise<Enquiry> => {
    const one = await enquiries.byId(catalogueId, id);
    if (one === undefined) throw new Error(`There is no enquiry ${id}.`);
    return one;
  };

  return [
    test("a stored enquiry is found unchanged, and numbered in its catalogue", async (made) => {
      const { enquiries, first, second, add } = made;
      expect(await add({ phone: "+49 30 1" })).toBe(1);
      expect(await add()).toBe(2);
      expect(await add({ catalogueId: second })).toBe(1);
      const fresh = { state: "new", version: 1, updatedAt: START } as const;
      const expected = { ...enquiry({ catalogueId: first }), id: 1, ...fresh, phone: "+49 30 1" };
      expect(await enquiries.byId(first, 1)).toEqual(expected);
      expect((await enquiries.byId(first, 2))?.phone).toBeUndefined();
      expect(await enquiries.byId(second, 2)).toBeUndefined();
    }),

    test("its event has its actor, and nothing that the visitor typed", async (made) => {
      await made.add();
      const event = (await made.store.events.after(0, 100, "acc_one")).at(-1);
      expect([event?.type, event?.catalogueId, event?.actor]).toEqual([
        "enquiry.created",
        made.first,
        visitor,
      ]);
      const createdAt = isoTime(START);
      const data = { id: 1, petId: 7, projectId: "prj_one", createdAt };
      expect(event?.data).toEqual({ enquiry: data });
    }),

    test("enquiries are listed in pages, by state and by animal", async (made) => {
      const { enquiries, first, add } = made;
      for (const petId of [7, 8, 7]) await add({ petId });
      const from = await found(made, first, 3);
      await enquiries.commit(
        [{ kind: "enquiry.update", from, to: { state: "closed" }, at: 1 }],
        staff,
      );
      const idsOf = async (
        ...given: Parameters<EnquiryStore["list"]>
      ): Promise<readonly number[]> => (await enquiries.list(...given)).map(({ id }) => id);
      expect(await idsOf(first, {}, PAGE)).toEqual([3, 2, 1]);
      expect(await idsOf(first, {}, { limit: 1, order: "desc", after: 3 })).toEqual([2]);
      expect(await idsOf(first, {}, { limit: 2, order: "asc" })).toEqual([1, 2]);
      expect(await idsOf(first, { state: "new" }, PAGE)).toEqual([2, 1]);
      expect(await idsOf(first, { petId: 7, state: "closed" }, PAGE)).toEqual([3]);
      expect(await idsOf(999, {}, PAGE)).toEqual([]);
      expect(await enquiries.counts(first)).toEqual({ new: 2, answered: 0, closed: 1 });
      expect(await enquiries.counts(999)).toEqual({ new: 0, answered: 0, closed: 0 });
    }),

    test("what was sent twice is stored once, also at the same time", async (made) => {
      const { enquiries, first } = made;
      const change = added({ catalogueId: first });
      expect(await enquiries.has(first, "s")).toBe(false);
      const both = await Promise.all([
        enquiries.commit([change], visitor),
        enquiries.commit([change], visitor),
      ]);
      expect(both.map((one) => (one.ok ? one.value[0] : one.failure))).toEqual([1, "exists"]);
      expect(await enquiries.has(first, "s")).toBe(true);
      expect(await enquiries.list(first, {}, PAGE)).toHaveLength(1);
    }),

    test("a site takes so many a day, and a catalogue keeps so many", async (made) => {
      const { enquiries, first, add } = made;
      for (const createdAt of [START - 10, START - 9, START]) await add({ createdAt });
      const more = { ...added({ catalogueId: first }), maxPerDay: 2 };
      const refusal = async (change: EnquiryChange): Promise<unknown> => {
        const done = await enquiries.commit([change], visitor);
        return done.ok ? undefined : done.failure;
      };
      expect(await refusal(more)).toBe("busy");
      expect(await refusal({ ...more, maxPerDay: 9, maxKept: 3 })).toBe("full");
      const elsewhere = enquiry({ catalogueId: first, projectId: "prj_two" });
      expect(await refusal({ ...more, enquiry: elsewhere })).toBeUndefined();
      expect(await refusal(added({ catalogueId: 999 }))).toBe("missing");
      expect(await enquiries.list(first, {}, PAGE)).toHaveLength(4);
      // All changes of a commit or none.
      const both = [added({ catalogueId: first, stamp: "one" }), added({ catalogueId: 999 })];
      expect(await enquiries.commit(both, visitor)).toEqual({ ok: false, failure: "missing" });
      expect(await enquiries.list(first, {}, PAGE)).toHaveLength(4);
    }),

    test("a change keeps what was sent, and names who made it; another version is refused", async (made) => {
      const { enquiries, first, add } = made;
      await add();
      const from = await found(made, first, 1);
      const to = { state: "answered", notes: "Visit on Friday" } as const;
      const change = { kind: "enquiry.update", from, to, at: START + 1 } as const;
      expect((await enquiries.commit([change], staff)).ok).toBe(true);
      const later = { ...from, ...to, version: 2, updatedAt: START + 1, changedBy: staff };
      expect(await enquiries.byId(first, 1)).toEqual(later);
      const stale = [change, { kind: "enquiry.remove", from }] as const;
      for (const one of stale) {
        expect(await enquiries.commit([one], staff)).toEqual({ ok: false, failure: "stale" });
      }
      const back = { ...change, from: later, to: { state: "new" } } as const;
      expect((await enquiries.commit([back], staff)).ok).toBe(true);
      expect((await enquiries.byId(first, 1))?.notes).toBeUndefined();
    }),

    test("a removed enquiry is gone, and its id is not used again", async (made) => {
      const { enquiries, first, add } = made;
      await add();
      await enquiries.commit(
        [{ kind: "enquiry.remove", from: await found(made, first, 1) }],
        staff,
      );
      expect(await enquiries.byId(first, 1)).toBeUndefined();
      expect(await add()).toBe(2);
    }),

    test("a purge removes old enquiries, and those of deleted accounts", async (made) => {
      const { store, enquiries, first, second, add } = made;
      await add({ createdAt: START - 5 });
      await add();
      // What visitors agreed to counts from the arrival, whatever staff change later.
      const from = await found(made, first, 1);
      const to = { state: "answered" } as const;
      await enquiries.commit([{ kind: "enquiry.update", from, to, at: START + 1 }], staff);
      await add({ catalogueId: second });
      const purge = { kind: "purge", before: START, limit: 10 } as const;
      expect(await enquiries.commit([purge], system)).toEqual({ ok: true, value: [1] });
      expect((await enquiries.list(first, {}, PAGE)).map(({ id }) => id)).toEqual([2]);
      await store.commit([{ kind: "account.delete", accountId: "acc_two", at: START }], system);
      expect(await enquiries.commit([purge], system)).toEqual({ ok: true, value: [1] });
      expect(await enquiries.list(second, {}, PAGE)).toEqual([]);
      expect(await enquiries.list(first, {}, PAGE)).toHaveLength(1);
    }),
  ];
}
