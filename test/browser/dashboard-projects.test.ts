import { expect, test } from "bun:test";

import type { Page } from "playwright-core";

import type { ProjectView } from "../../lib/publishing/shapes/projects.ts";
import { DESK, openDesk } from "../helpers/desk.ts";
import { exifOf, exifSegment, jpegOf, jpegWith } from "../helpers/pictures.ts";
import { tarGzOf } from "../helpers/tar.ts";

// Each test has its own projects.
const { run, browser, openView: open } = await openDesk();

async function newAccount(): Promise<string> {
  const account = await run.ask<{ id: string }>("POST", "/accounts", { name: "Otters" });
  return account.id;
}

function newProject(accountId: string, slug: string): Promise<ProjectView> {
  const body = { name: `Project ${slug}`, slug };
  return run.ask<ProjectView>("POST", `/accounts/${accountId}/projects`, body);
}

/** Requests a project's address. Resolves with the status and the redirect target. */
async function visited(slug: string): Promise<readonly [number, string | null]> {
  const { port } = new URL(run.origin);
  const answer = await fetch(`http://127.0.0.1:${port}/`, {
    headers: { host: `${slug}.localhost` },
    redirect: "manual",
  });
  return [answer.status, answer.headers.get("location")];
}

test("by keyboard alone, a project is created and its site is live", async () => {
  const accountId = await newAccount();
  const tab = await open(`/accounts/${accountId}/projects`);
  const { page } = tab;
  await page.getByRole("heading", { name: "No projects yet" }).waitFor();
  await page.getByRole("button", { name: "Create project" }).press("Enter");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.type("Pfötchen & Söhne");
  expect(await page.getByLabel("Address").inputValue()).toBe("pfoetchen-soehne");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Pfötchen & Söhne" }).waitFor();
  await page.getByRole("heading", { name: "Live deploy" }).waitFor();
  expect(await visited("pfoetchen-soehne")).toEqual([200, null]);
  expect(tab.faults()).toEqual([]);
});

test("a taken or reserved address is reported at its field", async () => {
  const accountId = await newAccount();
  await newProject(accountId, "taken");
  const tab = await open(`/accounts/${accountId}/projects`);
  const { page } = tab;
  await page.getByRole("button", { name: "Create project" }).click();
  await page.getByLabel("Name").fill("Another");
  const address = page.getByLabel("Address");
  const create = page.getByRole("dialog").getByRole("button", { name: "Create project" });
  // These names are not in any word list.
  expect(await address.getAttribute("autocorrect")).toBe("off");
  await address.fill("www");
  expect(await address.getAttribute("aria-invalid")).toBe("true");
  expect(await create.isDisabled()).toBe(true);
  await address.fill("taken");
  await create.click();
  await page.getByText("This address is taken.").waitFor();
  await address.fill("free-again");
  await page.getByLabel("Publish the storefront now").uncheck();
  await create.click();
  await page.getByRole("heading", { name: "No live deploy yet" }).first().waitFor();
  expect((await visited("free-again"))[0]).toBe(404);
});

test("a renamed project is served at its new address, and the old one redirects there", async () => {
  const accountId = await newAccount();
  await newProject(accountId, "before");
  await run.ask("POST", "/projects/before/deploys", { source: "starter" });
  const tab = await open("/projects/before/settings");
  const { page } = tab;
  const card = page.getByRole("region", { name: "Name and address" });
  await card.getByLabel("Address").fill("after");
  await card.getByText("Visitors of before are redirected to after").waitFor();
  await card.getByRole("button", { name: "Save" }).click();
  await page.waitForURL("**/projects/after/settings");
  expect((await visited("after"))[0]).toBe(200);
  const [status, location] = await visited("before");
  expect([status, location]).toEqual([
    308,
    `${run.origin.replace("localhost", "after.localhost")}/`,
  ]);
  expect(tab.faults()).toEqual([]);
});

test("the animals shown are saved", async () => {
  const accountId = await newAccount();
  await newProject(accountId, "looks");
  const tab = await open("/projects/looks/settings");
  const { page } = tab;
  const shown = page.getByRole("region", { name: "Animals shown" });
  await shown.getByLabel("Reserved").uncheck();
  await shown.getByLabel("Only these").check();
  await shown.getByText("Choose at least one category.").waitFor();
  await shown.getByLabel("Cats").check();
  await save(page, "Animals shown");

  const project = await run.ask<ProjectView>("GET", "/projects/looks");
  expect(project).toMatchObject({
    filter: { statuses: ["available"], categoryIds: [2] },
  });
  expect(tab.faults()).toEqual([]);
});

