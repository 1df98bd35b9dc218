// Draws the pictures of docs/ from the demo, in a Chromium: `node scripts/draw-demo.mjs`.
import { spawn } from "node:child_process";
import { createHash, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { openChromium } from "./chromium.mjs";
import { drawDesktopAndPhone } from "./desktop-and-phone.mjs";

const ROOT = join(import.meta.dirname, "..");
const BUN = join(ROOT, "node_modules/.bin/bun");
const DOCS = join(ROOT, "docs");
const DESKTOP = { width: 1280, height: 980 };
const SCENE = { width: 1080, height: 680 };

/** Starts the demo; resolves with what it prints. */
async function startDemo() {
  const child = spawn(BUN, [join(ROOT, "server.ts"), "demo", "--json"]);
  child.stderr.pipe(process.stderr);
  let output = "";
  for await (const part of child.stdout) {
    output += part;
    if (output.endsWith("}\n")) break;
  }
  return JSON.parse(output);
}

const demo = await startDemo();
// Also after a failure, which would otherwise wait for the demo to end.
process.on("uncaughtExceptionMonitor", () => process.kill(demo.pid, "SIGTERM"));
const root = new X509Certificate(await readFile(demo.root));
const key = root.publicKey.export({ type: "spki", format: "der" });
const pin = createHash("sha256").update(key).digest("base64");
const browser = await openChromium([`--ignore-certificate-errors-spki-list=${pin}`]);
const context = await browser.newContext({ deviceScaleFactor: 1.25, viewport: DESKTOP });
const page = await context.newPage();

/** Goes to an address, and waits until everything is loaded and drawn. */
async function arrive(address, on = page) {
  await on.goto(address);
  await on.locator("h1").first().waitFor();
  await on.waitForLoadState("networkidle");
  await on.locator(".bone").first().waitFor({ state: "detached" });
}

async function pictureOf(address, { width, height, colorScheme }) {
  const other = await context.newPage();
  await other.emulateMedia({ colorScheme });
  await other.setViewportSize({ width, height });
  await arrive(address, other);
  const picture = await other.screenshot();
  await other.close();
  return picture;
}

/** Writes docs/demo-`name`.png: the page as it is. */
const scene = (name) => page.screenshot({ path: join(DOCS, `demo-${name}.png`), scale: "css" });

await page.goto(demo.link);
await page.locator("h1").waitFor();
const { origin, pathname } = new URL(page.url());
const account = /\/accounts\/[^/]+/.exec(pathname)?.[0];
const dashboard = origin + account;

await drawDesktopAndPhone(browser, {
  name: "dashboard.png",
  desktop: await pictureOf(`${dashboard}/overview`, { ...DESKTOP, colorScheme: "light" }),
  phone: await pictureOf(`${dashboard}/animals`, { width: 340, height: 700, colorScheme: "dark" }),
  sky: ["#dfece9", "#c9dcd8"],
  shadows: ["rgb(10 50 45/.5)", "rgb(5 30 28/.65)"],
});

// The way of a domain, from *Add domain* to *Live*.
await page.setViewportSize(SCENE);
await arrive(demo.domainsPage);
await page.getByRole("button", { name: "Add domain" }).first().click();
const dialog = page.getByRole("dialog");
await dialog.getByLabel("Domain or subdomain").fill(demo.domain);
await dialog.getByText("DNS is ready").waitFor();
await scene("add");
await dialog.getByRole("button", { name: "Add domain" }).click();
await page.waitForURL(new RegExp(`/domains/${demo.domain}$`));
const domainPage = page.url();

await arrive(demo.registrar);
await page.getByText("Make a mistake").first().click();
await page.getByRole("button", { name: "domain is in it twice" }).first().click();
await page.goto(domainPage);
await page.getByRole("button", { name: "Verify", exact: true }).first().click();
await page
  .getByText(`${demo.domain}.${demo.domain.replace("www.", "")}`)
  .first()
  .waitFor();
await page.waitForLoadState("networkidle").catch(() => {});
await scene("mistake");

await arrive(demo.registrar);
const wrong = page.getByRole("row", { name: demo.domain });
await wrong.getByRole("button", { name: "Delete" }).click();
await page.getByRole("link", { name: "Copy into the form" }).first().click();
await page.evaluate(() => scrollTo(0, 0));
await scene("registrar");
await page.getByRole("button", { name: "Add record" }).click();
await page.goto(domainPage);
await page.getByRole("button", { name: "Verify", exact: true }).first().click();
await page
  .locator(".badge", { hasText: /^Live$/ })
  .first()
  .waitFor({ timeout: 60_000 });
await scene("live");

await drawDesktopAndPhone(browser, {
  name: "storefront.png",
  desktop: await pictureOf(demo.site, { ...DESKTOP, colorScheme: "light" }),
  phone: await pictureOf(`${demo.site}animals/1`, { width: 320, height: 660, colorScheme: "dark" }),
  sky: ["#f3e6d8", "#e3d3c4"],
  shadows: ["rgb(60 35 15/.5)", "rgb(40 20 5/.65)"],
});

await browser.close();
process.kill(demo.pid, "SIGTERM");
