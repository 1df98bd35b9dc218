import { expect, test } from "bun:test";

import {
  createTally,
  MAX_MISSING,
  faultText,
} from "../../../../../../dashboard/app/pages/animals/import/report.ts";
import { problem, type Problem } from "../../../../../../lib/base/problem.ts";
import type { ImportRow } from "../../../../../../lib/index.ts";
import { importing as german } from "../../../../../../dashboard/app/words/de/importing.ts";
import { importing as english } from "../../../../../../dashboard/app/words/en/importing.ts";
import { openOffice } from "../../../../../helpers/management.ts";

const homeless = (line: number, category: unknown, row: ImportRow = {}) => ({
  line,
  row: { name: "Rex", category, ...row },
  problem: problem("unknown_category", "There is none."),
});

test("rows are counted by status and by category", () => {
  const tally = createTally();
  tally.valid([
    { name: "A", category: "Dogs" },
    { name: "B", category: " Dogs ", status: "sold" },
  ]);
  tally.valid([{ name: "C", categoryId: 7, status: "pending" }]);
  const { valid, sums, samples } = tally.report();
  expect([valid, samples.valid.length, samples.withWaiting.length]).toEqual([3, 3, 3]);
  expect(sums.valid.byStatus).toEqual({ available: 1, pending: 1, sold: 1 });
  expect([...sums.valid.byCategory]).toEqual([
    ["Dogs", 2],
    ["#7", 1],
  ]);
  expect(sums.withWaiting).toEqual(sums.valid);
});

test("rows whose only fault is a missing category wait for it, in any spelling of its name", () => {
  const tally = createTally();
  tally.fault(homeless(2, "Hamsters"));
  tally.fault(homeless(3, " hamsters", { status: "sold" }));
  tally.fault({ line: 4, fault: { code: "not_utf8" } });
  const { waiting, invalid, missing, faults, sums } = tally.report();
  expect([waiting, invalid]).toEqual([2, 1]);
  expect([...missing]).toEqual([["Hamsters", 2]]);
  expect(faults.all.map(({ line }) => line)).toEqual([2, 3, 4]);
  expect(faults.lasting.map(({ line }) => line)).toEqual([4]);
  expect(sums.withWaiting.byStatus).toEqual({ available: 1, pending: 0, sold: 1 });
  expect(sums.valid.byStatus).toEqual({ available: 0, pending: 0, sold: 0 });
});

test("the preview shows every status, and rows that wait for their category", () => {
  const tally = createTally();
  tally.valid(
    Array.from({ length: 500 }, (_, index) => ({ name: `Pet ${index}`, category: "Dogs" })),
  );
  tally.valid([{ name: "Sold", category: "Dogs", status: "sold" }]);
  tally.fault(homeless(900, "Hamsters", { name: "Hoppel" }));
  tally.valid([{ name: "Later", category: "Dogs", status: "pending" }]);
  const { samples } = tally.report();
  const names = (rows: readonly ImportRow[]) => rows.map(({ name }) => name);
  expect(names(samples.valid)).toEqual(["Pet 0", "Pet 1", "Pet 2", "Sold", "Later"]);
  expect(names(samples.withWaiting)).toEqual(["Pet 0", "Pet 1", "Sold", "Hoppel", "Later"]);
});

test("if every row waits for its category, the preview shows these rows", () => {
  const tally = createTally();
  for (let line = 2; line < 10; line++) tally.fault(homeless(line, "Hamsters"));
  const { samples } = tally.report();
  expect([samples.valid.length, samples.withWaiting.length]).toEqual([0, 5]);
});

test.each([7, null, "", " ", "x".repeat(81), "a\u0000b"])(
  "a row with the invalid category name %j is invalid",
  (category) => {
    const tally = createTally();
    tally.fault(homeless(2, category));
    expect(tally.report()).toMatchObject({ waiting: 0, invalid: 1, missing: new Map() });
  },
);

test("a column with other values does not create hundreds of categories", () => {
  const tally = createTally();
  for (let line = 2; line < 302; line++) tally.fault(homeless(line, `Chip ${line}`));
  const { missing, waiting, invalid } = tally.report();
  expect([missing.size, waiting, invalid]).toEqual([MAX_MISSING, MAX_MISSING, 300 - MAX_MISSING]);
});

test("the report of a file does not grow with the file", () => {
  const tally = createTally();
  const row = { name: "Rex", category: "Dogs" };
  for (let line = 2; line < 20_002; line++) {
    tally.valid([{ ...row, category: `Kind ${line}` }]);
    tally.fault({ line, fault: { code: "not_an_object" } });
  }
  const { valid, invalid, samples, faults, sums } = tally.report();
  expect([valid, invalid]).toEqual([20_000, 20_000]);
  expect([samples.valid.length, faults.all.length, faults.lasting.length]).toEqual([
    5, 10_000, 10_000,
  ]);
  expect(sums.valid.byCategory.size).toBe(100);
});

const categories = [
  { id: 1, name: "Dogs" },
  { id: 2, name: "Cats" },
];

/** Returns the texts for a row that the service rejects. */
async function said(row: ImportRow): Promise<readonly string[]> {
  const office = await openOffice();
  const path = `/manage/v1/accounts/${office.accountId}/production/pets/import`;
  const { body } = await office
    .as("staff")
    .post<{ readonly failures: readonly { readonly problem: Problem }[] }>(path, { rows: [row] });
  return body.failures.flatMap(({ problem }) =>
    [english, german].map((words) => faultText({ line: 2, row, problem }, words, categories)),
  );
}

const faulty: readonly (readonly [ImportRow, string, string])[] = [
  [
    { name: "Rex", category: "Dgos" },
    "The category “Dgos” does not exist. Did you mean “Dogs”?",
    "Die Kategorie „Dgos“ gibt es nicht. Meinten Sie „Dogs“?",
  ],
  [
    { name: "Rex", categoryId: 99 },
    "The category “#99” does not exist.",
    "Die Kategorie „#99“ gibt es nicht.",
  ],
  [{ category: "Dogs" }, "“name” is missing.", "„name“ fehlt."],
  [{ name: "Rex" }, "“categoryId” is missing.", "„categoryId“ fehlt."],
  [{ name: " ", category: "Dogs" }, english.badName, german.badName],
  [{ name: "x".repeat(121), category: "Dogs" }, english.badName, german.badName],
  [
    { name: "Rex", category: "Dogs", status: "gone" },
    english.badStatus("gone"),
    german.badStatus("gone"),
  ],
  [{ name: "Rex", category: 7 }, english.badCategory, german.badCategory],
];

test.each(faulty)("%j is reported in the user's language", async (row, inEnglish, inGerman) => {
  expect(await said(row)).toEqual([inEnglish, inGerman]);
});

test("an unknown member is named", async () => {
  const row: object = { name: "Rex", category: "Dogs", colour: "red" };
  expect(await said(row)).toEqual([english.unknownField("colour"), german.unknownField("colour")]);
});

test("only the start of a very long value is shown", async () => {
  const [text = ""] = await said({ name: "Rex", category: "x".repeat(70_000) });
  expect(text.length).toBeLessThan(200);
});
