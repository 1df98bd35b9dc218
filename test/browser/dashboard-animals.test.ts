import { expect, test } from "bun:test";

import type { Page } from "playwright-core";

import type { Account } from "../../lib/model/account.ts";
import type { Pet } from "../../lib/catalogue/model.ts";
import { barriers } from "../helpers/axe.ts";
import { DESK, openDesk } from "../helpers/desk.ts";
import { jpegOf } from "../helpers/pictures.ts";

// Each test has its own account.
const { run, browser, openView } = await openDesk();

/** Creates a shelter with animals. Resolves with the API path of its production catalogue. */
async function shelter(...names: readonly string[]) {
  const { id } = await run.ask<Account>("POST", "/accounts", { name: "Brightside" });
  const at = `/accounts/${id}/production`;
  for (const name of names) {
    await run.ask("POST", `${at}/pets`, { name, categoryId: 1 });
  }
  const pets = () => run.ask<readonly Pet[]>("GET", `${at}/pets`);
  const pet = async (petId: number) => (await pets()).find((one) => one.id === petId);
  return { id, at, pets, pet };
}

const rowOf = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });
const statusOf = (page: Page, name: string) =>
  page.getByRole("group", { name: `Status of ${name}` });
const toast = (page: Page) => page.locator(".toast").last();
const names = (page: Page) => page.locator("tbody .lead").allTextContents();

test("by keyboard alone, several animals are added in a row, one of them in a new category", async () => {
  const { id, pets } = await shelter();
  const view = await openView(`/accounts/${id}/animals`);
  const { page } = view;
  await page.getByText("No animals yet").waitFor();
  await page.getByRole("button", { name: "Add animal" }).first().focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("heading", { name: "Add animal" }).waitFor();
  await page.keyboard.type("Rex");
  await dialog.getByRole("button", { name: "Save and add another" }).focus();
  await page.keyboard.press("Enter");
  await dialog.getByText("Added: Rex").waitFor();
  await page.keyboard.type("Hoppel");
  await page.keyboard.press("Tab");
  await dialog.getByLabel("Category", { exact: true }).selectOption({ label: "New category…" });
  await dialog.getByLabel("Add category").fill("Rabbits");
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  await rowOf(page, "Hoppel").getByText("Rabbits").waitFor();
  expect(await names(page)).toEqual(["Hoppel", "Rex"]);
  expect(await pets()).toMatchObject([
    { name: "Rex", categoryId: 1, status: "available" },
    { name: "Hoppel", categoryId: 4 },
  ]);
  expect(view.faults()).toEqual([]);
});

test("one click changes a status, and the next undoes it: an adoption too, but no change by others", async () => {
  const { id, at, pet } = await shelter("Rex");
  const view = await openView(`/accounts/${id}/animals`);
  const { page } = view;
  await statusOf(page, "Rex").getByRole("button", { name: "Reserved" }).click();
  await toast(page).getByText("Rex is now reserved.").waitFor();
  expect(await pet(1)).toMatchObject({ status: "pending" });
  await toast(page).getByRole("button", { name: "Undo" }).click();
  await statusOf(page, "Rex").locator("[aria-pressed=true]", { hasText: "Available" }).waitFor();
  expect(await pet(1)).toMatchObject({ status: "available" });

  await run.ask("PATCH", `${at}/pets/1`, { status: "pending" });
  await statusOf(page, "Rex").locator("[aria-pressed=true]", { hasText: "Reserved" }).waitFor();
  await statusOf(page, "Rex").getByRole("button", { name: "Adopted" }).click();
  await toast(page).getByText("Rex has been adopted.").waitFor();
  expect(await run.ask<readonly unknown[]>("GET", `${at}/orders`)).toHaveLength(1);
  await run.ask("PATCH", `${at}/pets/1`, { name: "Bello" });
  await toast(page).getByRole("button", { name: "Undo" }).click();
  await toast(page).getByText("Bello is now reserved.").waitFor();
  expect(await pet(1)).toMatchObject({ name: "Bello", status: "pending" });
  expect(await run.ask<readonly unknown[]>("GET", `${at}/orders`)).toEqual([]);
  expect(view.faults()).toEqual([]);
});

