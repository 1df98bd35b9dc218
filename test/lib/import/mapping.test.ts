import { expect, test } from "bun:test";

import { columnsCalled } from "../../../lib/import/mapping.ts";
import { isReady } from "../../../lib/import/plan.ts";
import { choicesOf, planShown } from "../../../lib/import/plan-shown.ts";
import { planned } from "./tables.ts";

const strict = { goodRows: false };

test("columns are known by their names in English and German, whatever case and punctuation", async () => {
  for (const header of [
    ["name", "category", "status"],
    ["NAME", "Category ", "Status"],
    ["Tiername", "Tierart", "Vermittlungsstatus"],
    ["Animal_Name", "Animal Type", "Outcome-Type"],
    ["Pet name", "species", "Availability"],
  ]) {
    const plan = await planned(header, [["Rex", "Dogs", "Reserviert"]]);
    expect([header, plan.mapping.columns.flatMap(({ fields }) => fields)]).toEqual([
      header,
      ["name", "category", "status"],
    ]);
    expect(plan.first).toMatchObject([{ line: 2, name: "Rex", category: 1, status: "pending" }]);
    expect(isReady(plan, strict)).toBe(true);
  }
});

test("without a status, animals are available if every column is understood, otherwise it is asked", async () => {
  const understood = await planned(["name", "category", "breed"], [["Rex", "Dogs", "Beagle"]]);
  expect([isReady(understood, strict), understood.first[0]?.status]).toEqual([true, "available"]);

  const misspelt = await planned(["name", "category", "stauts"], [["Rex", "Dogs", "sold"]]);
  expect(misspelt.mapping.questions).toEqual([
    { code: "no_status", columns: ["stauts"], meant: "stauts" },
  ]);
  expect([isReady(misspelt, strict), misspelt.faults]).toEqual([false, []]);

  const mapped = await planned(["name", "category", "stauts"], [["Rex", "Dogs", "sold"]], {
    map: [{ field: "status", column: "stauts" }],
  });
  expect([isReady(mapped, strict), mapped.first[0]?.status]).toEqual([true, "sold"]);

  const said = await planned(["name", "category", "stauts"], [["Rex", "Dogs", "sold"]], {
    values: [{ field: "status", found: "", value: "available" }],
  });
  expect([isReady(said, strict), said.first[0]?.status]).toEqual([true, "available"]);
});

test("an empty status is asked about where a column is not understood", async () => {
  const header = ["name", "category", "status", "kennel"];
  const plan = await planned(header, [
    ["Rex", "Dogs", "", "7"],
    ["Max", "Dogs", "sold", "8"],
  ]);
  expect(plan.faults).toEqual([
    {
      fault: { code: "unknown_value", field: "status", found: "", column: "status" },
      count: 1,
      lines: [2],
    },
  ]);
  const clear = await planned(["name", "category", "status"], [["Rex", "Dogs", ""]]);
  expect([clear.faults, clear.first[0]?.status]).toEqual([[], "available"]);
});

test("an unknown value is asked about once, and every answer works", async () => {
  const header = ["name", "category", "status"];
  const rows = [
    ["A", "Dogs", "Quarantine"],
    ["B", "Dogs", "quarantine "],
    ["C", "Hund", "Transfer"],
  ];
  const plan = await planned(header, rows);
  expect(
    plan.faults.map(({ fault, count, lines }) => ["found" in fault && fault.found, count, lines]),
  ).toEqual([
    ["Quarantine", 2, [2, 3]],
    ["Transfer", 1, [4]],
  ]);
  const answered = await planned(header, rows, {
    values: [
      { field: "status", found: "QUARANTINE", value: "Reserved" },
      { field: "status", found: "Transfer", value: "skip" },
    ],
  });
  expect([answered.animals, answered.skipped, answered.faulty]).toEqual([2, 1, 0]);
  expect(answered.first.map(({ status }) => status)).toEqual(["pending", "pending"]);
  const others = await planned(header, rows, {
    values: [{ field: "status", found: "*", value: "sold" }],
  });
  expect(others.first.map(({ status }) => status)).toEqual(["sold", "sold", "sold"]);
});

