import { expect, test } from "bun:test";
import { faultOfSlug, randomSlug } from "../../../../lib/publishing/model/slug.ts";
import { adjectives, animals } from "../../../../lib/publishing/model/slug-words.ts";
import { chance } from "../../../helpers/chance.ts";

test("a label of 3 to 40 characters is a valid slug", () => {
  for (const slug of ["abc", "a-b", "brave-otter-1f2e", "3dogs", "007", "a".repeat(40), "nest"]) {
    expect([slug, faultOfSlug(slug)]).toEqual([slug, undefined]);
  }
});

test("slugs that are no label, too short, too long or look encoded are refused", () => {
  const slugs = [
    "",
    "ab",
    "a".repeat(41),
    "-abc",
    "abc-",
    "a_b",
    "Abc",
    "äbc",
    "a.b",
    "a b",
    "a--b",
  ];
  for (const slug of [...slugs, "xn--abc", "abc\n", "a/b", "abc\0"]) {
    expect([slug, faultOfSlug(slug)]).not.toEqual([slug, undefined]);
  }
});

test("names of the service and of the host are refused", () => {
  const slugs = ["www", "api", "app", "admin", "docs", "staging", "cname", "mail", "ns1", "ns42"];
  for (const slug of [...slugs, "_acme", "_dmarc"]) {
    expect(faultOfSlug(slug)).toContain("reserved");
  }
  expect(faultOfSlug("edge")).toBeUndefined();
  expect(faultOfSlug("edge", ["edge"])).toContain("reserved");
});

test("a random slug is valid and consists of an adjective, an animal and a number", () => {
  const { between } = chance();
  for (let count = 0; count < 2_000; count++) {
    const slug = randomSlug((into) => into.map(() => between(0, 255)));
    expect(faultOfSlug(slug)).toBeUndefined();
    const [adjective = "", animal = "", number = "", ...rest] = slug.split("-");
    expect([adjectives.includes(adjective), animals.includes(animal)]).toEqual([true, true]);
    expect([number.length, rest.length]).toEqual([4, 0]);
  }
});

test("every word can occur, including the first and the last", () => {
  const { between } = chance();
  const drawn = new Set<string>();
  for (let count = 0; count < 20_000; count++) {
    drawn.add(randomSlug((into) => into.map(() => between(0, 255))).split("-")[1] ?? "");
  }
  expect(drawn.size).toBe(animals.length);
});
