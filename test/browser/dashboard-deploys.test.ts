import { afterAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import type { Locator, Page } from "playwright-core";

import type { Account } from "../../lib/model/account.ts";
import type { ProjectView } from "../../lib/publishing/shapes/projects.ts";
import { barriers } from "../helpers/axe.ts";
import { openDesk } from "../helpers/desk.ts";
import { jpegOf } from "../helpers/pictures.ts";
import { tarGzOf } from "../helpers/tar.ts";
import { zipOf } from "../helpers/zip.ts";

// Each test has its own project.
const { run, openView } = await openDesk();
const { id: accountId } = await run.ask<Account>("POST", "/accounts", { name: "Otters" });
const folder = await mkdtemp(join(tmpdir(), "petstore-site-"));
afterAll(() => rm(folder, { recursive: true }));

/** Creates a project with a live storefront. */
async function newProject(slug: string): Promise<ProjectView> {
  const body = { name: `Project ${slug}`, slug };
  const project = await run.ask<ProjectView>("POST", `/accounts/${accountId}/projects`, body);
  await run.ask("POST", `/projects/${slug}/deploys`, { source: "starter" });
  return project;
}

async function siteFolder(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  const root = join(folder, name);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  return root;
}

/** Opens the deploys of a project, and collects the page's faults from now on. */
const openProject = (slug: string) =>
  openView(`/projects/${slug}`, (page) => page.getByRole("heading", { name: "Deploys" }));

const rowOf = (page: Page, name: string): Locator => page.getByRole("row", { name });

const folderInput = "input[webkitdirectory]";
const archiveInput = "input[accept]";

/** Returns what visitors get at a project's address. */
async function visited(slug: string, path = "/"): Promise<string> {
  const address = new URL(run.origin);
  const answer = await fetch(`http://127.0.0.1:${address.port}${path}`, {
    headers: { host: `${slug}.localhost` },
    redirect: "manual",
  });
  return answer.text();
}

test("by keyboard alone, a folder is previewed, compared, published and undone", async () => {
  await newProject("by-hand");
  const site = await siteFolder("by-hand", {
    "index.html": "<h1>Our own page</h1>",
    "animals/7/bio.md": "# Rex",
    ".git/HEAD": "x",
    ".env": "SECRET=1",
  });
  const tab = await openProject("by-hand");
  const { page } = tab;
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page
      .getByRole("button", { name: "Choose folder" })
      .focus()
      .then(() => page.keyboard.press("Enter")),
  ]);
  await chooser.setFiles(site);
  await page.getByText("2 items skipped").waitFor();
  expect(await page.locator("form code").allTextContents()).toEqual([
    "by-hand/.env",
    "by-hand/.git/HEAD",
  ]);

  // The focus is in the first field, the message.
  await page.keyboard.type("Our own page");
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByText("The deploy is ready. You can preview and publish it.").waitFor();
  expect(await visited("by-hand")).not.toContain("Our own page");

  const row = rowOf(page, "Our own page");
  const preview = await row.getByRole("link", { name: "Open preview" }).getAttribute("href");
  expect(await visited(new URL(preview ?? "").hostname.replace(".localhost", ""))).toContain(
    "Our own page",
  );

  await row.getByRole("button", { name: "More for Our own page" }).press("Enter");
  await page.getByRole("menuitem", { name: "Compare with live deploy" }).press("Enter");
  await page.getByRole("dialog").getByText("/animals/7/bio.md").waitFor();
  await page.keyboard.press("Escape");

  await row.getByRole("button", { name: "Publish deploy: Our own page" }).press("Enter");
  await page.getByText("Now live: Our own page").waitFor();
  expect(await visited("by-hand")).toContain("Our own page");
  await page.getByRole("button", { name: "Undo" }).press("Enter");
  await page.getByText("Now live: Storefront").waitFor();
  expect(await visited("by-hand")).not.toContain("Our own page");
  expect(tab.faults()).toEqual([]);
});