test("of several columns for a field the best name wins, and equal names are asked about", async () => {
  const twice = await planned(["name", "category", "Name"], [["Rex", "Dogs", "Rex2"]]);
  expect(twice.mapping.questions).toEqual([
    {
      code: "several_columns",
      field: "name",
      columns: [
        { name: "name", number: 1 },
        { name: "Name", number: 3 },
      ],
    },
  ]);
  const chosen = await planned(["name", "category", "Name"], [["Rex", "Dogs", "Rex2"]], {
    map: [{ field: "name", column: "#3" }],
  });
  expect(chosen.first[0]?.name).toBe("Rex2");
  const better = await planned(["name", "type", "species"], [["Rex", "Stray", "Dog"]]);
  expect([better.first[0]?.category, better.mapping.columns[1]?.reason]).toEqual([
    1,
    "other_column",
  ]);
  const notes = await planned(
    ["name", "category", "notes", "notes"],
    [["Rex", "Dogs", "shy", "sweet"]],
  );
  expect(notes.first[0]?.profile.staffNotes).toBe("notes: shy\n\nnotes: sweet");
});

test("a missing column and a choice of an unknown one are asked about with the columns of the file", async () => {
  const alone = await planned(["name"], [["Rex"]]);
  expect(alone.mapping.questions).toEqual([{ code: "no_column", field: "category", columns: [] }]);
  const nameless = await planned(["nmae", "species"], [["Rex", "Dog"]]);
  expect(nameless.mapping.questions[0]).toEqual({
    code: "no_column",
    field: "name",
    columns: ["nmae"],
    meant: "nmae",
  });
  const wrong = await planned(["name", "species"], [["Rex", "Dog"]], {
    map: [{ field: "category", column: "specis" }],
  });
  expect(wrong.mapping.questions[0]).toMatchObject({
    code: "no_such_column",
    column: "specis",
    meant: "species",
  });
});

test("columns are found by name, by name#2 and by number", () => {
  const names = ["Name", "note", "note", "No#1"];
  expect([
    columnsCalled("Name", names),
    columnsCalled(" name ", names),
    columnsCalled("note", names),
    columnsCalled("note#2", names),
    columnsCalled("#4", names),
    columnsCalled("No#1", names),
    columnsCalled("#9", names),
    columnsCalled("", names),
  ]).toEqual([[0], [0], [1, 2], [2], [3], [3], [], []]);
});

test("a column whose values contradict its name is not imported", async () => {
  const plan = await planned(
    ["name", "category", "size"],
    [
      ["Rex", "Dogs", "35 lbs"],
      ["Max", "Dogs", "12 kg"],
    ],
  );
  expect(plan.mapping.columns[2]).toMatchObject({
    fields: [],
    reason: "values",
    samples: ["35 lbs", "12 kg"],
  });
});

test("the mapping of a plan can be used again, and gives the same animals", async () => {
  const header = ["Tiername", "note", "note", "species", "x", "Rasse"];
  const rows = [["Rex", "a", "b", "Dog", "1", "Beagle"]];
  const choices = { values: [{ field: "status", found: "", value: "pending" } as const] };
  const first = await planned(header, rows, choices);
  const again = await planned(header, rows, choicesOf(planShown(first), choices));
  expect(again.first).toEqual(first.first);
  expect(again.mapping.columns.map(({ reason }) => reason)).toContain("chosen");
});

test("a number may be the name as well as the key", async () => {
  const header = ["Animal ID", "Name", "Outcome Type", "Animal Type", "Sex upon Outcome"];
  const plan = await planned(header, [["A1", "", "Adoption", "Dog", "Spayed Female"]], {
    map: [{ field: "name", column: "Animal ID" }],
  });
  expect(plan.first).toMatchObject([
    {
      name: "A1",
      status: "sold",
      profile: { externalId: "A1", source: "austin", sex: "female", neutered: true },
    },
  ]);
});
