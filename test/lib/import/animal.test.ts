import { expect, test } from "bun:test";

import { isReady, MAX_CREATED_CATEGORIES } from "../../../lib/import/plan.ts";
import { planned } from "./tables.ts";

/** Plans one row, given by column. */
function row(cells: Readonly<Record<string, string | number | boolean>>, choices = {}) {
  const all = { name: "Rex", category: "Dogs", status: "available", ...cells };
  return planned(Object.keys(all), [Object.values(all)], choices);
}

async function profile(cells: Readonly<Record<string, string>>) {
  const { first, faults } = await row(cells);
  expect(faults).toEqual([]);
  return first[0]?.profile;
}

test("names keep what is odd but possible; white space of any kind becomes a space", async () => {
  const names = [
    "*Bella",
    "Tom &amp; Jerry",
    "007",
    "N/A",
    "Line\nBreak",
    "Tab\tName",
    "No\u00A0Break",
    "😺",
    "Zoe\u0308",
    "=1+1",
  ];
  const plan = await planned(
    ["name", "category"],
    names.map((name) => [name, "Cats"]),
  );
  expect(plan.faults).toEqual([]);
  const more = await planned(
    ["name", "category"],
    [
      ["Zoe\u0308", "Cats"],
      ["Line\nBreak", "Cats"],
    ],
  );
  expect(more.first.map(({ name }) => name)).toEqual(["Zoë", "Line Break"]);
});

test("a bad name is a fault with its line, grouped by kind", async () => {
  const plan = await planned(
    ["name", "category"],
    [
      ["", "Cats"],
      ["x".repeat(121), "Cats"],
      ["\u202ERTL", "Cats"],
      ["y".repeat(500), "Cats"],
      [7, "Cats"],
      ["\u200B", "Cats"],
    ],
  );
  expect(plan.faults.map(({ fault, count, lines }) => [fault.code, count, lines])).toEqual([
    ["no_name", 2, [2, 7]],
    ["invalid_value", 2, [3, 5]],
    ["invalid_value", 1, [4]],
    ["not_text", 1, [6]],
  ]);
  expect([isReady(plan, { goodRows: false }), plan.animals]).toEqual([false, 0]);
});

test("categories are found by number as spreadsheets write it, and two different ones are a fault", async () => {
  const numbers = await planned(
    ["name", "categoryId"],
    ["1.0", "1", "01", 1, "2,00"].map((id) => ["A", id]),
  );
  expect([numbers.faults, numbers.first.map(({ category }) => category)]).toEqual([
    [],
    [1, 1, 1, 1, 2],
  ]);
  const wrong = await planned(
    ["name", "categoryId"],
    ["1.5", "9", "x", "99999999999999999999"].map((id) => ["A", id]),
  );
  expect(wrong.faults.map(({ fault }) => fault.code)).toEqual(
    Array.from({ length: 4 }, () => "unknown_value"),
  );
  const both = await planned(
    ["name", "category", "categoryId"],
    [
      ["A", "Cats", "2"],
      ["B", "Cats", "1"],
      ["C", "", "1"],
    ],
  );
  expect(both.faults.map(({ fault, lines }) => [fault.code, lines])).toEqual([
    ["two_categories", [3]],
  ]);
});

test("missing categories are created on request, and more than 50 are refused", async () => {
  const rows = (count: number) =>
    Array.from({ length: count }, (_, index) => ["A", `Kind ${index}`]);
  const few = await planned(["name", "category"], [...rows(50), ["B", "kind 3"]], {
    createCategories: true,
  });
  expect([few.newCategories.length, isReady(few, { goodRows: false })]).toEqual([
    MAX_CREATED_CATEGORIES,
    true,
  ]);
  const many = await planned(["name", "category"], rows(60), { createCategories: true });
  expect([many.tooManyCategories, isReady(many, { goodRows: true })]).toEqual([true, false]);
  const rabbit = await planned(["name", "category"], [["Bun", "Rabbit"]]);
  expect(rabbit.faults[0]).toMatchObject({
    fault: { code: "unknown_value", field: "category", found: "Rabbit" },
    lines: [2],
  });
});

test("good rows can be imported without the others, but not with an open question", async () => {
  const plan = await planned(
    ["name", "category"],
    [
      ["Rex", "Dogs"],
      ["", "Dogs"],
    ],
  );
  expect([isReady(plan, { goodRows: false }), isReady(plan, { goodRows: true })]).toEqual([
    false,
    true,
  ]);
});

test("a profile has what the file says, and nothing that it does not", async () => {
  expect(await profile({})).toEqual({});
  expect(
    await profile({
      sex: "Neutered Male",
      "date of birth": "2024-05",
      breed: "Beagle",
      "secondary breed": "Boxer",
      color: "Black",
      size: "XL",
      "good with kids": "yes",
      "no cats": "1",
      "no dogs": "",
      "special needs": "Needs a ramp",
      fee: "€ 250",
      description: "Gentle<br>giant",
      notes: "Bites",
      chip: "977200009000001",
      "external id": "HT-1",
      "intake date": "2026-10-01",
    }),
  ).toEqual({
    sex: "male",
    neutered: true,
    birth: { date: "2024-05-01", precision: "month" },
    breed: { text: "Beagle / Boxer", mixed: true },
    colour: "Black",
    size: "extra_large",
    goodWith: { children: "yes", cats: "no" },
    specialNeeds: "Needs a ramp",
    fee: "€ 250",
    text: "Gentle\ngiant",
    staffNotes: "Bites",
    microchip: "977200009000001",
    externalId: "HT-1",
    intakeAt: 1_790_856_000_000,
  });
});

