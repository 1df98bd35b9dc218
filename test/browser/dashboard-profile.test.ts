import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";

import { join } from "node:path";

import type { Page } from "playwright-core";

import { barriers } from "../helpers/axe.ts";
import { type Credentials } from "../helpers/dashboard.ts";
import { DESK, openOffice } from "../helpers/desk.ts";

/** Console message of a request that is refused before sign-in. */
const EXPECTED = /status of 401/;
/** Likewise for a proof of identity that is demanded, and for a wrong password. */
const REFUSED = /status of 40[13]/;

const { run, browser } = await openOffice();

/** Creates a member for one test alone. */
async function newMember(name: string): Promise<Credentials> {
  const email = `${name.toLowerCase()}@example.org`;
  const password = "seven otters cross the river";
  const { link } = await run.ask<{ link: { url: string } }>("POST", "/members", { email, name });
  const answer = await fetch(`${run.origin}/manage/v1/reset`, {
    method: "POST",
    headers: { "content-type": "application/json", "sec-fetch-site": "same-origin" },
    body: JSON.stringify({ token: new URL(link.url).hash.slice(1), password }),
  });
  if (answer.status !== 201) throw new Error(await answer.text());
  return { email, password };
}

/** Gives a tab an authenticator that approves every request. */
async function giveAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable", { enableUI: false });
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** Otherwise this authenticator, which approves everything, signs in before a button can be pressed. */
async function offerNoneInFields(page: Page): Promise<void> {
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });
  await page.reload();
}

const card = (page: Page, title: string) => page.getByRole("region", { name: title });

test("a member turns off a kind of mails and on again, where a mail server is configured", async () => {
  const mara = await newMember("Mara");
  await using tab = await run.openAs(browser, DESK, mara, "/profile");
  const { page } = tab;
  expect(await card(page, "Email notifications").count()).toBe(0);
  await page.route("**/manage/v1/sign-in", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), mail: true } });
  });
  await page.reload();
  const backups = card(page, "Email notifications").getByLabel("Failed backups");
  await backups.uncheck();
  await page.getByText("Turned off: Failed backups.").waitFor();
  await page.reload();
  await backups.waitFor();
  expect(await backups.isChecked()).toBe(false);
  expect(await card(page, "Email notifications").getByRole("checkbox").count()).toBe(4);
  expect(await barriers(page)).toEqual([]);
  await backups.check();
  await page.getByText("Turned on: Failed backups.").waitFor();
});

test("the language that a member chooses is that of the next browser, too", async () => {
  const ines = await newMember("Ines");
  await using tab = await run.openAs(browser, DESK, ines, "/profile");
  const chosen = tab.page.waitForResponse(
    (answer) => answer.request().method() === "PATCH" && answer.url().endsWith("/manage/v1/me"),
  );
  await tab.page.getByLabel("Language").selectOption("Deutsch");
  expect(await (await chosen).json()).toMatchObject({ member: { language: "de" } });
  await tab.page.getByLabel("Ihr Name").waitFor();
  await using other = await run.openAs(browser, DESK, ines, "/profile");
  await other.page.getByLabel("Ihr Name").waitFor();
  await other.page.reload();
  await other.page.getByLabel("Ihr Name").waitFor();
  expect([...tab.faults, ...other.faults].filter((fault) => !EXPECTED.test(fault))).toEqual([]);
});

test("the language chosen last is shown, whichever words arrive first", async () => {
  const lena = await newMember("Lena");
  await using tab = await run.openAs(browser, DESK, lena, "/profile");
  const { page } = tab;
  await page.getByLabel("Your name").waitFor();
  const choose = page.getByLabel(/^(Language|Sprache)/);
  // The words of every page, and those of this page.
  for (const german of ["API-Referenz", "Ihr Name"]) {
    const held = Promise.withResolvers<{ url: string; pass: () => Promise<void> }>();
    await page.route("**/*.js", async (route) => {
      const response = await route.fetch();
      const pass = () => route.fulfill({ response });
      const isHeld = (await response.text()).includes(german);
      if (isHeld) held.resolve({ url: route.request().url(), pass });
      else await pass();
    });
    await choose.selectOption("Deutsch");
    const { url, pass } = await held.promise;
    await choose.selectOption("English");
    await pass();
    // The page's own import of this module was first.
    await page.evaluate((module) => import(module), url);
    await page.unroute("**/*.js");
    await page.getByLabel("Your name").waitFor();
    expect(await page.locator("html").getAttribute("lang")).toBe("en");
    expect(await page.evaluate(() => localStorage.getItem("petstore-language"))).toBe("en");
  }
});

