import { describe, expect, test } from "bun:test";

import type { Page } from "playwright-core";

import type { Account } from "../../lib/model/account.ts";
import type { Pet } from "../../lib/catalogue/model.ts";
import { openDesk } from "../helpers/desk.ts";

// Each test has its own account.
const { run, browser, openView } = await openDesk();

interface Order {
  readonly id: number;
  readonly status: string;
  readonly returnedAt?: string;
  readonly adopter?: object;
}

/** Creates a shelter with animals. */
async function shelter(...names: readonly string[]) {
  const { id } = await run.ask<Account>("POST", "/accounts", { name: "Brightside", plan: "pro" });
  const at = `/accounts/${id}/production`;
  const rows = names.map((name) => ({ name, categoryId: 1 }));
  if (rows.length > 0) await run.ask("POST", `${at}/pets/import`, { rows });
  const pets = () => run.ask<readonly Pet[]>("GET", `${at}/pets?limit=1000`);
  const pet = (number: number) => run.ask<Pet>("GET", `${at}/pets/${number}`);
  const order = (number: number) => run.ask<Order>("GET", `${at}/orders/${number}`);
  return { id, at, pets, pet, order };
}

/** Creates a project of a shelter. */
function project(accountId: string, slug: string): Promise<{ readonly url: string }> {
  return run.ask("POST", `/accounts/${accountId}/projects`, { name: "Brightside", slug });
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `Pet ${index + 1}`);

const toast = (page: Page) => page.locator(".toast").last();

const pick = (page: Page, name: string) =>
  page.getByRole("checkbox", { name: `Select ${name}`, exact: true });
const act = async (page: Page, menu: string, item: string): Promise<void> => {
  await page.getByRole("group", { name: "Change selected animals" }).getByText(menu).click();
  await page.getByRole("menuitem", { name: item, exact: true }).click();
};

