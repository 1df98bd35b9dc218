import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";

import type { Browser, CDPSession, Page } from "playwright-core";

import { barriers } from "../helpers/axe.ts";
import { torture } from "../helpers/chance.ts";
import { openBrowser, openTab, type Sight, type Tab } from "../helpers/browser.ts";
import { runProgram, startProgram, type Program } from "../helpers/process.ts";

const SCREENSHOTS = join(import.meta.dir, "screenshots");
const desk = { width: 1280, scheme: "light" } as const;
const phone = { width: 320, scheme: "dark" } as const;

let browser: Browser;
let program: Program;
let key: string;
/** The tab of most tests. */
let tab: Tab;
let page: Page;
let devtools: CDPSession;

beforeAll(async () => {
  await mkdir(SCREENSHOTS, { recursive: true });
  [browser, program] = await Promise.all([openBrowser(), startProgram()]);
  tab = await openTab(browser, desk);
  ({ page } = tab);
  devtools = await page.context().newCDPSession(page);
  const account = await command("accounts", "create", "Brightside");
  const made = ["keys", "create", "--account", String(account["id"]), "--environment", "staging"];
  key = String((await command(...made))["key"]);
});

afterAll(async () => {
  await browser?.close();
  await program?.[Symbol.asyncDispose]();
});

/** Runs a command of the program and parses its JSON output. */
async function command(...args: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  const { exitCode, stdout, stderr } = await runProgram([
    ...args,
    ...["--json", "--data-dir", program.dataDir],
  ]);
  if (exitCode !== 0) throw new Error(`${args.join(" ")} ended with ${exitCode}: ${stderr}`);
  return JSON.parse(stdout) as Readonly<Record<string, unknown>>;
}

/** The element that the address's fragment names. */
const targetOf = (of: Page) =>
  of.evaluate<string | undefined>("document.querySelector(':target')?.innerText");

/** Removes operations before axe runs, whose time grows with the page. sights.test.ts checks all of it. */
const removeOperations = (which = ""): Promise<void> =>
  page.evaluate((selector) => {
    for (const one of document.querySelectorAll(selector)) one.remove();
  }, `.operation${which}`);

const shot = async (of: Page, name: string): Promise<void> => {
  if (torture) await of.screenshot({ path: join(SCREENSHOTS, name) });
};

const panelOf = (id: string) => page.locator(`details.try[data-operation="${id}"]`);

/** Loads a page in the tab, which forgets everything before, and collects its requests and faults from now on. */
async function visit(path: string, { width, scheme }: Sight = desk) {
  const { faults, asked } = tab;
  const [faultsBefore, askedBefore] = [faults.length, asked.length];
  await page.setViewportSize({ width, height: width < 600 ? 640 : 860 });
  await page.emulateMedia({ colorScheme: scheme });
  await devtools.send("Storage.clearDataForOrigin", {
    origin: program.origin,
    storageTypes: "all",
  });
  await page.goto(program.origin + path);
  return { faults: () => faults.slice(faultsBefore), asked: () => asked.slice(askedBefore) };
}

