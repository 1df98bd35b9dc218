import { beforeAll, describe, expect, test } from "bun:test";

import { bunSqliteStore } from "../../../../adapters/sqlite/bun.ts";
import type { Page } from "../../../../lib/base/page.ts";
import type { Store } from "../../../../lib/storage/store.ts";
import type { PetStatus, StoredPet } from "../../../../lib/catalogue/model.ts";
import { memoryBlobs } from "../../../../lib/publishing/memory-blobs.ts";
import { createStorefront } from "../../../../lib/publishing/storefront/create.ts";
import { memoryStore } from "../../../../lib/storage/memory.ts";
import { START, newPet } from "../../../../testing/shelter.ts";
import { chance, runSeed } from "../../../helpers/chance.ts";
import { openShop, type Published, type Shop } from "../../../helpers/storefront.ts";

const MANY = 5_000;

/** The number of rows requested from the store. */
interface Watched {
  readonly store: Store;
  readonly read: { rows: number };
}

function watched(store: Store): Watched {
  const read = { rows: 0 };
  const list: Store["pets"]["list"] = (catalogueId, filter, page: Page) => {
    read.rows += page.limit;
    return store.pets.list(catalogueId, filter, page);
  };
  return { store: { ...store, pets: { ...store.pets, list } }, read };
}

/** Adds animals of all categories and statuses at random. */
async function fill(shop: Shop, count: number): Promise<readonly StoredPet[]> {
  const random = chance(runSeed);
  const { shelter } = shop;
  const made = await shelter.commit(
    ...Array.from({ length: count }, (_, index) => ({
      kind: "pet.create" as const,
      catalogueId: shelter.production,
      at: START + index,
      pet: newPet({
        name: `Pet ${index}`,
        categoryId: random.between(1, 3),
        status: random.pick<PetStatus>(["available", "available", "pending", "sold"]),
      }),
    })),
  );
  return made as readonly StoredPet[];
}

function idsOn(page: string): readonly number[] {
  return Array.from(page.matchAll(/<h2><a href="\/animals\/(\d+)"/g), ([, id]) => Number(id));
}

function neighbour(page: string, relation: "prev" | "next"): string | undefined {
  const found = new RegExp(`class="button" rel="${relation}" href="([^"]*)"`).exec(page);
  return found?.[1]?.replaceAll("&amp;", "&");
}

/** Returns every page from `start` on, in the direction of `relation`. */
async function walk(
  shop: Shop,
  start: string,
  relation: "prev" | "next",
): Promise<readonly (readonly number[])[]> {
  const pages: (readonly number[])[] = [];
  for (let at: string | undefined = start; at !== undefined;) {
    const page: string = await shop.page(at);
    pages.push(idsOn(page));
    at = neighbour(page, relation);
  }
  return pages;
}

interface Case {
  readonly name: string;
  readonly published: Published;
  readonly start: string;
  readonly holds: (pet: StoredPet) => boolean;
}

const cases: readonly Case[] = [
  {
    name: "of a site that shows two statuses",
    published: {},
    start: "/",
    holds: ({ status }) => status !== "sold",
  },
  {
    name: "of a site that shows everything, oldest first",
    published: {
      project: { filter: { categoryIds: [], statuses: ["available", "pending", "sold"] } },
      siteFile: { storefront: { sort: "oldest", pageSize: 60 } },
    },
    start: "/",
    holds: () => true,
  },
  {
    name: "of several categories and statuses",
    published: { project: { filter: { categoryIds: [3, 1], statuses: ["pending", "available"] } } },
    start: "/",
    holds: ({ categoryId, status }) => categoryId !== 2 && status !== "sold",
  },
  {
    name: "of a visitor's filter",
    published: { project: { filter: { categoryIds: [1, 2], statuses: ["pending", "available"] } } },
    start: "/?category=2&status=available",
    holds: ({ categoryId, status }) => categoryId === 2 && status === "available",
  },
];

const stores: readonly (readonly [string, () => Store | Promise<Store>])[] = [
  ["in memory", memoryStore],
  ["on SQLite", () => bunSqliteStore({ path: ":memory:" })],
];

for (const [name, make] of stores) {
  describe(`with ${MANY} animals ${name}, the pages`, () => {
    let store: Store;
    let pets: readonly StoredPet[];
    let first: Shop;
    beforeAll(async () => {
      store = await make();
      first = await openShop({}, { store });
      pets = await fill(first, MANY);
    });

    for (const one of cases) {
      test(`${one.name} show each animal once, there and back`, async () => {
        const shop = { ...first, site: await first.publish(one.published) };
        const visiting: Shop = { ...shop, page: (address) => first.page(address, shop.site) };
        const there = await walk(visiting, one.start, "next");
        const wanted = pets.filter(one.holds).map(({ id }) => id);
        const oldest = one.published.siteFile?.storefront;
        const ordered = oldest === undefined ? wanted.toReversed() : wanted;
        expect(there.flat()).toEqual(ordered);

        const before = there.at(-1)?.[0] ?? 0;
        const back = await walk(
          visiting,
          `${one.start}${one.start.includes("?") ? "&" : "?"}before=${before}`,
          "prev",
        );
        expect(back.toReversed()).toEqual(there.slice(0, -1));
      });
    }

    test("cost the same at any depth", async () => {
      const { store: counting, read } = watched(store);
      const storefront = createStorefront({ store: counting, blobs: memoryBlobs() });
      const cost = async (search: string): Promise<number> => {
        const before = read.rows;
        const visitor = {
          path: "/",
          headers: new Headers(),
          head: false,
          origin: "https://x.test",
        };
        await storefront.answer({ ...visitor, site: first.site, search });
        return read.rows - before;
      };
      await cost("");
      // The site's counts are cached by now.
      const shallow = await cost("after=4900");
      expect(await cost("after=40")).toBe(shallow);
      expect(shallow).toBeLessThanOrEqual(60);
    });
  });
}

test("a page beyond the last animal is empty and links back", async () => {
  const shop = await openShop();
  await shop.shelter.addPet();
  const page = await shop.page("/?after=1");
  expect(idsOn(page)).toEqual([]);
  expect(page).toContain("No animals here at the moment.");
  expect(page).toContain('<a class="button" href="/">');
});

test("paging back yields a full first page", async () => {
  const shop = await openShop({ siteFile: { storefront: { pageSize: 3 } } });
  for (let count = 0; count < 7; count++) await shop.shelter.addPet();
  expect(idsOn(await shop.page("/?before=6"))).toEqual([7, 6, 5]);
});

test("many categories are merged without reading each in full", async () => {
  const { store, read } = watched(memoryStore());
  const shop = await openShop({}, { store });
  const { production, commit, addPet } = shop.shelter;
  for (let count = 4; count <= 100; count++) {
    await commit({
      kind: "category.create",
      catalogueId: production,
      name: `C${count}`,
      at: START,
    });
  }
  for (let count = 0; count < 300; count++) await addPet({ categoryId: (count % 100) + 1 });
  const categoryIds = Array.from({ length: 100 }, (_, index) => index + 1);
  const site = await shop.publish({
    project: { filter: { categoryIds, statuses: ["available"] } },
  });
  read.rows = 0;
  expect(idsOn(await shop.page("/", site))).toEqual(
    Array.from({ length: 24 }, (_, index) => 300 - index),
  );
  expect(read.rows).toBeLessThan(500);
});
