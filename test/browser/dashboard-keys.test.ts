import { expect, test } from "bun:test";

import type { Page } from "playwright-core";

import type { KeyView } from "../../lib/accounts/keys.ts";
import { askUntilBanned } from "../helpers/banned.ts";
import { openDesk } from "../helpers/desk.ts";

type Issued = KeyView & { readonly key: string };

// Each test has its own account.
const { run, openView } = await openDesk();

/** Creates an account, opens a view of it, and collects its faults from now on. */
async function openAccount(
  view: "keys" | "usage",
  { prepare }: { prepare?: (id: string) => Promise<unknown> } = {},
) {
  const { id } = await run.ask<{ id: string }>("POST", "/accounts", { name: "Otters" });
  await prepare?.(id);
  return { id, ...(await openView(`/accounts/${id}/${view}`)) };
}

const newKey = (id: string, body: object): Promise<Issued> =>
  run.ask<Issued>("POST", `/accounts/${id}/keys`, body);

function petsBy(key: string, origin: string = run.origin): Promise<Response> {
  return fetch(`${origin}/v1/pets`, { headers: { authorization: `Bearer ${key}` } });
}

const dialogOf = (page: Page) => page.getByRole("dialog");

/** Moves the focus with Tab to the control of that name, and presses Enter. */
async function pressed(page: Page, name: string): Promise<void> {
  for (let step = 0; step < 60; step++) {
    await page.keyboard.press("Tab");
    const focused = page.locator(":focus");
    const label = (await focused.getAttribute("aria-label")) ?? (await focused.textContent());
    if (label?.trim() === name) {
      await page.keyboard.press("Enter");
      return;
    }
  }
  throw new Error(`Tab never reached ${name}.`);
}

test("a key created by keyboard stays visible until it is saved, and its command works", async () => {
  const tab = await openAccount("keys");
  const { page } = tab;
  await page.getByText("No production keys yet").waitFor();
  await pressed(page, "Create key");
  const dialog = dialogOf(page);
  await dialog.waitFor();
  await page.keyboard.type("kiosk at the door");
  await page.keyboard.press("Enter");
  await dialog.getByRole("heading", { name: "Your new API key" }).waitFor();
  for (let time = 0; time < 6; time++) await page.keyboard.press("Escape");
  expect(await dialog.isVisible()).toBe(true);
  expect(await dialog.getByRole("button", { name: "Done" }).isDisabled()).toBe(true);

  const [secret = "", line = ""] = await dialog.locator("code").allTextContents();
  expect(secret).toMatch(/^pet_live_/);
  const [, header = "", address = ""] = /^curl -H '([^']+)' (\S+)$/.exec(line) ?? [];
  const [name = "", value = ""] = header.split(": ");
  expect((await fetch(address, { headers: { [name]: value } })).status).toBe(200);

  const saved = page.waitForEvent("download");
  await pressed(page, "Download .env");
  const file = await Bun.file(await (await saved).path()).text();
  expect(file).toContain(`PETSTORE_API_KEY=${secret}\n`);
  await pressed(page, "Done");
  await dialog.waitFor({ state: "detached" });
  const row = page.getByRole("row", { name: /kiosk at the door/ });
  expect(await row.textContent()).toContain("Everything except undoing an adoption");
  expect(await page.content()).not.toContain(secret);
  expect(tab.faults()).toEqual([]);
});

