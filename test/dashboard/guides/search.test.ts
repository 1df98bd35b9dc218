import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";

import { createSearch, MAX_HITS, type Hit } from "../../../dashboard/guides/search/engine.ts";
import type { Entry } from "../../../dashboard/guides/search/entry.ts";
import { folded, termsOf, wordsOf } from "../../../dashboard/guides/search/terms.ts";
import { runSeed, torture } from "../../helpers/chance.ts";
import { effortMs } from "../../helpers/effort.ts";

const entry = (title: string, text = "", more: { place?: string; names?: string } = {}): Entry => [
  "text",
  title,
  `/help/x#${title}`,
  more.place ?? "",
  more.names ?? "",
  text,
];

const titlesIn = (entries: readonly Entry[], question: string): readonly string[] =>
  createSearch(entries)(question).map((hit) => hit.entry[1]);

/** The marked words of a hit's title and excerpt. */
const marked = ({ title, excerpt }: Hit): readonly string[] =>
  [...title, ...excerpt].filter((piece) => piece.marked).map(({ text }) => text);

describe("folding", () => {
  test.each([
    ["Gebühr", "Gebuehr"],
    ["Gebühr", "gebuhr"],
    ["Straße", "STRASSE"],
    ["Öffnungszeiten", "oeffnungszeiten"],
    ["René", "rene"],
    ["Äste", "Aeste"],
  ])("%s and %s are equal", (one, other) => {
    expect(folded(one)).toBe(folded(other));
  });

  test.each([
    ["petId", ["petid", "pet", "id"]],
    ["RateLimit", ["ratelimit", "rate", "limit"]],
    ["listAPIKeys", ["listapikeys", "list", "api", "keys"]],
    ["Hund", ["hund"]],
  ])("the words of %s are %j", (run, words) => {
    expect(wordsOf(run)).toEqual(words);
  });
});

describe("a search", () => {
  const entries = [
    entry("Sicherungen", "Eine Sicherung enthält die Datenbank."),
    entry("Rate limits", "Wait for Retry-After."),
    entry("X-RateLimit-Reset", "When the limit resets."),
    entry("List animals", "Filters by status.", { place: "GET /v1/pets", names: "listPets" }),
    entry("Get an animal", "By its id.", { place: "GET /v1/pets/{petId}", names: "getPet" }),
    entry("invalid_api_key", "", { place: "401 · The API key is not valid" }),
    entry("Verwaltungsschlüssel", "Für Betreiber."),
    entry("Adoptions", "An animal that was adopted."),
    entry("Fees", "Die Gebühr für die Vermittlung."),
  ];
  test.each([
    ["sicher", "Sicherungen"],
    ["rate limit", "Rate limits"],
    ["x-ratelimit-reset", "X-RateLimit-Reset"],
    ["reset", "X-RateLimit-Reset"],
    ["/pets/{petId}", "Get an animal"],
    ["petid", "Get an animal"],
    ["listPets", "List animals"],
    ["invalid_api_key", "invalid_api_key"],
    ["401", "invalid_api_key"],
    // A part of a compound word.
    ["schluessel", "Verwaltungsschlüssel"],
    ["gebuehr", "Fees"],
    ["GEBÜHR", "Fees"],
  ])("for %s finds %s first", (question, title) => {
    expect(titlesIn(entries, question)[0]).toBe(title);
  });

  test.each([
    ["sicherumgen", "Sicherungen"],
    ["scherungen", "Sicherungen"],
    ["siccherungen", "Sicherungen"],
    ["sihcerungen", "Sicherungen"],
    ["dicherung", "Sicherungen"],
    ["ivnalid", "invalid_api_key"],
    ["limmits", "Rate limits"],
    ["gte", "Get an animal"],
  ])("for the mistyped %s finds %s", (question, title) => {
    expect(titlesIn(entries, question)).toContain(title);
  });

  test("with two mistakes in a word finds nothing", () => {
    expect(titlesIn(entries, "sixxerungen")).toEqual([]);
  });

  test("ranks titles first, and equal and short titles before others", () => {
    const ranked = titlesIn(
      [
        entry("Other", "keys keys keys"),
        entry("What your keys may do"),
        entry("Keys"),
        entry("Keys and usage"),
        entry("Monkeys"),
      ],
      "keys",
    );
    expect(ranked).toEqual(["Keys", "Keys and usage", "What your keys may do", "Monkeys", "Other"]);
  });

  test("prefers entries with all words, and otherwise shows those with most", () => {
    expect(titlesIn(entries, "list animals")).toEqual(["List animals"]);
    expect(titlesIn(entries, "rate limits zzzzzz")).toEqual(["Rate limits"]);
  });

  test("prefers texts with the question as it is", () => {
    const texts = ["limit of each key and rate", "each key has a rate limit"];
    const all = texts.map((text, index) => entry(`Title ${index}`, text));
    expect(titlesIn(all, "rate limit")).toEqual(["Title 1", "Title 0"]);
    expect(titlesIn(all, "limit of each")).toEqual(["Title 0", "Title 1"]);
  });

  test("ignores the common words of a question", () => {
    expect(titlesIn(entries, "how do I get an animal?")[0]).toBe("Get an animal");
    expect(titlesIn(entries, "Wie ist die Gebühr für die Vermittlung?")).toEqual(["Fees"]);
    // Unless there are no others.
    expect(titlesIn(entries, "an")[0]).toBe("Get an animal");
  });

  test("marks the words that match, also in folded and mistyped form", () => {
    const search = createSearch(entries);
    expect(search("gebuehr").map(marked)).toEqual([["Gebühr"]]);
    expect(search("sicherumgen").map(marked)).toEqual([["Sicherungen"]]);
  });

  test("shows the text around the first match, cut at blanks", () => {
    const long = `${"lorem ipsum ".repeat(40)}needle ${"dolor sit ".repeat(40)}`;
    const [hit] = createSearch([entry("Long", long)])("needle");
    const shown = hit?.excerpt.map(({ text }) => text).join("") ?? "";
    expect(shown).toStartWith("… ");
    expect(shown).toContain("needle dolor sit");
    expect(shown).toEndWith(" …");
    expect(shown.length).toBeLessThan(170);
  });
});