test("a dropped folder is published, and rolled back after confirmation; one without index.html gets a notice before the upload", async () => {
  await newProject("dropped");
  const site = await siteFolder("dropped", { "index.html": "Dropped", "deep/er/file.txt": "x" });
  const tab = await openProject("dropped");
  const { page } = tab;
  await drop(page, site);
  await page.getByText("2 files").waitFor();
  await page.getByRole("button", { name: "Upload site" }).click();
  await page.getByText("The deploy is live.").waitFor();
  expect(await visited("dropped", "/deep/er/file.txt")).toBe("x");

  await page.getByRole("button", { name: "Roll back" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Roll back" }).click();
  await page.getByText("Rolled back. Now live: Storefront").waitFor();
  expect(await visited("dropped")).not.toBe("Dropped");

  await page
    .locator(folderInput)
    .setInputFiles(await siteFolder("headless", { "about.html": "x" }));
  await page.getByText("There is no index.html").waitFor();
  expect(await barriers(page)).toEqual([]);
  expect(tab.faults()).toEqual([]);
});

test("before files of the live site disappear, the user is asked, and may add to it", async () => {
  await newProject("guarded");
  const tab = await openProject("guarded");
  const { page } = tab;
  const send = async (name: string, files: Readonly<Record<string, string>>): Promise<void> => {
    await drop(page, await siteFolder(name, files));
    await page.getByRole("button", { name: "Upload site" }).click();
  };
  await send("guarded-1", {
    "index.html": "One",
    "petstore.site.json": "{}",
    "animals/1/bio.md": "# Rex",
    "animals/Rex/photo.jpg": "x",
  });
  await page.getByText("The deploy is live.").waitFor();
  await page.getByText("The folder is not the number of an animal.").waitFor();

  const dialog = page.getByRole("dialog");
  await send("guarded-2", { "about.html": "About" });
  for (const text of ["4 files", "the text of 1 animal", "the site settings"])
    await dialog.getByText(text).waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("The deploy is ready.").waitFor();
  expect(await visited("guarded")).toBe("One");

  await page.getByRole("button", { name: "Publish deploy", exact: true }).click();
  await dialog.getByRole("button", { name: "Add to the live site" }).click();
  await page.getByText("The deploy is live.").waitFor();
  expect([await visited("guarded"), await visited("guarded", "/about.html")]).toEqual([
    "One",
    "About",
  ]);

  await send("guarded-3", { "index.html": "Three" });
  await dialog.getByRole("button", { name: "Publish anyway" }).click();
  await page.getByText("Gone from the site with the previous deploy:").waitFor();
  expect(await visited("guarded")).toBe("Three");
  expect(tab.faults()).toEqual([]);
});

test("photos and texts of animals move from the live deploy into profiles, and what stays is named", async () => {
  await newProject("adopted");
  const pets = `/accounts/${accountId}/production/pets`;
  const { id } = await run.ask<{ readonly id: number }>("POST", pets, {
    name: "Rex",
    categoryId: 1,
  });
  const tab = await openProject("adopted");
  const { page } = tab;
  await page.locator(archiveInput).setInputFiles({
    name: "site.tar.gz",
    mimeType: "application/gzip",
    buffer: Buffer.from(
      tarGzOf([
        { name: `animals/${id}/photo.jpg`, content: await jpegOf({ width: 40, height: 30 }) },
        { name: `animals/${id}/bio.md`, content: "Rex likes cats." },
        { name: "animals/9999/bio.md", content: "Nobody" },
      ]),
    ),
  });
  await page.getByRole("button", { name: "Upload site" }).click();
  await page.getByText("The deploy is live.").waitFor();
  await page.getByRole("button", { name: "Move files into profiles" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("photos or texts of 2 animals").waitFor();
  await dialog.getByRole("button", { name: "Move files" }).click();
  await dialog.getByText("2 files are in profiles now.").waitFor();
  await dialog.getByText("1 file stays in the deploy:").waitFor();
  await dialog.getByText("/animals/9999/bio.md").waitFor();
  expect(await barriers(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Close" }).click();
  expect(await run.ask("GET", `${pets}/${id}/profile`)).toMatchObject({
    text: "Rex likes cats.",
    photos: [{ width: 40 }],
  });
  const { liveDeploy } = await run.ask<ProjectView>("GET", "/projects/adopted");
  expect(liveDeploy).toMatchObject({ files: 1 });
  expect(await visited("adopted", `/animals/${id}`)).toContain("Rex likes cats.");
  await page.getByRole("button", { name: "Move files into profiles" }).click();
  await dialog.getByText("a photo or a text of 1 animal").waitFor();
  expect(tab.faults()).toEqual([]);
});

test("the browser unpacks a zip and skips the files of the operating system; a hostile archive is rejected with the entry's name, and the live deploy stays", async () => {
  await newProject("zipped");
  const archive = zipOf([
    { name: "site/index.html", content: "From a zip" },
    { name: "__MACOSX/site/._index.html", content: "x" },
  ]);
  const tab = await openProject("zipped");
  const { page } = tab;
  await page.locator(archiveInput).setInputFiles({
    name: "site.zip",
    mimeType: "application/zip",
    buffer: Buffer.from(await archive.arrayBuffer()),
  });
  await page.getByText("1 item skipped").waitFor();
  await page.getByRole("button", { name: "Upload site" }).click();
  await page.getByText("The deploy is live.").waitFor();
  expect(await visited("zipped")).toBe("From a zip");

  await page.locator(archiveInput).setInputFiles({
    name: "site.tar.gz",
    mimeType: "application/gzip",
    buffer: Buffer.from(
      tarGzOf([
        { name: "index.html", content: "x" },
        { name: "../../etc/passwd", content: "x" },
      ]),
    ),
  });
  await page.getByRole("button", { name: "Upload site" }).click();
  await page.getByRole("alert").getByText("../../etc/passwd").waitFor();
  await rowOf(page, "Failed").getByText("../../etc/passwd").waitFor();
  expect(await visited("zipped")).toBe("From a zip");
  expect(tab.faults()).toEqual([]);
});

test("a stopped upload changes nothing and says so", async () => {
  await newProject("stopped");
  const tab = await openProject("stopped");
  const { page } = tab;
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: 100_000,
  });
  const bytes = new Uint8Array(4_000_000).map((_, index) => (index * 31) ^ (index >> 7));
  await page.locator(archiveInput).setInputFiles({
    name: "site.tgz",
    mimeType: "application/gzip",
    buffer: Buffer.from(tarGzOf([{ name: "film.mp4", content: bytes }], 0)),
  });
  await page.getByRole("button", { name: "Upload site" }).click();
  await page.locator("progress[value]").waitFor();
  await rowOf(page, "Uploading").waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("button", { name: "Choose folder" }).waitFor();
  await rowOf(page, "Failed").waitFor();
  expect(await page.getByText("The previous one is still live").count()).toBe(0);
  expect(await visited("stopped")).toContain("Project stopped");
  await session.detach();
});

test("a deploy published elsewhere appears without a reload, can be pinned, and another deleted", async () => {
  await newProject("elsewhere");
  const tab = await openProject("elsewhere");
  const { page } = tab;
  await run.ask("POST", "/projects/elsewhere/deploys", {
    source: "starter",
    message: "By a robot",
  });
  await rowOf(page, "By a robot").getByText("Live").waitFor();
  const choose = async (row: string, item: string): Promise<void> => {
    await page.getByRole("button", { name: `More for ${row}` }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  await choose("By a robot", "Pin deploy");
  await rowOf(page, "By a robot").getByText("Pinned").waitFor();
  await choose("Storefront", "Delete");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("Deleted the deploy.").waitFor();
  await rowOf(page, "Storefront").waitFor({ state: "detached" });
  expect(tab.faults()).toEqual([]);
});

/** Drops a folder as from the desktop, which only the browser itself can do. */
async function drop(page: Page, path: string): Promise<void> {
  const box = await page.locator(".drop-zone").boundingBox();
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  const place = { x: (box?.x ?? 0) + 30, y: (box?.y ?? 0) + 30 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const) {
    await session.send("Input.dispatchDragEvent", { type, ...place, data });
  }
}
