import { expect, test } from "bun:test";

import type { Page, Request } from "playwright-core";

import type { Account } from "../../lib/model/account.ts";
import type { Pet } from "../../lib/catalogue/model.ts";
import { openPhotoArchive } from "../../lib/import/photo-archive.ts";
import { openDesk } from "../helpers/desk.ts";
import { pngOf } from "../helpers/pictures.ts";
import { storedBytes, zipOfEntries } from "../helpers/zips.ts";

// Each test has its own account.
const { run, openView } = await openDesk();

/** Creates an account, opens its import, and collects the page's faults from now on. */
async function openImport(query = "") {
  const { id } = await run.ask<Account>("POST", "/accounts", { name: "Brightside" });
  const { page, faults } = await openView(`/accounts/${id}/import${query}`, (shown) =>
    shown.getByRole("button", { name: "Choose files" }),
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

const asking = [
  "Name;Category;Status;Farbe",
  '"Rex; the 2nd";dogs;Sold;braun',
  "Hoppel;Hamsters;available;",
  "Stups;Katze;weg;",
  ";Cats;;",
].join("\r\n");

test("what is not understood is asked, and nothing is imported before the answers", async () => {
  await using view = await openImport();
  const { page } = view;
  await choose(page, asking);
  await page.getByRole("heading", { name: "1 animal can be imported" }).waitFor();
  await page.getByText("3 rows have errors or unknown values.").waitFor();
  const start = page.getByRole("button", { name: /^Import \d+ animals?$/ });
  expect(await start.isDisabled()).toBe(true);
  const faults = page.getByRole("region", { name: "Rows with errors" }).locator("tbody tr");
  expect(await faults.allInnerTexts()).toEqual(["The row has no name.\t5\t1"]);
  await page.getByLabel("What does “weg” in “Status” mean?").selectOption("Reserved");
  await page.getByRole("heading", { name: "2 animals can be imported" }).waitFor();
  await page
    .getByLabel("What does “Hamsters” in “Category” mean?")
    .selectOption("Create the category “Hamsters”");
  await page.getByText("New categories: Hamsters.").waitFor();
  await page.getByLabel("Leave out 1 row, and import the others").check();
  await page.getByRole("button", { name: "Import 3 animals" }).click();
  await page.getByRole("heading", { name: "3 animals added" }).waitFor();
  await page.getByText("1 row was left out.").waitFor();
  expect(await view.pets()).toMatchObject([
    { name: "Rex; the 2nd", categoryId: 1, status: "sold" },
    { name: "Hoppel", categoryId: 4, status: "available" },
    { name: "Stups", categoryId: 2, status: "pending" },
  ]);
  expect(view.faults()).toEqual([]);
});

test("the person sees what each column is used for, and can change it", async () => {
  await using view = await openImport();
  const { page } = view;
  await choose(page, "Tier,Art,stauts\nMinka,Katze,sold\nRex,Hund,pending\n");
  await page.getByLabel("Which column has the name?").selectOption("Tier");
  await page.getByLabel("We found no column with the status. What is it?").selectOption("stauts");
  await page.getByText("Every row is understood.").waitFor();
  const columns = page.getByRole("region", { name: "Columns" });
  // The page shows the plan before the answers until the file is read again.
  await columns.locator("select:has(option[value=status]:checked)").waitFor();
  await columns.getByLabel("What is “stauts”?").selectOption("Not imported");
  await page.getByLabel("We found no column with the status. What is it?").waitFor();
  await columns.getByLabel("What is “stauts”?").selectOption("Status");
  await page.getByRole("button", { name: "Import 2 animals" }).click();
  await page.getByRole("heading", { name: "2 animals added" }).waitFor();
  expect(await view.pets()).toMatchObject([
    { name: "Minka", status: "sold" },
    { name: "Rex", status: "pending" },
  ]);
});

test("unknown words of every closed set are answered with its meanings, and a category in the language of the others", async () => {
  await using view = await openImport();
  const { page } = view;
  for (const [id, name] of ["Hunde", "Katzen", "Andere"].entries()) {
    await run.ask("PATCH", `${view.at}/categories/${id + 1}`, { name });
  }
  await page.reload();
  const rows = ["Rex,1,Rüdin,riesengross,weiß nicht,Over 5", "Bo,77,Male,Large,Yes,No"];
  await choose(page, `name,category id,sex,size,neutered,good with kids\n${rows.join("\n")}\n`);
  await page.getByLabel(/^What does “Rüdin” in “sex” mean/).selectOption("Female");
  await page.getByLabel(/^What does “riesengross” in “size” mean/).selectOption("Extra large");
  await page.getByLabel(/^What does “weiß nicht” in “neutered” mean/).selectOption("No");
  await page.getByLabel(/^What does “Over 5” in “good with kids” mean/).selectOption("Yes");
  await page.getByLabel(/^What does “77” in “category id” mean/).selectOption("Katzen");
  await page.getByRole("button", { name: "Import 2 animals" }).click();
  await page.getByRole("heading", { name: "2 animals added" }).waitFor();
  expect(await run.ask<object>("GET", `${view.at}/pets/1/profile`)).toEqual({
    sex: "female",
    size: "extra_large",
    neutered: false,
    goodWith: { children: "yes" },
  });
  expect(await view.pets()).toMatchObject([{ categoryId: 1 }, { categoryId: 2 }]);

  await page.getByRole("button", { name: "Choose another file" }).click();
  await choose(page, "name,category\nHoppel,Rabbit\n");
  await page
    .getByLabel(/^What does “Rabbit” in “category” mean/)
    .selectOption("Create the category “Kaninchen”");
  await page.getByText("New categories: Kaninchen.").waitFor();
  expect(view.faults()).toEqual([]);
});

test("a whole import can be undone, and its focus stays where the button was", async () => {
  await using view = await openImport();
  const { page } = view;
  await choose(page, "name,category\nRex,Dogs\n");
  await page.getByRole("button", { name: "Import 1 animal" }).click();
  await page.getByRole("heading", { name: "1 animal added" }).waitFor();
  await page.locator(":focus", { hasText: "1 animal added" }).waitFor();
  await page.getByRole("button", { name: "Undo import" }).click();
  await page.getByRole("heading", { name: "The import was undone: 1 animal" }).waitFor();
  expect(await view.pets()).toEqual([]);
  await page.getByRole("main").getByRole("link", { name: "Show animals" }).click();
  await page.getByRole("button", { name: "Add animal" }).first().waitFor();
});

test("an import goes on when its page is left, and can be found and undone later", async () => {
  await using view = await openImport();
  const { page } = view;
  const many = Array.from({ length: 3_000 }, (_, at) => `Rex ${at},Dogs,available\n`).join("");
  await choose(page, `name,category,status\n${many}`, "ours.csv");
  await page.getByRole("button", { name: "Import 3,000 animals" }).click();
  await page.getByText("The import continues if you leave this page.").waitFor();
  const section = page.getByRole("navigation", { name: "Catalogue sections" });
  let asked = 0;
  const onRequest = (request: Request): void => {
    if (request.url().includes("/pets")) asked++;
  };
  page.on("request", onRequest);
  await section.getByRole("link", { name: "Animals" }).click();
  // Each animal is an event, which the page receives. It draws and asks for all of them now and then.
  await page.getByRole("link", { name: /^All statuses ?3,000$/ }).waitFor();
  expect(await page.getByRole("main").locator("tbody tr").count()).toBeLessThan(100);
  expect(asked).toBeLessThan(30);
  page.off("request", onRequest);
  await section.getByRole("link", { name: "Import" }).click();
  const recent = page.getByRole("table", { name: "Recent imports" });
  await recent.getByRole("button", { name: "Show ours.csv" }).click();
  await page.getByRole("heading", { name: "3,000 animals added" }).waitFor();
  await page.getByRole("button", { name: "Choose another file" }).click();
  await recent.getByText("3,000 animals added").waitFor();
  await recent.getByRole("button", { name: "Show ours.csv" }).click();
  await page.getByRole("button", { name: "Undo import" }).click();
  await page.getByRole("heading", { name: "The import was undone: 3,000 animals" }).waitFor();
  expect(await view.pets()).toEqual([]);
  expect(view.faults()).toEqual([]);
});

/** Waits until the only import of a catalogue is finished. */
async function finished(at: string): Promise<void> {
  for (;;) {
    const [only] = await run.ask<readonly { state: string }[]>("GET", `${at}/imports`);
    if (only?.state === "finished") return;
    await Bun.sleep(50);
  }
}

test("an import goes on when its page is left before the answer to its start", async () => {
  await using view = await openImport();
  const { page } = view;
  await page.route(/\/imports\/\w+\/run$/, async (asked) => {
    await Bun.sleep(300);
    await asked.continue();
  });
  await choose(page, "name,category,status\nRex,Dogs,available\n");
  await page.getByRole("button", { name: "Import 1 animal" }).click();
  const section = page.getByRole("navigation", { name: "Catalogue sections" });
  await section.getByRole("link", { name: "Animals" }).click();
  await finished(view.at);
  expect(view.faults()).toEqual([]);
});

test("a cancellation that comes too late leads to the result of the import", async () => {
  await using view = await openImport();
  const { page } = view;
  await choose(page, "name,category,status\nRex,Dogs,available\n");
  const start = page.getByRole("button", { name: "Import 1 animal" });
  await start.waitFor();
  const cancelled = Promise.withResolvers<undefined>();
  await page.route(/\/imports\/\w+$/, async (asked) => {
    await cancelled.promise;
    await asked.continue();
  });
  await page.route(/\/imports\/\w+\/cancel$/, async (asked) => {
    await finished(view.at);
    await asked.continue();
    cancelled.resolve(undefined);
  });
  await start.click();
  await page.getByRole("button", { name: "Cancel import" }).click();
  await page.getByRole("heading", { name: "1 animal added" }).waitFor();
});

test("the same file again asks whether they are the same animals", async () => {
  await using view = await openImport("?environment=staging");
  const { page } = view;
  const file = '{"name":"Rex","category":"Dogs"}\n';
  await choose(page, file, "animals.ndjson");
  await page.getByText("Environment: Staging").waitFor();
  await page.getByRole("button", { name: "Import 1 animal" }).click();
  await page.getByRole("heading", { name: "1 animal added" }).waitFor();
  await page.getByRole("button", { name: "Choose another file" }).click();
  await choose(page, file, "animals.ndjson");
  await page
    .getByLabel("1 animal with the same name and category is here already.")
    .selectOption("The same: leave them out");
  await page.getByRole("button", { name: "Import 1 animal" }).click();
  await page.getByRole("heading", { name: "No animals were added" }).waitFor();
  expect(await view.pets()).toEqual([]);
  expect(await view.pets(`/accounts/${view.id}/staging`)).toMatchObject([{ name: "Rex" }]);
});

test("a picture named .csv, an empty file and an open quote are refused in words, and another file can be chosen", async () => {
  await using view = await openImport();
  const { page } = view;
  const another = page.getByRole("button", { name: "Choose another file" });
  const picture = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]);
  for (const refused of [picture, "", 'name,category\n"Rex,Dogs']) {
    await choose(page, refused);
    await page.getByRole("alert").first().waitFor();
    if (await another.isVisible()) await another.click();
    await choose(page, "name,category\nRex,Dogs\n");
    await page.getByRole("heading", { name: "1 animal can be imported" }).waitFor();
    await another.click();
  }
});

