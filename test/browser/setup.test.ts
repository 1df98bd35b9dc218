import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { join } from "node:path";

import type { Browser, Page } from "playwright-core";

import { giveAuthenticator, openBrowser, openTab, type Tab } from "../helpers/browser.ts";
import { DESK } from "../helpers/desk.ts";
import { runProgram, startProgram, type Program, type Start } from "../helpers/process.ts";
import { wrongIn } from "../helpers/sights.ts";

const PASSWORD = "seven otters cross the river";

let browser: Browser;
/** The tab of all tests. Each group has its own installation and continues where its previous test ended. */
let tab: Tab;
let page: Page;

beforeAll(async () => {
  browser = await openBrowser();
  tab = await openTab(browser, DESK);
  ({ page } = tab);
});

afterAll(async () => {
  await browser?.close();
});

let program: Program;

/** Starts a new installation for the tests of a group. */
function installation(start: Start = {}): void {
  beforeAll(async () => {
    program = await startProgram(start);
    // Those of the previous installation, of which only the port differs.
    await page.context().clearCookies();
  });
  afterAll(async () => {
    await program?.[Symbol.asyncDispose]();
  });
}

async function command(...args: readonly string[]): Promise<string> {
  return (await runProgram([...args, "--data-dir", program.dataDir])).stdout.trim();
}

/** Opens a new setup link. */
async function openLink(): Promise<void> {
  await page.goto(await command("setup-link"));
}

async function shell(line: string): Promise<unknown> {
  const child = Bun.spawn(["sh", "-c", `${line} -s`], { stdio: ["ignore", "pipe", "ignore"] });
  return new Response(child.stdout).json();
}

/** The environment in which `npm start` runs the program. */
const BY_NPM = {
  npm_lifecycle_event: "start",
  npm_package_json: join(import.meta.dir, "../../package.json"),
};
const ANOTHER_LINK =
  process.env["TEST_EXECUTABLE"] === undefined
    ? "npm -s start -- setup-link"
    : "petstore setup-link";

/** Console messages of a request before sign-in, and of an invalid email address. */
const EXPECTED = /status of 40[01]/;

async function signUp(): Promise<void> {
  await page.getByLabel("Email address").fill("ada@shelter.example");
  await page.getByLabel("Your name").fill("Ada");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "What would you like to do?" }).waitFor();
}

/** Returns the command at the end of the wizard. */
async function lastLine(): Promise<string> {
  return (await page.locator(".code code").first().textContent()) ?? "";
}

