import { expect, test } from "bun:test";
import * as fc from "fast-check";

import {
  orderStatuses,
  petStatuses,
  RESTORE_MS,
  type StoredPet,
} from "../../lib/catalogue/model.ts";
import type { Profile, ProfileFilter } from "../../lib/catalogue/model-profile.ts";
import { environments } from "../../lib/model/account.ts";
import { command } from "../../lib/model/actor.ts";
import type { Change } from "../../lib/storage/change.ts";
import { memoryStore } from "../../lib/storage/memory.ts";
import type { Store } from "../../lib/storage/store.ts";
import { text } from "../../testing/contract-case.ts";
import { aKey, anAccount, START } from "../../testing/shelter.ts";
import { runSeed } from "../helpers/chance.ts";

// The store in memory is the model of the others: of the same commits, all return and keep the same.

const accounts = ["acc_one", "acc_two"] as const;
const ALL = { limit: 1_000, order: "asc" } as const;
/** More animals than a catalogue ever has. */
const PETS = Array.from({ length: 100 }, (_, index) => index + 1);

/** Numbers from which a change is made that suits, or just does not suit, the rows of the model. */
const drawn = fc.record({
  what: fc.nat(109),
  /** Which account, catalogue and row. */
  account: fc.nat(1),
  environment: fc.nat(1),
  row: fc.nat(5),
  /** One in ten changes was decided on another version. */
  stale: fc.nat(9).map((one) => one === 9),
  name: fc.constantFrom("Rex", "ZOË", "Straßer", "rex 2"),
  /** The last one does not exist. */
  categoryId: fc.constantFrom(1, 1, 2, 2, 3, 3, 4, 99),
  status: fc.constantFrom(...petStatuses),
  /** Seldom so long that a deleted animal cannot be restored. */
  passed: fc.nat(15).map((one) => (one > 13 ? (RESTORE_MS / 2) * (one - 13) : one)),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer Value> ? Value : never;

interface Where {
  readonly accountId: string;
  readonly catalogueId: number;
}

/** One sale in three writes no order, and one an order of an earlier time. */
function saleOf(row: number, at: number): { readonly soldAt?: number | null } {
  if (row > 3) return { soldAt: null };
  return row > 1 ? { soldAt: at - 86_400_000 } : {};
}

/** Makes the change that the numbers mean. */
async function changeOf(model: Store, one: Drawn, where: Where, at: number): Promise<Change> {
  const { what, row, stale, name, categoryId, status } = one;
  const { accountId, catalogueId } = where;
  const pets = await model.pets.list(catalogueId, {}, ALL);
  const gone = await model.pets.deleted(catalogueId, 0, ALL);
  const other = Number(stale);
  const pet = { name, categoryId, status };
  const known: StoredPet | undefined = pets[row % Math.max(1, pets.length)] ?? gone[0];
  const categories = await model.categories.list(catalogueId, ALL);
  const category = categories[row % Math.max(1, categories.length)];
  const keyId = `key_${accountId}_${row % 2}`;
  const account = { ...anAccount(accountId), name };
  const profile = profileOf(one);
  if (what < 18 || known === undefined || category === undefined) {
    const described = what % 3 === 0 ? { profile } : {};
    return { kind: "pet.create", catalogueId, pet, at, ...described, ...saleOf(row, at) };
  }
  const from = { ...known, version: known.version + other };
  if (what < 32) {
    const petId = what < 19 ? (gone[0]?.id ?? 99) : known.id;
    return changeOfProfile(model, one, { catalogueId, petId, at });
  }
  if (what < 45) {
    return { kind: "pet.update", catalogueId, from, to: pet, at, ...saleOf(row, at) };
  }
  if (what < 55) return { kind: "pet.delete", catalogueId, from, at };
  if (what < 62) {
    const petId = (gone[row % Math.max(1, gone.length)]?.id ?? 0) + other;
    return { kind: "pet.restore", catalogueId, petId, deletedAfter: at - RESTORE_MS, at };
  }
  const ofVersion = { ...category, version: category.version + other };
  if (what < 65) return { kind: "category.create", catalogueId, name, at };
  if (what < 68) return { kind: "category.update", catalogueId, from: ofVersion, name, at };
  if (what < 72) return { kind: "category.delete", catalogueId, from: ofVersion, at };
  const ban = { until: at + 1_000, level: row, bannedAt: at };
  const key = { ...aKey(keyId, account, catalogueId), environment: environments[one.environment]! };
  if (what < 78) return { kind: "key.create", key: { ...key, createdAt: at }, max: 2 };
  if (what < 80) return { kind: "key.rename", keyId, name, at };
  if (what < 82) return { kind: "key.revoke", keyId, at };
  if (what < 84) {
    const last = (await model.keys.byId(keyId))?.ban;
    return { kind: "key.ban", keyId, ban, from: stale ? ban : last, at };
  }
  if (what < 86) return { kind: "key.unban", keyId, at };
  if (what < 88) {
    const successor = { ...key, id: `${keyId}_${row}`, createdAt: at };
    return { kind: "key.rotate", keyId, endsAt: at + 1_000 * row, successor, max: 2, at };
  }
  if (what < 90) return { kind: "account.create", account };
  if (what < 92) {
    const limits = { perMinute: 1 + row, perDay: 100 };
    return { kind: "account.plan", accountId, plan: "pro", limits, at };
  }
  if (what < 94) {
    return { kind: "account.suspend", accountId, suspendedAt: stale ? undefined : at, at };
  }
  if (what < 96) return { kind: stale ? "account.delete" : "account.rename", accountId, name, at };
  if (what === 97) {
    const from = stale ? status : await model.settings.get(name);
    return { kind: "setting.replace", name, from, value: status };
  }
  if (what < 98) return { kind: stale ? "setting.init" : "setting.save", name, value: status };
  const orders = await model.orders.list(catalogueId, {}, ALL);
  const order = orders[row % Math.max(1, orders.length)];
  if (what >= 100 && order !== undefined) {
    const known = { ...order, version: order.version + other };
    if (what < 103) return { kind: "order.remove", catalogueId, from: known, at };
    const adopter = [undefined, null, { name }, { contact: name, date: "2026-11-20" }][row % 4];
    const to = { status: orderStatuses[row % 3]!, ...(row > 2 ? { returnedAt: at } : {}) };
    const more = adopter === undefined ? {} : { adopter };
    return { kind: "order.update", catalogueId, from: known, to, ...more, at };
  }
  return { kind: "event.write", type: "quota.threshold_reached", accountId, at, data: { name } };
}

/** Makes a profile that the numbers mean. */
function profileOf({ name, row, account, status, stale }: Drawn): Profile {
  const key = row < 4 ? { externalId: `A-${account}`, ...(stale ? {} : { source: "asm3" }) } : {};
  const breed = { text: name, ...(stale ? { mixed: true } : {}) };
  return {
    ...key,
    breed,
    ...(status === "sold" ? { sex: "female", neutered: stale } : {}),
    text: name,
  };
}

/** Makes the change of a profile, or of its photos, that the numbers mean. */
async function changeOfProfile(
  model: Store,
  one: Drawn,
  of: { readonly catalogueId: number; readonly petId: number; readonly at: number },
): Promise<Change> {
  const { what, row, stale, name } = one;
  const { catalogueId, petId } = of;
  if (what < 25) {
    const version = (await model.profiles.of(catalogueId, [petId]))[0]?.version ?? 0;
    return { kind: "profile.set", ...of, from: version + Number(stale), to: profileOf(one) };
  }
  if (what < 28) {
    const photo = { hash: name, width: 1, height: 2, sizes: [], bytes: 10 * row };
    return { kind: "photo.add", ...of, photo, maxBytes: 200 };
  }
  const photos = await model.photos.of(catalogueId, [petId]);
  const photoId = (photos[row % Math.max(1, photos.length)]?.id ?? 1) + Number(stale);
  if (what < 29) return { kind: "photo.remove", ...of, photoId };
  const ids = photos.map(({ id }) => id).toReversed();
  if (what < 30) return { kind: "photo.order", ...of, ids: stale ? [...ids, 99] : ids };
  const focus = row < 3 ? { x: row, y: 100 } : null;
  return { kind: "photo.change", ...of, photoId, alt: name, ...(row % 2 === 0 ? { focus } : {}) };
}

const profileFilters: readonly ProfileFilter[] = [
  { sex: "female" },
  { words: "rex" },
  { words: "zoe", sex: "female", bornFrom: "2020-01-01" },
];

/** Returns all that commits change. The stores number events, notices and revisions as they like, as long as they grow. */
async function contentOf(store: Store, catalogues: readonly number[]): Promise<unknown> {
  const inCatalogue = async (id: number): Promise<unknown> => ({
    catalogue: await store.catalogues.byId(id),
    pets: await store.pets.list(id, {}, ALL),
    newest: await store.pets.list(id, { status: "available" }, { limit: 3, order: "desc" }),
    named: await store.pets.list(id, { name: "rex" }, ALL),
    count: await store.pets.count(id, { categoryId: 1 }),
    described: await Promise.all(
      profileFilters.map((profile) => store.pets.list(id, { profile }, ALL)),
    ),
    deleted: await store.pets.deleted(id, 0, ALL),
    categories: await store.categories.list(id, ALL),
    orders: await store.orders.list(id, {}, ALL),
    profiles: await store.profiles.of(id, PETS),
    photos: await store.photos.of(id, PETS),
    values: await store.profiles.values(id),
    keyed: await store.profiles.byExternalIds(id, "asm3", ["A-0", "A-1"]),
    adopters: await Promise.all(
      (await store.orders.list(id, {}, ALL)).map((order) => store.orders.adopter(id, order.id)),
    ),
  });
  const [events, notices] = [await store.events.after(0, 1_000), await store.feed.after(0, 1_000)];
  return {
    accounts: await store.accounts.list(),
    keys: await Promise.all(accounts.map((id) => store.keys.ofAccount(id))),
    bytes: await Promise.all(accounts.map((id) => store.photos.bytes(id))),
    catalogues: await Promise.all(catalogues.map(inCatalogue)),
    events: events.map((event) => ({ ...event, seq: undefined })),
    notices: notices.map((notice) => ({ ...notice, seq: undefined })),
    setting: await store.settings.get("Rex"),
  };
}

/** Tests that a store returns and keeps what the model does. */
export function storeModelTests(openStore: () => Promise<Store>, numRuns: number): void {
  test("any commits return and keep what they do in the model", async () => {
    const changes = fc.array(drawn, { minLength: 1, maxLength: 3, size: "xsmall" });
    const commits = fc.array(changes, { minLength: 20, maxLength: 30 });
    let applied = 0;
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(commits, async (drawnCommits) => {
        const [model, store] = [memoryStore(), await openStore()];
        const both = async (changes: readonly Change[]): Promise<boolean> => {
          const expected = await model.commit(changes, command);
          expect(text(await store.commit(changes, command))).toBe(text(expected));
          return expected.ok;
        };
        for (const id of accounts) await both([{ kind: "account.create", account: anAccount(id) }]);
        const catalogues: number[] = [];
        for (const id of accounts) {
          for (const environment of environments) {
            const found = await model.catalogues.of(id, environment);
            expect(await store.catalogues.of(id, environment)).toEqual(found);
            catalogues.push(found?.id ?? 0);
          }
        }
        let at = START;
        for (const several of drawnCommits) {
          const made: Change[] = [];
          for (const one of several) {
            at += one.passed;
            const where = {
              accountId: accounts[one.account] ?? "",
              catalogueId: catalogues[one.account * 2 + one.environment] ?? 0,
            };
            made.push(await changeOf(model, one, where, at));
          }
          const before = await Promise.all(catalogues.map((id) => store.catalogues.revision(id)));
          const expected = await Promise.all(catalogues.map((id) => model.catalogues.revision(id)));
          if (await both(made)) applied++;
          else refused++;
          for (const [index, id] of catalogues.entries()) {
            const grew = (await model.catalogues.revision(id)) > (expected[index] ?? 0);
            expect((await store.catalogues.revision(id)) > (before[index] ?? 0)).toBe(grew);
          }
          expect(text(await contentOf(store, catalogues))).toBe(
            text(await contentOf(model, catalogues)),
          );
        }
        await store.close();
      }),
      { seed: runSeed, numRuns },
    );
    // Both outcomes must be common, or the changes would prove little.
    expect(Math.min(applied, refused)).toBeGreaterThan(numRuns);
  });
}