test("the site's settings are previewed, saved, and refused at their field; the deploy's are named", async () => {
  const accountId = await newAccount();
  await newProject(accountId, "site-form");
  const tab = await open("/projects/site-form/site");
  const { page } = tab;
  const preview = page.getByRole("region", { name: "Preview" });
  await page.getByLabel("Language of the visitor pages").selectOption({ label: "German" });
  await preview.getByText("Zuhause gesucht").waitFor();
  await page.getByLabel("Title").fill("Tierheim Sonnenhof");
  await preview.getByText("Tierheim Sonnenhof").waitFor();
  await page.getByLabel("Enquiry form").selectOption({ label: "No form" });
  await page.getByLabel("Opening hours").fill("Sa 10–16 Uhr");
  await preview.getByText("Öffnungszeiten").waitFor();
  await page.getByLabel("Donations").fill("call us");
  await page.getByRole("button", { name: "Save site" }).click();
  await page.getByText("Enter an address such as https://example.org/donate").waitFor();
  await page.getByLabel("Donations").fill("https://example.org/spenden");
  await preview.getByText("Spenden").waitFor();
  await page.getByLabel("Always dark").check();
  await page.getByLabel("Accent").fill("#221100");
  await page.getByText("Too dark on a dark page").waitFor();
  await page.getByLabel("Accent").fill("#ffcc00");
  await page.getByText("The contrast is good.").waitFor();
  await page.getByRole("button", { name: "Save site" }).click();
  await page.getByText("Saved.").waitFor();
  const settings = {
    language: "de",
    title: "Tierheim Sonnenhof",
    hours: "Sa 10–16 Uhr",
    enquiries: "off",
    donate: "https://example.org/spenden",
    accent: "#ffcc00",
    scheme: "dark",
  };
  expect(await run.ask("GET", "/projects/site-form/site")).toMatchObject({ settings });

  const archive = tarGzOf([
    { name: "petstore.site.json", content: JSON.stringify({ title: "Die Datei" }) },
    { name: "logo.svg", content: "<svg/>" },
  ]);
  const sent = await page.evaluate(async (bytes) => {
    const headers = { "content-type": "application/gzip" };
    const init = { method: "POST", headers, body: new Uint8Array(bytes) };
    return (await fetch("/manage/v1/projects/site-form/deploys", init)).status;
  }, Array.from(archive));
  expect(sent).toBe(201);
  await page.reload();
  await page.getByText("Visitors see: Die Datei").waitFor();
  const logo = page.getByLabel("Logo", { exact: true });
  await logo.selectOption("/logo.svg");
  const input = page.locator("input[type=file]");
  const damaged = { name: "Logo.PNG", mimeType: "image/png", buffer: Buffer.from("png") };
  for (const unfit of [{ ...damaged, mimeType: "image/gif" }, damaged]) {
    await input.setInputFiles(unfit);
    await page.getByText("Choose an SVG image").waitFor();
  }
  const lyingOnItsSide = await jpegOf({ width: 1_000, height: 500 });
  const photo = jpegWith(lyingOnItsSide, exifSegment(exifOf(6)));
  const buffer = Buffer.from(photo);
  await input.setInputFiles({ name: "Unser Logo.JPG", mimeType: "image/jpeg", buffer });
  await page.getByRole("option", { name: "/logo.jpg" }).waitFor({ state: "attached" });
  expect(await logo.inputValue()).toBe("/logo.jpg");
  await page.getByLabel("Title").fill("");
  await page.getByRole("button", { name: "Save site" }).click();
  await page.getByText("Saved.").waitFor();
  const { title: _title, ...left } = settings;
  expect(await run.ask("GET", "/projects/site-form/site")).toMatchObject({
    settings: { ...left, logo: "/logo.jpg" },
    shown: { title: "Die Datei" },
    deployWins: ["title"],
  });
  // The image was added to the live site, whose files stayed.
  const { liveDeploy } = await run.ask<ProjectView>("GET", "/projects/site-form");
  expect(liveDeploy).toMatchObject({ files: 3, message: "Logo" });
  // Redrawn upright, smaller, and without the camera's data.
  const { port } = new URL(run.origin);
  const served = await fetch(`http://127.0.0.1:${port}/logo.jpg`, {
    headers: { host: "site-form.localhost" },
  });
  const shown = await served.bytes();
  expect(await new Bun.Image(shown).metadata()).toMatchObject({ width: 400, height: 800 });
  expect(Buffer.from(photo).includes("Secret Camera")).toBe(true);
  expect(Buffer.from(shown).includes("Secret Camera")).toBe(false);
  expect(tab.faults().filter((fault) => !fault.includes("400"))).toEqual([]);
});

