import { expect, test } from "bun:test";

import type { Page } from "playwright-core";

import type { Account } from "../../lib/model/account.ts";
import { openDesk } from "../helpers/desk.ts";

// Each test has its own account.
const { run, openView } = await openDesk();

interface Order {
  readonly id: number;
  readonly status: string;
  readonly returnedAt?: string;
  readonly adopter?: object;
}

/** Creates a shelter whose animals are adopted. */
async function shelter(...names: readonly string[]) {
  const { id } = await run.ask<Account>("POST", "/accounts", { name: "Brightside" });
  const at = `/accounts/${id}/production`;
  for (const name of names) {
    await run.ask("POST", `${at}/pets`, { name, categoryId: 1 });
  }
  for (const index of names.keys()) {
    await run.ask("PATCH", `${at}/pets/${index + 1}`, { status: "sold" });
  }
  const order = (number: number) => run.ask<Order>("GET", `${at}/orders/${number}`);
  const pet = (number: number) =>
    run.ask<{ readonly status: string }>("GET", `${at}/pets/${number}`);
  return { id, at, order, pet };
}

const rowOf = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });
const toast = (page: Page) => page.locator(".toast").last();

async function choose(page: Page, name: string, item: string): Promise<void> {
  await page.getByRole("button", { name: `More for ${name}` }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

test("an adoption moves through its statuses, and keeps who adopted", async () => {
  const { id, order } = await shelter("Rex");
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
  const { id, at, order, pet } = await shelter("Rex", "Ada");
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