describe("the profile page", () => {
  test("changes the name, which is shown after a reload", async () => {
    const ada = await newMember("Ada");
    await using tab = await run.openAs(browser, DESK, ada, "/profile");
    const { page } = tab;
    const name = page.getByLabel("Your name");
    expect(await name.inputValue()).toBe("Ada");
    await name.fill("Ada Lovelace");
    await name.press("Enter");
    await page.getByText("Saved your name.").waitFor();
    await page.reload();
    expect(await page.getByLabel("Your name").inputValue()).toBe("Ada Lovelace");
    expect(tab.faults.filter((fault) => !EXPECTED.test(fault))).toEqual([]);
  });

  test("changes the password of a user who knows the current one, and signs out other browsers", async () => {
    const grace = await newMember("Grace");
    await using other = await run.openAs(browser, DESK, grace, "/profile");
    await using tab = await run.openAs(browser, DESK, grace, "/profile");
    const { page } = tab;
    const fields = card(page, "Password");
    await fields.getByLabel("Current password").fill("not that one");
    await fields.getByLabel("New password").fill("nine hedgehogs sleep under leaves");
    await fields.getByRole("button", { name: "Change password" }).click();
    await page.getByText("Incorrect password.").waitFor();
    await fields.getByLabel("Current password").fill(grace.password);
    await fields.getByRole("button", { name: "Change password" }).click();
    await page.getByText("Changed your password.").waitFor();
    const sessions = card(page, "Sessions");
    await sessions.locator("tbody tr").nth(1).waitFor({ state: "detached" });
    await sessions.getByText("This browser").waitFor();
    expect(await sessions.locator("tbody tr").count()).toBe(1);
    await other.page.goto(`${run.origin}/profile`);
    await other.page.getByRole("heading", { name: "Sign in", exact: true }).waitFor();
  });

  test("lists sessions with browser and address, and ends them one by one or all at once", async () => {
    const rosa = await newMember("Rosa");
    const elsewhere = [
      await run.openAs(browser, DESK, rosa),
      await run.openAs(browser, DESK, rosa),
    ];
    await using tab = await run.openAs(browser, DESK, rosa, "/profile");
    const { page } = tab;
    const rows = card(page, "Sessions").locator("tbody tr");
    await rows.nth(3).waitFor();
    expect(await rows.first().textContent()).toMatch(
      /^Chrome on Linux.*This browser.*127\.0\.0\.1/,
    );
    await rows.nth(1).getByRole("button").click();
    await page.getByText("Signed out").first().waitFor();
    await page.getByRole("button", { name: "Sign out all others" }).first().click();
    await page.getByRole("dialog").getByRole("button", { name: "Sign out all others" }).click();
    await page.getByText("Signed out all other browsers.").waitFor();
    await rows.nth(1).waitFor({ state: "detached" });
    expect(await rows.count()).toBe(1);
    for (const other of elsewhere) await other[Symbol.asyncDispose]();
  });
});

/** Moves a member's sign-ins an hour into the past. */
function letTimePass({ email }: Credentials): void {
  using database = new Database(join(run.program.dataDir, "petstore.db"));
  database
    .query(
      `UPDATE member_sessions SET created_at = created_at - 3600000
      WHERE member_id = (SELECT id FROM members WHERE email = ?)`,
    )
    .run(email);
}

