import { expect, test } from "bun:test";

import type { Page } from "playwright-core";

import type { Account } from "../../lib/model/account.ts";
import type { Pet } from "../../lib/catalogue/model.ts";
import { openDesk } from "../helpers/desk.ts";

// Each test has its own account.
const { run, openView } = await openDesk();

/** Creates an account, opens its import, and collects the page's faults from now on. */
async function openImport(query = "") {
  const { id } = await run.ask<Account>("POST", "/accounts", { name: "Brightside" });
  const { page, faults } = await openView(`/accounts/${id}/import${query}`, (shown) =>
    shown.getByRole("button", { name: "Choose file" }),
  );
  const at = `/accounts/${id}/production`;
  return {
    id,
    at,
    page,
    faults,
    pets: (path = at) => run.ask<readonly Pet[]>("GET", `${path}/pets?limit=1000`),
    [Symbol.asyncDispose]: () => page.unrouteAll({ behavior: "wait" }),
  };
}

const choose = (page: Page, text: string | Uint8Array, name = "animals.csv"): Promise<void> =>
  page.setInputFiles("input[type=file]", {
    name,
    mimeType: "text/csv",
    buffer: Buffer.from(text),
  });

const mixed = [
  "Name;Category;Status",
  '"Rex; the 2nd";dogs;Sold',
  "Hoppel;Hamsters;available",
  "Stups;hamsters;gone",
  "Tom;Cats",
  ";Cats;",
  "Luna;Cats;",
].join("\r\n");

test("a file is checked first: nothing is added, and each error has its line", async () => {
  await using view = await openImport();
  const { page } = view;
  await choose(page, mixed);
  await page.getByRole("heading", { name: "3 animals can be added" }).waitFor();
  await page.getByText("3 rows have errors and will be skipped").waitFor();
  const rows = page.getByRole("region", { name: "Rows with errors" }).locator("tbody tr");
  expect(await rows.allInnerTexts()).toEqual([
    "4\t“gone” is not a status. Use Available, Reserved or Adopted.",
    "5\tThe row has 2 fields instead of 3.",
    "6\t“name” is missing.",
  ]);
  expect(await view.pets()).toEqual([]);
  const preview = page.getByRole("region", { name: "Preview" }).locator("tbody tr");
  expect((await preview.allInnerTexts()).map((text) => text.split("\t")[0])).toEqual([
    "Rex; the 2nd",
    "Luna",
    "Hoppel",
  ]);
  // Rows without an existing category are errors too.
  await page.getByLabel("Create Hamsters, for 1 animal").uncheck();
  await page.getByRole("heading", { name: "2 animals can be added" }).waitFor();
  expect(await rows.first().innerText()).toBe("3\tThe category “Hamsters” does not exist.");
  expect(view.faults()).toEqual([]);
});

test("unknown columns are ignored, and listed before animals are added", async () => {
  await using view = await openImport();
  const { page } = view;
  await choose(page, "name,category,colour,categorid\nRex,Dogs,red,1\n");
  await page.getByRole("heading", { name: "1 animal can be added" }).waitFor();
  await page
    .getByText("Unknown columns are ignored: “colour”, “categorid” (did you mean “categoryId”?).")
    .waitFor();
  await page.getByRole("button", { name: "Add 1 animal" }).click();
  await page.getByRole("heading", { name: "1 animal added" }).waitFor();
  expect(await view.pets()).toMatchObject([{ name: "Rex", status: "available" }]);
});

test("valid rows are added, with the missing categories", async () => {
  await using view = await openImport();
  const { page } = view;
  await choose(page, mixed);
  await page.getByRole("button", { name: "Add 3 animals" }).click();
  await page.getByRole("heading", { name: "3 animals added" }).waitFor();
  await page.getByText("3 rows were skipped.").waitFor();
  // The focus stays where the button was.
  await page.locator(":focus", { hasText: "3 animals added" }).waitFor();
  await page.keyboard.press("Tab");
  expect(await page.locator(":focus").innerText()).toBe("Show animals");
  expect(await view.pets()).toMatchObject([
    { name: "Rex; the 2nd", categoryId: 1, status: "sold" },
    { name: "Hoppel", categoryId: 4, status: "available" },
    { name: "Luna", categoryId: 2, status: "available" },
  ]);
  await page.getByRole("main").getByRole("link", { name: "Show animals" }).click();
  await page.getByText("3 animals").waitFor();
});