describe("selected animals:", () => {
  test("by keyboard, some animals are selected, moved to a category, and moved back", async () => {
    const { id, at, pets } = await shelter(...numbered(3));
    await run.ask("PATCH", `${at}/pets/2`, { categoryId: 3 });
    const view = await openView(`/accounts/${id}/animals`);
    const { page } = view;
    await pick(page, "Pet 2").press("Space");
    await pick(page, "Pet 3").press("Space");
    await page.getByRole("status").getByText("2 selected").waitFor();
    await page.getByRole("button", { name: "Set category" }).press("Enter");
    const focused = page.locator(":focus");
    await page.getByRole("menuitem", { name: "Dogs" }).and(focused).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.getByRole("menuitem", { name: "Cats" }).and(focused).waitFor();
    await page.keyboard.press("Enter");
    await toast(page).getByText("Moved 2 animals to Cats.").waitFor();
    expect((await pets()).map(({ categoryId }) => categoryId)).toEqual([1, 2, 2]);
    await page.getByText("Select all shown").waitFor();
    await toast(page).getByRole("button", { name: "Undo" }).click();
    await toast(page).getByText("2 animals are as they were before.").waitFor();
    expect((await pets()).map(({ categoryId }) => categoryId)).toEqual([1, 3, 1]);
    expect(view.faults()).toEqual([]);
  });

  test("all animals of a filter are changed, those that cannot be are named, and others are untouched", async () => {
    const { id, at, pets } = await shelter(...numbered(60));
    await run.ask("PATCH", `${at}/pets/7`, { status: "sold" });
    await run.ask("POST", `${at}/pets`, { name: "Other", categoryId: 2 });
    const { page } = await openView(`/accounts/${id}/animals?category=1`);
    await page.getByText("Showing 50 of 60 animals").waitFor();
    await page.getByRole("checkbox", { name: "Select all shown" }).check();
    await page.getByText("50 selected").waitFor();
    await page.getByRole("button", { name: "Select all 60 that match" }).click();
    await page.getByText("60 selected").waitFor();
    await act(page, "Set status", "Reserved");
    await page.getByRole("alert").getByText("1 animal was not changed.").waitFor();
    await page.getByText("Pet 7: An adopted animal can only become available.").waitFor();
    await page.getByText("1 selected").waitFor();
    const statuses = new Map((await pets()).map(({ name, status }) => [name, status]));
    expect(statuses.get("Other")).toBe("available");
    expect(statuses.get("Pet 7")).toBe("sold");
    expect([...statuses.values()].filter((status) => status === "pending")).toHaveLength(59);
    await page.getByRole("link", { name: "Reserved 59" }).waitFor();
  });

  test("no more animals are selected than can be changed at once, and the user sees how many", async () => {
    const { id, at } = await shelter(...numbered(500));
    await run.ask("POST", `${at}/pets`, { name: "One more", categoryId: 1 });
    const { page } = await openView(`/accounts/${id}/animals`);
    await page.getByText("Showing 50 of 501 animals").waitFor();
    await page.getByRole("checkbox", { name: "Select all shown" }).check();
    await page.getByRole("button", { name: "Select the first 500 of 501" }).click();
    await page.getByText("500 selected").waitFor();
  });

  test("adoptions of several animals are recorded after a question, and undone from the toast", async () => {
    const { id, at, pets } = await shelter(...numbered(3));
    await run.ask("PATCH", `${at}/pets/2`, { status: "pending" });
    await run.ask("PATCH", `${at}/pets/3`, { status: "sold" });
    const { page } = await openView(`/accounts/${id}/animals`);
    await page.getByRole("checkbox", { name: "Select all shown" }).check();
    await act(page, "Set status", "Adopted");
    await page.getByRole("dialog").getByText("Record 2 adoptions?").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Record adoptions" }).click();
    await toast(page).getByText("3 animals have been adopted.").waitFor();
    expect(await run.ask<readonly unknown[]>("GET", `${at}/orders`)).toHaveLength(3);
    await toast(page).getByRole("button", { name: "Undo" }).click();
    await toast(page).getByText("3 animals are as they were before.").waitFor();
    expect((await pets()).map(({ status }) => status)).toEqual(["available", "pending", "sold"]);
    expect(await run.ask<readonly unknown[]>("GET", `${at}/orders`)).toHaveLength(1);
  });

  test("several animals are deleted after a question, and restored from the toast", async () => {
    const { id, pets } = await shelter(...numbered(5));
    const { page } = await openView(`/accounts/${id}/animals?order=oldest`);
    await pick(page, "Pet 1").click();
    await pick(page, "Pet 4").click({ modifiers: ["Shift"] });
    await page.getByText("4 selected").waitFor();
    await page.getByRole("button", { name: "Delete animals" }).click();
    await page.getByRole("dialog").getByText("Delete 4 animals?").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Delete animals" }).click();
    await toast(page).getByText("Deleted 4 animals.").waitFor();
    expect((await pets()).map(({ name }) => name)).toEqual(["Pet 5"]);
    await toast(page).getByRole("button", { name: "Undo" }).click();
    await toast(page).getByText("4 animals are as they were before.").waitFor();
    expect(await pets()).toHaveLength(5);
    expect(await page.locator("tbody .lead").allTextContents()).toEqual(numbered(5));
  });
});

/** Creates a shelter whose animals are adopted. */
async function adopted(...names: readonly string[]) {
  const made = await shelter(...names);
  for (const index of names.keys()) {
    await run.ask("PATCH", `${made.at}/pets/${index + 1}`, { status: "sold" });
  }
  return made;
}

const rowOf = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });

async function choose(page: Page, name: string, item: string): Promise<void> {
  await page.getByRole("button", { name: `More for ${name}` }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

describe("adoptions:", () => {
  test("an adoption moves through its statuses, and keeps who adopted", async () => {
    const { id, order } = await adopted("Rex");
    const view = await openView(`/accounts/${id}/orders`);
    const { page } = view;
    await rowOf(page, "Rex").getByRole("button", { name: "Completed" }).click();
    await toast(page).getByText("Completed").waitFor();
    expect(await order(1)).toMatchObject({ status: "delivered" });
    await choose(page, "Rex", "Edit adopter");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Adopter").fill("Kim Petersen");
    await dialog.getByLabel("Contact").fill("kim@example.com");
    await dialog.getByLabel("Adoption date").fill("2026-11-20");
    await dialog.getByRole("button", { name: "Save adopter" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await order(1)).toMatchObject({
      status: "delivered",
      adopter: { name: "Kim Petersen", contact: "kim@example.com", date: "2026-11-20" },
    });
    await choose(page, "Rex", "Edit adopter");
    for (const field of ["Adopter", "Contact", "Adoption date"]) {
      await dialog.getByLabel(field).fill("");
    }
    await dialog.getByRole("button", { name: "Save adopter" }).click();
    await dialog.waitFor({ state: "detached" });
    expect((await order(1)).adopter).toBeUndefined();
    expect(view.faults()).toEqual([]);
  });

  test("a return is recorded after a question, and an adoption is removed after another", async () => {
    const { id, at, order, pet } = await adopted("Rex", "Ada");
    const view = await openView(`/accounts/${id}/orders`);
    const { page } = view;
    await choose(page, "Rex", "Record return");
    await page.getByRole("dialog").getByText("Is Rex back?").waitFor();
    await page.keyboard.press("Escape");
    expect((await order(1)).returnedAt).toBeUndefined();
    await choose(page, "Rex", "Record return");
    await page.getByRole("dialog").getByRole("button", { name: "Record return" }).click();
    await rowOf(page, "Rex").getByText("Returned").waitFor();
    expect([(await order(1)).status, await pet(1)]).toMatchObject([
      "placed",
      { status: "available" },
    ]);
    await choose(page, "Ada", "Remove adoption");
    await page.getByRole("dialog").getByRole("button", { name: "Remove adoption" }).click();
    await rowOf(page, "Ada").waitFor({ state: "detached" });
    expect(await pet(2)).toMatchObject({ status: "available" });
    const left = await run.ask<readonly Order[]>("GET", `${at}/orders`);
    expect(left.map((one) => one.id)).toEqual([1]);
    expect(view.faults()).toEqual([]);
  });
});

test("a visitor asks without JavaScript, and staff answer, take notes and delete", async () => {
  const { id, at } = await shelter("Rex");
  const { url: site } = await project(id, "brightside");
  await run.ask("POST", "/projects/brightside/deploys", { source: "starter" });
  const inbox = await openView(`/accounts/${id}/enquiries`);
  await inbox.page.getByText("No enquiries yet").waitFor();

  const context = await browser.newContext({ javaScriptEnabled: false });
  const visitor = await context.newPage();
  await visitor.goto(`${site}/animals/1`);
  await visitor.getByRole("link", { name: "Ask about Rex" }).click();
  await visitor.getByLabel("Your name").fill("Kim Petersen");
  await visitor.getByLabel("Your email address").fill("kim@example.com");
  await visitor.getByLabel("Your message").fill("Does Rex like cats?\nWe have two.");
  await visitor.getByRole("checkbox").check();
  // Sent too quickly, the form comes back with everything that was typed.
  const thanks = visitor.getByRole("heading", { name: "Thank you" });
  for (let attempts = 0; !(await thanks.isVisible()); attempts++) {
    expect(await visitor.getByLabel("Your message").inputValue()).toContain("like cats?\nWe have");
    expect(await visitor.getByRole("checkbox").isChecked()).toBe(true);
    if (attempts > 0) await visitor.waitForTimeout(500);
    await Promise.all([
      visitor.waitForNavigation(),
      visitor.getByRole("button", { name: "Send enquiry" }).click(),
    ]);
  }
  expect(new URL(visitor.url()).pathname).toBe("/animals/1/enquiry/sent");
  await context.close();

  const { page } = inbox;
  const entry = page.getByRole("navigation").getByRole("link", { name: "Enquiries" });
  await entry.getByText("1 new").waitFor();
  await page.getByRole("link", { name: "Overview" }).click();
  await page.getByRole("link", { name: "1 new enquiry" }).click();
  await page.getByRole("button", { name: "Open the enquiry from Kim Petersen" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Does Rex like cats?").waitFor();
  expect(await dialog.getByRole("link", { name: "Reply by email" }).getAttribute("href")).toBe(
    "mailto:kim%40example.com?subject=Your%20enquiry%20about%20Rex",
  );
  await dialog.getByLabel("Status").selectOption({ label: "Answered" });
  await dialog.getByLabel("Notes").fill("Visit on Friday");
  await dialog.getByRole("button", { name: "Save enquiry" }).click();
  await dialog.waitFor({ state: "detached" });
  await entry.getByText("1 new").waitFor({ state: "detached" });
  expect(await run.ask("GET", `${at}/enquiries/1`)).toMatchObject({
    state: "answered",
    notes: "Visit on Friday",
    changedBy: { kind: "member", name: "Olga" },
  });
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export enquiries as CSV" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("enquiries.csv");
  await page.getByRole("button", { name: "More for Kim Petersen" }).click();
  await page.getByRole("menuitem", { name: "Delete enquiry" }).click();
  await dialog.getByRole("button", { name: "Delete enquiry" }).click();
  await page
    .getByText(/No enquir/)
    .first()
    .waitFor();
  expect(await run.ask<readonly unknown[]>("GET", `${at}/enquiries`)).toEqual([]);
  expect(inbox.faults()).toEqual([]);
});

const question = (page: Page) => page.getByRole("dialog", { name: "Discard your changes?" });
const answer = (page: Page, action: string) =>
  question(page).getByRole("button", { name: action }).click();

describe("unsaved changes:", () => {
  test("a dialog asks before its input is lost, and only then", async () => {
    const { id } = await shelter();
    const { page } = await openView(`/accounts/${id}/animals`);
    const dialog = page.getByRole("dialog", { name: "Add animal" });
    const open = async (): Promise<void> => {
      await page.getByRole("button", { name: "Add animal" }).first().click();
      await dialog.waitFor();
    };
    await open();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });

    await open();
    await dialog.getByLabel("Name").fill("Rex");
    await page.keyboard.press("Escape");
    await answer(page, "Keep editing");
    expect(await dialog.getByLabel("Name").inputValue()).toBe("Rex");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await answer(page, "Discard changes");
    await dialog.waitFor({ state: "detached" });

    await open();
    await dialog.getByLabel("Name").fill("Rex");
    await dialog.getByLabel("Name").fill("");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });

    // What was saved is not lost.
    await open();
    await dialog.getByLabel("Name").fill("Rex");
    await dialog.getByRole("button", { name: "Save and add another" }).click();
    await dialog.getByText("Added: Rex").waitFor();
    await dialog.getByRole("button", { name: "Done" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await question(page).count()).toBe(0);
  });

  test("a page asks before its changes are lost by a link, the menu, the way back, or a closed tab", async () => {
    const { id } = await shelter();
    const slug = "unsaved";
    await project(id, slug);
    const { page } = await openView(`/accounts/${id}/projects`);
    await page.getByRole("link", { name: "Brightside", exact: true }).last().click();
    await page.getByRole("link", { name: "Settings", exact: true }).first().click();
    const settings = `/projects/${slug}/settings`;
    const name = page.getByLabel("Name", { exact: true });
    await name.fill("Sunnyside");

    const ways: readonly (() => Promise<unknown>)[] = [
      () => page.getByRole("link", { name: "Animals", exact: true }).click(),
      () => page.goBack(),
      async () => {
        await page.getByRole("button", { name: "olga@example.org" }).click();
        await page.getByRole("menuitem", { name: "Your profile" }).click();
      },
      () => page.getByRole("combobox", { name: "Account" }).selectOption({ index: 0 }),
    ];
    for (const leave of ways) {
      await leave();
      await answer(page, "Keep editing");
      await question(page).waitFor({ state: "detached" });
      expect(new URL(page.url()).pathname).toBe(settings);
      expect(await name.inputValue()).toBe("Sunnyside");
    }
    const asked = page.waitForEvent("dialog");
    await page.close({ runBeforeUnload: true });
    const leaving = await asked;
    expect(leaving.type()).toBe("beforeunload");
    await leaving.dismiss();
    expect(await name.inputValue()).toBe("Sunnyside");

    await page.goBack();
    await answer(page, "Discard changes");
    await page.waitForURL(({ pathname }) => pathname === `/projects/${slug}`);
    await page.getByRole("link", { name: "Settings", exact: true }).first().click();
    expect(await name.inputValue()).toBe("Brightside");
    await name.fill("Sunnyside");
    await page.getByRole("button", { name: "Save name and address" }).click();
    await page.locator(".toast").getByText("Saved.").waitFor();
    await page.getByRole("link", { name: "Animals", exact: true }).click();
    await page.getByText("No animals yet").waitFor();
    expect(await question(page).count()).toBe(0);
  });

  test("Ctrl+Z takes the latest change back, but not while the user is typing", async () => {
    const { id } = await shelter("Rex");
    const { page, faults } = await openView(`/accounts/${id}/animals`);
    const statusOf = page.getByRole("group", { name: "Status of Rex" });
    await statusOf.getByRole("button", { name: "Reserved" }).click();
    await page.locator(".toast").getByText("Rex is now reserved.").waitFor();
    await page.getByLabel("Search by name").press("Control+z");
    expect(await page.locator(".toast").count()).toBe(1);
    await statusOf.getByRole("button", { name: "Reserved" }).press("Control+z");
    await statusOf.locator("[aria-pressed=true]", { hasText: "Available" }).waitFor();
    expect(faults()).toEqual([]);
  });
});
