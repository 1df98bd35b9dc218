import { expect, test } from "bun:test";

import type { Page } from "playwright-core";

import type { Account } from "../../lib/model/account.ts";
import { openTab } from "../helpers/browser.ts";
import { type Credentials } from "../helpers/dashboard.ts";
import { DESK, follow, openDesk } from "../helpers/desk.ts";

const PASSWORD = "harbour-thistle-lamp-41";

// Each test has its own account.
const { run, browser, openView } = await openDesk();
/** The tab of another member, in which each test that needs one signs in. */
const other = await openTab(browser, DESK);

const newAccount = (name: string, more: object = {}): Promise<Account> =>
  run.ask<Account>("POST", "/accounts", { name, ...more });

/** A member of that role who has set a password. */
async function newMember(accountId: string, role: string): Promise<Credentials> {
  const email = `${role}@${accountId.toLowerCase().replace("_", "-")}.example`;
  const { link } = await run.ask<{ link: { url: string } }>(
    "POST",
    `/accounts/${accountId}/members`,
    { email, name: role, role },
  );
  expect(await reset(link.url)).toBe(201);
  return { email, password: PASSWORD };
}

/** Sets a password with a link. Resolves with the status. */
async function reset(link: string): Promise<number> {
  const token = new URL(link).hash.slice(1);
  const answer = await fetch(`${run.origin}/manage/v1/reset`, {
    method: "POST",
    headers: { "content-type": "application/json", "sec-fetch-site": "same-origin" },
    body: JSON.stringify({ token, password: PASSWORD }),
  });
  return answer.status;
}

const dialogOf = (page: Page) => page.getByRole("dialog");

async function kept(page: Page): Promise<string> {
  const secret = (await dialogOf(page).locator("code").first().textContent()) ?? "";
  await page.getByLabel(/I have (?:saved it in a safe place|copied the link)/).check();
  await dialogOf(page).getByRole("button", { name: "Done" }).click();
  return secret;
}

test("an account with custom limits is created once both limits are valid", async () => {
  await newAccount("First of all");
  const tab = await openView("/accounts");
  const { page } = tab;
  await page.getByRole("button", { name: "Create account" }).click();
  const dialog = dialogOf(page);
  await dialog.getByText("Usually the shelter's name. Visitors do not see it.").waitFor();
  await dialog.getByLabel("Name", { exact: true }).fill("Hedgehog Rescue");
  await dialog.getByLabel("Plan").selectOption({ label: "Enterprise" });
  await dialog.getByLabel("Requests per minute").fill("5000");
  await dialog.getByLabel("Requests per day").fill("nine");
  expect(await dialog.getByRole("button", { name: "Create account" }).isDisabled()).toBe(true);
  await dialog.getByLabel("Requests per day").fill("900000");
  await dialog.getByRole("button", { name: "Create account" }).click();
  await page.waitForURL("**/overview");
  const all = await run.ask<readonly Account[]>("GET", "/accounts");
  expect(all.find(({ name }) => name === "Hedgehog Rescue")).toMatchObject({
    plan: "enterprise",
    limits: { perMinute: 5_000, perDay: 900_000 },
  });
  expect(tab.faults()).toEqual([]);
});

test("a change of plan shows its effects first, and asks before domains are lost", async () => {
  const { id } = await newAccount("Otters");
  const tab = await openView(`/accounts/${id}`);
  const { page } = tab;
  const plan = page.getByLabel("Plan", { exact: true });
  const change = page.getByRole("button", { name: "Change plan" });
  expect(await change.isDisabled()).toBe(true);
  await plan.selectOption("business");
  await page
    .getByText("Requests: 1,000 per minute and 100,000 per day, instead of 60 and 1,000.")
    .waitFor();
  await page.getByText("Projects can use custom domains.").waitFor();
  await change.click();
  await page.getByText("Changed the plan to Business.").waitFor();
  expect((await run.ask<Account>("GET", `/accounts/${id}`)).limits.perMinute).toBe(1_000);

  await plan.selectOption("free");
  await change.click();
  await dialogOf(page).getByRole("button", { name: "Cancel" }).click();
  expect((await run.ask<Account>("GET", `/accounts/${id}`)).plan).toBe("business");
});