test("animals that are missing in a later file are named, and set to adopted by choice", async () => {
  await using view = await openImport();
  const { page } = view;
  await choose(page, "name,category,externalId\nMinka,Cats,A\nRex,Dogs,B\nBo,Dogs,C\n");
  await page.getByRole("button", { name: "Import 3 animals" }).click();
  await page.getByRole("heading", { name: "3 animals added" }).waitFor();
  await page.getByRole("button", { name: "Choose another file" }).click();
  await choose(page, "name,category,externalId\nMinka,Cats,A\n");
  await page.getByText("From the same source, and no longer in the file: Rex, Bo").waitFor();
  await page.getByLabel("Set 2 animals to adopted").check();
  await page
    .getByLabel("2 animals would be set to adopted, which is more than half.")
    .selectOption("Set 2 animals to adopted");
  await page.getByRole("button", { name: "Import 1 animal" }).click();
  await page.getByText("2 animals set to adopted, as the file no longer has them.").waitFor();
  expect((await view.pets()).map(({ status }) => status)).toEqual(["available", "sold", "sold"]);
  await page.getByRole("button", { name: "Undo import" }).click();
  await page.getByRole("heading", { name: /^The import was undone/ }).waitFor();
  expect((await view.pets()).map(({ status }) => status)).toEqual(Array(3).fill("available"));
  expect(view.faults()).toEqual([]);
});

