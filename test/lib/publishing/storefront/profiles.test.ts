import { expect, test } from "bun:test";

import type { Profile } from "../../../../lib/catalogue/model-profile.ts";
import { siteLanguages } from "../../../../lib/publishing/model/project.ts";
import { factsOf } from "../../../../lib/publishing/storefront/facts.ts";
import { languageOf } from "../../../../lib/publishing/storefront/language.ts";
import { listAddress, readListQuery } from "../../../../lib/publishing/storefront/route.ts";
import { profileWords } from "../../../../lib/publishing/storefront/words/profile.ts";
import { createStorefront } from "../../../../lib/publishing/storefront/create.ts";
import { memoryBlobs } from "../../../../lib/publishing/memory-blobs.ts";
import { manualClock } from "../../../../testing/clock.ts";
import { fullProfile } from "../../../../testing/store/profiles.ts";
import { openShop, ORIGIN, type Shop } from "../../../helpers/storefront.ts";

const DAY = 86_400_000;
const TODAY = "2026-11-20";

/** Adds an animal with a profile. */
async function add({ shelter }: Shop, name: string, to: Profile): Promise<void> {
  const { id } = await shelter.addPet({ name });
  const of = { catalogueId: shelter.production, petId: id, at: 0 };
  await shelter.commit({ kind: "profile.set", ...of, from: 0, to });
}

/** The names of the animals on a page, without the page's other parts. */
async function namesOn(shop: Shop, address: string): Promise<readonly (string | undefined)[]> {
  const page = await shop.page(address);
  return Array.from(page.matchAll(/<h2><a [^>]*><bdi>([^<]*)</g), ([, name]) => name);
}

test("a profile becomes facts in the language of the site, without what is not known", () => {
  const facts = (profile: Profile, language: string) =>
    Object.fromEntries(factsOf(profile, languageOf(language), TODAY));
  expect(facts({}, "en")).toEqual({});
  const { colour: _colour, ...shown } = fullProfile;
  expect(facts(shown, "en")).toEqual({
    Sex: "Female, spayed",
    Age: "2 years, born March 2024",
    Breed: "Déutsch Drahthaar",
    Size: "Large",
    "Gets on with": "children",
    "Not suitable for homes with": "cats",
    "Special needs": "Eye drops\ntwice a day",
    "Adoption fee": "€ 250",
  });
  expect(facts({ sex: "male", neutered: false, breed: { mixed: true } }, "de")).toEqual({
    Geschlecht: "männlich, nicht kastriert",
    Rasse: "Mischling",
  });
  expect(facts({ sex: "unknown", neutered: true, size: "extra_large" }, "fr-CA")).toEqual({
    Sexe: "stérilisé(e)",
    Taille: "Très grande",
  });
  expect(facts({ breed: { text: "Galgo", mixed: true }, sex: "unknown" }, "es")).toEqual({
    Raza: "Galgo (cruce)",
  });
});

test.each([
  ["2026-11-20", "day", "under 1 month, born November 20, 2026"],
  ["2026-10-21", "day", "under 1 month, born October 21, 2026"],
  ["2026-10-20", "day", "1 month, born October 20, 2026"],
  ["2024-11-21", "day", "23 months, born November 21, 2024"],
  ["2024-11-20", "day", "2 years, born November 20, 2024"],
  ["2016-12-01", "month", "9 years, born December 2016"],
  ["2026-12-01", "month", "under 1 month, born December 2026"],
  ["2026-01-01", "year", "under 1 year, born 2026"],
  ["2020-01-01", "year", "about 6 years, born 2020"],
  ["1969-05-01", "month", "57 years, born 1969"],
] as const)("an animal born %s by %s is %s", (date, precision, age) => {
  expect(factsOf({ birth: { date, precision } }, languageOf("en-US"), TODAY)).toEqual([
    ["Age", age],
  ]);
});

test("every language has its own words for profiles", () => {
  const texts = siteLanguages.map((language) => {
    const { about, born, mix, ...words } = profileWords[language];
    return JSON.stringify([words, about("1"), born("1"), mix("1")]);
  });
  expect(new Set(texts).size).toBe(siteLanguages.length);
  for (const text of texts) expect(text).not.toContain('""');
});

