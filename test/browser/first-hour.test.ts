import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { createHash, createPrivateKey, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { connect } from "node:tls";

import type { Browser, Page } from "playwright-core";

import { openBrowser, openTab, type Tab } from "../helpers/browser.ts";
import { torture } from "../helpers/chance.ts";
import { openLive } from "../helpers/sqlite.ts";
import {
  openEmptyPlatform,
  platformMissing,
  type EmptyPlatform,
} from "../scenario/domains/platform.ts";

const SCREENSHOTS = join(import.meta.dir, "screenshots");
const BASE = "https://petstore.example";
const PETS = "pets.shelter.org";
const PASSWORD = "seven otters cross the river";
/** The CA retries a failed validation after a minute. */
const PATIENCE_MS = 150_000;

// All steps run in one tab; each continues where the previous one ended.
describe.skipIf(platformMissing !== undefined)(
  `the first hour of a shelter (${platformMissing ?? "everything is here"})`,
  () => {
    let platform: EmptyPlatform;
    let browser: Browser;
    let tab: Tab;
    let page: Page;

    beforeAll(async () => {
      await mkdir(SCREENSHOTS, { recursive: true });
      platform = await openEmptyPlatform({ publicHttpsPort: 443 });
      browser = await openBrowser([
        // Maps all hosts to the program's ports in the test network.
        `--host-resolver-rules=MAP *:443 127.0.0.1:${platform.httpsPort},MAP *:80 127.0.0.1:${platform.httpPort}`,
        // Trusts this CA. All other checks of certificates still apply.
        `--ignore-certificate-errors-spki-list=${fingerprint(await platform.pebble.intermediate())}`,
      ]);
      tab = await openTab(browser, { width: 1280, scheme: "light" });
      ({ page } = tab);
      await writeFile(platform.path(".curlrc"), curlrc(platform));
    });
    afterAll(async () => {
      await browser?.close();
      await platform?.[Symbol.asyncDispose]();
    });

    /** Saves a screenshot, in the long form. */
    const shot = async (name: string): Promise<void> => {
      const path = join(SCREENSHOTS, `first-hour-${name}.png`);
      if (torture) await page.screenshot({ path, fullPage: true });
    };
    /** Opens an address once the program has a certificate for its host. */
    const arrive = async (url: string): Promise<void> => {
      await certified(platform, new URL(url).hostname);
      await page.goto(url);
    };

    test("the setup link opens the sign-up over HTTPS", async () => {
      const { document } = await platform.json<{ readonly url: string }>("setup-link");
      expect(document.url).toStartWith(`${BASE}/setup#pet_setup_`);
      await arrive(document.url);
      await page.getByRole("heading", { name: "Create your sign-in" }).waitFor();
      await page.getByLabel("Email address").fill("ada@shelter.org");
      await page.getByLabel("Your name").fill("Ada");
      await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await shot("1-account");
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByRole("heading", { name: "What would you like to do?" }).waitFor();
      const cookies = await page.context().cookies();
      expect(
        cookies.map(({ name, httpOnly, secure, sameSite }) => ({
          name,
          httpOnly,
          secure,
          sameSite,
        })),
      ).toEqual(
        ["__Host-petstore", "__Host-petstore-device"].map((name) => ({
          name,
          httpOnly: true,
          secure: true,
          sameSite: "Strict",
        })),
      );
    });

    test("the wizard creates the shelter, checks the base domain, and ends with a command that works verbatim", async () => {
      await page.getByLabel(/^My shelter/).check();
      await page.getByLabel("Shelter name").fill("Brightside");
      await shot("2-purpose");
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByRole("heading", { name: "Where will it live?" }).waitFor();
      await shot("3-domain");
      await page.getByRole("button", { name: "Finish" }).click();
      await page.getByRole("heading", { name: "Petstore is ready" }).waitFor();
      await shot("4-ready");
      const line = (await page.locator(".code code").first().textContent()) ?? "";
      const answered = await shell(platform, line);
      expect(JSON.parse(answered)).toMatchObject({ id: 1, status: "available" });
      await page.getByRole("link", { name: "Show overview" }).click();
      await page.waitForURL(/\/overview$/);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await shot("5-overview");
    });

    test("an added animal appears on the storefront immediately", async () => {
      await page.getByRole("link", { name: "Animals", exact: true }).click();
      await page.getByRole("button", { name: "Add animal" }).first().click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("Pippa");
      await dialog.getByRole("button", { name: "Save animal" }).click();
      await page.getByRole("row", { name: /Pippa/ }).waitFor();
      await page.getByRole("link", { name: "Projects", exact: true }).click();
      await page
        .getByRole("link", { name: /Brightside/ })
        .first()
        .click();
      await page.getByRole("link", { name: "Domains", exact: true }).waitFor();
      await shot("6-project");
      const address = await page.getByRole("link", { name: /Open site/ }).getAttribute("href");
      await arrive(address ?? "");
      expect(await page.getByText("Pippa").first().isVisible()).toBe(true);
      await page.goBack();
    });

    test("a domain goes from Add to Live without a reload", async () => {
      await page.getByRole("link", { name: "Domains", exact: true }).click();
      await page.getByRole("button", { name: "Add domain" }).first().waitFor();
      await page.evaluate(() => Object.assign(window, { neverLeft: true }));
      await shot("7-domains");
      await page.getByRole("button", { name: "Add domain" }).first().click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Domain or subdomain").fill(PETS);
      await dialog.getByText("Some records must change first").waitFor();
      await shot("8-add");
      await dialog.getByRole("button", { name: "Add domain" }).click();
      await page.waitForURL(new RegExp(`/domains/${PETS}$`));
      await page
        .getByText(/203\.0\.113\.9/)
        .first()
        .waitFor();
      await shot("9-blocked");
      const target = await page
        .getByText(/^[\da-f]{32}\.cname\.petstore\.example\.?$/)
        .first()
        .textContent();
      await platform.internet.change(
        "shelter.org",
        "unset pets A",
        `set pets 5 CNAME ${target?.replace(/\.?$/, ".")}`,
      );
      await page.getByRole("button", { name: "Verify", exact: true }).first().click();
      const live = page.locator(".badge", { hasText: /^Live$/ });
      await live.first().waitFor({ timeout: PATIENCE_MS });
      await shot("10-live");
      expect(await page.evaluate(() => "neverLeft" in window)).toBe(true);
      expect(
        new Set(
          tab.asked.map((address) => new URL(address).hostname.split(".").slice(-2).join(".")),
        ),
      ).toEqual(new Set(["petstore.example"]));
    });

    test("certificate and key are exported after a proof of identity", async () => {
      ageSessions(platform);
      await page.getByRole("button", { name: `More for ${PETS}` }).click();
      await page.getByRole("menuitem", { name: "Export certificate and key" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Export" }).click();
      const proof = page.getByRole("dialog", { name: "Confirm your identity" });
      await proof.getByLabel("Password").fill(PASSWORD);
      const saving = page.waitForEvent("download");
      await proof.getByRole("button", { name: "Confirm" }).click();
      const saved = await saving;
      expect(saved.suggestedFilename()).toBe(`${PETS}.pem`);
      const pem = await Bun.file(await saved.path()).text();
      const certificate = new X509Certificate(pem);
      expect(certificate.checkHost(PETS)).toBe(PETS);
      expect(certificate.checkPrivateKey(createPrivateKey(pem))).toBe(true);
      await proof.waitFor({ state: "detached" });
    });

    test("the site is served at its own domain, with a certificate from the CA", async () => {
      const visited = await page.goto(`https://${PETS}/`);
      expect(visited?.status()).toBe(200);
      expect(await visited?.securityDetails()).toMatchObject({
        issuer: expect.stringContaining("Pebble"),
      });
      expect(await page.getByText("Pippa").first().isVisible()).toBe(true);
      await shot("11-site");
      const plain = await page.goto(`http://${PETS}/`);
      expect(plain?.url()).toBe(`https://${PETS}/`);
    });

    test("there were no policy violations or script errors", () => {
      // 401: requests before sign-in.
      // 403: a proof of identity is demanded first.
      expect(tab.faults.filter((fault) => !/status of 40[13]/.test(fault))).toEqual([]);
    });
  },
);

/** Moves all sign-ins an hour into the past. */
function ageSessions({ path }: EmptyPlatform): void {
  using database = openLive(path("data/petstore.db"));
  database.run("UPDATE member_sessions SET created_at = created_at - 3600000");
}

/** Resolves once TLS handshakes for a host succeed. */
async function certified({ httpsPort }: EmptyPlatform, host: string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const socket = connect({
      ...{ host: "127.0.0.1", port: httpsPort, servername: host },
      // The browser checks the certificate.
      rejectUnauthorized: false,
    });
    try {
      await once(socket, "secureConnect");
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await Bun.sleep(250);
    } finally {
      socket.destroy();
    }
  }
}

/** Returns the hash of a certificate's key, as Chromium's option expects it. */
function fingerprint(pem: string): string {
  const key = new X509Certificate(pem).publicKey.export({ type: "spki", format: "der" });
  return createHash("sha256").update(key).digest("base64");
}

/** Configures curl for the test network: its addresses and its root certificate. */
function curlrc({ httpsPort, path }: EmptyPlatform): string {
  return `connect-to = "::127.0.0.1:${httpsPort}"\ncacert = "${path("root.pem")}"\nsilent\n`;
}

/** curl's exit code for a failed TLS handshake. */
const NO_HANDSHAKE = 35;

/** Runs a copied command in a shell once its host has a certificate. */
async function shell(platform: EmptyPlatform, line: string): Promise<string> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const child = Bun.spawn(["bash", "-c", line], {
      env: { PATH: process.env["PATH"] ?? "", CURL_HOME: platform.path(".") },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [output, errors, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    if (code === 0) return output;
    if (code !== NO_HANDSHAKE || performance.now() > deadline) {
      throw new Error(`${line}\nended with ${code}: ${errors}`);
    }
    await Bun.sleep(250);
  }
}
