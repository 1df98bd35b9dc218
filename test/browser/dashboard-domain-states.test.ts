import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import type { Browser, Page } from "playwright-core";

import { DAY_MS } from "../../lib/base/clock.ts";
import { toWire } from "../../lib/base/wire.ts";
import { openBrowser, type Tab } from "../helpers/browser.ts";
import { servePages, type Answers, type Pages } from "../helpers/domains/pages.ts";
import { views } from "../helpers/domains/views.ts";
import { wrongIn } from "../helpers/sights.ts";

let pages: Pages;
let browser: Browser;
/** Shared, because opening a tab takes longer than a test. Each test opens its own view. */
let desk: Tab;
let german: Tab;

beforeAll(async () => {
  pages = servePages();
  browser = await openBrowser();
  desk = await pages.open(browser);
  german = await pages.open(browser, "de");
});

afterAll(async () => {
  await browser?.close();
  pages?.[Symbol.dispose]();
});

type State = keyof typeof views;

/** Opens the page of a domain in that state, and waits until it is loaded. */
async function open(state: State, answers: Answers = {}, tab: Tab = desk) {
  const { domain, unicode } = views[state];
  const view = await pages.show(tab, `/projects/brightside/domains/${domain}`, {
    domains: [views[state]],
    ...answers,
  });
  await tab.page.getByRole("heading", { name: unicode, level: 1 }).waitFor();
  return view;
}

/** Returns the opened page of a domain. */
const show = async (...of: Parameters<typeof open>): Promise<Page> => (await open(...of)).page;

const part = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

const leads = { role: "redirect", redirectTo: "shelter.org", redirectStatus: 308 } as const;
const shelter = { id: "dom_2", domain: "shelter.org", unicode: "shelter.org" };
const munich = { id: "dom_3", domain: "xn--mnchen-3ya.de", unicode: "münchen.de" };
const several: Answers = {
  domains: [
    { ...views.live, ...shelter, twin: "www.shelter.org" },
    { ...views.missing, ...leads },
    { ...views.stalled, ...leads, ...munich },
  ],
  more: {
    "GET /projects/prj_1/domain-suggestions": [
      { domain: "adopt.shelter.org", unicode: "adopt.shelter.org", step: "add" },
    ],
    "GET /accounts/acc_1/events": [
      { at: views.live.addedAt, data: { domain: "old.shelter.org", projectId: "prj_1" } },
    ],
  },
};

describe("is accessible and fits the window, on phone and desktop, light and dark:", () => {
  test.each(["in_the_way", "stalled", "remembered", "removed"] as const)("%s", async (state) => {
    const { page, faults } = await open(state);
    expect(await wrongIn(page, `domains-${state}`)).toEqual([]);
    expect(faults()).toEqual([]);
  });

  test.each([
    ["list", "Recently removed", several],
    ["none", "Prerequisites", { account: { plan: "free" } }],
  ] as const)("%s", async (name, shows, answers) => {
    const { page, faults } = await pages.show(desk, "/projects/brightside/domains", answers);
    await part(page, shows).waitFor();
    expect(await wrongIn(page, `domains-${name}`)).toEqual([]);
    expect(faults()).toEqual([]);
  });
});

test("users who cannot change the plan learn who can", async () => {
  const answers: Answers = { account: { plan: "free" } };
  const { page } = await pages.show(desk, "/projects/brightside/domains", answers);
  const gates = part(page, "Prerequisites");
  await gates.getByText("The operator of this service can change the plan.").waitFor();
  await gates.getByRole("link", { name: "Show plans" }).waitFor();
});

describe("the page shows a domain's state when it is", () => {
  test.each([
    ["checking", "Checking", "The DNS of pets.shelter.org is being checked."],
    ["missing", "Waiting for DNS", "There is no record for pets.shelter.org."],
    ["unanswered", "Waiting for DNS", "could not be queried. Checks continue automatically."],
    ["proof", "Waiting for DNS", "There is no TXT record at _petstore.shelter.org."],
    ["verified", "Verified", "Its certificate is ordered next."],
    ["issuing", "Issuing certificate", "its certificate is being issued"],
    ["trying", "Issuing certificate", "its certificate is being issued"],
    ["limited", "Needs attention", "Too many certificates already issued"],
    ["forbidden", "Waiting for DNS", "do not allow letsencrypt"],
    ["unpaid", "Needs attention", "pets.shelter.org is served until"],
    ["claimed", "Needs attention", "Another account holds pets.shelter.org."],
  ] as const)("%s", async (state, word, headline) => {
    const status = part(await show(state), "Status");
    await status.getByText(word, { exact: true }).waitFor();
    await status.getByText(headline).first().waitFor();
    // Only failures interrupt a screen reader.
    expect(await status.getByRole("alert").count()).toBe(word === "Needs attention" ? 1 : 0);
  });
});