test("an animal's page shows the facts at once, since when it is here, and data for programs", async () => {
  const shop = await openShop({ siteFile: { storefront: { contact: { email: "a@b.test" } } } });
  await shop.shelter.addPet({ name: "Rex" });
  expect(await shop.page("/animals/1")).not.toContain('class="traits"');
  const of = { catalogueId: shop.shelter.production, petId: 1, at: 0 };
  const to = { ...fullProfile, colour: "</script><b>", intakeAt: Date.UTC(2025, 4, 6) };
  await shop.shelter.commit({ kind: "profile.set", ...of, from: 0, to });
  const page = await shop.page("/animals/1");
  expect(page).toContain('<dt>Breed</dt><dd dir="auto">Déutsch Drahthaar</dd>');
  expect(page).toContain("Here since May 6, 2025");
  const [, data = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(page) ?? [];
  expect(JSON.parse(data)).toMatchObject({
    "@type": "ItemPage",
    url: `${ORIGIN}/animals/1`,
    about: { name: "Rex", description: expect.stringContaining("Colour: </script><b>") },
    publisher: { "@type": "AnimalShelter", email: "a@b.test", url: ORIGIN },
  });
});

test("visitors filter the list by a form without script", async () => {
  const shop = await openShop();
  await add(shop, "Ada", { sex: "female", size: "small", goodWith: { dogs: "yes", cats: "yes" } });
  expect(await shop.page("/")).not.toContain("<select");
  await add(shop, "Bo", { sex: "male", size: "large", goodWith: { dogs: "yes", cats: "no" } });
  await add(shop, "Cleo", { birth: { date: "2001-01-01", precision: "year" } });
  const page = await shop.page("/?category=1&status=available");
  expect(page).toContain(
    '<form class="choices" action="/" method="get"><input type="hidden" name="category" value="1" />',
  );
  for (const name of ["sex", "size", "age"]) expect(page).toContain(`<select name="${name}">`);
  expect(page).toContain('<input type="checkbox" name="with" value="dogs" />');
  expect(page).not.toContain('value="children"');
  expect(await namesOn(shop, "/?sex=female")).toEqual(["Ada"]);
  expect(await namesOn(shop, "/?sex=&size=&with=dogs")).toEqual(["Bo", "Ada"]);
  expect(await namesOn(shop, "/?with=dogs&with=cats&category=1")).toEqual(["Ada"]);
  expect(await namesOn(shop, "/?age=senior")).toEqual(["Cleo"]);
  expect(await namesOn(shop, "/?age=young&size=small")).toEqual([]);
  const narrowed = await shop.page("/?sex=female&with=dogs");
  expect(narrowed).toContain('<option value="female" selected>');
  expect(narrowed).toContain('value="dogs" checked');
  expect(narrowed).toContain('content="noindex"');
  expect(narrowed).toContain('href="/?status=pending&amp;sex=female&amp;with=dogs"');
  expect(await namesOn(shop, "/embed?sex=male")).toEqual(["Bo"]);
});

test("filters have one canonical address, whatever else is sent", () => {
  const canonical = (search: string): string => listAddress("/", readListQuery(search));
  expect(canonical("with=cats&with=dogs,birds&sex=unknown&size=huge&age=old")).toBe(
    "/?with=dogs,cats",
  );
  expect(canonical("with=&sex=")).toBe("/");
  expect(canonical("size=small&sex=male&category=2")).toBe("/?category=2&sex=male&size=small");
  expect(canonical(`with=${"cats,".repeat(500)}`)).toBe("/?with=cats");
});

test("ages are those of the day, although pages are kept", async () => {
  const shop = await openShop();
  await add(shop, "Ada", { birth: { date: "2026-11-20", precision: "day" } });
  const clock = manualClock(Date.UTC(2026, 11, 19, 12));
  const storefront = createStorefront({ store: shop.shelter.store, blobs: memoryBlobs(), clock });
  const age = async (): Promise<string | undefined> => {
    const response = await storefront.answer({
      site: shop.site,
      path: "/animals/1",
      search: "",
      headers: new Headers(),
      head: false,
      origin: ORIGIN,
    });
    return /<dt>Age<\/dt><dd dir="auto">([^,]*)/.exec((await response?.text()) ?? "")?.[1];
  };
  expect(await age()).toBe("under 1 month");
  clock.advance(DAY);
  expect(await age()).toBe("1 month");
});
