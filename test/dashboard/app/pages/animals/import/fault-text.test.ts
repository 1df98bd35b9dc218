import { expect, test } from "bun:test";

import { faultText } from "../../../../../../dashboard/app/pages/animals/import/fault-text.ts";
import { importing as german } from "../../../../../../dashboard/app/words/de/importing.ts";
import { importing as english } from "../../../../../../dashboard/app/words/en/importing.ts";
import type { Problem } from "../../../../../../lib/base/problem.ts";
import type { ImportRow } from "../../../../../../lib/index.ts";
import { openOffice } from "../../../../../helpers/management.ts";

const categories = [
  { id: 1, name: "Dogs" },
  { id: 2, name: "Cats" },
];

/** What is said of a row that the service minds. */
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
    "There is no category “Dgos”. Did you mean “Dogs”?",
    "Eine Kategorie „Dgos“ gibt es nicht. Meinten Sie „Dogs“?",
  ],
  [
    { name: "Rex", categoryId: 99 },
    "There is no category “#99”.",
    "Eine Kategorie „#99“ gibt es nicht.",
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

test.each(faulty)("%j is told in the reader's words", async (row, inEnglish, inGerman) => {
  expect(await said(row)).toEqual([inEnglish, inGerman]);
});

test("a member that nobody knows is named", async () => {
  const row: object = { name: "Rex", category: "Dogs", colour: "red" };
  expect(await said(row)).toEqual([english.unknownField("colour"), german.unknownField("colour")]);
});

test("of a value without end only its beginning is told", async () => {
  const [text = ""] = await said({ name: "Rex", category: "x".repeat(70_000) });
  expect(text.length).toBeLessThan(200);
});
