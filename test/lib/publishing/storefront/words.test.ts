import { expect, test } from "bun:test";
import { siteLanguages, type SiteLanguage } from "../../../../lib/publishing/model/project.ts";
import { enquiryWords } from "../../../../lib/publishing/storefront/words/enquiry.ts";
import { profileWords } from "../../../../lib/publishing/storefront/words/profile.ts";
import { catalogues, languageOf } from "../../../../lib/publishing/storefront/language.ts";
import { openShop } from "../../../helpers/storefront.ts";

/** Words that are the same in English and the other language. */
const alike: Readonly<Record<string, readonly string[]>> = {
  en: [],
  de: ["Filter", "Website"],
  es: [],
  fr: ["Pages", "Contact"],
};

/** Returns every text of a catalogue by its path; functions are called with samples. */
function textsOf(value: unknown, path = ""): readonly (readonly [path: string, text: string])[] {
  if (typeof value === "string") return [[path, value]];
  if (typeof value === "function") {
    const samples =
      path === "/words/count"
        ? [
            [1, "1"],
            [2, "2"],
          ]
        : [["⟨one⟩", 7]];
    return samples.map((given, index) => [`${path}#${index}`, String(value(...given))] as const);
  }
  return Object.entries(value ?? {}).flatMap(([name, one]) => textsOf(one, `${path}/${name}`));
}

/** Returns all texts of the storefront in a language. */
function textsIn(language: SiteLanguage) {
  return {
    words: catalogues[language],
    profile: profileWords[language],
    enquiry: enquiryWords[language],
  };
}

const english = new Map(textsOf(textsIn("en")));

test.each(siteLanguages.filter((language) => language !== "en"))(
  "no text of the storefront in %s is missing or English",
  (language) => {
    const found = textsOf(textsIn(language));
    expect(found.map(([path]) => path)).toEqual([...english.keys()]);
    const same = found.filter(([path, text]) => text !== "" && text === english.get(path));
    const words = same.map(([, text]) => text).filter((text) => !/^\d+ animal$/.test(text));
    expect(words).toEqual([...(alike[language] ?? [])]);
    for (const [path, text] of found) {
      expect([path, text === ""]).toEqual([path, english.get(path) === ""]);
      if (path.includes("#") && path !== "/words/count#0" && path !== "/words/count#1")
        expect(text).toContain("⟨one⟩");
    }
  },
);

test.each([
  ["en", "1 animal<", "2 animals<", "Here since January 1, 2026", "Arrange a visit"],
  ["de", "1 Tier<", "2 Tiere<", "Bei uns seit dem 1. Januar 2026", "Besuch vereinbaren"],
  [
    "es",
    "1 animal<",
    "2 animales<",
    "Con nosotros desde el 1 de enero de 2026",
    "Concertar una visita",
  ],
  ["fr", "1 animal<", "2 animaux<", "Chez nous depuis le 1er janvier 2026", "Prendre rendez-vous"],
])(
  "a site in %s has its words, plural forms and dates",
  async (language, one, two, since, visit) => {
    const shop = await openShop({
      project: { site: { language, visit: "https://example.org/visit" } },
    });
    await shop.shelter.addPet({ name: "Ada" });
    expect(await shop.page("/")).toContain(`<html lang="${language}" dir="ltr">`);
    expect(await shop.page("/")).toContain(one);
    await shop.shelter.addPet({ name: "Bo" });
    expect(await shop.page("/")).toContain(two);
    const page = await shop.page("/animals/1");
    expect(page).toContain(since);
    expect(page).toContain(visit);
    expect(JSON.parse(await shop.page("/feed.json"))).toMatchObject({ language });
    expect(await shop.page("/feed.xml")).toContain(`xml:lang="${language}"`);
  },
);

test("a page in another language than English has no English word", async () => {
  const words = [...english.values()].flatMap((text) => text.match(/[A-Za-z]{4,}/g) ?? []);
  for (const language of siteLanguages.slice(1)) {
    const settings = {
      language,
      email: "a@shelter.test",
      phone: "+1 555 0100",
      address: "1",
      hours: "2",
      website: "https://shelter.test",
      donate: "https://shelter.test/1",
    };
    const shop = await openShop({ project: { name: "1", site: settings } });
    await shop.shelter.addPet({ name: "1" });
    await shop.shelter.addPet({ name: "2", status: "pending" });
    const own = new Set(
      textsOf(textsIn(language)).flatMap(([, text]) => text.match(/[A-Za-z]{4,}/g) ?? []),
    );
    const foreign = words.filter((word) => !own.has(word));
    for (const address of ["/", "/animals/1", "/animals/2", "/embed"]) {
      const page = await shop.page(address);
      const body = page.slice(page.indexOf("<body"));
      const texts = [...body.matchAll(/>([^<]+)<|(?:aria-label|alt|title)="([^"]*)"/g)];
      const shown = texts.map(([, text, label]) => text ?? label).join(" ");
      expect(foreign.filter((word) => new RegExp(`\\b${word}\\b`).test(shown))).toEqual([]);
    }
  }
});

test("French elides de before a vowel", () => {
  const { photoOf, subject } = languageOf("fr").words;
  expect([photoOf("Ada"), photoOf("Rex"), photoOf("Émile")]).toEqual([
    "Photo d’Ada",
    "Photo de Rex",
    "Photo d’Émile",
  ]);
  expect(subject("Oscar", 7)).toBe("À propos d’Oscar (n° 7)");
});
