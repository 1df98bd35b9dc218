import { isoTime } from "../../lib/base/clock.ts";
import type { StoredOrder } from "../../lib/catalogue/model.ts";
import type { Change } from "../../lib/storage/change.ts";
import { equal } from "../contract-case.ts";
import { START, storeCases, type Shelter, type StoreCase } from "../shelter.ts";

type Update = Extract<Change, { kind: "order.update" }>;

/** Adopts an animal, and returns the order. */
async function adopt({ store, production, addPet }: Shelter): Promise<StoredOrder> {
  const pet = await addPet({ status: "sold" });
  const [order] = await store.orders.list(production, { petId: pet.id }, PAGE);
  if (order === undefined) throw new Error("A sale wrote no order.");
  return order;
}

const PAGE = { limit: 10, order: "desc" } as const;

const update = (catalogueId: number, from: StoredOrder, more: Partial<Update> = {}): Change => ({
  kind: "order.update",
  catalogueId,
  from,
  to: { status: from.status },
  at: START + 1,
  ...more,
});

const adopter = { name: "Kim Petersen", contact: "kim@example.com", date: "2026-11-20" };

/** Changes of orders, and adopters. */
export const orderCases: readonly StoreCase[] = storeCases({
  "an order changes its status and keeps the time of a return": async (shelter) => {
    const { store, production, commit, createdSeq } = shelter;
    const order = await adopt(shelter);
    const before = await store.catalogues.revision(production);
    const to = { status: "delivered", returnedAt: START + 1 } as const;
    const changed = { ...order, ...to, version: 2, updatedAt: START + 1 };
    equal(await commit(update(production, order, { to })), [changed], "outcome");
    equal(await store.orders.byId(production, order.id), changed, "by id");
    equal(await store.orders.list(production, { status: "delivered" }, PAGE), [changed], "list");
    equal((await store.catalogues.revision(production)) > before, true, "the revision grows");
    const event = (await store.events.after(createdSeq, 9)).at(-1);
    const { id, petId } = order;
    const shown = { id, petId, status: "delivered", createdAt: isoTime(START) };
    equal(event?.type, "order.updated", "event");
    equal(event?.data, { order: { ...shown, returnedAt: isoTime(START + 1) } }, "data");
    equal(await store.orders.byId(production, 99), undefined, "unknown");
  },

  "a sale of the past writes an order of its time, or none": async (shelter) => {
    const { store, production, commit, addPet, createdSeq } = shelter;
    const pet = { name: "Rex", categoryId: 1, status: "sold" } as const;
    const of = { catalogueId: production, at: START } as const;
    const past = START - 86_400_000;
    await commit({ kind: "pet.create", ...of, pet, soldAt: past });
    await commit({ kind: "pet.create", ...of, pet, soldAt: null });
    const to = { ...pet, name: "Max" };
    const first = await addPet({ status: "available" });
    await commit({ kind: "pet.update", ...of, from: first, to, soldAt: past });
    const second = await addPet({ status: "available" });
    await commit({ kind: "pet.update", ...of, from: second, to, soldAt: null });
    const orders = await store.orders.list(production, {}, { limit: 10, order: "asc" });
    const times = orders.map(({ id, petId, createdAt }) => [id, petId, createdAt]);
    const expected = [
      [1, 1, past],
      [2, first.id, past],
    ];
    equal(times, expected, "orders");
    const events = await store.events.after(createdSeq, 99);
    const placed = events.filter(({ type }) => type === "order.placed");
    equal(
      placed.map(({ at }) => at),
      [START, START],
      "the events are of the time of the change",
    );
  },

  "an adopter is kept beside the order, and appears in no event": async (shelter) => {
    const { store, production, staging, commit } = shelter;
    const order = await adopt(shelter);
    const saved = (): unknown => store.orders.adopter(production, order.id);
    equal(await saved(), undefined, "none at first");
    await commit(update(production, order, { adopter }));
    equal(await saved(), adopter, "saved");
    equal(await store.orders.adopter(staging, order.id), undefined, "of another catalogue");
    const [second, third] = [2, 3].map((version) => ({ ...order, version, updatedAt: START + 1 }));
    await commit(update(production, second!, { adopter: { name: "Kim" } }));
    equal(await saved(), { name: "Kim" }, "replaced");
    await commit(update(production, third!));
    equal(await saved(), { name: "Kim" }, "kept");
    await commit(update(production, { ...order, version: 4 }, { adopter: null }));
    equal(await saved(), undefined, "removed");
    const events = JSON.stringify(await store.events.after(0, 100));
    equal([events.includes("Kim"), events.includes("kim@")], [false, false], "events");
  },

  "a removed order and its adopter are gone, and its id is not used again": async (shelter) => {
    const { store, production, commit, createdSeq } = shelter;
    const order = await adopt(shelter);
    await commit(update(production, order, { adopter }));
    const from = { ...order, version: 2, updatedAt: START + 1 };
    await commit({ kind: "order.remove", catalogueId: production, from, at: START + 2 });
    equal(await store.orders.byId(production, order.id), undefined, "order");
    equal(await store.orders.adopter(production, order.id), undefined, "adopter");
    equal(await store.orders.count(production, {}), 0, "count");
    const event = (await store.events.after(createdSeq, 9)).at(-1);
    equal([event?.type, JSON.stringify(event?.data).includes("Kim")], ["order.removed", false], "");
    equal((await adopt(shelter)).id, order.id + 1, "the next id");
  },

  "a change of another version of an order is refused whole": async (shelter) => {
    const { store, production, refusal } = shelter;
    const order = await adopt(shelter);
    const stale = { index: 0, refusal: "stale" };
    const other = { ...order, version: 7 };
    const wrong = [
      update(production, other, { adopter }),
      update(production, { ...order, id: 99 }),
      { kind: "order.remove", catalogueId: production, from: other, at: START },
      { kind: "order.remove", catalogueId: 9_999, from: order, at: START },
    ] as const;
    for (const change of wrong) equal(await refusal(change), stale, change.kind);
    equal(await store.orders.byId(production, order.id), order, "order");
    equal(await store.orders.adopter(production, order.id), undefined, "adopter");
  },

  "a purge removes adopters that were saved before the time, and keeps their orders": async (
    shelter,
  ) => {
    const { store, production, commit } = shelter;
    const [first, second] = [await adopt(shelter), await adopt(shelter)];
    await commit(update(production, first, { adopter }));
    await commit(update(production, second, { adopter, at: START + 5 }));
    const purge = { kind: "purge", now: START, deletedBefore: 0, eventsBefore: 0 } as const;
    const [removed] = await commit({ ...purge, adoptersBefore: START + 5, limit: 9 });
    equal(removed, 1, "removed");
    equal(await store.orders.adopter(production, first.id), undefined, "first");
    equal(await store.orders.adopter(production, second.id), adopter, "second");
    equal(await store.orders.count(production, {}), 2, "orders");
  },
});
