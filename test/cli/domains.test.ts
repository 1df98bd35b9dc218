import { afterEach, beforeEach, describe, expect, test } from "bun:test";

import { existsSync } from "node:fs";

import { finding } from "../../domains/model/finding.ts";
import type { Outcome } from "../../domains/model/apply-outcome.ts";
import { createOwnHosts } from "../../domains/own-hosts/own-hosts.ts";
import { shown } from "../../domains/view/report.ts";
import type { DomainView } from "../../domains/view/shapes.ts";
import { emptyReport, issued, verified, type Look } from "../helpers/domains/actions-fixture.ts";
import { openOffice, realProjects, START, type Office } from "../helpers/management.ts";
import { runProgram } from "../helpers/process.ts";
import { commandLine, type CommandLine } from "./typed.ts";

const PETS = "pets.shelter.org";
const probed: Outcome = { kind: "probed", answered: true };

let office: Office;
let line: CommandLine;

beforeEach(async () => {
  office = await openOffice({ projects: realProjects });
  line = await commandLine(office);
  await project("cats");
});

afterEach(() => {
  line[Symbol.dispose]();
});

async function project(slug: string, accountId = office.accountId): Promise<void> {
  const { status, text } = await office
    .as("owner", accountId)
    .post(`/manage/v1/accounts/${accountId}/projects`, { name: slug, slug: `${slug}-site` });
  if (status !== 201) throw new Error(text);
}

async function added(name: string, slug = "cats"): Promise<DomainView> {
  return line.json<DomainView>("domains", "add", name, "--project", `${slug}-site`);
}

/** Makes the next checks find the A record of another host. */
function inTheWay(): Look {
  const wanted = {
    type: "CNAME",
    name: "pets",
    fqdn: PETS,
    value: "0123.cname.petstore.example",
    zone: "shelter.org",
    provider: "namecheap",
  } as const;
  const found = finding(
    "conflicting_a",
    { wanted, addresses: ["203.0.113.7"], also: [] },
    { server: "dns1.registrar-servers.com" },
  );
  const outcome = { ...verified, state: "blocked", codes: [found.code], leadsHere: false } as const;
  return { outcome, report: { ...emptyReport, findings: [shown(found)] } };
}

/** Makes the next checks find that a record is missing. */
function missing(code: "no_record" | "ownership_missing"): Look {
  const wanted = {
    type: "CNAME",
    name: "pets",
    fqdn: PETS,
    value: "x",
    zone: "shelter.org",
  } as const;
  const found =
    code === "no_record"
      ? finding(code, { wanted: [wanted], instead: [], believedSeconds: 0 })
      : finding(code, { wanted });
  const outcome = { ...verified, state: "blocked", codes: [code], leadsHere: false } as const;
  return { outcome, report: { ...emptyReport, findings: [shown(found)] } };
}

const unasked: Look = { outcome: { ...verified, state: "unknown" }, report: emptyReport };

