import { describe, expect, test } from "bun:test";

import type { Page } from "playwright-core";

import { barriers } from "../helpers/axe.ts";
import { openTab, type Tab } from "../helpers/browser.ts";
import { operator } from "../helpers/dashboard.ts";
import { DESK, openOffice } from "../helpers/desk.ts";

/** Console message of a request that is refused before sign-in. */
const EXPECTED = /status of 401/;

const { run, browser } = await openOffice();

const faultsIn = ({ faults }: Tab): readonly string[] =>
  faults.filter((fault) => !EXPECTED.test(fault));

async function credentials(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
}

/** Creates a member if needed, and returns a link that sets their password. */
async function invite(email: string, name: string): Promise<string> {
  type Listed = readonly { readonly id: string }[];
  const [known] = await run.ask<Listed>("GET", `/members?email=${email}`);
  if (known !== undefined) {
    return (await run.ask<{ url: string }>("POST", `/members/${known.id}/reset-link`)).url;
  }
  const { link } = await run.ask<{ link: { url: string } }>("POST", "/members", { email, name });
  return link.url;
}

describe("the sign-in page", () => {
  test("signs in a user with the password, and opens the page they asked for", async () => {
    await using tab = await openTab(browser, DESK);
    const { page } = tab;
    await page.goto(`${run.origin}/system`);
    await page.waitForURL(/\/sign-in\?to=/);
    await page.getByLabel("Email address").waitFor();
    // No errors in the console before sign-in.
    expect(tab.faults).toEqual([]);
    await credentials(page, operator.email, "not it at all");
    await page.getByText("Incorrect email address or password.").waitFor();
    await credentials(page, operator.email.toUpperCase(), operator.password);
    await page.waitForURL(`${run.origin}/system`);
    expect(await page.evaluate(() => document.cookie)).toBe("");
    expect(faultsIn(tab)).toEqual([]);
  });

  test("says how long to wait after too many attempts, in the language of the page", async () => {
    await using tab = await openTab(browser, DESK);
    const { page } = tab;
    await page.route("**/manage/v1/sessions", (route) =>
      route.fulfill({
        status: 429,
        headers: { "retry-after": "830" },
        json: { code: "rate_limited", message: "Too many passwords were tried.", status: 429 },
      }),
    );
    await page.goto(`${run.origin}/sign-in`);
    await credentials(page, operator.email, "not it at all");
    await page.getByText("Too many requests. Try again in 14 minutes.").waitFor();
    await page.getByLabel("Language").selectOption("de");
    await page
      .getByText("Zu viele Anfragen. Versuchen Sie es in 14 Minuten noch einmal.")
      .waitFor();
  });

  test("waits, and says why, while the service cannot be reached", async () => {
    await using tab = await run.open(browser, DESK, "/nowhere");
    const { page } = tab;
    await page.route("**/manage/v1/sign-in", (route) => route.abort());
    await page.goto(`${run.origin}/profile`);
    await page.getByRole("alert").getByText("Check your connection").waitFor();
    expect(page.url()).toBe(`${run.origin}/profile`);
    await page.unroute("**/manage/v1/sign-in");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "Your profile" }).waitFor();
  });

  test("sends a password link by mail where a mail server is configured, and says the same for every address", async () => {
    await using tab = await openTab(browser, DESK);
    const { page } = tab;
    await page.goto(`${run.origin}/sign-in`);
    await page.getByText("Forgot your password?").click();
    await page.getByText("Petstore sends no email.").waitFor();
    expect(await page.getByRole("button", { name: "Send link" }).count()).toBe(0);

    await page.route("**/manage/v1/sign-in", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), mail: true } });
    });
    const asked: unknown[] = [];
    await page.route("**/manage/v1/reset/request", (route) => {
      asked.push(route.request().postDataJSON());
      return asked.length === 1
        ? route.fulfill({
            status: 429,
            headers: { "retry-after": "50" },
            json: { code: "rate_limited", message: "Too many requests for mails.", status: 429 },
          })
        : route.fulfill({ status: 204 });
    });
    await page.goto(`${run.origin}/sign-in`);
    await page.getByLabel("Language").selectOption("de");
    await page.getByText("Passwort vergessen?").click();
    const form = page.locator("details form");
    await form.getByLabel("E-Mail-Adresse").fill("nobody@example.org");
    await form.getByRole("button", { name: "Link schicken" }).click();
    await form.getByText("Zu viele Anfragen.").waitFor();
    expect(await barriers(page)).toEqual([]);
    await form.getByRole("button", { name: "Link schicken" }).click();
    await page.getByRole("status").getByText("Falls nobody@example.org zu einem").waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(asked).toEqual(
      Array.from({ length: 2 }, () => ({ email: "nobody@example.org", language: "de" })),
    );
    await page.getByLabel("Sprache").selectOption("en");
    expect(faultsIn(tab).filter((fault) => !fault.includes("429"))).toEqual([]);
  });

  test("does not extend the session from a page without input", async () => {
    await using tab = await run.open(browser, DESK, "/nowhere");
    const { page } = tab;
    await page.clock.install();
    const question = /\/manage\/v1\/system$/;
    const first = page.waitForResponse(question);
    await page.goto(`${run.origin}/system`);
    await first;
    const nextQuestion = async (waitMs: number): Promise<string | undefined> => {
      const asked = page.waitForRequest(question);
      await page.clock.fastForward(waitMs);
      return (await asked).headers()["x-petstore-unattended"];
    };
    expect(await nextQuestion(60_000)).toBeUndefined();
    expect(await nextQuestion(300_000)).toBe("1");
    await page.keyboard.press("Shift");
    expect(await nextQuestion(60_000)).toBeUndefined();
    // As a screen reader or voice control presses a button.
    expect(await nextQuestion(300_000)).toBe("1");
    await page.locator("main").dispatchEvent("click");
    expect(await nextQuestion(60_000)).toBeUndefined();
  });

  test("never redirects to another site", async () => {
    await using tab = await openTab(browser, DESK);
    const { page } = tab;
    await page.goto(`${run.origin}/sign-in?to=${encodeURIComponent("//evil.example/")}`);
    await credentials(page, operator.email, operator.password);
    await page.waitForURL(`${run.origin}/accounts`);
  });

  test("ends the session on sign-out, here and in the service", async () => {
    await using tab = await run.openAs(browser, DESK, operator, "/profile");
    const { page } = tab;
    const [cookie] = await page.context().cookies(run.origin);
    expect(cookie).toMatchObject({
      name: "__Host-petstore",
      httpOnly: true,
      secure: true,
      sameSite: "Strict",
      path: "/",
    });
    await page.getByRole("button", { name: operator.email }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in", exact: true }).waitFor();
    // It names the browser, not the member.
    const left = await page.context().cookies(run.origin);
    expect(left.map(({ name }) => name)).toEqual(["__Host-petstore-device"]);
    const headers = { cookie: `__Host-petstore=${cookie?.value}` };
    expect((await fetch(`${run.origin}/manage/v1/me`, { headers })).status).toBe(401);
  });

  test("keeps the session, and says so, if sign-out does not reach the service", async () => {
    await using tab = await run.openAs(browser, DESK, operator, "/profile");
    const { page } = tab;
    await page.route("**/sessions/current", (route) => route.abort());
    await page.getByRole("button", { name: operator.email }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByText("The service is unreachable.").waitFor();
    expect(page.url()).toBe(`${run.origin}/profile`);
    await page.unroute("**/sessions/current");
    await page.getByRole("button", { name: operator.email }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in", exact: true }).waitFor();
  });

  test("shows the next user nothing of the previous one", async () => {
    const older = await run.ask<{ id: string }>("POST", "/accounts", { name: "Older Shelter" });
    const account = await run.ask<{ id: string }>("POST", "/accounts", { name: "Wet Noses" });
    const { link } = await run.ask<{ link: { url: string } }>(
      "POST",
      `/accounts/${account.id}/members`,
      { email: "wanda@example.org", name: "Wanda", role: "owner" },
    );
    const password = "puddle-biscuit-lamp-31";
    const token = new URL(link.url).hash.slice(1);
    await run.ask("POST", "/reset", { token, password });
    await using tab = await run.openAs(browser, DESK, operator, "/");
    const { page } = tab;
    await page.getByRole("combobox", { name: "Account" }).waitFor();
    await page.getByRole("button", { name: operator.email }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in", exact: true }).waitFor();
    const answered = Promise.withResolvers<void>();
    await page.route(/\/manage\/v1\/accounts(\?|$)/, async (route) => {
      await answered.promise;
      await route.continue();
    });
    const visited: string[] = [];
    page.on("framenavigated", (frame) => visited.push(new URL(frame.url()).pathname));
    await credentials(page, "wanda@example.org", password);
    await page.getByRole("button", { name: "wanda@example.org" }).waitFor();
    expect(await page.getByText("Older Shelter").count()).toBe(0);
    answered.resolve();
    await page.waitForURL(`${run.origin}/accounts/${account.id}/overview`);
    expect(visited.filter((path) => path.startsWith("/accounts/"))).toEqual([
      `/accounts/${account.id}/overview`,
    ]);
    for (const { id } of [older, account]) await run.ask("DELETE", `/accounts/${id}`);
  });

  test("says how to reset a forgotten password", async () => {
    await using tab = await openTab(browser, DESK);
    const { page } = tab;
    await page.goto(`${run.origin}/sign-in`);
    await page.getByText("Forgot your password?").click();
    await page.getByText(/^\S.* members reset-link ada@example.org$/).waitFor();
  });
});

describe("a password link", () => {
  test("names its user, rejects weak passwords, and signs in", async () => {
    const url = await invite("grace@example.org", "Grace");
    await using tab = await openTab(browser, DESK);
    const { page } = tab;
    await page.goto(url);
    await page.getByText("Welcome, Grace.").waitFor();
    expect(await page.getByLabel("Email address").inputValue()).toBe("grace@example.org");
    const password = page.getByLabel("New password");
    await password.fill("grace-petstore");
    await page.getByText("Too easy to guess: use less common words.").waitFor();
    await password.fill("qwertyuiop12");
    await page.getByText("Too easy to guess: avoid repetitions").waitFor();
    await password.fill("short");
    await page.keyboard.press("Enter");
    await page.getByText("Use at least 12 characters.").waitFor();
    await password.fill("seven otters cross the river");
    await page.getByText("Strong password.").waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(`${run.origin}/accounts`);
    expect(faultsIn(tab)).toEqual([]);
    await page.goto(url);
    await page.getByRole("heading", { name: "This link is no longer valid" }).waitFor();
    await page.goto(`${run.origin}/reset`);
    await page.reload();
    await page.getByRole("heading", { name: "Incomplete link" }).waitFor();
  });
});
