import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { Browser, Page, Response } from "playwright-core";

import { openBrowser, openTab } from "../helpers/browser.ts";
import { presentedFor } from "../helpers/presented.ts";
import { runProgram, startProgram, temporaryDirectory, type Program } from "../helpers/process.ts";

const BASE = "pets.example.org";
const PASSWORD = "seven otters cross the river";
const desk = { width: 1280, scheme: "light" } as const;

let directory: string;
let program: Program;
let browser: Browser;
/** Origins of the dashboard and of a malicious tenant's site, which are same-site. */
let dashboard: string;
let evil: string;
let account: string;

async function command<Document>(...args: readonly string[]): Promise<Document> {
  const all = [...args, "--json", "--data-dir", program.dataDir];
  const { exitCode, stdout, stderr } = await runProgram(all);
  if (exitCode !== 0) throw new Error(`${args.join(" ")} ended with ${exitCode}: ${stderr}`);
  return JSON.parse(stdout) as Document;
}

beforeAll(async () => {
  directory = await temporaryDirectory();
  const [cert, key] = [join(directory, "c.pem"), join(directory, "k.pem")];
  const made = await presentedFor("own", BASE, `*.${BASE}`);
  await Promise.all([writeFile(cert, made.chainPem), writeFile(key, made.privateKeyPem)]);
  [browser, program] = await Promise.all([
    openBrowser([
      `--host-resolver-rules=MAP *.example.org 127.0.0.1`,
      "--ignore-certificate-errors",
    ]),
    startProgram({
      args: [
        ...["--base-domain", BASE, "--listen-https", "127.0.0.1:0"],
        ...["--tls-cert-file", cert, "--tls-key-file", key],
      ],
    }),
  ]);
  account = (await command<{ id: string }>("accounts", "create", "Otters")).id;
  const site = join(directory, "site");
  await mkdir(site);
  await writeFile(join(site, "index.html"), "<!doctype html><title>Evil</title>");
  const project = ["projects", "create", "Evil", "--slug", "evil", "--account", account];
  const { url } = await command<{ url: string }>(...project);
  await command("deploy", site, "--project", "evil");
  evil = url;
  dashboard = url.replace("//evil.", "//");
});

afterAll(async () => {
  await browser?.close();
  await program?.[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
});

/** Signs an owner in. */
async function signIn(page: Page): Promise<void> {
  const member = ["members", "create", "rosa@example.org", "--account", account];
  const { link } = await command<{ link: { url: string } }>(...member, "--role", "owner");
  await page.goto(link.url);
  await page.getByLabel("New password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/accounts\//);
}

/** Returns the response to a page's request to that path of the management API. */
async function answerTo(page: Page, path: string, send: () => Promise<unknown>): Promise<Response> {
  const [answer] = await Promise.all([
    page.waitForResponse((one) => one.url().endsWith(path)),
    send(),
  ]);
  return answer;
}

/** Reads from the management API in the dashboard itself. */
async function read(page: Page, path: string): Promise<unknown> {
  await page.goto(`${dashboard}/manage/v1${path}`);
  return JSON.parse((await page.locator("body").textContent()) ?? "");
}

describe("a tenant's site, visited by a user who is signed in to the dashboard,", () => {
  let page: Page;

  beforeAll(async () => {
    ({ page } = await openTab(browser, desk));
    await signIn(page);
  });

  beforeEach(async () => {
    await page.goto(evil);
  });

  test("sends the cookie, but can change nothing", async () => {
    const path = `/accounts/${account}/tokens`;
    const answer = await answerTo(page, path, () =>
      page.evaluate(
        ([url, body]) =>
          fetch(String(url), {
            method: "POST",
            mode: "no-cors",
            credentials: "include",
            body: String(body),
          }),
        [`${dashboard}/manage/v1${path}`, '{"role":"owner"}'],
      ),
    );
    // Without the cookie it would be 401.
    expect(answer.status()).toBe(403);
    expect(await read(page, path)).toEqual([]);
  });

  test("can change nothing with a form", async () => {
    const answer = await answerTo(page, "/suspend", () =>
      page.evaluate((url) => {
        const form = document.createElement("form");
        Object.assign(form, { method: "POST", action: url, enctype: "text/plain" });
        document.body.append(form);
        form.submit();
      }, `${dashboard}/manage/v1/accounts/${account}/suspend`),
    );
    expect(answer.status()).toBe(403);
    expect(await answer.json()).toMatchObject({ code: "cross_site_request" });
  });

  test("can read and frame nothing", async () => {
    const stolen = await page.evaluate(async (url) => {
      try {
        return await (await fetch(url, { credentials: "include" })).text();
      } catch {
        return "nothing";
      }
    }, `${dashboard}/manage/v1/me`);
    expect(stolen).toBe("nothing");
    const refused = page.waitForEvent("console", (line) =>
      line.text().includes("frame-ancestors 'none'"),
    );
    await page.evaluate((url) => {
      const frame = document.createElement("iframe");
      frame.src = url;
      document.body.append(frame);
    }, `${dashboard}/profile`);
    await refused;
  });

  test("can neither plant nor end a session", async () => {
    const session = async () =>
      (await page.context().cookies(dashboard)).find(({ name }) => name === "__Host-petstore");
    const before = await session();
    await page.evaluate((domain) => {
      for (const attributes of [`; domain=${domain}`, "", `; domain=.${domain}; path=/manage`]) {
        document.cookie = `__Host-petstore=pet_session_planted; secure; path=/${attributes}`;
      }
    }, BASE);
    await page.evaluate(
      (url) => fetch(url, { method: "DELETE", credentials: "include" }).catch(() => undefined),
      `${dashboard}/manage/v1/sessions/current`,
    );
    expect(await session()).toEqual(before);
    expect(await read(page, "/me")).toMatchObject({ member: { email: "rosa@example.org" } });
  });
});