describe("domains add", () => {
  test("shows the record to enter, its value on a separate line, and the next command", async () => {
    const { exitCode, stdout, stderr } = await line.type(
      "domains",
      "add",
      "Pets.Shelter.org",
      "--project",
      "cats-site",
    );
    expect(exitCode).toBe(0);
    expect(stdout).toStartWith(`${PETS}: checking DNS\n`);
    expect(stdout).toContain("Add this record in the DNS of shelter.org:\n");
    expect(stdout).toContain(`  Name   pets   (in full: ${PETS})\n`);
    expect(stdout).toMatch(/^ {2}Value {2}[\da-f]{32}\.cname\.petstore\.example$/m);
    expect(stderr).toContain(`Once the record exists: petstore domains verify ${PETS} --wait\n`);
  });

  test("suggests adding the same name with or without www", async () => {
    const { stdout, stderr } = await line.type(
      "domains",
      "add",
      "shelter.org",
      "--project",
      "cats-site",
    );
    expect(stdout).toContain("  Type   ALIAS (or ANAME)\n  Name   @   (the domain itself)\n");
    expect(stderr).toContain("petstore domains add www.shelter.org --project cats-site\n");
  });

  test("prints the resource with --json, with times in RFC 3339", async () => {
    const { exitCode, stdout } = await line.type(
      ...["domains", "add", PETS, "--project", "cats-site", "--json"],
    );
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      domain: PETS,
      project: "cats-site",
      role: "primary",
      status: "checking",
      addedAt: new Date(START).toISOString(),
      records: [{ purpose: "routing", type: "CNAME", name: "pets", ttl: 3_600 }],
    });
  });

  test.each([
    ["https://pets.shelter.org/", 2, "Enter only the name: pets.shelter.org."],
    ["co.uk", 2, "Domains are registered under co.uk"],
    ["pets.petstore.example", 2, "this service's own domain"],
  ])("refuses %s with a message", async (name, code, words) => {
    const typed = await line.type("domains", "add", name, "--project", "cats-site");
    expect([typed.exitCode, typed.stderr]).toEqual([code, expect.stringContaining(words)]);
  });

  test("exits with 5 if the plan does not allow it, and with 1 without a deploy", async () => {
    const gates = { plan: false, deploy: true, project: true };
    const poor = await openOffice({
      projects: realProjects,
      domains: { gatekeeper: { gates: async () => gates, slugOf: async () => "cats-site" } },
    });
    using other = await commandLine(poor);
    office = poor;
    await project("cats");
    const type = () => other.type("domains", "add", PETS, "--project", "cats-site");
    const refused = await type();
    expect([refused.exitCode, refused.stderr]).toEqual([5, expect.stringContaining("Pro plan")]);
    expect(refused.stderr).toContain("petstore accounts plan ACCOUNT pro\n");
    Object.assign(gates, { plan: true, deploy: false });
    const empty = await type();
    expect([empty.exitCode, empty.stderr]).toEqual([1, expect.stringContaining("Publish")]);
    expect(empty.stderr).toContain("petstore deploy --starter --project cats-site\n");
  });

  test("names the command that finds a domain that exists", async () => {
    await added(PETS);
    const again = await line.type("domains", "add", PETS, "--project", "cats-site");
    expect([again.exitCode, again.stderr]).toEqual([
      1,
      expect.stringContaining("Find it: petstore domains list\n"),
    ]);
  });
});

test("domains show says how long ago a record was seen", async () => {
  const { id } = await added(PETS);
  const { domainActions, clock } = office;
  const record = {
    purpose: "routing",
    required: true,
    type: "CNAME",
    typeText: "CNAME",
    name: "pets",
    fqdn: PETS,
    value: "x",
    ttl: 3_600,
    state: "found",
    found: [],
  } as const;
  const report = { ...emptyReport, records: [record] };
  domainActions.looks.set(PETS, { outcome: verified, report });
  await line.type("domains", "verify", PETS);
  await domainActions.happen(id, issued(clock.now()));
  await domainActions.happen(id, probed);
  clock.advance(20 * 3_600_000);
  const old = await line.type("domains", "show", PETS);
  expect(old.stdout).toContain("✓ found, seen 20 hours ago");
  const look = { seen: "here", doubted: false, mayLeave: true } as const;
  await domainActions.happen(id, { kind: "looked", ...look });
  clock.advance(3 * 3_600_000);
  const { stdout } = await line.type("domains", "show", PETS);
  expect(stdout).toContain("✓ found, seen 3 hours ago");
  expect(stdout).toMatch(/Last seen here +3 hours ago/);
});

