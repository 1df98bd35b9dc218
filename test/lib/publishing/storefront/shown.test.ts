import { expect, test } from "bun:test";

import { memoryStore } from "../../../../lib/storage/memory.ts";
import { addShelter, aPet, newPet } from "../../../../testing/shelter.ts";
import { openShop, type Shop } from "../../../helpers/storefront.ts";

/** All pages on which an animal could appear. */
const everywhere = ["/", "/embed", "/feed.json", "/feed.xml", "/sitemap.xml"];

async function seen(shop: Shop, text: string, more: readonly string[] = []): Promise<string[]> {
  const found: string[] = [];
  for (const address of [...everywhere, ...more]) {
    if ((await shop.page(address)).includes(text)) found.push(address);
  }
  return found;
}

test("a sold animal disappears from every page with the next request", async () => {
  const shop = await openShop();
  const { addPet, commit, production } = shop.shelter;
  const from = await addPet({ name: "Ferdinand" });
  const own = `/animals/${from.id}`;
  expect(await seen(shop, `animals/${from.id}`, [own])).toEqual([...everywhere, own]);
  await commit({
    kind: "pet.update",
    catalogueId: production,
    from,
    to: newPet({ name: from.name, status: "sold" }),
    at: from.updatedAt,
  });
  expect(await seen(shop, "Ferdinand", [own])).toEqual([]);
  expect(await seen(shop, `animals/${from.id}`)).toEqual([]);
  expect((await shop.visit(own))?.status).toBe(404);
});

test("a hidden animal responds like a nonexistent one", async () => {
  const shop = await openShop({
    files: { "/animals/1/bio.md": "Secret", "/animals/1/photo.jpg": "x" },
  });
  await shop.shelter.addPet({ name: "Ferdinand", status: "sold" });
  const [hidden, never] = [await shop.visit("/animals/1"), await shop.visit("/animals/99999")];
  expect(hidden?.status).toBe(404);
  expect(await hidden?.text()).toBe((await never?.text()) ?? "");
  expect([...(hidden?.headers ?? [])]).toEqual([...(never?.headers ?? [])]);
});

test("a project shows only its categories, whatever the query", async () => {
  const shop = await openShop({
    project: { filter: { categoryIds: [2], statuses: ["available"] } },
  });
  await shop.shelter.addPet({ name: "Ferdinand", categoryId: 1 });
  await shop.shelter.addPet({ name: "Mio", categoryId: 2 });
  expect(await seen(shop, "Mio")).toHaveLength(4);
  for (const path of ["/", "/embed", "/feed.json", "/feed.xml"]) {
    for (const query of ["", "?after=3", "?before=1"]) {
      expect(await shop.page(path + query)).not.toContain("Ferdinand");
    }
    for (const query of ["?category=1", "?status=pending", "?status=sold", "?category=77"]) {
      const response = await shop.visit(path + query);
      expect(response?.status).toBe(404);
      expect(await response?.text()).not.toContain("Ferdinand");
    }
  }
  expect((await shop.visit("/animals/1"))?.status).toBe(404);
  // Its categories and their counts are hidden too.
  expect(await shop.page("/")).not.toContain("Dogs");
});

test("the site file can narrow the project's filter, but not widen it", async () => {
  const shop = await openShop();
  await shop.shelter.addPet({ name: "Avail" });
  await shop.shelter.addPet({ name: "Pend", status: "pending" });
  await shop.shelter.addPet({ name: "Sold", status: "sold" });
  const names = async (statuses: readonly ("available" | "pending" | "sold")[]) => {
    const site = await shop.publish({ siteFile: { storefront: { statuses } } });
    const page = await shop.page("/", site);
    return Array.from(
      page.matchAll(/<bdi>(Avail|Pend|Sold)<\/bdi><\/a><\/h2>/g),
      ([, name]) => name,
    );
  };
  expect(await names(["available"])).toEqual(["Avail"]);
  expect(await names(["available", "sold"])).toEqual(["Avail"]);
  expect(await names(["sold"])).toEqual([]);
});

test("a project can show sold animals", async () => {
  const shop = await openShop({ project: { filter: { categoryIds: [], statuses: ["sold"] } } });
  await shop.shelter.addPet({ name: "Ferdinand", status: "sold" });
  const page = await shop.page("/animals/1");
  expect(page).toContain("Adopted");
});

test("no other catalogue is visible, neither another account's nor the own staging", async () => {
  const store = memoryStore();
  const shop = await openShop({}, { store });
  const stranger = await addShelter(store, "acc_two");
  await stranger.commit({
    kind: "category.create",
    catalogueId: stranger.production,
    name: "Strangers",
    at: 1,
  });
  await stranger.addPet({ name: "Ferdinand" });
  const [staged] = await shop.shelter.commit({
    kind: "pet.create",
    catalogueId: shop.shelter.staging,
    pet: newPet({ name: "Staged" }),
    at: 1,
  });
  expect(aPet(staged).id).toBe(1);
  for (const text of ["Ferdinand", "Staged", "Strangers", "animals/1"]) {
    expect(await seen(shop, text)).toEqual([]);
  }
  expect((await shop.visit("/animals/1"))?.status).toBe(404);
  expect((await shop.visit("/?category=4"))?.status).toBe(404);
});

test("the storefront ignores other paths", async () => {
  const shop = await openShop();
  await shop.shelter.addPet();
  for (const path of [
    "/index.html",
    "/animals",
    "/animals/",
    "/animals/0",
    "/animals/01",
    "/animals/1/",
    "/animals/x",
    "/animals/9007199254740992",
    "/animals/1/photo.jpg",
    "/feed",
    "/sitemap-0.xml",
    "/Embed",
    "/v1/pets",
  ]) {
    expect(await shop.visit(path)).toBeUndefined();
  }
});

test("a storefront that is turned off serves nothing", async () => {
  const shop = await openShop();
  const site = await shop.publish({ siteFile: { storefront: false } });
  const request = {
    site,
    path: "/",
    search: "",
    headers: new Headers(),
    head: false,
    origin: "https://x.test",
  };
  for (const path of ["/", "/feed.json", "/robots.txt", "/animals/1"]) {
    expect(shop.storefront.answer({ ...request, path })).toBeUndefined();
  }
  expect(shop.storefront.notFound(request)).toBeUndefined();
});