test("instructions for a record use the words of the DNS provider", async () => {
  const text = await part(await show("missing"), "Records to add at your DNS provider").innerText();
  expect(text).toContain("The DNS is hosted at Namecheap.");
  expect(text).toContain(`Host: enter only "pets". Namecheap adds .shelter.org automatically.`);
  const other = await part(await show("apex"), "Records to add at your DNS provider").innerText();
  expect(other).toContain('Set "Proxy status" to "DNS only".');
  expect(other).toContain("only if you cannot add the record above");
});

test("each instruction appears once on the page", async () => {
  const text = await (await show("in_the_way")).locator("main").innerText();
  expect(text.split("Then add a CNAME record: Host").length - 1).toBe(1);
  expect(text.split("delete the AAAA record 2001:db8:9::1 with").length - 1).toBe(1);
});

test.each(["checking", "proof"] as const)(
  "a short name stays on one line beside a value of any length: %s",
  async (state) => {
    const value = `${"c4710da933be4052".repeat(4)}.cname.shelter.example`;
    const records = views[state].records.map((record) => ({ ...record, value }));
    const page = await show(state, { domains: [{ ...views[state], records }] });
    for (const width of [320, 641, 700, 899, 1000, 1280]) {
      await page.setViewportSize({ width, height: 860 });
      const lines = await page.evaluate(() =>
        [...document.querySelectorAll(".records .cell code")].map((code) => {
          const range = document.createRange();
          range.selectNodeContents(code);
          return { text: code.textContent, lines: range.getClientRects().length };
        }),
      );
      const broken = lines.filter((cell) => cell.lines > (cell.text === value ? 9 : 1));
      expect([width, broken.filter(({ text }) => !text?.includes(" "))]).toEqual([width, []]);
    }
  },
);

test("each cell of a record has its own copy button", async () => {
  const page = await show("missing");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  for (const [cell, text] of [
    ["Type", "CNAME"],
    ["Name", "pets"],
    ["Value", "k3vq7.cname.petstore.app"],
    ["TTL", "3600"],
  ] as const) {
    const button = page.getByRole("button", { name: `Copy ${cell} ${text}` });
    await button.click();
    await button.getByText("Copied").waitFor({ state: "attached" });
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text);
  }
});

test("an old answer is shown with its resolver and the time until it expires", async () => {
  const page = await show("remembered");
  const row = part(page, "Propagation").getByRole("row", { name: /^public/ });
  const text = await row.innerText();
  expect(text).toContain("A 203.0.113.9");
  expect(text).toContain("Old answer");
  expect(text).toMatch(/\((10:00|9:\d\d)\)/);
});

test("after half an hour without a certificate the usual causes are listed, with Re-verify, beside correct DNS", async () => {
  const page = await show("stalled");
  const card = part(page, "No certificate after 30 minutes");
  expect(await card.getByRole("listitem").allInnerTexts()).toEqual([
    "The domain is still verified: Yes",
    "CAA records allow the certificate: Yes",
    "The certificate authority accepts the order: No",
  ]);
  await card.getByRole("button", { name: "Re-verify" }).waitFor();
  await part(page, "DNS").getByText("Correct", { exact: true }).waitFor();
  await part(page, "Certificate").getByText("Not issued").waitFor();
});

test("viewers get no actions, and staff cannot remove a domain", async () => {
  const page = await show("missing", { role: "viewer" });
  await page.getByText("Timeline").waitFor();
  expect(await page.getByRole("button", { name: /Verify|More for/ }).count()).toBe(0);
  await show("missing", { role: "staff" });
  await page.getByRole("button", { name: "More for pets.shelter.org" }).click();
  expect(await page.getByRole("menuitem").allInnerTexts()).toEqual(["Share the records", "Verify"]);
});

test("a refused Verify says why and leaves the page unchanged", async () => {
  const page = await show("missing");
  const message = "Too many names are being looked at.";
  const json = { code: "unavailable", message, status: 503 };
  await page.route("**/verify", (route) => route.fulfill({ status: 503, json }));
  await page.getByRole("button", { name: "Verify", exact: true }).click();
  await page.getByRole("alert").getByText(message).waitFor();
  await part(page, "Status").getByText("There is no record for pets.shelter.org.").waitFor();
});

