import { afterEach, describe, expect, test } from "bun:test";

import { join } from "node:path";

import type { CDPSession } from "playwright-core";

import { barriers } from "../helpers/axe.ts";
import { giveAuthenticator } from "../helpers/browser.ts";
import { type Credentials } from "../helpers/dashboard.ts";
import { follow, openDesk } from "../helpers/desk.ts";
import { openLive } from "../helpers/sqlite.ts";

/** Console message of a request that is refused before sign-in. */
const EXPECTED = /status of 401/;
/** Likewise for a proof of identity that is demanded, and for a wrong password. */
const REFUSED = /status of 40[13]/;

// One tab, in which the member of each test signs in.
const { run, tab } = await openDesk();
const { page } = tab;

interface Member extends Credentials {
  /** The cookie of a session in another browser. */
  readonly elsewhere: string;
}

/** Creates a member for one test alone. */
async function newMember(name: string): Promise<Member> {
  const email = `${name.toLowerCase()}@example.org`;
  const password = "seven otters cross the river";
  const { link } = await run.ask<{ link: { url: string } }>("POST", "/members", { email, name });
  const token = new URL(link.url).hash.slice(1);
  return { email, password, elsewhere: await enter("/reset", { token, password }) };
}

/** Signs in from another browser. Resolves with the cookie. */
async function enter(path: string, body: object): Promise<string> {
  const answer = await fetch(`${run.origin}/manage/v1${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "sec-fetch-site": "same-origin" },
    body: JSON.stringify(body),
  });
  if (answer.status !== 201) throw new Error(await answer.text());
  return answer.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
}

/** Opens the profile of a member in an unused browser. Returns the page's faults from then on. */
async function openProfile({ email, password }: Credentials): Promise<() => readonly string[]> {
  await page.context().clearCookies();
  const status = await page.evaluate(async (body) => {
    localStorage.clear();
    const headers = { "content-type": "application/json" };
    const answer = await fetch("/manage/v1/sessions", { method: "POST", headers, body });
    return answer.status;
  }, JSON.stringify({ email, password }));
  expect(status).toBe(201);
  const before = tab.faults.length;
  await page.goto(`${run.origin}/profile`);
  await page.getByLabel("Your name").waitFor();
  return () => tab.faults.slice(before);
}

let devtools: CDPSession | undefined;

afterEach(async () => {
  await page.unrouteAll({ behavior: "wait" });
  await devtools?.detach();
  devtools = undefined;
});

/** Adds a passkey on the authenticator of the page. */
async function addPasskey(): Promise<void> {
  await page.getByRole("button", { name: "Add passkey" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Continue" }).click();
  await page.getByText("Added the passkey").waitFor();
}

const card = (title: string) => page.getByRole("region", { name: title });

async function signOut({ email }: Credentials): Promise<void> {
  await page.getByRole("button", { name: email }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
}

test("a member's name and choice of mails are kept; mails are offered where a mail server is configured", async () => {
  const faults = await openProfile(await newMember("Ada"));
  const mails = card("Email notifications");
  expect(await mails.count()).toBe(0);
  const name = page.getByLabel("Your name");
  expect(await name.inputValue()).toBe("Ada");
  await name.fill("Ada Lovelace");
  await name.press("Enter");
  await page.getByText("Saved your name.").waitFor();
  await page.route("**/manage/v1/sign-in", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), mail: true } });
  });
  await page.reload();
  const backups = mails.getByLabel("Failed backups");
  await backups.uncheck();
  expect(await name.inputValue()).toBe("Ada Lovelace");
  await page.getByText("Turned off: Failed backups.").waitFor();
  await page.reload();
  await backups.waitFor();
  expect(await backups.isChecked()).toBe(false);
  expect(await mails.getByRole("checkbox").count()).toBe(4);
  expect(await barriers(page)).toEqual([]);
  await backups.check();
  await page.getByText("Turned on: Failed backups.").waitFor();
  expect(faults()).toEqual([]);
});

test("the language that a member chooses is that of the next browser, too", async () => {
  const faults = await openProfile(await newMember("Ines"));
  const chosen = page.waitForResponse(
    (answer) => answer.request().method() === "PATCH" && answer.url().endsWith("/manage/v1/me"),
  );
  await page.getByLabel("Language").selectOption("Deutsch");
  expect(await (await chosen).json()).toMatchObject({ member: { language: "de" } });
  await page.getByLabel("Ihr Name").waitFor();
  // As in an unused browser.
  await page.evaluate(() => localStorage.clear());
  for (const visit of ["first", "second"]) {
    await page.reload();
    await page.getByLabel("Ihr Name").waitFor();
    const stored = await page.evaluate(() => localStorage.getItem("petstore-language"));
    expect([visit, stored]).toEqual([visit, "de"]);
  }
  expect(faults()).toEqual([]);
});

test("the language chosen last is shown, whichever words arrive first", async () => {
  await openProfile(await newMember("Lena"));
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

test("a new password needs the current one, and signs out other browsers", async () => {
  const grace = await newMember("Grace");
  await openProfile(grace);
  const fields = card("Password");
  await fields.getByLabel("Current password").fill("not that one");
  await fields.getByLabel("New password").fill("nine hedgehogs sleep under leaves");
  await fields.getByRole("button", { name: "Change password" }).click();
  await page.getByText("Incorrect password.").waitFor();
  await fields.getByLabel("Current password").fill(grace.password);
  await fields.getByRole("button", { name: "Change password" }).click();
  await page.getByText("Changed your password.").waitFor();
  const sessions = card("Sessions");
  await sessions.locator("tbody tr").nth(1).waitFor({ state: "detached" });
  await sessions.getByText("This browser").waitFor();
  expect(await sessions.locator("tbody tr").count()).toBe(1);
  const other = await fetch(`${run.origin}/manage/v1/me`, { headers: { cookie: grace.elsewhere } });
  expect(other.status).toBe(401);
});

test("sessions are listed with browser and address, and end one by one or all at once", async () => {
  const rosa = await newMember("Rosa");
  const { email, password } = rosa;
  await enter("/sessions", { email, password });
  await openProfile(rosa);
  const rows = card("Sessions").locator("tbody tr");
  await rows.nth(2).waitFor();
  expect(await rows.first().textContent()).toMatch(/^Chrome on Linux.*This browser.*127\.0\.0\.1/);
  await rows.nth(1).getByRole("button").click();
  await page.getByText("Signed out").first().waitFor();
  await page.getByRole("button", { name: "Sign out all others" }).first().click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign out all others" }).click();
  await page.getByText("Signed out all other browsers.").waitFor();
  await rows.nth(1).waitFor({ state: "detached" });
  expect(await rows.count()).toBe(1);
});

/** Moves a member's sign-ins an hour into the past. */
function letTimePass({ email }: Credentials): void {
  using database = openLive(join(run.program.dataDir, "petstore.db"));
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
    const faults = await openProfile(mary);
    // Otherwise this authenticator, which approves everything, signs in before a button can be pressed.
    await page.evaluate(() => {
      PublicKeyCredential.isConditionalMediationAvailable = async () => false;
    });
    devtools = await giveAuthenticator(page);
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

    await signOut(mary);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.waitForURL(`${run.origin}/accounts`);
    await follow(page, "/profile");
    const passkeys = card("Passkeys");
    await passkeys.getByText("My laptop").waitFor();
    expect(await passkeys.locator("tbody tr").textContent()).not.toContain("Never");

    await passkeys.getByRole("button", { name: /^Remove passkey My laptop/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByText("Removed the passkey My laptop.").waitFor();
    await passkeys.getByText("No passkeys yet").waitFor();
    expect(faults().filter((fault) => !EXPECTED.test(fault))).toEqual([]);
  });

  test("that is selected in the email field signs in, and one that the service does not know is reported in words", async () => {
    const emmy = await newMember("Emmy");
    await openProfile(emmy);
    devtools = await giveAuthenticator(page);
    await addPasskey();
    await signOut(emmy);
    await page.waitForURL(`${run.origin}/accounts`);
    await page.getByRole("button", { name: emmy.email }).waitFor();

    await page.evaluate(async () => {
      const [passkey] = await (await fetch("/manage/v1/passkeys")).json();
      await fetch(`/manage/v1/passkeys/${passkey.id}`, { method: "DELETE" });
      await fetch("/manage/v1/sessions/current", { method: "DELETE" });
    });
    await page.goto(`${run.origin}/sign-in`);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByRole("alert").filter({ hasText: "passkey" }).waitFor();
  });

  test("needs a proof of identity long after sign-in, is one itself, and is removed by a link for a password", async () => {
    const hedy = await newMember("Hedy");
    const faults = await openProfile(hedy);
    devtools = await giveAuthenticator(page);
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

    // After the password's proof, no input is lost while the passkey proves the identity for a sensitive action.
    await page.context().clearCookies({ name: "__Host-petstore-proof" });
    await follow(page, "/system");
    await page.getByRole("button", { name: "Add operator" }).click();
    await page.getByLabel("Email address").fill("irene@example.org");
    await page.getByLabel("Email address").press("Enter");
    await page.getByRole("button", { name: "Use passkey" }).click();
    await page.getByText("#pet_reset_").waitFor();
    const people = await run.ask<readonly { id: string; email: string }[]>("GET", "/members");
    expect(people.filter(({ email }) => email === "irene@example.org")).toHaveLength(1);
    expect(faults().filter((fault) => !REFUSED.test(fault))).toEqual([]);

    const { id } = people.find(({ email }) => email === hedy.email) ?? { id: "" };
    const link = await run.ask<{ url: string }>("POST", `/members/${id}/reset-link`);
    await page.goto(`${run.origin}/reset${new URL(link.url).hash}`);
    await page.getByText("removes all your passkeys").waitFor();
    await page.getByLabel("New password").fill("nine hedgehogs sleep under leaves");
    await page.getByRole("button", { name: "Set password and sign in" }).click();
    await page.waitForURL(`${run.origin}/accounts`);
    await follow(page, "/profile");
    await card("Passkeys").getByText("No passkeys yet").waitFor();
  });
});