describe("the setup of a sample shelter", () => {
  installation({
    args: ["--dns-servers", "127.0.0.1:1", "--edge-addresses", "192.0.2.7"],
  });
  const wrong: string[] = [];
  const look = async (name: string): Promise<void> => {
    wrong.push(...(await wrongIn(page, `setup-${name}`)).map((one) => `${name} ${one}`));
    await page.setViewportSize({ width: DESK.width, height: 860 });
  };

  test("reports an invalid password and address at their fields, and keeps the link valid", async () => {
    await openLink();
    await page.getByRole("heading", { name: "Create your sign-in" }).waitFor();
    const [email, password] = [
      page.getByLabel("Email address"),
      page.getByLabel("Password", { exact: true }),
    ];
    await look("account");
    await email.fill("ada@shelter.example");
    await password.fill("password1234");
    await page.getByRole("alert").waitFor();
    expect(await password.getAttribute("aria-invalid")).toBe("true");
    await password.fill(PASSWORD);
    // Browsers accept this address.
    await email.fill(`${"a".repeat(65)}@shelter.example`);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("Enter a valid email address.").waitFor();
    expect(await email.getAttribute("aria-invalid")).toBe("true");
    await signUp();
    await page.waitForURL(({ hash }) => hash === "");
  });

  test("continues at the same step after a reload, and in another tab", async () => {
    await page.getByLabel(/^My shelter/).check();
    await page.getByLabel("Shelter name").waitFor();
    await look("purpose");
    await page.getByLabel(/^A sample shelter/).check();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("heading", { name: "Where will it live?" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Where will it live?" }).waitFor();
    // Another tab does not know the steps, but finds the account.
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByLabel(/^A sample shelter/).check();
    await other.getByRole("button", { name: "Continue" }).click();
    await other.getByRole("heading", { name: "Where will it live?" }).waitFor();
    await other.close();
  });

  test("checks a domain, and shows the missing records and options", async () => {
    await page.getByLabel(/^My own domain/).check();
    const domain = page.getByLabel("Domain", { exact: true });
    for (const [typed, said] of [
      ["https://pets.shelter.org/", "Enter only a domain"],
      ["pets.test", "pets.test is not in the public DNS."],
      ["pets.shelter.org", "DNS did not respond, so nothing could be checked."],
    ] as const) {
      await domain.fill(typed);
      await page.getByRole("button", { name: "Check domain" }).click();
      await page.getByText(said).waitFor();
    }
    expect(await page.getByText("No errors found").count()).toBe(0);
    expect(await page.locator(".code code").first().textContent()).toContain(
      "PETSTORE_BASE_DOMAIN=pets.shelter.org",
    );
    await look("domain");
    // The choice can be taken back.
    await page.getByLabel(/^This computer only/).check();
    await page.getByRole("button", { name: "Finish" }).waitFor();
    await page.getByLabel(/^My own domain/).check();
    await page.getByRole("button", { name: "Do this later" }).click();
  });

  test("ends with a site, and with a command that works and is shown once", async () => {
    await page.getByRole("heading", { name: "Petstore is ready" }).waitFor();
    const listed = (await shell(await lastLine())) as readonly { readonly name: string }[];
    expect(listed).toHaveLength(3);
    await look("end");
    await page.reload();
    await page.getByRole("heading", { name: "Petstore is ready" }).waitFor();
    const site = new URL((await page.getByRole("link", { name: /^http/ }).textContent()) ?? "");
    expect(await page.locator(".code code").count()).toBe(0);
    const visited = await fetch(program.origin, { headers: { host: site.host } });
    expect(await visited.text()).toContain("Hubert");
    await page.getByRole("link", { name: "Show overview" }).click();
    await page.waitForURL(/\/accounts\/acc_\w+\/overview$/);
  });

  test("created nothing twice", async () => {
    const list = async (...args: readonly string[]): Promise<readonly { readonly id: string }[]> =>
      JSON.parse(await command(...args, "--json"));
    const accounts = await list("accounts", "list");
    expect(accounts).toMatchObject([{ name: "Sample shelter" }]);
    expect(await list("keys", "list", "--account", accounts[0]?.id ?? "")).toHaveLength(1);
  });

  test("was accessible and fit on phone and desktop, light and dark, and asked no other origin", () => {
    expect(wrong).toEqual([]);
    const origins = tab.asked
      .filter((url) => url.startsWith("http"))
      .map((url) => new URL(url).origin);
    expect(new Set(origins).size).toBe(1);
    expect(tab.faults.filter((fault) => !EXPECTED.test(fault))).toEqual([]);
  });
});

describe("the setup of one shelter", () => {
  installation({ env: BY_NPM });

  test("reports a used, mistyped or missing link, and how to create another one", async () => {
    const link = await command("setup-link");
    const newer = await command("setup-link");
    await page.goto(link);
    await page.getByRole("heading", { name: "This setup link is no longer valid" }).waitFor();
    expect(await page.locator(".code code").textContent()).toBe(ANOTHER_LINK);
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "No operator yet" }).waitFor();
    expect(await page.locator(".code code").textContent()).toBe(ANOTHER_LINK);
    await page.getByLabel("Language").selectOption("de");
    await page.getByRole("heading", { name: "Noch kein Betreiber" }).waitFor();
    expect(await page.locator(".code code").textContent()).toBe(ANOTHER_LINK);
    await page.getByLabel("Sprache").selectOption("en");
    // The language is kept once its words have loaded.
    await page.getByRole("heading", { name: "No operator yet" }).waitFor();
    await page.goto(newer.replace(/#.*/, ""));
    await page.getByRole("heading", { name: "This page needs a setup link" }).waitFor();
    await page.goto("about:blank");
    await page.goto(newer);
    await signUp();
  });

  test("reuses an unused account, and gives it a name, a plan, and a site in the chosen language", async () => {
    await command("accounts", "create", "My shelter");
    await page.getByLabel(/^My shelter/).check();
    await page.getByLabel("Shelter name").fill("Sonnenhof");
    await page.getByLabel("Language of the shelter").selectOption({ label: "Deutsch" });
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "Finish" }).click();
    await page.getByRole("heading", { name: "Petstore is ready" }).waitFor();
    const link = (await page.getByRole("link", { name: /^http/ }).textContent()) ?? "";
    expect(link).toMatch(/^http:\/\/sonnenhof\.localhost:\d+$/);
    const visited = await fetch(program.origin, { headers: { host: new URL(link).host } });
    expect(await visited.text()).toContain('<html lang="de"');
    expect(await shell(await lastLine())).toMatchObject({ id: 1, name: "Rex" });
    expect(JSON.parse(await command("accounts", "list", "--json"))).toMatchObject([
      { name: "Sonnenhof", plan: "pro" },
    ]);
  });

  test("offers a passkey, which signs in from then on", async () => {
    await giveAuthenticator(page);
    await page.getByRole("button", { name: "Add passkey" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Continue" }).click();
    await page.getByText(/^Added the passkey .*\.$/).waitFor();
  });

  test("leads to its overview and its categories", async () => {
    await page.getByRole("link", { name: "Show overview" }).click();
    await page.getByRole("link", { name: "Animals", exact: true }).first().click();
    await page.getByRole("link", { name: "Categories" }).click();
    await page.getByRole("link", { name: "Hunde" }).waitFor();
    expect(await page.getByRole("combobox", { name: "Account" }).count()).toBe(0);
  });
});

describe("the setup for the API alone", () => {
  installation();

  test("can be completed by keyboard alone, without the API description", async () => {
    await page.route("**/v1/openapi.json", (route) => route.abort());
    await openLink();
    await page.getByLabel("Email address").waitFor();
    const tabTo = async (label: string): Promise<void> => {
      for (let presses = 0; presses < 30; presses++) {
        const focused = await page.evaluate(() => {
          const element = document.activeElement;
          const labelled = element instanceof HTMLInputElement ? element.labels?.[0] : element;
          return labelled?.textContent ?? "";
        });
        if (focused.startsWith(label)) return;
        await page.keyboard.press("Tab");
      }
      throw new Error(`Tab does not reach ${label}.`);
    };
    await tabTo("Email address");
    await page.keyboard.type("ada@shelter.example");
    await tabTo("Password");
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "What would you like to do?" }).waitFor();
    await page.locator("h1:focus").waitFor();
    await tabTo("My shelter");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await tabTo("Account name");
    await page.keyboard.type("Rescue app");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Where will it live?" }).waitFor();
    await tabTo("Finish");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Petstore is ready" }).waitFor();
    await page.getByRole("link", { name: "Mount Petstore" }).waitFor();
  });

  test("ends with a command for Staging if the API description cannot be loaded", async () => {
    await page.locator(".code code").first().waitFor();
    expect(await lastLine()).toMatch(/ http:\/\/staging\.localhost:\d+\/v1\/pets$/);
  });
});
