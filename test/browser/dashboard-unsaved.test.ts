import { expect, test } from "bun:test";

import type { Page } from "playwright-core";

import type { Account } from "../../lib/model/account.ts";
import { openDesk } from "../helpers/desk.ts";

const { run, tab, openView } = await openDesk();

const question = (page: Page) => page.getByRole("dialog", { name: "Discard your changes?" });
const answer = (page: Page, action: string) =>
  question(page).getByRole("button", { name: action }).click();

async function shelter(): Promise<{ readonly id: string; readonly slug: string }> {
  const { id } = await run.ask<Account>("POST", "/accounts", { name: "Brightside" });
  const { slug } = await run.ask<{ readonly slug: string }>("POST", `/accounts/${id}/projects`, {
    name: "Brightside",
    slug: `brightside-${id
      .slice(-6)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, "x")}`,
  });
  return { id, slug };
}

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
  const { id, slug } = await shelter();
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
  const { id } = await shelter();
  const at = `/accounts/${id}/production`;
  await run.ask("POST", `${at}/pets`, { name: "Rex", categoryId: 1 });
  const { page } = await openView(`/accounts/${id}/animals`);
  const statusOf = page.getByRole("group", { name: "Status of Rex" });
  await statusOf.getByRole("button", { name: "Reserved" }).click();
  await page.locator(".toast").getByText("Rex is now reserved.").waitFor();
  await page.getByLabel("Search by name").press("Control+z");
  expect(await page.locator(".toast").count()).toBe(1);
  await statusOf.getByRole("button", { name: "Reserved" }).press("Control+z");
  await statusOf.locator("[aria-pressed=true]", { hasText: "Available" }).waitFor();
  expect(tab.faults).toEqual([]);
});