test("a key gets only the selected permissions, and needs at least one", async () => {
  const tab = await openAccount("keys");
  const { page } = tab;
  await page.getByRole("button", { name: "Create key" }).first().click();
  const dialog = dialogOf(page);
  await page.getByLabel("Name", { exact: true }).fill("reader");
  await page.getByLabel("Environment").selectOption({ label: "Staging" });
  for (const box of await dialog.getByRole("checkbox").all()) await box.uncheck();
  const create = dialog.getByRole("button", { name: "Create key" });
  expect(await create.isDisabled()).toBe(true);
  await page.getByLabel("Read animals").check();
  await page.getByLabel("Expires").selectOption({ label: "After 7 days" });
  const networks = page.getByLabel("Allowed networks");
  await networks.fill("203.0.113.9/24\noffice");
  await dialog.getByText("office is not a network or an address.").waitFor();
  expect(await create.isDisabled()).toBe(true);
  await networks.fill("203.0.113.9/24");
  await create.click();
  await dialog.getByRole("heading", { name: "Your new API key" }).waitFor();
  const [key] = await run.ask<
    readonly { scopes: unknown; environment: string; expiresAt: string }[]
  >("GET", `/accounts/${tab.id}/keys`);
  expect(key).toMatchObject({
    scopes: ["pets:read"],
    environment: "staging",
    allowedAddresses: ["203.0.113.0/24"],
  });
  expect(key?.expiresAt).toBeString();
});

test("a rotated key and its successor, which counts as saved once copied, are both listed and both work", async () => {
  let old = "";
  const tab = await openAccount("keys", {
    prepare: async (id) => {
      old = (await newKey(id, { name: "importer" })).key;
    },
  });
  const { page } = tab;
  await page.getByRole("button", { name: "More for importer" }).click();
  await page.getByRole("menuitem", { name: "Rotate" }).click();
  await page.getByLabel("Old key stops working").selectOption({ label: "After 1 hour" });
  await dialogOf(page).getByRole("button", { name: "Rotate" }).click();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy API key" }).click();
  const next = await page.evaluate<string>("navigator.clipboard.readText()");
  await dialogOf(page).getByRole("button", { name: "Done" }).click();

  const rows = page.getByRole("row", { name: /importer/ });
  await rows.nth(1).waitFor();
  const text = (await rows.allTextContents()).join("\n");
  expect(text).toMatch(/Replaced.*Stops working in (?:60|59) minutes/);
  expect((await petsBy(old)).status).toBe(200);
  expect((await petsBy(next)).status).toBe(200);
});

test("a key is renamed, and revoked after confirmation", async () => {
  let secret = "";
  const tab = await openAccount("keys", {
    prepare: async (id) => {
      secret = (await newKey(id, { name: "old name" })).key;
    },
  });
  const { page } = tab;
  await page.getByRole("button", { name: "More for old name" }).click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await page.getByLabel("Name", { exact: true }).fill("new name");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "More for new name" }).click();
  await page.getByRole("menuitem", { name: "Revoke" }).click();
  await dialogOf(page).getByRole("button", { name: "Cancel" }).click();
  expect((await petsBy(secret)).status).toBe(200);

  await page.getByRole("button", { name: "More for new name" }).click();
  await page.getByRole("menuitem", { name: "Revoke" }).click();
  await dialogOf(page).getByRole("button", { name: "Revoke" }).click();
  await page.getByText("1 inactive key").click();
  await page.getByRole("row", { name: /new name.*Revoked/ }).waitFor();
  expect((await petsBy(secret)).status).toBe(401);
  expect(tab.faults()).toEqual([]);
});

test("a ban is shown with its reason in the row of the key, and lifted there", async () => {
  const tab = await openAccount("keys", {
    prepare: async (id) => {
      const { key } = await newKey(id, { name: "greedy" });
      await askUntilBanned(run.origin, key);
    },
  });
  const { page } = tab;
  const row = page.getByRole("row", { name: /greedy/ });
  await row.getByText("The program ignored rate limits.").waitFor();
  await page.getByRole("button", { name: "Lift ban on greedy" }).click();
  await row.getByText("Active", { exact: true }).waitFor();
});

test("trying the reference creates a staging key for an hour and opens the reference with it", async () => {
  const tab = await openAccount("keys");
  const { page } = tab;
  const opened = page.context().waitForEvent("page");
  await page.getByRole("button", { name: "Try in API reference" }).click();
  const reference = await opened;
  expect(new URL(reference.url()).pathname).toBe("/docs");
  const [key] = await run.ask<
    readonly { environment: string; createdAt: string; expiresAt: string }[]
  >("GET", `/accounts/${tab.id}/keys`);
  expect(key?.environment).toBe("staging");
  expect(Date.parse(key?.expiresAt ?? "") - Date.parse(key?.createdAt ?? "")).toBe(3_600_000);
});