test("a file in another character set is read as Windows-1252 on request", async () => {
  await using view = await openImport();
  const { page } = view;
  await choose(page, Buffer.from("name,category\nM\xFCsli,Cats\n", "latin1"));
  await page.getByText("Müsli,Cats").waitFor();
  await page.getByRole("button", { name: "Read it as Windows-1252" }).click();
  await page.getByRole("button", { name: "Import 1 animal" }).click();
  await page.getByRole("heading", { name: "1 animal added" }).waitFor();
  expect(await view.pets()).toMatchObject([{ name: "Müsli" }]);
});

test("the template can be imported unchanged", async () => {
  await using view = await openImport();
  const { page } = view;
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download template" }).click(),
  ]);
  await page.setInputFiles("input[type=file]", (await file.path()) ?? "");
  await page.getByText("Every row is understood.").waitFor();
  expect(await page.getByRole("region", { name: "Preview" }).innerText()).toContain(
    "Tom, the second",
  );
});

test("a table and a zip of photos are dropped together, and an export with photos is such an archive", async () => {
  await using view = await openImport();
  const { page } = view;
  const photos = zipOfEntries([
    { name: "Rex.png", content: await pngOf({ width: 30, height: 20 }), stored: true },
    { name: "Rex 2.png", content: await pngOf({ width: 20, height: 30 }), stored: true },
    { name: "Nobody.png", content: await pngOf({ width: 9, height: 9 }), stored: true },
  ]);
  await page.setInputFiles("input[type=file]", [
    { name: "photos.zip", mimeType: "application/zip", buffer: Buffer.from(photos) },
    { name: "animals.csv", mimeType: "text/csv", buffer: Buffer.from("name,category\nRex,Dogs\n") },
  ]);
  await page.getByText("2 photos are found.").waitFor();
  await page.getByText("1 picture of the archive belongs to no animal: Nobody.png.").waitFor();
  await page.getByRole("button", { name: "Import 1 animal" }).click();
  await page.getByText("2 photos were added.").waitFor();
  const listed = () =>
    run.ask<readonly { readonly width: number }[]>("GET", `${view.at}/pets/1/photos`);
  expect((await listed()).map(({ width }) => width)).toEqual([30, 20]);
  await page.getByRole("link", { name: "Show animals" }).click();
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export with photos (zip)" }).click(),
  ]);
  expect(saved.suggestedFilename()).toBe("animals-production.zip");
  const archive = await openPhotoArchive(storedBytes(await Bun.file(await saved.path()).bytes()));
  expect(archive.names).toEqual(["animals.csv", "photos/1-1.webp", "photos/1-2.webp"]);
  expect(view.faults()).toEqual([]);
});