describe("domains verify", () => {
  test("exits with 6 if action is needed, and gives the instructions in the DNS provider's terms", async () => {
    await added(PETS);
    office.domainActions.looks.set(PETS, inTheWay());
    const { exitCode, stdout, stderr } = await line.type("domains", "verify", PETS);
    expect(exitCode).toBe(6);
    expect(stderr).toContain(`Once that is fixed: petstore domains verify ${PETS} --wait\n`);
    const flat = stdout.replace(/\s+/g, " ");
    expect(flat).toContain("✗ pets.shelter.org has the A record 203.0.113.7");
    expect(flat).toContain("(Reported by dns1.registrar-servers.com.)");
    expect(flat).toContain(
      'to do At Namecheap, delete the A record 203.0.113.7 with the name "pets".',
    );
    for (const row of stdout.split("\n")) expect(row.length).toBeLessThanOrEqual(80);
  });

  test("exits with 0 once the domain is verified", async () => {
    await added(PETS);
    const { exitCode, stdout, stderr } = await line.type("domains", "verify", PETS);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining("verified, certificate")]);
    expect(stderr).toContain(`Wait until it is live: petstore domains verify ${PETS} --wait\n`);
  });

  test("exits with 75 if the DNS could not be queried", async () => {
    await added(PETS);
    office.domainActions.looks.set(PETS, unasked);
    const { exitCode, stdout } = await line.type("domains", "verify", PETS);
    expect([exitCode, stdout]).toEqual([75, expect.stringContaining("could not be queried")]);
  });

  test("exits with 6 for a domain that drifts or has moved, whatever the last check found", async () => {
    const { id } = await added(PETS);
    await line.type("domains", "verify", PETS);
    const { domainActions, clock } = office;
    await domainActions.happen(id, issued(clock.now()));
    await domainActions.happen(id, probed);
    domainActions.looks.set(PETS, { ...inTheWay(), report: emptyReport });
    const look = { seen: "away", doubted: false, mayLeave: true } as const;
    for (let times = 0; times < 3; times++) {
      clock.advance(3_600_000);
      await domainActions.happen(id, { kind: "looked", ...look });
    }
    const drifting = await line.type("domains", "verify", PETS);
    expect([drifting.exitCode, drifting.stdout]).toEqual([
      6,
      expect.stringContaining("needs attention"),
    ]);
    for (let hours = 0; hours <= 7 * 24; hours++) {
      clock.advance(3_600_000);
      await domainActions.happen(id, { kind: "looked", ...look });
    }
    const { exitCode, stdout } = await line.type("domains", "verify", PETS, "--json");
    expect([exitCode, JSON.parse(stdout)]).toEqual([
      6,
      expect.objectContaining({ dns: expect.objectContaining({ state: "moved" }) }),
    ]);
    domainActions.looks.delete(PETS);
    expect((await line.type("domains", "verify", PETS)).exitCode).toBe(0);
  });

  test("with --wait continues until the domain is live", async () => {
    const { id } = await added(PETS);
    office.domainActions.looks.set(PETS, unasked);
    const waiting = line.type("domains", "verify", "--wait", PETS);
    const until = async (at: number) => {
      while (office.clock.now() < START + at * 1_000) await Bun.sleep(1);
    };
    await until(5);
    office.domainActions.looks.delete(PETS);
    await until(45);
    expect((await office.domainActions.store.domains.byId(id))?.heldSince).toBeGreaterThan(START);
    await office.domainActions.happen(id, issued(office.clock.now()));
    await office.domainActions.happen(id, probed);
    const { exitCode, stdout } = await waiting;
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining(`${PETS}: live\n`)]);
    expect(office.clock.now()).toBeLessThan(START + 300_000);
  });

  test("with --wait stops when action is needed", async () => {
    await added(PETS);
    office.domainActions.looks.set(PETS, inTheWay());
    const { exitCode } = await line.type("domains", "verify", PETS, "--wait", "60");
    expect([exitCode, office.clock.now()]).toEqual([6, START]);
  });

  for (const code of ["no_record", "ownership_missing"] as const) {
    test(`with --wait waits for a missing record (${code}), and exits with 6 at the time limit`, async () => {
      await added(PETS);
      office.domainActions.looks.set(PETS, missing(code));
      const { exitCode, stderr } = await line.type("domains", "verify", PETS, "--wait", "60");
      expect([exitCode, office.clock.now() - START]).toEqual([6, 60_000]);
      expect(stderr.match(/Waiting for the record/g)).toHaveLength(1);
      const waiting = line.type("domains", "verify", PETS, "--wait", "60");
      while (office.clock.now() < START + 65_000) await Bun.sleep(1);
      office.domainActions.looks.delete(PETS);
      expect((await waiting).exitCode).toBe(0);
    });
  }

  test("with --wait stops at the time limit and exits with 75 if the domain is not verified, else with 0", async () => {
    await added(PETS);
    office.domainActions.looks.set(PETS, unasked);
    const late = await line.type("domains", "verify", PETS, "--wait", "7");
    expect([late.exitCode, office.clock.now() - START]).toEqual([75, 7_000]);
    office.domainActions.looks.delete(PETS);
    const startedAt = office.clock.now();
    const enough = await line.type("domains", "verify", PETS, "--wait");
    expect([enough.exitCode, office.clock.now() - startedAt]).toEqual([0, 300_000]);
    expect(enough.stderr).toContain("Not live yet. The server keeps checking");
  });

  test("refuses a --wait value that is not a number of seconds", async () => {
    await added(PETS);
    const typed = await line.type("domains", "verify", PETS, "--wait", "soon");
    expect([typed.exitCode, typed.stderr]).toEqual([2, expect.stringContaining('"soon"')]);
    const none = await line.type("domains", "verify", PETS, "--wait=0");
    expect([none.exitCode, none.stderr]).toEqual([2, expect.stringContaining("--wait must be")]);
  });
});

