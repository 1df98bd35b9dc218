import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { join } from "node:path";

import type { Browser, Page } from "playwright-core";

import { openBrowser, openTab, type Sight } from "../helpers/browser.ts";
import { runProgram, startProgram, type Program } from "../helpers/process.ts";
import { wrongIn } from "../helpers/sights.ts";

const desk: Sight = { width: 1280, scheme: "light" };
const PASSWORD = "seven otters cross the river";

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(async () => {
  await browser?.close();
});

async function setupLink({ dataDir }: Program): Promise<string> {
  const { stdout } = await runProgram(["setup-link", "--data-dir", dataDir]);
  return stdout.trim();
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

/** Console message of a request that is refused before sign-in. */
const EXPECTED = /status of 401/;

async function signUp(page: Page): Promise<void> {
  await page.getByLabel("Email address").fill("ada@shelter.example");
  await page.getByLabel("Your name").fill("Ada");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "What would you like to do?" }).waitFor();
}

/** Returns the command at the end of the wizard. */
async function lastLine(page: Page): Promise<string> {
  return (await page.locator(".code code").first().textContent()) ?? "";
}

describe("the setup wizard", () => {
  test("creates a sample shelter with a site, and ends with a command that works", async () => {
    await using program = await startProgram();
    await using tab = await openTab(browser, desk);
    const { page, faults } = tab;
    await page.goto(await setupLink(program));
    await page.getByRole("heading", { name: "Create your sign-in" }).waitFor();
    await signUp(page);
    await page.waitForURL(({ hash }) => hash === "");
    await page.getByLabel(/^A sample shelter/).check();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("heading", { name: "Where will it live?" }).waitFor();
    await page.getByRole("button", { name: "Finish" }).click();
    await page.getByRole("heading", { name: "Petstore is ready" }).waitFor();
    const listed = (await shell(await lastLine(page))) as readonly { readonly name: string }[];
    expect(listed).toHaveLength(3);
    const site = new URL((await page.getByRole("link", { name: /^http/ }).textContent()) ?? "");
    const visited = await fetch(program.origin, { headers: { host: site.host } });
    expect(await visited.text()).toContain("Hubert");
    await page.getByRole("link", { name: "Show overview" }).click();
    await page.waitForURL(/\/accounts\/acc_\w+\/overview$/);
    expect(faults.filter((fault) => !EXPECTED.test(fault))).toEqual([]);
  });

  test("continues at the same step after a reload, and creates nothing twice", async () => {
    await using program = await startProgram();
    await using tab = await openTab(browser, desk);
    const { page } = tab;
    await page.goto(await setupLink(program));
    await signUp(page);
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
    await page.getByRole("button", { name: "Finish" }).click();
    await page.locator(".code code").first().waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Petstore is ready" }).waitFor();
    await page.getByRole("link", { name: /^http/ }).waitFor();
    expect(await page.locator(".code code").count()).toBe(0);
    const json = async (...args: readonly string[]): Promise<readonly { readonly id: string }[]> =>
      JSON.parse((await runProgram([...args, "--json", "--data-dir", program.dataDir])).stdout);
    const accounts = await json("accounts", "list");
    expect(accounts).toMatchObject([{ name: "Sample shelter" }]);
    expect(await json("keys", "list", "--account", accounts[0]?.id ?? "")).toHaveLength(1);
  });

  test("reuses an unused account, and gives it a name, a plan and a site", async () => {
    await using program = await startProgram();
    await runProgram(["accounts", "create", "My shelter", "--data-dir", program.dataDir]);
    await using tab = await openTab(browser, desk);
    const { page } = tab;
    await page.goto(await setupLink(program));
    await signUp(page);
    await page.getByLabel(/^My shelter/).check();
    await page.getByLabel("Shelter name").fill("Brightside");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "Finish" }).click();
    await page.getByRole("heading", { name: "Petstore is ready" }).waitFor();
    expect(await page.getByRole("link", { name: /^http/ }).textContent()).toMatch(
      /^http:\/\/brightside\.localhost:\d+$/,
    );
    expect(await shell(await lastLine(page))).toMatchObject({ id: 1, name: "Rex" });
    const { stdout } = await runProgram([
      "accounts",
      "list",
      "--json",
      "--data-dir",
      program.dataDir,
    ]);
    expect(JSON.parse(stdout)).toMatchObject([{ name: "Brightside", plan: "pro" }]);
  });

  test("makes one shelter in the language that was chosen", async () => {
    await using program = await startProgram();
    await runProgram(["accounts", "create", "My shelter", "--data-dir", program.dataDir]);
    await using tab = await openTab(browser, desk);
    const { page } = tab;
    await page.goto(await setupLink(program));
    await signUp(page);
    await page.getByLabel("Shelter name").fill("Sonnenhof");
    await page.getByLabel("Language of the shelter").selectOption({ label: "Deutsch" });
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "Finish" }).click();
    await page.getByRole("heading", { name: "Petstore is ready" }).waitFor();
    const site = new URL((await page.getByRole("link", { name: /^http/ }).textContent()) ?? "");
    const visited = await fetch(program.origin, { headers: { host: site.host } });
    expect(await visited.text()).toContain('<html lang="de"');
    await page.getByRole("link", { name: "Show overview" }).click();
    await page.getByRole("link", { name: "Animals", exact: true }).first().click();
    await page.getByRole("link", { name: "Categories" }).click();
    await page.getByRole("link", { name: "Hunde" }).waitFor();
    expect(await page.getByRole("combobox", { name: "Account" }).count()).toBe(0);
  });

  test("ends with a command for Staging if the API description cannot be loaded", async () => {
    await using program = await startProgram();
    await using tab = await openTab(browser, desk);
    const { page } = tab;
    await page.route("**/v1/openapi.json", (route) => route.abort());
    await page.goto(await setupLink(program));
    await signUp(page);
    await page.getByLabel(/^The API/).check();
    await page.getByLabel("Account name").fill("Rescue app");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "Finish" }).click();
    await page.getByRole("heading", { name: "Petstore is ready" }).waitFor();
    await page.locator(".code code").first().waitFor();
    expect(await lastLine(page)).toMatch(/ http:\/\/staging\.localhost:\d+\/v1\/pets$/);
  });

  test("can be completed by keyboard alone", async () => {
    await using program = await startProgram();
    await using tab = await openTab(browser, desk);
    const { page } = tab;
    await page.goto(await setupLink(program));
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

  test("reports an invalid password and address at their fields, and keeps the link valid", async () => {
    await using program = await startProgram();
    await using tab = await openTab(browser, desk);
    const { page } = tab;
    await page.goto(await setupLink(program));
    const [email, password] = [
      page.getByLabel("Email address"),
      page.getByLabel("Password", { exact: true }),
    ];
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
    await signUp(page);
  });

  test("offers a passkey, which signs in from then on", async () => {
    await using program = await startProgram();
    await using tab = await openTab(browser, desk);
    const { page } = tab;
    const devices = await page.context().newCDPSession(page);
    await devices.send("WebAuthn.enable");
    await devices.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await page.goto(await setupLink(program));
    await signUp(page);
    await page.getByLabel(/^The API/).check();
    await page.getByLabel("Account name").fill("Rescue app");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "Finish" }).click();
    // The page grows when the first key arrives: a press would end beside the button.
    await page.locator(".code code").waitFor();
    await page.getByRole("button", { name: "Add passkey" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Continue" }).click();
    await page.getByText(/^Added the passkey .*\.$/).waitFor();
  });

  test("reports a used, mistyped or missing link, and how to create another one", async () => {
    await using program = await startProgram({ env: BY_NPM });
    await using tab = await openTab(browser, desk);
    const { page } = tab;
    const link = await setupLink(program);
    const newer = await setupLink(program);
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
    await page.goto("about:blank");
    await page.goto(newer.replace(/#.*/, ""));
    await page.getByRole("heading", { name: "This page needs a setup link" }).waitFor();
    await page.goto("about:blank");
    await page.goto(newer);
    await signUp(page);
  });

  test("checks a domain, and shows the missing records and options", async () => {
    await using program = await startProgram({
      args: ["--dns-servers", "127.0.0.1:1", "--edge-addresses", "192.0.2.7"],
    });
    await using tab = await openTab(browser, desk);
    const { page } = tab;
    await page.goto(await setupLink(program));
    await signUp(page);
    await page.getByLabel(/^A sample shelter/).check();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByLabel(/^My own domain/).check();
    await page.getByLabel("Domain", { exact: true }).fill("https://pets.shelter.org/");
    await page.getByRole("button", { name: "Check domain" }).click();
    await page.getByText("Enter only a domain").waitFor();
    await page.getByLabel("Domain", { exact: true }).fill("pets.test");
    await page.getByRole("button", { name: "Check domain" }).click();
    await page.getByText("pets.test is not in the public DNS.").waitFor();
    await page.getByLabel("Domain", { exact: true }).fill("pets.shelter.org");
    await page.getByRole("button", { name: "Check domain" }).click();
    await page.getByText("DNS did not respond, so nothing could be checked.").waitFor();
    expect(await page.getByText("No errors found").count()).toBe(0);
    expect(await page.locator(".code code").first().textContent()).toContain(
      "PETSTORE_BASE_DOMAIN=pets.shelter.org",
    );
    await page.getByRole("button", { name: "Do this later" }).click();
    await page.getByRole("heading", { name: "Petstore is ready" }).waitFor();
  });
});

test("every screen of the wizard is accessible and fits, on phone and desktop, light and dark", async () => {
  await using program = await startProgram();
  await using tab = await openTab(browser, desk);
  const { page, asked, faults } = tab;
  const wrong: string[] = [];
  const look = async (name: string): Promise<void> => {
    wrong.push(...(await wrongIn(page, `setup-${name}`)).map((one) => `${name} ${one}`));
  };
  await page.goto(await setupLink(program));
  await page.getByLabel("Email address").waitFor();
  await look("account");
  await signUp(page);
  await page.getByLabel(/^My shelter/).check();
  await page.getByLabel("Shelter name").waitFor();
  await look("purpose");
  await page.getByLabel(/^A sample shelter/).check();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "Where will it live?" }).waitFor();
  await page.getByLabel(/^My own domain/).check();
  await page.getByLabel("Domain", { exact: true }).fill("pets.shelter.org");
  await page.getByRole("button", { name: "Check domain" }).click();
  await page.getByRole("heading", { name: "Checks" }).waitFor();
  await look("domain");
  await page.getByLabel(/^This computer only/).check();
  await page.getByRole("button", { name: "Finish" }).click();
  await page.locator(".code code").first().waitFor();
  await look("end");
  expect(wrong).toEqual([]);
  const origins = asked.filter((url) => url.startsWith("http")).map((url) => new URL(url).origin);
  expect(new Set(origins).size).toBe(1);
  expect(faults.filter((fault) => !EXPECTED.test(fault))).toEqual([]);
});