describe("a passkey", () => {
  test("is added, signs in without any typing, and is removed", async () => {
    const mary = await newMember("Mary");
    await using tab = await run.openAs(browser, DESK, mary, "/profile");
    const { page } = tab;
    await offerNoneInFields(page);
    await giveAuthenticator(page);
    await page.getByRole("button", { name: "Add passkey" }).click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByLabel("Name").inputValue()).toBe("On Linux");
    await dialog.getByLabel("Name").fill("My laptop");
    await dialog.getByRole("button", { name: "Continue" }).click();
    await page.getByText("Added the passkey My laptop.").waitFor();
    await page.getByRole("button", { name: "Add passkey" }).click();
    await dialog.getByRole("button", { name: "Continue" }).click();
    await page.getByText("This device already has a passkey for you.").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();

    await page.getByRole("button", { name: mary.email }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.waitForURL(`${run.origin}/accounts`);
    await page.goto(`${run.origin}/profile`);
    const passkeys = card(page, "Passkeys");
    await passkeys.getByText("My laptop").waitFor();
    expect(await passkeys.locator("tbody tr").textContent()).not.toContain("Never");

    await passkeys.getByRole("button", { name: /^Remove passkey My laptop/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByText("Removed the passkey My laptop.").waitFor();
    await passkeys.getByText("No passkeys yet").waitFor();
    expect(tab.faults.filter((fault) => !EXPECTED.test(fault))).toEqual([]);
  });

  test("that is selected in the email field signs in", async () => {
    const emmy = await newMember("Emmy");
    await using tab = await run.openAs(browser, DESK, emmy, "/profile");
    const { page } = tab;
    await giveAuthenticator(page);
    await page.getByRole("button", { name: "Add passkey" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Continue" }).click();
    await page.getByText("Added the passkey").waitFor();
    await page.getByRole("button", { name: emmy.email }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.waitForURL(`${run.origin}/accounts`);
    await page.getByRole("button", { name: emmy.email }).waitFor();
  });

  test("needs a proof of identity to be added long after sign-in", async () => {
    const hedy = await newMember("Hedy");
    await using tab = await run.openAs(browser, DESK, hedy, "/profile");
    const { page } = tab;
    await giveAuthenticator(page);
    const asking = page.getByRole("dialog", { name: "Confirm your identity" });
    const password = asking.getByLabel("Password");
    const adding = page.getByRole("dialog", { name: "Add passkey" });
    const next = adding.getByRole("button", { name: "Continue" });
    await page.getByRole("button", { name: "Add passkey" }).click();
    await adding.getByLabel("Name").fill("My laptop");
    letTimePass(hedy);
    await next.click();
    await password.waitFor();
    expect(await asking.getByRole("button", { name: "Use passkey" }).count()).toBe(0);
    await asking.getByRole("button", { name: "Cancel" }).click();
    await adding.getByText("Confirm your identity and try again.").waitFor();
    await next.and(page.locator(":focus")).waitFor();

    await next.click();
    await password.fill("not that one");
    await password.press("Enter");
    await asking.getByText("Incorrect password.").waitFor();
    expect(await barriers(page, { within: "dialog" })).toEqual([]);
    await password.fill(hedy.password);
    await password.press("Enter");
    await page.getByText("Added the passkey My laptop.").waitFor();
    expect(tab.faults.filter((fault) => !REFUSED.test(fault))).toEqual([]);
  });

  test("proves the identity for a sensitive action, and no input is lost", async () => {
    const ruth = await newMember("Ruth");
    await using tab = await run.openAs(browser, DESK, ruth, "/profile");
    const { page } = tab;
    await giveAuthenticator(page);
    await page.getByRole("button", { name: "Add passkey" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Continue" }).click();
    await page.getByText("Added the passkey").waitFor();
    letTimePass(ruth);
    await page.goto(`${run.origin}/system`);
    await page.getByRole("button", { name: "Add operator" }).click();
    await page.getByLabel("Email address").fill("irene@example.org");
    await page.getByLabel("Email address").press("Enter");
    await page.getByRole("button", { name: "Use passkey" }).click();
    await page.getByText("#pet_reset_").waitFor();
    const people = await run.ask<readonly { email: string }[]>("GET", "/members");
    expect(people.filter(({ email }) => email === "irene@example.org")).toHaveLength(1);
    expect(tab.faults.filter((fault) => !REFUSED.test(fault))).toEqual([]);
  });

  test("is removed when a password is set by a link, and the page warns of that", async () => {
    const jane = await newMember("Jane");
    await using tab = await run.openAs(browser, DESK, jane, "/profile");
    const { page } = tab;
    await giveAuthenticator(page);
    await page.getByRole("button", { name: "Add passkey" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Continue" }).click();
    await page.getByText("Added the passkey").waitFor();
    const all = await run.ask<readonly { id: string; email: string }[]>("GET", "/members");
    const { id } = all.find(({ email }) => email === jane.email) ?? { id: "" };
    const link = await run.ask<{ url: string }>("POST", `/members/${id}/reset-link`);
    await page.goto(`${run.origin}/reset${new URL(link.url).hash}`);
    await page.getByText("removes all your passkeys").waitFor();
    await page.getByLabel("New password").fill("nine hedgehogs sleep under leaves");
    await page.getByRole("button", { name: "Set password and sign in" }).click();
    await page.waitForURL(`${run.origin}/accounts`);
    await page.goto(`${run.origin}/profile`);
    await card(page, "Passkeys").getByText("No passkeys yet").waitFor();
  });

  test("that the service does not know is reported in words", async () => {
    const lise = await newMember("Lise");
    await using tab = await run.openAs(browser, DESK, lise, "/profile");
    const { page } = tab;
    await giveAuthenticator(page);
    await page.getByRole("button", { name: "Add passkey" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Continue" }).click();
    await page.getByText("Added the passkey").waitFor();
    const listed = await page.evaluate(async () => (await fetch("/manage/v1/passkeys")).json());
    await page.evaluate(async (id) => {
      await fetch(`/manage/v1/passkeys/${id}`, { method: "DELETE" });
      await fetch("/manage/v1/sessions/current", { method: "DELETE" });
    }, listed[0].id);
    await page.goto(`${run.origin}/sign-in`);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByRole("alert").filter({ hasText: "passkey" }).waitFor();
  });
});