test("the result of Verify appears immediately, with the progress", async () => {
  const path = "POST /projects/prj_1/domains/pets.shelter.org/verify";
  const page = await show("missing", { more: { [path]: views.verified } });
  const status = part(page, "Status");
  await status.getByText("Live updates").waitFor();
  await page.getByRole("button", { name: "Verify", exact: true }).click();
  await status.getByText("Its certificate is ordered next.").waitFor();
  const steps = await status.getByRole("listitem").allInnerTexts();
  expect(steps.map((step) => step.replaceAll("\n", "").replace(/^\d/, ""))).toEqual([
    "Name servers queried: done",
    "Records verified: done",
    "Certificate issued: in progress",
    "HTTPS check: pending",
    "Live: pending",
  ]);
  await page.getByRole("button", { name: "Re-verify", exact: true }).waitFor();
});

test("in German, findings and headline are German, including the value to enter", async () => {
  const page = await show("in_the_way", {}, german);
  await part(page, "Status").getByText("Wartet auf DNS").waitFor();
  const found = await page.locator("main").innerText();
  expect(found).toContain("Ein A-Eintrag führt woandershin");
  expect(found).toContain("Löschen Sie die A-Einträge 203.0.113.9 und 203.0.113.10");
  expect(found).toContain("gemeldet von ns1.dns.test und ns2.dns.test");
  expect(found).not.toMatch(/\b(the|record|with|delete)\b/i);
});

test("in German, a refused change is explained in German before the service's own message", async () => {
  const page = await show("live", {}, german);
  await page.route("**/domains/pets.shelter.org", (route) => {
    if (route.request().method() !== "PATCH") return route.fallback();
    const fault = { code: "invalid_value", message: "Too long." };
    const errors = [{ ...fault, pointer: "/hstsSeconds" }];
    return route.fulfill({ status: 400, json: { ...fault, message: "No.", status: 400, errors } });
  });
  await page.getByLabel("HTTPS erzwingen (HSTS)").selectOption({ index: 1 });
  await page.getByText("Eine Angabe hat einen Wert, der nicht erlaubt ist. (Too long.)").waitFor();
});

test("a redirect chain is rejected in the page, without a request", async () => {
  const { page } = await pages.show(desk, "/projects/brightside/domains", several);
  const to = page.getByLabel("To: pets.shelter.org");
  await to.selectOption(munich.domain);
  await page
    .getByText(`Redirect pets.shelter.org straight to ${shelter.domain}.`, { exact: false })
    .waitFor();
  expect(await to.inputValue()).toBe(shelter.domain);
});

test("without an event stream the domain is polled", async () => {
  const page = await show("missing", { deaf: true });
  const status = part(page, "Status");
  await page.clock.fastForward(7_000);
  await status.getByText("Updates every 20 seconds").waitFor();
  const json = toWire(views.live);
  await page.route("**/domains/pets.shelter.org", (route) => route.fulfill({ json }));
  await page.clock.fastForward(20_000);
  await status.getByText("https://pets.shelter.org is live.").waitFor();
});