describe("the domain that a command names", () => {
  test("is found in any project and in any spelling", async () => {
    await added("tierheim.köln");
    const view = await line.json<DomainView>("domains", "show", "Tierheim.KÖLN.");
    expect([view.domain, view.project]).toEqual(["tierheim.xn--kln-sna", "cats-site"]);
    expect((await line.type("domains", "show", "nobody.org")).exitCode).toBe(4);
  });

  test("needs --project if several projects have the domain", async () => {
    const other = await office.as("operator").post<{ id: string }>("/manage/v1/accounts", {
      name: "Foxes",
    });
    await project("foxes", other.body.id);
    await added(PETS);
    await added(PETS, "foxes");
    const unclear = await line.type("domains", "show", PETS);
    expect([unclear.exitCode, unclear.stderr]).toEqual([
      2,
      expect.stringContaining("foxes-site, cats-site. Add --project."),
    ]);
    const disambiguated = ["domains", "show", PETS, "--project", "foxes-site"];
    expect((await line.json<DomainView>(...disambiguated)).project).toBe("foxes-site");
    const account = ["domains", "list", "--account", office.accountId];
    expect((await line.json<DomainView[]>(...account)).map((one) => one.project)).toEqual([
      "cats-site",
    ]);
    expect(await line.json<DomainView[]>("domains", "list")).toHaveLength(2);
  });

  test("can be a removed domain if no active one has the name", async () => {
    await added(PETS);
    await line.json("domains", "remove", PETS, "--yes");
    const { exitCode, stdout } = await line.type("domains", "show", PETS);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining(`${PETS}: removed\n`)]);
    expect(stdout).not.toContain("Enter this record");
    expect(await line.json<DomainView[]>("domains", "list")).toEqual([]);
  });
});

describe("the settings of a domain", () => {
  beforeEach(async () => {
    for (const name of ["shelter.org", "www.shelter.org", "old.shelter.org"]) await added(name);
  });

  test("domains redirect redirects it with 308, or with the status that --status names", async () => {
    const typed = ["domains", "redirect", "old.shelter.org", "shelter.org"];
    expect(await line.json<DomainView>(...typed, "--status", "301")).toMatchObject({
      redirectTo: "shelter.org",
      redirectStatus: 301,
    });
    const invalidStatus = await line.type(...typed, "--status", "303");
    expect([invalidStatus.exitCode, invalidStatus.stderr]).toEqual([
      2,
      expect.stringContaining("301, 302, 307, 308"),
    ]);
    const unknown = await line.type("domains", "redirect", "old.shelter.org", "nobody.org");
    expect([unknown.exitCode, unknown.stderr]).toEqual([
      2,
      expect.stringContaining("nobody.org is not a domain of this project. Add it first."),
    ]);
  });

  test("domains primary makes it primary, and the table shows which domains redirect to it", async () => {
    const { exitCode, stdout, stderr } = await line.type("domains", "primary", "www.shelter.org");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^www\.shelter\.org +cats-site +primary /m);
    expect(stdout).toMatch(/^shelter\.org +cats-site +redirects to www\.shelter\.org \(308\)/m);
    expect(stderr).toContain("www.shelter.org now shows the site.");
  });

  test("domains hsts sets Strict-Transport-Security to sixty days by default, and --for off clears it", async () => {
    const hsts = async (...more: readonly string[]) =>
      (await line.json<DomainView>("domains", "hsts", "shelter.org", ...more)).hstsSeconds;
    expect(await hsts()).toBe(5_184_000);
    expect(await hsts("--for", "1d")).toBe(86_400);
    expect(await hsts("--for", "off")).toBe(0);
  });

  test("domains remove removes it only with --yes", async () => {
    const unconfirmed = await line.type("domains", "remove", "shelter.org");
    expect([unconfirmed.exitCode, unconfirmed.stderr]).toEqual([
      2,
      expect.stringContaining("pass --yes"),
    ]);
    const { exitCode, stderr } = await line.type("domains", "remove", "shelter.org", "--yes");
    expect(exitCode).toBe(0);
    expect(stderr).toContain("petstore domains add shelter.org --project cats-site");
    const left = await line.json<DomainView[]>("domains", "list", "--project", "cats-site");
    expect(left.map(({ domain }) => domain)).toEqual(["www.shelter.org", "old.shelter.org"]);
  });
});