test("an account is suspended, resumed, and deleted after its name is typed", async () => {
  const { id } = await newAccount("Gone Soon");
  const tab = await openView(`/accounts/${id}`);
  const { page } = tab;
  await page.getByRole("button", { name: "Suspend account" }).click();
  await dialogOf(page).getByRole("button", { name: "Suspend" }).click();
  await page.getByText("This account is suspended.").waitFor();
  expect((await run.ask<Account>("GET", `/accounts/${id}`)).suspendedAt).toBeDefined();
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByRole("button", { name: "Suspend account" }).waitFor();

  await page.getByRole("button", { name: "Delete account" }).click();
  const sure = dialogOf(page).getByRole("button", { name: "Delete account" });
  await dialogOf(page).getByLabel("Type Gone Soon to confirm").fill("Gone");
  expect(await sure.isDisabled()).toBe(true);
  await dialogOf(page).getByLabel("Type Gone Soon to confirm").fill("Gone Soon");
  await sure.click();
  await page.waitForURL("**/accounts");
  const all = await run.ask<readonly Account[]>("GET", "/accounts");
  expect(all.map((one) => one.id)).not.toContain(id);
});

test("a new member sets a password with the link, and is changed and removed", async () => {
  const { id } = await newAccount("Newcomers");
  const tab = await openView(`/accounts/${id}/people`);
  const { page } = tab;
  await page.getByRole("button", { name: "Add person" }).click();
  await dialogOf(page).getByLabel("Email address").fill("ada@shelter.example");
  await dialogOf(page).getByLabel("Name", { exact: true }).fill("Ada");
  await dialogOf(page).getByRole("button", { name: "Add and create link" }).click();
  const link = await kept(page);
  await page.getByRole("row", { name: /Ada.*Staff.*Invited/ }).waitFor();

  expect(await reset(link)).toBe(201);

  await page.getByRole("button", { name: "More for Ada" }).click();
  await page.getByRole("menuitem", { name: "Change role" }).click();
  await dialogOf(page).getByLabel("Viewer").check();
  await dialogOf(page).getByRole("button", { name: "Change role" }).click();
  await page.getByRole("row", { name: /Ada.*Viewer.*Active/ }).waitFor();

  await page.getByRole("button", { name: "More for Ada" }).click();
  await page.getByRole("menuitem", { name: "Create password link" }).click();
  await dialogOf(page).getByRole("button", { name: "Create password link" }).click();
  expect(await kept(page)).not.toBe(link);

  await page.getByRole("button", { name: "More for Ada" }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await dialogOf(page).getByRole("button", { name: "Remove" }).click();
  await page.getByText("No people yet").waitFor();
  expect(tab.faults()).toEqual([]);
});

test("a management token is shown once, works, and is refused after revocation", async () => {
  const { id } = await newAccount("Tokens");
  const tab = await openView(`/accounts/${id}`);
  const { page } = tab;
  await page.getByRole("button", { name: "Create token" }).click();
  await dialogOf(page).getByLabel("Name", { exact: true }).fill("nightly");
  await dialogOf(page).getByLabel("Role").selectOption("viewer");
  await dialogOf(page).getByRole("button", { name: "Create token" }).click();
  const token = await kept(page);
  const asked = async (): Promise<number> => {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${run.origin}/manage/v1/accounts/${id}`, { headers })).status;
  };
  expect(await asked()).toBe(200);
  await page.getByRole("button", { name: "More for nightly" }).click();
  await page.getByRole("menuitem", { name: "Revoke" }).click();
  await dialogOf(page).getByRole("button", { name: "Revoke" }).click();
  await page.getByText("1 inactive token").waitFor();
  expect(await asked()).toBe(401);
});

test("an owner sees the plans and how to upgrade, but no operator actions", async () => {
  const { id } = await newAccount("Owned");
  const { page, faults } = other;
  const before = faults.length;
  await run.signIn(other, await newMember(id, "owner"), `/accounts/${id}`);
  await page.getByRole("row", { name: /Free.*Your plan.*60.*1,000.*No/ }).waitFor();
  await page.getByText("To change the plan, ask the operator").waitFor();
  expect(await page.getByRole("button", { name: "Change plan" }).count()).toBe(0);
  expect(await page.getByRole("button", { name: "Delete account" }).count()).toBe(0);
  await page.getByRole("button", { name: "Create token" }).waitFor();
  await page.getByLabel("Name", { exact: true }).fill("Owned by us");
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByText("Renamed the account.").waitFor();
  expect((await run.ask<Account>("GET", `/accounts/${id}`)).name).toBe("Owned by us");

  await follow(page, `/accounts/${id}/people`);
  const own = page.getByRole("row", { name: /owner.*You/ });
  await own.waitFor();
  expect(await own.getByRole("button").count()).toBe(0);
  await follow(page, "/system");
  await page.getByRole("heading", { level: 1, name: "Page not found" }).waitFor();
  expect(faults.slice(before)).toEqual([]);
});

test("a user who lost a permission sees an error, and as a viewer is offered no action that would be refused", async () => {
  const { id } = await newAccount("Lowered");
  await run.ask("POST", `/accounts/${id}/keys`, { name: "website" });
  const { page, faults } = other;
  await run.signIn(other, await newMember(id, "owner"), `/accounts/${id}/animals?add=1`);
  const dialog = dialogOf(page);
  const save = dialog.getByRole("button", { name: "Save animal" });
  await dialog.getByLabel("Name").fill("Rex");
  await run.ask("POST", `/accounts/${id}/suspend`);
  await save.click();
  await dialog.getByText("The account is suspended").first().waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Discard changes" }).click();
  await page.getByRole("link", { name: "Overview", exact: true }).click();
  await page.getByText("This account is suspended").waitFor();

  await run.ask("POST", `/accounts/${id}/resume`);
  await page.goto(`${run.origin}/accounts/${id}/animals?add=1`);
  await dialog.getByLabel("Name").fill("Rex");
  const people = await run.ask<readonly { id: string }[]>("GET", `/accounts/${id}/members`);
  await run.ask("PATCH", `/accounts/${id}/members/${people[0]?.id}`, { role: "viewer" });
  await save.click();
  await dialog.getByText("Your role does not allow this").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Discard changes" }).click();
  await page.getByRole("link", { name: "Import" }).waitFor({ state: "detached" });
  expect(await page.getByRole("button", { name: "Add an animal" }).count()).toBe(0);

  const before = faults.length;
  const main = page.getByRole("main");
  await follow(page, `/accounts/${id}/keys`);
  await page.getByRole("row", { name: /website/ }).waitFor();
  expect(await main.getByRole("button").count()).toBe(0);
  await follow(page, `/accounts/${id}/people`);
  await page.getByRole("row", { name: /owner/ }).waitFor();
  expect(await main.getByRole("button").count()).toBe(0);
  await follow(page, `/accounts/${id}`);
  await page.getByRole("table", { name: "Plan" }).waitFor();
  expect(await main.getByRole("button").allTextContents()).toEqual([""]);
  expect(faults.slice(before)).toEqual([]);
});

test("a member removed by someone else shows an error and leaves the list", async () => {
  const { id } = await newAccount("Overtaken");
  await newMember(id, "staff");
  const { page } = await openView(`/accounts/${id}/people`);
  await page.getByRole("button", { name: "More for staff" }).click();
  await page.getByRole("menuitem", { name: "Change role" }).click();
  const dialog = dialogOf(page);
  await dialog.getByRole("radio", { name: /^Viewer/ }).check();
  const people = await run.ask<readonly { id: string }[]>("GET", `/accounts/${id}/members`);
  await run.ask("DELETE", `/accounts/${id}/members/${people[0]?.id}`);
  await dialog.getByRole("button", { name: "Change role" }).click();
  await dialog.getByText("This no longer exists").waitFor();
  await page.getByText("No people yet").waitFor({ state: "attached" });
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Discard changes" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.locator("main:focus").waitFor();
});

test("the system page shows checks, settings with their sources, and operators", async () => {
  const tab = await openView("/system");
  const { page } = tab;
  await page.getByRole("listitem").filter({ hasText: "Database" }).waitFor();
  await page.getByRole("row", { name: /listen.*Flag/ }).waitFor();
  await page.getByRole("row", { name: /Olga.*You.*Operator/ }).waitFor();

  await page.getByRole("button", { name: "Add operator" }).click();
  await dialogOf(page).getByLabel("Email address").fill("otto@example.org");
  await dialogOf(page).getByRole("button", { name: "Add and create link" }).click();
  expect(await kept(page)).toContain("/reset#pet_reset_");
  await page.getByRole("row", { name: /otto@example.org.*Operator.*Invited/ }).waitFor();
  expect(tab.faults()).toEqual([]);
});
