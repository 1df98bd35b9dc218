import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";

import type { Browser, Page } from "playwright-core";

import { barriers } from "../helpers/axe.ts";
import { openBrowser, openTab } from "../helpers/browser.ts";
import { runProgram, startProgram, type Program } from "../helpers/process.ts";
import { thinOut } from "../helpers/sights.ts";

const SCREENSHOTS = join(import.meta.dir, "screenshots");
const desk = { width: 1280, scheme: "light" } as const;
const phone = { width: 320, scheme: "dark" } as const;

let browser: Browser;
let program: Program;
let key: string;

beforeAll(async () => {
  await mkdir(SCREENSHOTS, { recursive: true });
  [browser, program] = await Promise.all([openBrowser(), startProgram()]);
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
const targetOf = (page: Page) =>
  page.evaluate<string | undefined>("document.querySelector(':target')?.innerText");

const panelOf = (page: Page, id: string) => page.locator(`details.try[data-operation="${id}"]`);

test("a key in the address is read, removed, and used for a request that shows its limits", async () => {
  await using tab = await openTab(browser, desk);
  const { page, faults, asked } = tab;
  await page.goto(`${program.origin}/docs#key=${key}`);
  await page.waitForURL(`${program.origin}/docs`);
  expect(await page.evaluate<number>("localStorage.length + sessionStorage.length")).toBe(0);

  const create = panelOf(page, "createPet");
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
  expect(await barriers(page, { within: ".try[open]" })).toEqual([]);
  await page.screenshot({ path: join(SCREENSHOTS, "docs-try-1280-light.png") });

  const list = panelOf(page, "listPets");
  await list.locator("> summary").click();
  await list.getByLabel("status").selectOption("sold");
  await list.locator(".send").click();
  await list.locator(".result .status").waitFor();
  expect(await list.locator(".result pre").innerText()).toBe("[]");
  expect(faults).toEqual([]);

  const called = asked.filter((url) => url.includes("/v1/"));
  expect(called.map((url) => new URL(url).pathname + new URL(url).search)).toEqual([
    "/v1/pets",
    "/v1/pets?status=sold",
  ]);
  expect(asked.filter((url) => new URL(url).hostname !== "127.0.0.1")).toEqual([]);
});

test("an error links to its section in the help", async () => {
  await using tab = await openTab(browser, phone);
  const { page } = tab;
  await page.goto(`${program.origin}/docs#key=${key}`);
  const panel = panelOf(page, "getPet");
  await panel.locator("> summary").click();
  await panel.locator(".send").click();
  expect(await panel.locator(".said").innerText()).toBe("Enter petId.");
  await panel.getByLabel("petId").fill("999");
  await panel.locator(".send").click();
  const help = panel.getByRole("link", { name: "About not_found" });
  await page.goto(new URL((await help.getAttribute("href")) ?? "", page.url()).href);
  expect(await targetOf(page)).toBe("not_found");
});

test("a key of the other environment shows a hint, and a missing one opens the dialog", async () => {
  await using tab = await openTab(browser, desk);
  const { page, asked } = tab;
  await page.goto(`${program.origin}/docs`);
  const panel = panelOf(page, "listPets");
  await panel.locator("> summary").click();
  await panel.locator(".send").click();
  expect(await panel.locator(".said").innerText()).toBe("Paste an API key first, then send again.");
  await page.locator("#key:focus").waitFor();
  await page.keyboard.insertText("pet_live_something");
  expect(await page.getByRole("radio", { name: "Production" }).isChecked()).toBe(true);
  await page.getByRole("radio", { name: "Staging" }).check();
  expect(await page.locator("#key-hint").innerText()).toBe(
    "This key belongs to Production; Staging refuses it.",
  );
  expect(asked.filter((url) => url.includes("/v1/"))).toEqual([]);
});

test("the loaded page works offline and reports missing responses", async () => {
  await using tab = await openTab(browser, desk);
  const { page } = tab;
  await page.goto(`${program.origin}/docs#key=${key}`);
  await page.context().setOffline(true);
  await page.locator("#search").fill("delete cat");
  await page.getByText("The search did not load. Check your connection.").waitFor();
  const panel = panelOf(page, "getRateLimit");
  await panel.locator("> summary").click();
  await panel.locator(".send").click();
  expect(await panel.locator(".said").innerText()).toStartWith("No response.");
  // The next use of the field tries again.
  await page.context().setOffline(false);
  await page.locator("#search").focus();
  expect(await page.locator("#results .title").first().innerText()).toBe("Delete a category");
});

test("the keyboard opens a result, and the search is loaded only when its field is used", async () => {
  await using tab = await openTab(browser, phone);
  const { page, faults, asked } = tab;
  await page.goto(`${program.origin}/docs`);
  expect(asked.filter((url) => url.includes("search"))).toEqual([]);
  await page.keyboard.press("/");
  const field = page.getByRole("combobox", { name: "Search the reference" });
  await page.keyboard.insertText("delete cat");
  const options = page.getByRole("option");
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
  await thinOut(page);
  expect(await barriers(page)).toEqual([]);
  await page.screenshot({ path: join(SCREENSHOTS, "docs-search-320-dark.png") });
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
  expect(faults).toEqual([]);
});

test("the management API is tried with a token, and only what reads", async () => {
  const { token } = (await command("tokens", "create")) as {
    readonly token: string;
  };
  await using tab = await openTab(browser, desk);
  const { page, faults, asked } = tab;
  await page.goto(`${program.origin}/docs/management/accounts#listAccounts`);
  expect(await panelOf(page, "createAccount").count()).toBe(0);
  const panel = panelOf(page, "listAccounts");
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
  await thinOut(page);
  expect(await barriers(page)).toEqual([]);
  expect(await page.evaluate<number>("localStorage.length + sessionStorage.length")).toBe(0);
  const called = asked.filter((url) => url.includes("/v1/"));
  expect(called).toEqual([`${program.origin}/manage/v1/accounts`]);
  expect(faults).toEqual([]);
});

test("a slow request can be cancelled, and the key is discarded with the page", async () => {
  await using tab = await openTab(browser, desk);
  const { page } = tab;
  await page.goto(`${program.origin}/docs#key=${key}`);
  const reached = Promise.withResolvers<void>();
  await page.route("**/v1/pets*", () => reached.resolve());
  const panel = panelOf(page, "listPets");
  await panel.locator("> summary").click();
  await panel.locator(".send").click();
  await reached.promise;
  expect(await panel.locator(".send").isDisabled()).toBe(true);
  await panel.locator(".send:focus").waitFor();
  await panel.getByRole("button", { name: "Cancel" }).press("Enter");
  expect(await panel.locator(".said").innerText()).toStartWith("Cancelled.");
  await panel.locator(".send:focus").waitFor();
  expect(await panel.locator(".send").isEnabled()).toBe(true);
  await page.reload();
  expect(await page.locator(".bar .credentials-state").innerText()).toBe("Staging · no key yet");
  expect(await page.locator("#key").inputValue()).toBe("");
});

test("a hidden panel is absent, and all samples share one language", async () => {
  await using tab = await openTab(browser, desk);
  const { page } = tab;
  await page.goto(`${program.origin}/docs`);
  expect(await page.locator("details.try:visible").count()).toBe(15);
  expect(await panelOf(page, "listOrders").count()).toBe(0);
  await page.locator("#listOrders").getByText("Python").click();
  expect(await page.locator("#listOrders pre:visible").first().innerText()).toContain(
    "requests.get(",
  );
  expect(await page.locator("#createPet pre:visible").first().innerText()).toContain(
    "requests.post(",
  );
  // The next page shows the same language, before its script runs.
  await page.goto(`${program.origin}/docs/management/keys`);
  expect(await page.locator("#createKey pre:visible").first().innerText()).toContain(
    "requests.post(",
  );
  expect(await page.locator("#createKey input[value=Python]").isChecked()).toBe(true);
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
    await page.screenshot({ path: join(SCREENSHOTS, "docs-320-without-script.png") });
    await page.goto(`${program.origin}/help/limits#bans`);
    expect(await targetOf(page)).toBe("Bans");
  } finally {
    await context.close();
  }
});

test("the help's search finds headings and text", async () => {
  await using tab = await openTab(browser, phone);
  const { page, faults } = tab;
  await page.goto(`${program.origin}/help`);
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
  expect(faults).toEqual([]);
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
    await thinOut(page);
    expect(await barriers(page)).toEqual([]);
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