test("domains explain creates no domain, and exits with 6 if a check would fail", async () => {
  const open = await line.type("domains", "explain", "new.shelter.org");
  expect([open.exitCode, open.stdout]).toEqual([0, expect.stringContaining("ns1.shelter.org")]);
  expect(await office.domainActions.store.domains.all({ limit: 1 })).toEqual([]);
  const blocked = finding("not_delegated", { registrable: "shelter.org" });
  office = await openOffice({
    domains: {
      explore: async (parsed) => ({
        ...parsed,
        zone: "shelter.org",
        nameServers: [],
        headline: "It is not registered.",
        obstacles: [blocked],
        changes: [],
        records: [],
      }),
    },
  });
  using other = await commandLine(office);
  const typed = await other.type("domains", "explain", "new.shelter.org");
  expect([typed.exitCode, typed.stdout]).toEqual([6, expect.stringContaining("not_delegated")]);
});

describe("domains explain on a machine without an installation", () => {
  const explain = (name: string, ...more: readonly string[]) =>
    runProgram(
      ["domains", "explain", name, "--data-dir", "/nonexistent/petstore", ...more],
      // No resolver answers there, and no CA is contacted.
      { env: { PETSTORE_DNS_SERVERS: "127.0.0.1:1", PETSTORE_ACME: "internal" } },
    );

  test("queries the DNS in the command, and creates nothing", async () => {
    const { exitCode, stdout, stderr } = await explain("pets.shelter-of-nobody.org");
    expect(stderr).toMatch(/^Try again: .* domains explain pets\.shelter-of-nobody\.org$/m);
    expect([exitCode, stdout]).toEqual([75, expect.stringContaining("could not be queried")]);
    expect(stdout).not.toContain("(Answer of 127.0.0.1:1");
    expect(existsSync("/nonexistent")).toBe(false);
  });

  test("refuses an invalid domain name", async () => {
    const { exitCode, stderr } = await explain("192.0.2.1");
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("IP address")]);
  });
});

describe("certs account", () => {
  test("shows the account, changes its key and replaces the account", async () => {
    const before = await line.type("certs", "account", "show");
    expect(before.stdout).toContain("https://ca.test/directory");
    expect(before.stdout).toContain("(created by the first order)");
    const made = await line.json<{ url: string; thumbprint: string }>(
      "certs",
      "account",
      "rollover",
      "--yes",
    );
    expect(made.url).toBe("https://ca.test/account/1");
    const again = await line.json<typeof made>("certs", "account", "rollover", "--yes");
    expect(again.url).toBe(made.url);
    expect(again.thumbprint).not.toBe(made.thumbprint);
    const { stdout } = await line.type("certs", "account", "replace", "--yes");
    expect(stdout).toContain("https://ca.test/account/2");
    expect(stdout).toContain("Replaced        https://ca.test/account/1");
  });

  test("names the command to run and exits with 6 if the account was closed", async () => {
    await line.type("certs", "account", "replace", "--yes");
    office.domainActions.authority.closed.add("https://ca.test/account/1");
    const { exitCode, stdout } = await line.type("certs", "account", "show");
    expect(exitCode).toBe(6);
    expect(stdout).toContain("deactivated: Account has been deactivated");
    expect(stdout).toContain("petstore certs account replace");
  });

  test.each(["rollover", "replace"])("asks for confirmation before %s", async (deed) => {
    expect((await line.type("certs", "account", deed)).exitCode).toBe(2);
  });
});