test("the usage page shows new requests by outcome when the user returns to it", async () => {
  let secret = "";
  const tab = await openAccount("usage", {
    prepare: async (id) => {
      secret = (await newKey(id, { name: "website" })).key;
    },
  });
  const { page } = tab;
  await page.getByRole("heading", { name: "No requests yet" }).waitFor();
  for (let count = 0; count < 61; count++) await petsBy(secret);

  // Numbers are counted within a second or so.
  const legend = page.locator(".legend");
  const shownTotals = async (): Promise<string> => {
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    return (await legend.count()) === 0 ? "" : ((await legend.textContent()) ?? "");
  };
  while (!/Successful60.*429\)1/.test(await shownTotals())) await page.waitForTimeout(50);
  expect(await page.getByRole("meter", { name: "Per minute" }).getAttribute("aria-valuenow")).toBe(
    "60",
  );

  const chart = page.getByRole("slider", { name: "Requests by minute" });
  await chart.focus();
  await page.keyboard.press("Home");
  expect(await chart.getAttribute("aria-valuetext")).toEndWith(
    "0 successful, 0 rejected, 0 rate-limited, 0 failed",
  );
  await page.getByText("Show as table").click();
  // In two rows if a new minute began between them.
  const counts = page
    .getByRole("table", { name: "Requests by minute" })
    .locator('[data-label="Successful"]');
  await counts.first().waitFor();
  const answered = await counts.allTextContents();
  expect(answered.reduce((sum, text) => sum + Number(text), 0)).toBe(60);
  await page.getByRole("link", { name: "Last 30 days" }).click();
  await page.getByRole("slider", { name: "Requests by day" }).waitFor();
  await page.getByRole("link", { name: "Staging" }).click();
  await page.getByRole("heading", { name: "No requests yet" }).waitFor();
  expect(tab.faults()).toEqual([]);
});

test("from a key, its requests are listed and explained, in German too; an unknown ID is said honestly", async () => {
  const tab = await openAccount("keys", {
    prepare: async (id) => {
      const { key } = await newKey(id, { name: "website" });
      const headers = { authorization: `Bearer ${key}`, "x-request-id": "request-of-the-website" };
      await fetch(`${run.origin}/v1/pets/7`, { headers });
      await petsBy((await newKey(id, { name: "kiosk" })).key);
    },
  });
  const { page } = tab;
  await page.getByRole("link", { name: "Show requests of website" }).click();
  const request = page.getByRole("button", { name: "GET /pets/7" });
  // Requests are stored once a second; the page asks again when the user returns to it.
  while ((await request.count()) === 0) {
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await page.waitForTimeout(50);
  }
  expect(await page.getByRole("row").count()).toBe(2);
  await page.getByRole("combobox", { name: "Status" }).selectOption("Successful (2xx)");
  await page.getByRole("heading", { name: "No requests match" }).waitFor();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await request.click();
  const dialog = dialogOf(page);
  await dialog.getByText(/^The path names something that Production did not have/).waitFor();
  expect(await dialog.textContent()).toContain("60 of 60 left before, 59 after");
  await dialog.getByRole("button", { name: "Close" }).click();

  await page.getByRole("combobox", { name: "Language" }).selectOption("de");
  await page.getByRole("searchbox", { name: "Anfrage-ID" }).fill(" request-of-the-website ");
  await page.keyboard.press("Enter");
  await dialog.getByText(/^Der Pfad nennt etwas, das es in Produktion/).waitFor();
  await dialog.getByRole("button", { name: "Schließen" }).click();
  await page.getByRole("searchbox", { name: "Anfrage-ID" }).fill("request-of-nobody");
  await page.getByRole("button", { name: "Anfrage suchen" }).click();
  await dialog.getByText("Mögliche Gründe:").waitFor();
  await dialog.getByRole("button", { name: "Schließen" }).click();
  await page.getByRole("combobox", { name: "Sprache" }).selectOption("en");
  await page.getByRole("heading", { name: "Requests", exact: true }).waitFor();
});
