import { expect, test } from "bun:test";

import { isolated, prepared } from "../../../../dashboard/app/words/isolated.ts";

test("left-to-right text is unchanged", () => {
  for (const text of ["Rex", "", "Zoë & <b>Ünal</b>", "👩‍👩‍👧", "犬", "a\u200Bb"]) {
    expect(isolated(text)).toBe(text);
  }
});

test("right-to-left text is isolated", () => {
  expect(isolated("כלב 7")).toBe("\u2068כלב 7\u2069");
  expect(isolated("قطة")).toBe("\u2068قطة\u2069");
});

test("a domain is left to right, label by label", () => {
  expect(isolated("כלב.shelter.example")).toBe("\u2066כלב.shelter.example\u2069");
  expect(isolated("כלב. שלום")).toBe("\u2068כלב. שלום\u2069");
});

test("direction marks in a name end with it", () => {
  expect(isolated("Rex \u202Egpj.exe")).toBe("\u2068Rex gpj.exe\u2069");
  expect(isolated("a\u2066b")).toBe("\u2068a\u2066b\u2069\u2069");
  expect(isolated("a\u2069\u2069b")).toBe("\u2068ab\u2069");
  expect(isolated("a\u2067b\u2069c")).toBe("\u2068a\u2067b\u2069c\u2069");
});

test("isolated text can be isolated again", () => {
  const sentence = `Is ${isolated("כלב")} back?`;
  expect(isolated(sentence)).toBe(`\u2068${sentence}\u2069`);
});

test("all sentences of a catalogue isolate their values, and nothing else changes", () => {
  const catalogue = prepared({
    plain: "כלב",
    removed: (name: string, count: number) => `${name} was deleted ${count} times.`,
    deeper: { of: ({ name }: { readonly name: string }) => name },
    list: ["כלב"],
    none: undefined,
  });
  expect(catalogue.removed("כלב", 2)).toBe("\u2068כלב\u2069 was deleted 2 times.");
  expect(catalogue.removed("Rex", 2)).toBe("Rex was deleted 2 times.");
  expect(catalogue.deeper.of({ name: "כלב" })).toBe("כלב");
  expect(catalogue).toMatchObject({ plain: "כלב", list: ["כלב"], none: undefined });
});