describe("certs", () => {
  beforeEach(async () => {
    const { id } = await added(PETS);
    await line.type("domains", "verify", PETS);
    await office.domainActions.happen(id, issued(START, "crt_pets"));
  });

  test("list shows when each certificate expires", async () => {
    const { stdout } = await line.type("certs", "list");
    expect(stdout).toMatch(/^pets\.shelter\.org +cats-site +\d{4}-\d\d-\d\d \d\d:\d\d UTC /m);
    const json = await line.json<{ notAfter: string }[]>("certs", "list");
    expect(json[0]?.notAfter).toBe(new Date(START + 90 * 24 * 3_600_000).toISOString());
  });

  test("renew orders a new certificate immediately", async () => {
    const view = await line.json<{ certificate: { renewAt: string } }>("certs", "renew", PETS);
    expect(view.certificate.renewAt).toBe(new Date(START).toISOString());
  });

  test("renew exits with 1 and the reason if it cannot order now", async () => {
    const { looks } = office.domainActions;
    looks.set(PETS, inTheWay());
    const misled = await line.type("certs", "renew", PETS);
    looks.delete(PETS);
    expect(misled.exitCode).toBe(1);
    expect(misled.stderr).toContain(`No certificate is ordered for ${PETS} while its DNS`);
    const { happen, domains } = office.domainActions;
    const [domain] = await domains.named(PETS);
    for (let times = 0; times < 4; times++) {
      await happen(domain?.id ?? "", {
        kind: "order_failed",
        failure: "validation",
        code: "validation_failed",
        message: "Timeout during connect",
      });
    }
    const limited = await line.type("certs", "renew", PETS);
    expect(limited.exitCode).toBe(1);
    expect(limited.stderr).toContain("Timeout during connect");
  });

  test("renew orders a certificate for a host of the service, named by the host alone", async () => {
    const { store, clock } = office.domainActions;
    const random = (into: Uint8Array) => crypto.getRandomValues(into);
    await createOwnHosts({ store, clock, random }).secure("petstore.example");
    const { exitCode, stderr } = await line.type("certs", "renew", "petstore.example");
    expect([exitCode, stderr]).toEqual([
      0,
      "The server orders the next certificate of petstore.example. Progress: petstore certs list\n",
    ]);
    expect((await line.type("certs", "renew", "unknown.example")).exitCode).not.toBe(0);
  });

  test("revoke asks for confirmation, orders a replacement and names the command that shows it", async () => {
    expect((await line.type("certs", "revoke", PETS)).exitCode).toBe(2);
    const unknown = await line.type("certs", "revoke", PETS, "--reason", "boredom", "--yes");
    expect(unknown.exitCode).toBe(2);
    const store = office.domainActions.store;
    const { exitCode, stderr } = await line.type(
      "certs",
      "revoke",
      PETS,
      "--reason",
      "keyCompromise",
      "--yes",
    );
    expect(exitCode).toBe(0);
    expect(stderr).toContain(`domains show ${PETS}`);
    const [marked] = await store.domains.named(PETS, 1);
    expect(marked?.revocation).toMatchObject({
      certificateId: "crt_pets",
      reason: "keyCompromise",
    });
    expect(marked?.certificate?.replace).toMatchObject({ reason: "key" });
  });

  test("export writes PEM to stdout only when confirmed", async () => {
    expect((await line.type("certs", "export", PETS)).exitCode).toBe(2);
    const { exitCode, stdout, stderr } = await line.type("certs", "export", PETS, "--yes");
    expect([exitCode, stdout]).toEqual([0, "the chain of crt_petsthe key of crt_pets"]);
    expect(stderr).toContain("private key");
  });
});