// These tests continue on one page, which takes long to load.
describe("the page of the public API, opened with a key,", () => {
  let its: Awaited<ReturnType<typeof visit>>;

  beforeAll(async () => {
    its = await visit(`/docs#key=${key}`);
  });

  test("reads it from the address, removes it, and uses it for a request that shows its limits", async () => {
    await page.waitForURL(`${program.origin}/docs`);
    expect(await page.evaluate<number>("localStorage.length + sessionStorage.length")).toBe(0);

    const create = panelOf("createPet");
    await create.locator("> summary").click();
    const send = create.getByRole("button", { name: "Send to Staging" });
    await send.click();
    await create.locator(".result .status").waitFor();
    expect(await create.locator(".result .status").innerText()).toMatch(/^201 \d+ ms · \d+ bytes$/);
    expect(await create.locator(".result pre").innerText()).toContain('"name": "Rex"');
    expect(await create.locator(".limits").innerText()).toMatch(
      /^59 of 60 requests remain · resets in \d+ s$/,
    );
    await create.locator(".sent summary").click();
    expect(await create.locator(".sent").innerText()).toMatch(/x-ratelimit-remaining\s+59/);
    await shot(page, "docs-try-1280-light.png");

    const list = panelOf("listPets");
    await list.locator("> summary").click();
    await list.getByLabel("status").selectOption("sold");
    await list.locator(".send").click();
    await list.locator(".result .status").waitFor();
    expect(await list.locator(".result pre").innerText()).toBe("[]");
    expect(its.faults()).toEqual([]);

    const asked = its.asked().filter((url) => url.startsWith("http"));
    const called = asked.filter((url) => url.includes("/v1/"));
    expect(called.map((url) => new URL(url).pathname + new URL(url).search)).toEqual([
      "/v1/pets",
      "/v1/pets?status=sold",
    ]);
    expect(asked.filter((url) => new URL(url).hostname !== "127.0.0.1")).toEqual([]);
  });

  test("links an error to its section in the help", async () => {
    const panel = panelOf("getPet");
    await panel.locator("> summary").click();
    await panel.locator(".send").click();
    expect(await panel.locator(".said").innerText()).toBe("Enter petId.");
    await panel.getByLabel("petId").fill("999");
    await panel.locator(".send").click();
    const help = panel.getByRole("link", { name: "About not_found" });
    const { pathname, hash } = new URL((await help.getAttribute("href")) ?? "", page.url());
    const section = await (await fetch(program.origin + pathname)).text();
    expect(section).toContain(`id="${hash.slice(1)}"`);
    expect(hash).toBe("#not_found");
  });

  test("works offline and reports missing responses", async () => {
    await page.context().setOffline(true);
    await page.locator("#search").fill("delete cat");
    await page.getByText("The search did not load. Check your connection.").waitFor();
    const panel = panelOf("getRateLimit");
    await panel.locator("> summary").click();
    await panel.locator(".send").click();
    await panel.getByText("No response.").waitFor();
    // The next use of the field tries again.
    await page.context().setOffline(false);
    await page.locator("#search").focus();
    expect(await page.locator("#results .title").first().innerText()).toBe("Delete a category");
  });

  test("has no panel where a request cannot be tried", async () => {
    expect(await page.locator("details.try:visible").count()).toBe(15);
    expect(await panelOf("listOrders").count()).toBe(0);
  });

  test("has accessible panels, with and without a response", async () => {
    await removeOperations(":not(:has(.try[open]))");
    expect(await page.locator(".try[open]").count()).toBe(4);
    expect(await barriers(page, { within: ".try[open]" })).toEqual([]);
  });

  test("cancels a slow request, and discards the key with the page", async () => {
    const reached = Promise.withResolvers<void>();
    await page.route("**/v1/rate-limit", () => reached.resolve());
    const panel = panelOf("getRateLimit");
    await panel.locator(".send").click();
    await reached.promise;
    expect(await panel.locator(".send").isDisabled()).toBe(true);
    await panel.locator(".send:focus").waitFor();
    await panel.getByRole("button", { name: "Cancel" }).press("Enter");
    expect(await panel.locator(".said").innerText()).toStartWith("Cancelled.");
    await panel.locator(".send:focus").waitFor();
    expect(await panel.locator(".send").isEnabled()).toBe(true);
    await page.unrouteAll();
    await page.reload();
    expect(await page.locator(".bar .credentials-state").innerText()).toBe("Staging · no key yet");
    expect(await page.locator("#key").inputValue()).toBe("");
  });

  test("then asks for a key, and shows a hint at one of the other environment", async () => {
    const before = its.asked().length;
    const panel = panelOf("listPets");
    await panel.locator("> summary").click();
    await panel.locator(".send").click();
    expect(await panel.locator(".said").innerText()).toBe(
      "Paste an API key first, then send again.",
    );
    await page.locator("#key:focus").waitFor();
    await page.keyboard.insertText("pet_live_something");
    expect(await page.getByRole("radio", { name: "Production" }).isChecked()).toBe(true);
    await page.getByRole("radio", { name: "Staging" }).check();
    expect(await page.locator("#key-hint").innerText()).toBe(
      "This key belongs to Production; Staging refuses it.",
    );
    const called = its.asked().slice(before);
    expect(called.filter((url) => url.includes("/v1/"))).toEqual([]);
  });
});

test("the keyboard opens a result, and the search is loaded only when its field is used", async () => {
  const { faults, asked } = await visit("/docs", phone);
  expect(asked().filter((url) => url.includes("search"))).toEqual([]);
  await page.keyboard.press("/");
  // Selectors: searching a page of this size for roles takes long.
  const field = page.locator("#search");
  await page.keyboard.insertText("delete cat");
  const options = page.locator("#results [role=option]");
  await options.first().waitFor();
  expect(await field.getAttribute("aria-expanded")).toBe("true");
  expect(await page.locator("#results mark").allInnerTexts()).toContain("Delete");
  const active = async (): Promise<string | undefined> => {
    const id = await field.getAttribute("aria-activedescendant");
    const text = await page.locator(`#${id}[aria-selected=true] .title`).innerText();
    return text;
  };
  expect(await active()).toBe("Delete a category");
  await page.keyboard.press("ArrowDown");
  const second = await options.nth(1).locator(".title").innerText();
  expect(await active()).toBe(second);
  await page.keyboard.press("ArrowUp");
  await removeOperations();
  expect(await barriers(page, { within: ".find" })).toEqual([]);
  await shot(page, "docs-search-320-dark.png");
  await page.keyboard.press("Escape");
  expect(await field.getAttribute("aria-expanded")).toBe("false");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(`${program.origin}/docs#deleteCategory`);
  expect(await field.inputValue()).toBe("");
  await field.fill("zzzzzz");
  await page.getByText("No matches. Try a shorter word.").waitFor();
  expect(await field.getAttribute("aria-expanded")).toBe("false");
  // A result of the other API is on another page.
  await field.fill("rotate an api key");
  await options.first().click();
  await page.waitForURL(`${program.origin}/docs/management/keys#rotateKey`);
  expect(faults()).toEqual([]);
});

