import { describe, expect, test } from "bun:test";

import { barriers } from "../helpers/axe.ts";
import { openTab } from "../helpers/browser.ts";
import { operator } from "../helpers/dashboard.ts";
import { DESK, openDesk } from "../helpers/desk.ts";

/** Console message of a request that is refused before sign-in. */
const EXPECTED = /status of 401/;

const { run, browser, tab: desk } = await openDesk();
const visitor = await openTab(browser, DESK);
const { page } = visitor;
const devtools = await page.context().newCDPSession(page);

/** Opens a page in the visitor's tab, which forgets everything before, and collects its faults from now on. */
async function visit(address: string): Promise<() => readonly string[]> {
  await devtools.send("Storage.clearDataForOrigin", { origin: run.origin, storageTypes: "all" });
  const before = visitor.faults.length;
  await page.goto(new URL(address, run.origin).href);
  return () => visitor.faults.slice(before);
}

const unexpected = (faults: readonly string[]): readonly string[] =>
  faults.filter((fault) => !EXPECTED.test(fault));

async function credentials(email: string, password: string): Promise<void> {
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

async function signOut(): Promise<void> {
  await page.getByRole("button", { name: operator.email }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
}

describe("the sign-in page", () => {
  test("signs in a user with the password, and opens the page they asked for", async () => {
    const faults = await visit("/system");
    await page.waitForURL(/\/sign-in\?to=/);
    await page.getByLabel("Email address").waitFor();
    // No errors in the console before sign-in.
    expect(faults()).toEqual([]);
    await credentials(operator.email, "not it at all");
    await page.getByText("Incorrect email address or password.").waitFor();
    await credentials(operator.email.toUpperCase(), operator.password);
    await page.waitForURL(`${run.origin}/system`);
    expect(await page.evaluate(() => document.cookie)).toBe("");
    expect(unexpected(faults())).toEqual([]);
  });

  test("says how long to wait after too many attempts, in the language of the page", async () => {
    await page.route("**/manage/v1/sessions", (route) =>
      route.fulfill({
        status: 429,
        headers: { "retry-after": "830" },
        json: { code: "rate_limited", message: "Too many passwords were tried.", status: 429 },
      }),
    );
    await visit("/sign-in");
    await credentials(operator.email, "not it at all");
    await page.getByText("Too many requests. Try again in 14 minutes.").waitFor();
    await page.getByLabel("Language").selectOption("de");
    await page
      .getByText("Zu viele Anfragen. Versuchen Sie es in 14 Minuten noch einmal.")
      .waitFor();
    await page.unroute("**/manage/v1/sessions");
  });

  test("says how to reset a forgotten password where Petstore sends no email", async () => {
    await visit("/sign-in");
    await page.getByText("Forgot your password?").click();
    await page.getByText("Petstore sends no email.").waitFor();
    await page.getByText(/^\S.* members reset-link ada@example.org$/).waitFor();
    expect(await page.getByRole("button", { name: "Send link" }).count()).toBe(0);
  });

  test("sends a password link by mail where a mail server is configured, and says the same for every address", async () => {
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
    const faults = await visit("/sign-in");
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
    expect(unexpected(faults()).filter((fault) => !fault.includes("429"))).toEqual([]);
    await page.unrouteAll();
  });

  test("never redirects to another site", async () => {
    await visit(`/sign-in?to=${encodeURIComponent("//evil.example/")}`);
    await credentials(operator.email, operator.password);
    await page.waitForURL(`${run.origin}/accounts`);
  });

  test("keeps the session, and says so, if sign-out does not reach the service, and ends it once it does", async () => {
    await visit("/sign-in?to=/profile");
    await credentials(operator.email, operator.password);
    await page.waitForURL(`${run.origin}/profile`);
    await page.route("**/sessions/current", (route) => route.abort());
    await signOut();
    await page.getByText("The service is unreachable.").waitFor();
    expect(page.url()).toBe(`${run.origin}/profile`);
    await page.unroute("**/sessions/current");

    const cookies = await page.context().cookies(run.origin);
    const cookie = cookies.find(({ name }) => name === "__Host-petstore");
    const attributes = { httpOnly: true, secure: true, sameSite: "Strict", path: "/" };
    expect(cookie).toMatchObject(attributes);
    await signOut();
    await page.getByRole("heading", { name: "Sign in", exact: true }).waitFor();
    // It names the browser, not the member.
    const left = await page.context().cookies(run.origin);
    expect(left.map(({ name }) => name)).toEqual(["__Host-petstore-device"]);
    const headers = { cookie: `__Host-petstore=${cookie?.value}` };
    expect((await fetch(`${run.origin}/manage/v1/me`, { headers })).status).toBe(401);
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
    await visit("/sign-in");
    await credentials(operator.email, operator.password);
    await page.getByRole("combobox", { name: "Account" }).waitFor();
    await signOut();
    await page.getByRole("heading", { name: "Sign in", exact: true }).waitFor();
    const answered = Promise.withResolvers<void>();
    await page.route(/\/manage\/v1\/accounts(\?|$)/, async (route) => {
      await answered.promise;
      await route.continue();
    });
    const visited: string[] = [];
    page.on("framenavigated", (frame) => visited.push(new URL(frame.url()).pathname));
    await credentials("wanda@example.org", password);
    await page.getByRole("button", { name: "wanda@example.org" }).waitFor();
    expect(await page.getByText("Older Shelter").count()).toBe(0);
    answered.resolve();
    await page.waitForURL(`${run.origin}/accounts/${account.id}/overview`);
    expect(visited.filter((path) => path.startsWith("/accounts/"))).toEqual([
      `/accounts/${account.id}/overview`,
    ]);
    await page.unrouteAll();
    for (const { id } of [older, account]) await run.ask("DELETE", `/accounts/${id}`);
  });
});

describe("a page of a signed-in user", () => {
  test("waits, and says why, while the service cannot be reached", async () => {
    const { page: own } = desk;
    await own.route("**/manage/v1/sign-in", (route) => route.abort());
    await own.goto(`${run.origin}/profile`);
    await own.getByRole("alert").getByText("Check your connection").waitFor();
    expect(own.url()).toBe(`${run.origin}/profile`);
    await own.unroute("**/manage/v1/sign-in");
    await own.getByRole("button", { name: "Try again" }).click();
    await own.getByRole("heading", { name: "Your profile" }).waitFor();
  });

  test("does not extend the session without input", async () => {
    const { page: own } = desk;
    await own.clock.install();
    const question = /\/manage\/v1\/system$/;
    const first = own.waitForResponse(question);
    await own.goto(`${run.origin}/system`);
    await first;
    const nextQuestion = async (waitMs: number): Promise<string | undefined> => {
      const asked = own.waitForRequest(question);
      await own.clock.fastForward(waitMs);
      return (await asked).headers()["x-petstore-unattended"];
    };
    expect(await nextQuestion(60_000)).toBeUndefined();
    expect(await nextQuestion(300_000)).toBe("1");
    await own.keyboard.press("Shift");
    expect(await nextQuestion(60_000)).toBeUndefined();
    // As a screen reader or voice control presses a button.
    expect(await nextQuestion(300_000)).toBe("1");
    await own.locator("main").dispatchEvent("click");
    expect(await nextQuestion(60_000)).toBeUndefined();
  });
});

describe("a password link", () => {
  test("names its user, rejects weak passwords, and signs in", async () => {
    const url = await invite("grace@example.org", "Grace");
    const faults = await visit(url);
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
    expect(unexpected(faults())).toEqual([]);
    await page.goto(url);
    await page.getByRole("heading", { name: "This link is no longer valid" }).waitFor();
    await page.goto(`${run.origin}/reset`);
    await page.reload();
    await page.getByRole("heading", { name: "Incomplete link" }).waitFor();
  });
});
