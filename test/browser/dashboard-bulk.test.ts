import { expect, test } from "bun:test";

import type { Page } from "playwright-core";

import type { Account } from "../../lib/model/account.ts";
import type { Pet } from "../../lib/catalogue/model.ts";
import { openDesk } from "../helpers/desk.ts";

const { run, openView } = await openDesk();

async function shelter(count: number) {
  const { id } = await run.ask<Account>("POST", "/accounts", { name: "Brightside" });
  const at = `/accounts/${id}/production`;
  const rows = Array.from({ length: count }, (_, index) => ({
    name: `Pet ${index + 1}`,
    categoryId: 1,
  }));
  await run.ask("POST", `${at}/pets/import`, { rows });
  const pets = () => run.ask<readonly Pet[]>("GET", `${at}/pets?limit=1000`);
  return { id, at, pets };
}

const toast = (page: Page) => page.locator(".toast").last();
const pick = (page: Page, name: string) =>
  page.getByRole("checkbox", { name: `Select ${name}`, exact: true });
const act = async (page: Page, menu: string, item: string): Promise<void> => {
  await page.getByRole("group", { name: "Change selected animals" }).getByText(menu).click();
  await page.getByRole("menuitem", { name: item, exact: true }).click();
};

test("by keyboard, some animals are selected, moved to a category, and moved back", async () => {
  const { id, at, pets } = await shelter(3);
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
  const { id, at, pets } = await shelter(60);
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
  const { id, at } = await shelter(500);
  await run.ask("POST", `${at}/pets`, { name: "One more", categoryId: 1 });
  const { page } = await openView(`/accounts/${id}/animals`);
  await page.getByText("Showing 50 of 501 animals").waitFor();
  await page.getByRole("checkbox", { name: "Select all shown" }).check();
  await page.getByRole("button", { name: "Select the first 500 of 501" }).click();
  await page.getByText("500 selected").waitFor();
});

test("adoptions of several animals are recorded after a question, and undone from the toast", async () => {
  const { id, at, pets } = await shelter(3);
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
  const { id, pets } = await shelter(5);
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
  expect(await page.locator("tbody .lead").allTextContents()).toEqual(
    Array.from({ length: 5 }, (_, index) => `Pet ${index + 1}`),
  );
});