test("a profile value that cannot be stored is a fault that names its column", async () => {
  for (const [column, value] of [
    ["text", "x".repeat(32 * 1024 + 1)],
    ["breed", "b".repeat(121)],
    ["microchip", "1".repeat(41)],
    ["colour", "\u202Ered"],
    ["birth", "2030-01-01"],
  ] as const) {
    const { faults } = await row({ [column]: value });
    expect([
      column,
      faults.map(({ fault }) => [fault.code, "column" in fault && fault.column]),
    ]).toEqual([column, [["invalid_value", column]]]);
  }
});

test("a sold animal with a date was adopted then; the others have no date", async () => {
  const { first } = await planned(
    ["name", "category", "status", "adoption date"],
    [
      ["A", "Dogs", "sold", "2025-03-04"],
      ["B", "Dogs", "sold", ""],
      ["C", "Dogs", "available", "2025-03-04"],
    ],
  );
  expect(first.map(({ soldAt }) => soldAt)).toEqual([
    Date.UTC(2025, 2, 4, 12),
    undefined,
    undefined,
  ]);
});

test("a date with two meanings is imported as its year, with a warning", async () => {
  const plan = await row({ birth: "01/06/2025" });
  expect(plan.first[0]?.profile.birth).toEqual({ date: "2025-01-01", precision: "year" });
  expect(plan.mapping.warnings).toEqual([
    { field: "birth", column: "birth", sample: "01/06/2025" },
  ]);
  const said = await row({ birth: "01/06/2025" }, { dates: "day" });
  expect([said.first[0]?.profile.birth?.date, said.mapping.warnings]).toEqual(["2025-06-01", []]);
});

test("the same key twice is a fault that names the first line", async () => {
  const plan = await planned(
    ["name", "category", "external id"],
    [
      ["A", "Dogs", "1"],
      ["B", "Dogs", "2"],
      ["C", "Dogs", "1"],
    ],
  );
  expect(plan.faults).toEqual([
    {
      fault: { code: "key_twice", found: "1", line: 2, column: "external id" },
      count: 1,
      lines: [4],
    },
  ]);
  expect(plan.keyed).toBe(2);
});

test("a dead animal and one that is not for adoption are never silently available", async () => {
  const header = [
    "ANIMALCODE",
    "ANIMALNAME",
    "ANIMALSPECIES",
    "ANIMALDECEASEDDATE",
    "ANIMALNOTFORADOPTION",
  ];
  const rows = [
    ["1", "A", "Dog", "2025-01-01", ""],
    ["2", "B", "Dog", "", "Y"],
    ["3", "C", "Dog", "", "N"],
  ];
  const plan = await planned(header, rows);
  expect(plan.faults.map(({ fault }) => "found" in fault && fault.found)).toEqual([
    "deceased",
    "not for adoption",
  ]);
  const answered = await planned(header, rows, {
    values: [
      { field: "status", found: "deceased", value: "skip" },
      { field: "status", found: "not for adoption", value: "pending" },
    ],
  });
  expect([answered.skipped, answered.first.map(({ status }) => status)]).toEqual([
    1,
    ["pending", "available"],
  ]);
});

test("photos are addresses or data, at most 12", async () => {
  const plan = await row({
    photo: "https://a.example/1.jpg, https://a.example/2.jpg",
    image: "data:image/png;base64,AA==",
  });
  expect(plan.first[0]?.photos).toEqual([
    "https://a.example/1.jpg",
    "https://a.example/2.jpg",
    "data:image/png;base64,AA==",
  ]);
  const many = await row({
    photos: Array.from({ length: 20 }, (_, index) => `https://a.example/${index}.jpg`).join(" "),
  });
  expect(many.first[0]?.photos.length).toBe(12);
});

test("rows below an animal that have only its number and name are left out, and others are not", async () => {
  const columns = ["Animal Code", "Animal Name", "Species", "Description", "Vaccination"];
  const further = ["D1", "Rex", "", "", "Rabies"];
  const plan = await planned(columns, [
    ["D1", "Rex", "Dog", "Loves walks", "Distemper"],
    further,
    further,
    ["D2", "Luna", "Cat", "", ""],
    ["D2", "Luna", "", "Likes sleep", ""],
    ["", "Rex", "", "", ""],
  ]);
  expect([plan.animals, plan.skipped]).toEqual([2, 2]);
  expect(plan.faults.map(({ lines }) => lines)).toEqual([[6, 7], [6]]);
});

test("a row with the number of the row above is another animal if its name or source is another", async () => {
  const other = await planned(
    ["Animal Code", "Animal Name", "Species"],
    [
      ["D1", "Rex", "Dog"],
      ["D1", "Luna", ""],
      ["D2", "Max", "Dog"],
      ["D2", "", ""],
    ],
  );
  expect([other.animals, other.skipped]).toEqual([2, 1]);
  expect(other.faults.map(({ lines }) => lines)).toEqual([[3], [3]]);
  const columns = ["Animal Code", "Animal Name", "Species", "Source"];
  const sources = await planned(columns, [
    ["1", "Rex", "Dog", "a"],
    ["1", "Rex", "", "a"],
    ["1", "Rex", "", ""],
  ]);
  expect([sources.animals, sources.skipped]).toEqual([1, 1]);
  expect(sources.faults.map(({ lines }) => lines)).toEqual([[4]]);
});

test("a second breed that is the first one again says nothing", async () => {
  const breed = "Labrador Retriever";
  expect(await profile({ breed, "second breed": breed })).toEqual({ breed: { text: breed } });
});
