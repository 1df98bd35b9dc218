import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";

import type { Browser } from "playwright-core";

import { openBrowser, openTab } from "../helpers/browser.ts";
import { torture } from "../helpers/chance.ts";
import { runProgram, startProgram, type Program } from "../helpers/process.ts";

const EXAMPLE = join(import.meta.dir, "../../examples/site");
const SCREENSHOTS = join(import.meta.dir, "screenshots");
const desk = { width: 1280, scheme: "light" } as const;

let browser: Browser;
let program: Program;

beforeAll(async () => {
  await mkdir(SCREENSHOTS, { recursive: true });
  [browser, program] = await Promise.all([openBrowser(), startProgram()]);
});

afterAll(async () => {
  await browser?.close();
  await program?.[Symbol.asyncDispose]();
});

/** Runs a command of the program and parses its JSON output. */
async function command(...args: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  const { exitCode, stdout, stderr } = await runProgram([
    ...args,
    "--json",
    "--data-dir",
    program.dataDir,
  ]);
  if (exitCode !== 0) throw new Error(`${args.join(" ")} ended with ${exitCode}: ${stderr}`);
  return JSON.parse(stdout) as Readonly<Record<string, unknown>>;
}

test("a deployed example site shows its animals and hides adopted ones", async () => {
  const { id: account } = await command("accounts", "create", "Brightside");
  const { key } = await command(
    ...["keys", "create", "--account", String(account), "--environment", "production"],
  );
  const api = (method: string, path: string, body: unknown): Promise<Response> =>
    fetch(program.origin + path, {
      method,
      headers: { authorization: `Bearer ${String(key)}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  for (const [name, categoryId] of [
    ["Luna", 1],
    ["Mio", 2],
    ["Pepper & Salt", 3],
  ] as const) {
    expect((await api("POST", "/v1/pets", { name, categoryId })).status).toBe(201);
  }
  const { slug, url } = await command(
    "projects",
    "create",
    "Brightside",
    "--account",
    String(account),
  );
  await command("deploy", EXAMPLE, "--project", String(slug));

  await using tab = await openTab(browser, desk);
  const { page, faults, asked } = tab;
  await page.goto(String(url), { waitUntil: "networkidle" });
  const animals = () => page.locator(".card h2").allTextContents();
  expect(await animals()).toEqual(["Luna", "Mio", "Pepper & Salt"]);
  const widths =
    "Array.from(document.querySelectorAll('.card img'), (image) => image.naturalWidth)";
  expect(await page.evaluate<number[]>(widths)).toEqual([960, 960, 960]);
  if (torture) await page.screenshot({ path: join(SCREENSHOTS, "published.png") });

  await page.getByRole("link", { name: "Luna" }).click();
  await page.waitForURL("**/animals/1");
  expect(await page.locator(".prose").innerText()).toContain("Luna greets every visitor");
  expect(await page.getByRole("link", { name: "Email us" }).getAttribute("href")).toBe(
    "mailto:hello@brightside.example?subject=About%20Luna%20(no.%201)",
  );
  expect(faults).toEqual([]);

  expect((await api("PATCH", "/v1/pets/1", { status: "sold" })).status).toBe(200);
  expect((await page.reload())?.status()).toBe(404);
  expect(await page.locator("h1").innerText()).toBe("Page not found");
  await page.getByRole("link", { name: "Show all animals" }).click();
  await page.waitForURL((address) => address.pathname === "/");
  expect(await animals()).toEqual(["Mio", "Pepper & Salt"]);
  for (const feed of ["feed.json", "feed.xml", "sitemap.xml"]) {
    expect(await (await fetch(`${String(url)}/${feed}`)).text()).not.toContain("animals/1");
  }
  expect(asked.filter((address) => !address.startsWith(`${String(url)}/`))).toEqual([]);
});