describe("any question", () => {
  const vocabulary = Array.from({ length: 5_000 }, (_, n) => `word${n.toString(36)}`);
  const large = Array.from({ length: 500 }, (_, n) =>
    entry(`Title ${n}`, vocabulary.slice(n * 10, n * 10 + 10).join(" ")),
  );
  const search = createSearch(large);

  test.each([
    ["empty", ""],
    ["blank", " \t\n"],
    ["punctuation", "/{}()[]#.,;:!?…"],
    ["one letter", "w"],
    ["a million letters", "a".repeat(1_000_000)],
    ["a million words", "word ".repeat(200_000)],
    ["different words", vocabulary.join(" ")],
    ["combining marks", `e${"\u0301".repeat(100_000)}`],
    ["lone surrogates", "\ud800\udc00\ud800".repeat(1_000)],
    ["letters that grow when folded", "ßﬃ㎏ﷺ".repeat(10_000)],
    ["a pattern", "(a+)+$\\w*".repeat(100)],
    ["emoji", "🐕".repeat(1_000)],
  ])("is answered with few results: %s", (_, question) => {
    const hits = search(question);
    expect(hits.length).toBeLessThanOrEqual(MAX_HITS);
    expect(termsOf(question).length).toBeLessThanOrEqual(8);
    for (const term of termsOf(question)) expect(term.length).toBeLessThanOrEqual(160);
    expect(search(question)).toEqual(hits);
  });

  test("leaves titles and texts complete in the results", () => {
    const text = "Grüße & <b>Kisses</b> from X-Rate’s petId — «où»?";
    for (const question of ["gruesse", "x", "id", "ou", "kiss from"]) {
      for (const { title, excerpt } of createSearch([entry(text, text)])(question)) {
        expect(title.map((piece) => piece.text).join("")).toBe(text);
        expect(excerpt.map((piece) => piece.text).join("")).toBe(text);
        expect(title.some((piece) => piece.marked)).toBe(true);
      }
    }
  });

  test("marks whole words and loses no text, for random questions and texts", () => {
    const words = fc.array(
      fc.oneof(
        fc.string({ unit: "binary", maxLength: 12 }),
        fc.constantFrom("Gebühr", "petId", "X-RateLimit", "Straße", "a", "limit", "-", "{}"),
      ),
      { maxLength: 12 },
    );
    const texts = words.map((all) => all.join(" "));
    fc.assert(
      fc.property(texts, texts, texts, (question, title, text) => {
        for (const hit of createSearch([entry(title, text), entry(text, title)])(question)) {
          const [, shown, , , , content] = hit.entry;
          expect(hit.title.map((piece) => piece.text).join("")).toBe(shown);
          const excerpt = hit.excerpt.map((piece) => piece.text).join("");
          expect(content).toContain(excerpt.replaceAll(/^… | …$/g, ""));
          expect(hit.title.every((piece) => piece.text !== "")).toBe(true);
        }
      }),
      { seed: runSeed, numRuns: torture ? 20_000 : 60 },
    );
  });

  test("takes little processor time, however long it is", async () => {
    const questions = ["word".repeat(250_000), "wrod ".repeat(200_000), vocabulary.join(" ")];
    const effort = await effortMs(() => {
      for (const question of questions) search(question);
    });
    // A search of ten ordinary words takes some milliseconds.
    expect(effort).toBeLessThan(500);
  });

  test("costs the same for a million letters as for two hundred", () => {
    // The rest of a question is not read: the results are those of its beginning.
    const start = "word1 word2 ".repeat(20).slice(0, 200);
    expect(search(start + "x".repeat(1_000_000))).toEqual(search(start));
  });
});