test("a project is deleted after its address is typed, and restored with one click", async () => {
  const accountId = await newAccount();
  await newProject(accountId, "gone");
  await run.ask("POST", "/projects/gone/deploys", { source: "starter" });
  const tab = await open("/projects/gone/settings");
  const { page } = tab;
  const card = page.getByRole("region", { name: "Deletion" });
  await card.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog");
  expect(await dialog.getByRole("button", { name: "Delete" }).isDisabled()).toBe(true);
  await dialog.getByLabel("Type gone to confirm").fill("gone");
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/accounts/${accountId}/projects`);
  await page.getByText("You can restore it until").waitFor();
  expect((await visited("gone"))[0]).toBe(404);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Restored Project gone.").waitFor();
  expect((await visited("gone"))[0]).toBe(200);
});

test("a deleted project offers no domain actions that would be refused", async () => {
  const account = await run.ask<{ id: string }>("POST", "/accounts", { name: "Pro", plan: "pro" });
  await newProject(account.id, "departed");
  await run.ask("POST", "/projects/departed/deploys", { source: "starter" });
  await run.ask("POST", "/projects/departed/domains", { domain: "pets.shelter.org" });
  await run.ask("DELETE", "/projects/departed");
  const { page } = await open("/projects/departed/domains/pets.shelter.org");
  const verify = page.getByRole("button", { name: "Verify", exact: true });
  await page.getByText("You can restore it until").waitFor();
  expect(await verify.count()).toBe(0);
  await open("/projects/departed/domains");
  await page.getByRole("row", { name: /pets\.shelter\.org/ }).waitFor();
  expect(await page.getByText("Prerequisites").count()).toBe(0);
  expect(await page.getByRole("button", { name: "Add domain" }).count()).toBe(0);
  await page.getByRole("button", { name: "Restore" }).click();
  await page.getByRole("button", { name: "Add domain" }).waitFor();
});

test("viewers get no controls for changes", async () => {
  const accountId = await newAccount();
  await newProject(accountId, "watched");
  await run.ask("POST", "/projects/watched/deploys", { source: "starter" });
  await run.ask("POST", "/projects/watched/deploys", { source: "starter", activate: false });
  const viewer = { email: "vera@example.org", password: "slow-copper-river-71" };
  const { link } = await run.ask<{ link: { url: string } }>(
    "POST",
    `/accounts/${accountId}/members`,
    { email: viewer.email, name: "Vera", role: "viewer" },
  );
  const token = new URL(link.url).hash.slice(1);
  await run.ask("POST", "/reset", { token, password: viewer.password });

  await using tab = await run.openAs(browser, DESK, viewer, "/projects/watched");
  const { page } = tab;
  await page.getByRole("row", { name: "Ready" }).waitFor();
  for (const name of [/^Publish/, /^Send/, "Choose folder", "Roll back"]) {
    expect([name, await page.getByRole("button", { name }).count()]).toEqual([name, 0]);
  }
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await page.getByText("Your role can view these settings but not change them.").waitFor();
  expect(await page.getByRole("textbox", { name: "Address" }).isDisabled()).toBe(true);
  expect(await page.getByRole("button", { name: /^(?:Save|Delete)/ }).count()).toBe(0);
});

async function save(page: Page, region: string): Promise<void> {
  const card = page.getByRole("region", { name: region });
  const button = card.getByRole("button", { name: "Save" });
  await button.click();
  // No unsaved changes are left.
  await page.waitForFunction(
    (name) =>
      [...document.querySelectorAll("section")].some(
        (one) =>
          one.querySelector("h2")?.textContent === name &&
          one.querySelector<HTMLButtonElement>("button[type=submit]")?.disabled,
      ),
    region,
  );
}
