import { expect, test } from "bun:test";
import type { Profile } from "../../../../lib/catalogue/model-profile.ts";
import { presetFor } from "../../../../lib/import/presets.ts";
import type { Animal } from "../../../../lib/publishing/storefront/catalogue.ts";
import { portalList } from "../../../../lib/publishing/storefront/portal-lists.ts";
import type { Presentation } from "../../../../lib/publishing/storefront/presentation.ts";
import { parseCsvRow } from "../../../helpers/csv.ts";
import { openShop, ORIGIN, type Shop } from "../../../helpers/storefront.ts";

const PROFILE: Profile = {
  sex: "female",
  neutered: true,
  birth: { date: "2001-01-01", precision: "year" },
  breed: { text: "Beagle", mixed: true },
  colour: "Black, white",
  size: "extra_large",
  goodWith: { children: "yes", dogs: "no", cats: "unknown" },
  specialNeeds: "Takes a pill a day.",
  text: 'Gentle "giant".\n\nLikes walks.',
  staffNotes: "CANARY-NOTES",
  microchip: "CANARY-CHIP",
};

function cellsOf(row: string): readonly string[] {
  const parsed = parseCsvRow(row);
  if (!parsed.ok) throw new Error(`${parsed.failure}: ${row}`);
  return parsed.value;
}

/** Returns the rows of a table by their columns. */
function rowsOf(csv: string): readonly Readonly<Record<string, string>>[] {
  const [header = "", ...rows] = csv.trimEnd().split("\r\n");
  const names = cellsOf(header);
  return rows.map((row) => {
    const cells = cellsOf(row);
    expect(cells).toHaveLength(names.length);
    return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ""]));
  });
}

async function shopWithWaldo(): Promise<Shop> {
  const shop = await openShop({ files: { "/animals/1/photo.jpg": "x" } });
  const { commit, addPet, production: catalogueId } = shop.shelter;
  const { id: petId } = await addPet({ name: "Waldo, the first", categoryId: 1 });
  await commit({ kind: "profile.set", catalogueId, petId, at: 1, from: 0, to: PROFILE });
  await addPet({ name: "Mia", categoryId: 2, status: "pending" });
  await addPet({ name: "Gone", status: "sold" });
  return shop;
}

test("the table for RescueGroups has the documented columns, and the visible animals", async () => {
  const shop = await shopWithWaldo();
  const response = await shop.visit("/rescuegroups.csv");
  expect(response?.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  const csv = (await response?.text()) ?? "";
  expect(csv).toStartWith(
    "externalID,internalID,rescueID,name,status,type,priBreed,secBreed,mix,sex,age,okwithdogs,okwithcats,okwithkids,declawed,housebroken,specialNeeds,altered,size,uptodate,color,pattern,coatLength,courtesy,dsc,found,foundDate,foundZipcode,photo1,photo2,photo3,photo4,videoUrl\r\n",
  );
  const [mia, waldo, ...others] = rowsOf(csv);
  expect(others).toEqual([]);
  expect(mia).toMatchObject({ name: "Mia", status: "Adoption Pending", type: "Cat", photo1: "" });
  expect(waldo).toMatchObject({
    externalID: "1",
    name: "Waldo, the first",
    status: "Available",
    type: "Dog",
    priBreed: "Beagle",
    mix: "Yes",
    sex: "Female",
    age: "Senior",
    okwithkids: "Yes",
    okwithdogs: "No",
    okwithcats: "",
    specialNeeds: "Yes",
    altered: "Yes",
    size: "X-Large",
    color: "Black, white",
    dsc: "<p>Gentle &quot;giant&quot;.</p> <p>Likes walks.</p>",
    photo1: `${ORIGIN}/animals/1/photo.jpg`,
    photo2: "",
  });
});

test("the table for Adopt-a-Pet says yes and no as 1 and 0", async () => {
  const shop = await shopWithWaldo();
  const waldo = rowsOf(await shop.page("/adoptapet.csv"))[1];
  expect(waldo).toMatchObject({
    Id: "1",
    Animal: "Dog",
    Breed: "Beagle",
    Purebred: "0",
    Age: "Senior",
    Size: "XL",
    Sex: "F",
    GoodWKids: "1",
    GoodWDogs: "0",
    GoodWCats: "",
    SpayedNeutered: "1",
    SpecialNeeds: "1",
    ShotsCurrent: "",
  });
});

test("our import recognizes both tables, and neither has what only staff may see", async () => {
  const shop = await shopWithWaldo();
  for (const [path, preset] of [
    ["/rescuegroups.csv", "rescuegroups"],
    ["/adoptapet.csv", "adoptapet"],
  ] as const) {
    const csv = await shop.page(path);
    expect(presetFor(csv.split("\r\n")[0]?.split(",") ?? [])?.name).toBe(preset);
    expect(csv).not.toContain("CANARY");
  }
});

test.each([
  ["2026-03-10", "2026-11-20", "Baby", "Puppy"],
  ["2025-11-21", "2026-11-20", "Baby", "Puppy"],
  ["2025-11-20", "2026-11-20", "Young", "Young"],
  ["2023-11-20", "2026-11-20", "Adult", "Adult"],
  ["2018-11-20", "2026-11-20", "Senior", "Senior"],
])("an animal born on %s is on %s: %s", (date, today, age, atAdoptAPet) => {
  const animal = {
    pet: { id: 1, name: "Rex", status: "available" },
    category: "Hunde",
    gallery: [],
    profile: { birth: { date, precision: "day" } },
  } as unknown as Animal;
  const list = (portal: "rescueGroups" | "adoptAPet") =>
    rowsOf(portalList(portal, [animal], { origin: ORIGIN, today } as Presentation))[0];
  expect([list("rescueGroups")?.["age"], list("adoptAPet")?.["Age"]]).toEqual([age, atAdoptAPet]);
});

test("more animals than a table may have are not offered in part, since portals remove the rest", async () => {
  const shop = await openShop({});
  const { commit, production: catalogueId } = shop.shelter;
  const pet = { name: "Rex", categoryId: 1, status: "available" } as const;
  for (let batch = 0; batch < 4; batch++) {
    const some = Array.from(
      { length: 500 },
      () => ({ kind: "pet.create", catalogueId, pet, at: 1 }) as const,
    );
    await commit(...some);
  }
  expect(rowsOf(await shop.page("/adoptapet.csv"))).toHaveLength(2_000);
  await shop.shelter.addPet();
  expect((await shop.visit("/adoptapet.csv"))?.status).toBe(404);
});

test("an animal's page shows the most similar animals of its category first", async () => {
  const shop = await openShop({});
  const { commit, addPet, production: catalogueId } = shop.shelter;
  const add = async (name: string, to: Profile): Promise<void> => {
    const { id: petId } = await addPet({ name, categoryId: 1 });
    if (Object.keys(to).length > 0)
      await commit({ kind: "profile.set", catalogueId, petId, at: 1, from: 0, to });
  };
  await add("Waldo", { breed: { text: "Beagle" }, size: "medium" });
  await add("Twin", { breed: { text: "beagle" }, size: "medium" });
  await add("Sized", { size: "medium" });
  for (const name of ["One", "Two", "Three", "Four"]) await add(name, {});
  const page = await shop.page("/animals/1");
  const others = [...page.slice(page.indexOf('id="more"')).matchAll(/<bdi>(\w+)<\/bdi><\/a>/g)];
  expect(others.map(([, name]) => name)).toEqual(["Twin", "Sized", "Four", "Three"]);
});