test("an adopted animal is returned only after confirmation, and cannot be reserved", async () => {
  const { id, pet } = await shelter("Rex");
  const view = await openView(`/accounts/${id}/animals`);
  const { page } = view;
  await statusOf(page, "Rex").getByRole("button", { name: "Adopted" }).click();
  await toast(page).getByText("Rex has been adopted.").waitFor();
  expect(await statusOf(page, "Rex").getByRole("button", { name: "Reserved" }).isDisabled()).toBe(
    true,
  );
  await statusOf(page, "Rex").getByRole("button", { name: "Available" }).click();
  await page.getByRole("dialog").getByText("Its adoption record is kept").waitFor();
  await page.keyboard.press("Escape");
  expect(await pet(1)).toMatchObject({ status: "sold" });
  await statusOf(page, "Rex").getByRole("button", { name: "Available" }).click();
  await page.getByRole("button", { name: "Make available" }).click();
  await toast(page).getByText("Rex is available again.").waitFor();
  expect(await pet(1)).toMatchObject({ status: "available" });
  // The adoption record stays: a return is not undone.
  expect(await toast(page).getByRole("button").count()).toBe(0);
});

test("filters narrow the list, are part of the address, and survive a reload", async () => {
  const { id, at } = await shelter("Zoë", "Rex", "Zora");
  await run.ask("PATCH", `${at}/pets/3`, { status: "pending", categoryId: 2 });
  const view = await openView(`/accounts/${id}/animals`);
  const { page } = view;
  await page.getByLabel("Search by name").fill("zo");
  await page.getByText("2 animals").waitFor();
  expect(await names(page)).toEqual(["Zora", "Zoë"]);
  const totals = page.getByRole("navigation", { name: "Status" });
  await totals.getByText("Available1").waitFor();
  expect(await totals.getByRole("link").allTextContents()).toEqual([
    ...["All statuses2", "Available1", "Reserved1", "Adopted0"],
  ]);
  await totals.getByRole("link", { name: "Reserved" }).click();
  await page.getByText("1 animal", { exact: true }).waitFor();
  await page.waitForURL(({ search }) => search === "?name=zo&status=pending");
  await page.reload();
  await page.getByText("1 animal", { exact: true }).waitFor();
  expect(await names(page)).toEqual(["Zora"]);
  await page.getByRole("combobox", { name: "Category" }).selectOption({ label: "Dogs" });
  await page.getByText("No animals match").waitFor();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByText("3 animals").waitFor();
  expect(await page.getByLabel("Search by name").inputValue()).toBe("");
});

test("a request without a response times out after a minute, and the input can be sent again", async () => {
  const { id, pets } = await shelter();
  await using own = await run.open(browser, DESK, `/accounts/${id}/animals?add=1`);
  const { page } = own;
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  await page.clock.install();
  const save = dialog.getByRole("button", { name: "Save animal" });
  await dialog.getByLabel("Name").fill("Rex");
  const asked = Promise.withResolvers<void>();
  await page.route("**/pets", () => asked.resolve());
  await save.click();
  await asked.promise;
  await page.clock.fastForward("01:01");
  await dialog.getByText("The service is unreachable").first().waitFor();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await save.click();
  await rowOf(page, "Rex").waitFor();
  expect((await pets()).map(({ name }) => name)).toEqual(["Rex"]);
});