test("the management API is tried with a token, and only what reads", async () => {
  const { token } = (await command("tokens", "create")) as {
    readonly token: string;
  };
  const { faults, asked } = await visit("/docs/management/accounts#listAccounts");
  expect(await panelOf("createAccount").count()).toBe(0);
  const panel = panelOf("listAccounts");
  await panel.locator("> summary").click();
  await panel.locator(".send").click();
  expect(await panel.locator(".said").innerText()).toBe(
    "Paste a management token first, then send again.",
  );
  await page.locator("#key:focus").waitFor();
  await page.keyboard.insertText(token);
  await page.getByRole("button", { name: "Done" }).click();
  await panel.locator(".send").click();
  await panel.locator(".result .status").waitFor();
  expect(await panel.locator(".result .status").innerText()).toStartWith("200 ");
  expect(await panel.locator(".result pre").innerText()).toContain('"name": "Brightside"');
  expect(await barriers(page, { within: ".try[open]" })).toEqual([]);
  expect(await page.evaluate<number>("localStorage.length + sessionStorage.length")).toBe(0);
  const called = asked().filter((url) => url.includes("/v1/"));
  expect(called).toEqual([`${program.origin}/manage/v1/accounts`]);
  expect(faults()).toEqual([]);
});

test("all samples share one language, also those of the next page", async () => {
  await visit("/docs/management/keys");
  await page.locator("#listKeys").getByText("Python").click();
  expect(await page.locator("#listKeys pre:visible").first().innerText()).toContain(
    "requests.get(",
  );
  expect(await page.locator("#createKey pre:visible").first().innerText()).toContain(
    "requests.post(",
  );
  // Before its script runs.
  await page.goto(`${program.origin}/docs/management/accounts`);
  expect(await page.locator("#createAccount pre:visible").first().innerText()).toContain(
    "requests.post(",
  );
  expect(await page.locator("#createAccount input[value=Python]").isChecked()).toBe(true);
});

test("the reference and the help work without scripts, in the system's colours", async () => {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    colorScheme: "dark",
    viewport: { width: 320, height: 640 },
  });
  try {
    const page = await context.newPage();
    await page.goto(`${program.origin}/docs`);
    expect(await page.getByRole("heading", { name: "List animals" }).isVisible()).toBe(true);
    expect(
      await page.getByText("Deprecated, to be removed on 5 December 2030").first().isVisible(),
    ).toBe(true);
    expect(
      await page.locator("details.try:visible, .credentials-state:visible, .copy:visible").count(),
    ).toBe(0);
    await page.locator("#listPets").getByText("JavaScript").click();
    expect(await page.locator('#listPets [data-language="JavaScript"]').isVisible()).toBe(true);
    await page.getByRole("button", { name: "Contents" }).click();
    expect(
      await page.locator("#contents").getByRole("link", { name: "List orders" }).isVisible(),
    ).toBe(true);
    await shot(page, "docs-320-without-script.png");
    await page.goto(`${program.origin}/help/limits#bans`);
    expect(await targetOf(page)).toBe("Bans");
  } finally {
    await context.close();
  }
});

test("the help's search finds headings and text", async () => {
  const { faults } = await visit("/help", phone);
  await page.keyboard.press("/");
  await page.keyboard.insertText("conflicting");
  await page.getByRole("option").first().waitFor();
  expect((await page.locator("#results .title").allInnerTexts()).slice(0, 2)).toEqual([
    "conflicting_a",
    "conflicting_aaaa",
  ]);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/help/findings#conflicting_a");
  await page.locator("#search").fill("two processes may not share");
  await page.getByRole("option").first().waitFor();
  expect(faults()).toEqual([]);
});

test("the help opens in the chosen language, and in the other one on request", async () => {
  const context = await browser.newContext({
    locale: "de-DE",
    viewport: { width: 320, height: 640 },
  });
  try {
    const page = await context.newPage();
    await page.goto(`${program.origin}/help/findings#no_record`);
    await page.waitForURL("**/help/de/findings#no_record");
    expect(await targetOf(page)).toBe("no_record");
    expect(await page.getByText("Es gibt noch keinen Eintrag.").isVisible()).toBe(true);
    await page.locator("#search").fill("gebuehr");
    await page.getByText("Nichts gefunden.").or(page.getByRole("option").first()).waitFor();
    await page.getByRole("button", { name: "Inhalt" }).click();
    await page.locator("#contents").getByRole("link", { name: "English" }).click();
    await page.waitForURL("**/help/findings?language=en");
    await page.goto(`${program.origin}/help/errors`);
    expect(page.url()).toEndWith("/help/errors");
    await page.getByRole("button", { name: "Contents" }).click();
    await page.locator("#contents").getByRole("link", { name: "Deutsch" }).click();
    await page.waitForURL("**/help/de/errors");
    await page.goto(`${program.origin}/help`);
    await page.waitForURL("**/help/de");
    // A page without translation stays.
    await page.goto(`${program.origin}/help/limits`);
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("Limits");
  } finally {
    await context.close();
  }
});