test("an operator can renew and export a certificate after confirmation", async () => {
  const base = "POST /projects/prj_1/domains/pets.shelter.org";
  const page = await show("live", {
    role: "operator",
    more: {
      [`${base}/renew`]: views.live,
      [`${base}/certificate/export`]: { chain: "CHAIN\n", privateKey: "KEY\n" },
    },
  });
  const choose = async (name: string): Promise<void> => {
    await page.getByRole("button", { name: "More for pets.shelter.org" }).click();
    await page.getByRole("menuitem", { name }).click();
  };
  await choose("Renew certificate");
  await page.getByRole("dialog").getByRole("button", { name: "Renew" }).click();
  await page.getByText("Ordering a new certificate").waitFor();
  await choose("Export certificate and key");
  const saving = page.waitForEvent("download");
  await page.getByRole("dialog").getByRole("button", { name: "Export" }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe("pets.shelter.org.pem");
  expect(await Bun.file(await saved.path()).text()).toBe("CHAIN\nKEY\n");
});

test("an operator rehearses the renewal of a host of the service, and sees which part fails", async () => {
  const { addedAt } = views.live;
  const certificate = {
    domain: "petstore.example",
    project: null,
    issuer: "https://ca.example/directory",
    notBefore: addedAt,
    notAfter: addedAt + 90 * DAY_MS,
    renewAt: addedAt + 60 * DAY_MS,
    reason: null,
    explanationUrl: null,
  };
  const { page } = await pages.show(desk, "/system", {
    role: "operator",
    more: {
      "GET /certificates": [certificate],
      "POST /certificates/petstore.example/rehearse": {
        domain: certificate.domain,
        authority: "https://staging.ca.example/directory",
        passed: ["dns", "account"],
        failed: "order",
        reason: "The CA does not issue for this name.",
        challenge: null,
        notAfter: null,
      },
    },
  });
  await page.getByRole("button", { name: "More for petstore.example" }).click();
  await page.getByRole("menuitem", { name: "Rehearse renewal" }).click();
  const dialog = page.getByRole("dialog", { name: "Rehearse the renewal of petstore.example" });
  await dialog.getByRole("button", { name: "Rehearse" }).click();
  await dialog.getByText("would fail at https://staging.ca.example/directory").waitFor();
  const parts = await dialog.getByRole("listitem").allInnerTexts();
  expect(parts.map((text) => text.replaceAll(/\s+/g, " "))).toEqual([
    "Passed DNS check",
    "Passed Account",
    "Failed Order The CA does not issue for this name.",
  ]);
  expect(await wrongIn(page, "rehearsal")).toEqual([]);
  await dialog.getByRole("button", { name: "Close" }).click();
  await dialog.waitFor({ state: "detached" });
});

test("a long HSTS duration is set only after confirmation", async () => {
  const page = await show("live");
  const asked: unknown[] = [];
  await page.route("**/domains/pets.shelter.org", async (route) => {
    if (route.request().method() !== "PATCH") return route.fallback();
    const change = route.request().postDataJSON();
    asked.push(change);
    return route.fulfill({ json: toWire({ ...views.live, ...change }) });
  });
  const hsts = page.getByLabel("Require HTTPS (HSTS)");
  const dialog = page.getByRole("dialog", { name: "Require HTTPS for 1 year?" });

  await hsts.selectOption("1 year");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  expect([await hsts.inputValue(), asked]).toEqual(["0", []]);
  await hsts.selectOption("5 minutes, for a test");
  await page.getByText("Saved.").waitFor();
  await hsts.selectOption("1 year");
  const saving = page.waitForResponse((answer) => answer.request().method() === "PATCH");
  await dialog.getByRole("button", { name: "Require HTTPS" }).click();
  await saving;
  expect(asked).toEqual([{ hstsSeconds: 300 }, { hstsSeconds: 31_536_000 }]);
});

describe("overdue certificates are announced above every page", () => {
  const NOW = Date.parse("2026-11-21T14:00:00Z");
  const first = {
    domain: "pets.shelter.org",
    project: "brightside",
    expiresAt: NOW + 20 * 86_400_000,
  };
  const overdue = (more: object): Answers => ({
    more: { "GET /certificates/overdue": { overdue: 1, expired: 0, first, ...more } },
  });

  test("to owners, with a link to the first domain, in both languages", async () => {
    for (const [tab, said, link] of [
      [
        desk,
        "The certificate of pets.shelter.org has not been renewed in time.",
        "See what to do about pets.shelter.org",
      ],
      [
        german,
        "Das Zertifikat von pets.shelter.org wurde nicht rechtzeitig erneuert.",
        "Nachsehen, was bei pets.shelter.org zu tun ist",
      ],
    ] as const) {
      const { page, faults } = await pages.show(tab, "/projects/brightside/domains", overdue({}));
      const banner = page.getByRole("status").filter({ hasText: said });
      await banner.waitFor();
      const href = await banner.getByRole("link", { name: link }).getAttribute("href");
      expect(href).toBe("/projects/brightside/domains/pets.shelter.org");
      expect(faults()).toEqual([]);
    }
    expect(await wrongIn(german.page, "overdue")).toEqual([]);
  });

  test("to operators, with a link to the checks, and expired ones as such", async () => {
    const expired = {
      overdue: 12,
      expired: 2,
      first: { ...first, project: null, expiresAt: NOW - 1 },
    };
    const { page } = await pages.show(desk, "/projects/brightside/domains", {
      role: "operator",
      ...overdue(expired),
    });
    const banner = page.getByRole("status").filter({ hasText: "12 certificates" });
    await banner.waitFor();
    expect(await banner.textContent()).toContain("2 of them expired");
    const link = banner.getByRole("link", { name: "See what is wrong" });
    expect(await link.getAttribute("href")).toBe("/system");
  });

  test("and not to anyone while there are none", async () => {
    const page = await show("live");
    expect(await page.locator("main > .notice").count()).toBe(0);
  });
});