test("a deleted animal is restored from the toast, and from the list of deleted animals", async () => {
  const { id, pets } = await shelter("Rex", "Luna");
  const view = await openView(`/accounts/${id}/animals`);
  const { page } = view;
  const remove = async (name: string): Promise<void> => {
    await page.getByRole("button", { name: `More for ${name}` }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await toast(page).getByText(`Deleted ${name}.`).waitFor();
  };
  await remove("Rex");
  await toast(page).getByRole("button", { name: "Undo" }).click();
  await toast(page).getByText("Restored Rex.").waitFor();
  // The toast appears with the response, the row once the list is loaded again.
  await rowOf(page, "Rex").waitFor();
  expect(await names(page)).toEqual(["Luna", "Rex"]);
  await remove("Luna");
  expect((await pets()).map(({ name }) => name)).toEqual(["Rex"]);
  await page.getByRole("link", { name: "Recently deleted" }).click();
  await page.getByRole("button", { name: "Restore animal Luna" }).click();
  await page.getByText("No deleted animals").waitFor();
  expect((await pets()).map(({ name }) => name)).toEqual(["Rex", "Luna"]);
});

test("when the focused element is removed, the focus moves to the next row, or to the view", async () => {
  const { id, at } = await shelter("Rex", "Luna", "Zora");
  const { page } = await openView(`/accounts/${id}/animals`);
  const focused = page.locator(":focus");
  await page.getByRole("button", { name: "More for Luna" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Delete" }).press("Enter");
  await rowOf(page, "Rex").and(focused).waitFor();
  await page.keyboard.press("Tab");
  await page.getByRole("checkbox", { name: "Select Rex" }).and(focused).waitFor();
  await page.keyboard.press("Tab");
  await page.getByRole("link", { name: "Rex", exact: true }).and(focused).waitFor();
  await run.ask("DELETE", `${at}/pets/1`);
  await rowOf(page, "Zora").and(focused).waitFor();
  await page.getByRole("link", { name: "Zora", exact: true }).focus();
  await run.ask("DELETE", `${at}/pets/3`);
  await page.getByRole("main").and(focused).waitFor();

  // The focus returns to the button that opened the dialog.
  const add = page.getByRole("button", { name: "Add animal" }).first();
  await add.press("Enter");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await add.and(focused).waitFor();
});

test("changes made by others appear without a reload, only in their environment", async () => {
  const { id, at } = await shelter("Rex");
  const view = await openView(`/accounts/${id}/animals`);
  const { page } = view;
  await rowOf(page, "Rex").waitFor();
  await run.ask("POST", `${at.replace("production", "staging")}/pets`, {
    name: "Trial",
    categoryId: 1,
  });
  await run.ask("PATCH", `${at}/pets/1`, { name: "Bello" });
  await rowOf(page, "Bello").waitFor();
  expect(await names(page)).toEqual(["Bello"]);
  await page.getByRole("link", { name: "Staging" }).click();
  await page.getByText("Staging is for testing").waitFor();
  await rowOf(page, "Trial").waitFor();
  expect(await names(page)).toEqual(["Trial"]);
});

test("a long list is loaded page by page, continues past an empty page, and is exported completely", async () => {
  const { id, at } = await shelter();
  const rows = Array.from({ length: 120 }, (_, index) => ({
    name: ['Rex, the "1st"', "=1+1"][index] ?? `Pet ${index + 1}`,
    categoryId: 1,
  }));
  await run.ask("POST", `${at}/pets/import`, { rows });
  const view = await openView(`/accounts/${id}/animals`);
  const { page } = view;
  await page.getByText("Showing 50 of 120 animals").waitFor();
  await page.getByRole("button", { name: "Show more" }).click();
  await page.getByText("Showing 100 of 120 animals").waitFor();
  await page.getByRole("button", { name: "Show more" }).click();
  await page.getByRole("button", { name: "Show more" }).waitFor({ state: "detached" });
  await page.getByText("120 animals").waitFor();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export animals as CSV" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("animals-production.csv");
  await toast(page).getByText("Exported 120 animals. One name starts with =").waitFor();
  const lines = (await Bun.file((await file.path()) ?? "").text()).split("\r\n");
  expect(lines).toHaveLength(122);
  expect(lines[1]).toStartWith('1,"Rex, the ""1st""",Dogs,available');
  expect(lines[120]).toStartWith("120,Pet 120,Dogs,available");

  await page.reload();
  await page.getByText("Showing 50 of 120 animals").waitFor();
  const shown = Array.from({ length: 50 }, (_, index) => 120 - index);
  await Promise.all(shown.map((petId) => run.ask("DELETE", `${at}/pets/${petId}`)));
  await rowOf(page, "Pet 70").waitFor();
});

test("categories are added, renamed and deleted, and deleting one in use explains the refusal", async () => {
  const { id, at } = await shelter("Rex");
  const view = await openView(`/accounts/${id}/categories`);
  const { page } = view;
  await page.getByRole("button", { name: "Add category" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Rabits");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "More for Rabits" }).click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("dogs");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByRole("alert").waitFor();
  await page.getByRole("dialog").getByLabel("Name").fill("Rabbits");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Rabbits", exact: true }).waitFor();
  const remove = async (name: string): Promise<void> => {
    await page.getByRole("button", { name: `More for ${name}` }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  };
  await remove("Dogs");
  await toast(page).getByText("Dogs still has animals.").waitFor();
  await remove("Rabbits");
  await toast(page).getByText("Deleted the category Rabbits.").waitFor();
  const left = await run.ask<readonly { name: string }[]>("GET", `${at}/categories`);
  expect(left.map(({ name }) => name)).toEqual(["Dogs", "Cats", "Other"]);
});

test("by name, animals are in the order of people, also those that are loaded later or arrive", async () => {
  const { id, at } = await shelter();
  const rows = Array.from({ length: 60 }, (_, index) => ({
    name: `Pet ${60 - index}`,
    categoryId: 1,
  }));
  await run.ask("POST", `${at}/pets/import`, { rows });
  const { page } = await openView(`/accounts/${id}/animals`);
  await page.getByLabel("Order").selectOption({ label: "By name" });
  await page.getByRole("row").nth(1).getByText("Pet 1", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Show more" }).click();
  await page.getByText("60 animals", { exact: true }).waitFor();
  expect(await names(page)).toEqual(Array.from({ length: 60 }, (_, index) => `Pet ${index + 1}`));
  await run.ask("POST", `${at}/pets`, { name: "pet 7b", categoryId: 1 });
  await rowOf(page, "pet 7b").waitFor();
  expect((await names(page)).slice(6, 9)).toEqual(["Pet 7", "pet 7b", "Pet 8"]);
  await page.getByRole("checkbox", { name: "Select all shown" }).check();
  await page.getByText("61 selected").waitFor();
});

test("photos are added to several animals by the names of their files, and those left out are named", async () => {
  const { id, at } = await shelter("Rex", "Mimi", "Luna", "Luna");
  const view = await openView(`/accounts/${id}/animals`);
  const { page } = view;
  await page.getByRole("button", { name: "Add photos" }).click();
  const dialog = page.getByRole("dialog");
  const pictures = ["Rex 10.jpg", "Rex.jpg", "mimi.JPG", "4.jpg", "Luna.jpg", "IMG_0001.jpg"];
  const files = await Promise.all(
    pictures.map(async (name, index) => ({
      name,
      mimeType: "image/jpeg",
      buffer: Buffer.from(await jpegOf({ width: 40 + index, height: 30 })),
    })),
  );
  const broken = { name: "Rex 3.jpg", mimeType: "image/jpeg", buffer: Buffer.from("no JPEG") };
  await dialog.locator("input[type=file]").setInputFiles([...files, broken]);
  await dialog.getByText("Rex.jpg, Rex 3.jpg, Rex 10.jpg").waitFor();
  await dialog.getByText("2 files are left out:").waitFor();
  await dialog.getByText("Several animals have this name.").waitFor();
  await dialog.getByText("No animal has this name or number.").waitFor();
  expect(await barriers(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Add 5 photos" }).click();
  await dialog.getByText("Added 4 photos.").waitFor();
  await dialog.getByText("This kind of picture is not supported.").waitFor();
  const widths = async (pet: number) =>
    (await run.ask<readonly { width: number }[]>("GET", `${at}/pets/${pet}/photos`)).map(
      ({ width }) => width,
    );
  expect(await Promise.all([1, 2, 3, 4].map(widths))).toEqual([[41, 40], [42], [], [43]]);
  expect(view.faults().filter((fault) => !fault.includes("status of 4"))).toEqual([]);
  await dialog.getByRole("button", { name: "Close" }).click();
});