test("an import into Staging changes only Staging", async () => {
  await using view = await openImport("?environment=staging");
  const { page } = view;
  await choose(page, '{"name":"Rex","category":"Dogs"}\n', "animals.ndjson");
  await page.getByText("Environment: Staging").waitFor();
  await page.getByRole("button", { name: "Add 1 animal" }).click();
  await page.getByRole("heading", { name: "1 animal added" }).waitFor();
  expect(await view.pets()).toEqual([]);
  expect(await view.pets(`/accounts/${view.id}/staging`)).toMatchObject([{ name: "Rex" }]);
});

test.each([
  ["a workbook", "animals.xlsx", "PK", "This is a workbook."],
  ["an empty file", "animals.csv", "", "The file is empty."],
  ["a heading alone", "animals.csv", "name,category\n", "The file has no rows with animals."],
  ["an unknown column", "a.csv", "name,categry\nRex,Dogs", "Did you mean “category”?"],
  ["a misspelt status", "a.csv", "name,category,stauts\nRex,Dogs,sold", "Did you mean “status”?"],
  [
    "another character set",
    "a.csv",
    new Uint8Array([0x4e, 0xe4, 0x6d, 0x65, 0x0a]),
    "The text is not UTF-8.",
  ],
])("%s is refused in words, and another file can be chosen", async (_, name, bytes, said) => {
  await using view = await openImport();
  const { page } = view;
  await choose(page, bytes, name);
  await page.getByRole("alert").getByText(said).waitFor();
  await choose(page, "name,category\nRex,Dogs\n");
  await page.getByRole("heading", { name: "1 animal can be added" }).waitFor();
});

test("a stopped import continues where it stopped and adds nothing twice", async () => {
  await using view = await openImport();
  const { page } = view;
  const lines = Array.from({ length: 2_500 }, (_, index) => `Pet ${index},Dogs`);
  await choose(page, ["name,category", ...lines].join("\n"));
  const add = page.getByRole("button", { name: "Add 2,500 animals" });
  await add.waitFor();
  // The second batch hangs until the import is stopped.
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  let batches = 0;
  await page.route("**/pets/import", async (route) => {
    if (++batches === 2) await stopped;
    await route.continue();
  });
  await add.click();
  await page.getByText("500 rows so far").waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  stop();
  await page.getByRole("heading", { name: "Stopped: 1,000 animals added so far" }).waitFor();
  await page.getByRole("button", { name: "Continue from line 1,002" }).click();
  await page.getByRole("heading", { name: "2,500 animals added" }).waitFor();
  const { pets } = await run.ask<{ pets: { available: number } }>("GET", `${view.at}/summary`);
  expect(pets.available).toBe(2_500);
});

test("without a response the page says that rows may have been added", async () => {
  await using view = await openImport();
  const { page } = view;
  await choose(page, "name,category\nRex,Dogs\n");
  await page.getByRole("button", { name: "Add 1 animal" }).waitFor();
  await page.route("**/pets/import", (route) => route.abort());
  await page.getByRole("button", { name: "Add 1 animal" }).click();
  await page.getByText("Lines 2 to 2 may already have been added.").waitFor();
  await page.unroute("**/pets/import");
  await page.getByRole("button", { name: "Continue from line 2" }).click();
  await page.getByRole("heading", { name: "1 animal added" }).waitFor();
});

test("the template can be imported unchanged", async () => {
  await using view = await openImport();
  const { page } = view;
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download template" }).click(),
  ]);
  await page.setInputFiles("input[type=file]", (await file.path()) ?? "");
  await page.getByText("Every row is valid.").waitFor();
  expect(await page.getByRole("region", { name: "Preview" }).innerText()).toContain(
    "Tom, the second",
  );
});
