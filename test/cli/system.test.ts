import { describe, expect, test } from "bun:test";

import { dataDirectory } from "../../server/data/data-directory.ts";
import { loadSettings } from "../../settings/load.ts";
import { createSystem, type SystemOptions } from "../../server/system/create.ts";
import type { BaseDomainFacts } from "../../domains/index.ts";
import type { SystemReport } from "../../lib/management/index.ts";
import { api } from "../helpers/api.ts";
import { manualClock } from "../helpers/clock.ts";
import { startProgram } from "../helpers/process.ts";
import { installation, scratch } from "./installation.ts";

const nowhere: BaseDomainFacts = {
  names: {
    address: { kind: "none" },
    staging: { kind: "none" },
    wildcard: { kind: "none" },
    targets: { kind: "none" },
  },
  http: { kind: "unlooked" },
  https: undefined,
  caa: undefined,
};

async function system(
  checkBaseDomain: SystemOptions["checkBaseDomain"],
  flags: Readonly<Record<string, string>> = {},
): Promise<ReturnType<typeof createSystem>> {
  return createSystem({
    loaded: await loadSettings({ flags, environment: {} }),
    directory: dataDirectory(await scratch()),
    runtime: { clock: manualClock(0), version: "0" },
    address: "http://localhost:8080",
    checkBaseDomain,
    machine: () => ["192.0.2.7"],
    nodes: async () => [],
    testMail: async () => {
      throw new Error("No mail is sent here.");
    },
    sampleShelter: async () => {
      throw new Error("Nobody wants a sample.");
    },
  });
}

const never = async (): Promise<never> => {
  throw new Error("Nobody should be asked.");
};

describe("the check of a base domain", () => {
  test("of localhost or an IP queries no server", async () => {
    const here = await system(never);
    for (const [name, code] of [
      [undefined, "this_computer"],
      [" LOCALHOST ", "this_computer"],
      ["192.0.2.7", "ip_address"],
      ["::1", "ip_address"],
    ] as const) {
      const report = await here.baseDomain(name);
      expect([name, report.ok && report.value.checks.map((check) => check.code)]).toEqual([
        name,
        [code],
      ]);
    }
  });

  test("of a name that cannot be registered queries no server, and says why", async () => {
    const here = await system(never);
    const barred = await here.baseDomain("pets.test");
    expect(barred).toMatchObject({
      ok: true,
      value: { name: "pets.test", checks: [{ id: "name", state: "failed", code: "special_use" }] },
    });
    const mistyped = await here.baseDomain("https://pets.shelter.org/");
    expect(mistyped).toMatchObject({ ok: false, failure: { code: "invalid_parameter" } });
  });

  test("queries the names that follow from it and from the options", async () => {
    const queried: unknown[] = [];
    const here = await system(
      async (names, secure) => {
        queried.push(names, secure);
        return nowhere;
      },
      { "sites-domain": "sites.example.net", "listen-https": ":8443" },
    );
    const report = await here.baseDomain("Pets.Shelter.org");
    expect(queried).toEqual([
      {
        address: "pets.shelter.org",
        staging: "staging.pets.shelter.org",
        wildcard: expect.stringMatching(/^[\w-]+\.sites\.example\.net$/),
        targets: expect.stringMatching(/^[\w-]+\.cname\.pets\.shelter\.org$/),
      },
      true,
    ]);
    expect(report).toMatchObject({
      ok: true,
      value: { name: "pets.shelter.org", addresses: ["192.0.2.7"] },
    });
  });

  test("is refused when the queue is full", async () => {
    const here = await system(() => new Promise(() => undefined));
    for (const name of ["a.org", "b.org", "c.org", "d.org"]) void here.baseDomain(name);
    expect(await here.baseDomain("e.org")).toMatchObject({
      ok: false,
      failure: { code: "unavailable", retryAfterSeconds: 10 },
    });
  });
});

test("an operator sees the findings of doctor, and no secret", async () => {
  const here = await installation();
  const secret = Buffer.alloc(32, 5).toString("hex");
  await using server = await startProgram({
    dataDir: here.dataDir,
    env: { PETSTORE_ENCRYPTION_KEY: secret },
  });
  const { token } = await here.json<{ token: string }>("tokens", "create");
  const operator = api({ base: server.origin, key: token });
  const { status, body, text } = await operator.get<SystemReport>("/manage/v1/system");
  expect(status).toBe(200);
  expect(body.checks.filter(({ state }) => state === "failed" || state === "warning")).toEqual([]);
  expect(body.checks.map(({ id }) => id)).toContain("data-directory");
  const settings = new Map(body.settings.map((setting) => [setting.name, setting]));
  expect(settings.get("encryption-key")).toMatchObject({ value: "(set)", origin: "environment" });
  expect(settings.get("listen")).toMatchObject({ origin: "flag" });
  expect(text).not.toContain(secret);
});

test("a sample shelter can be visited as soon as it is created", async () => {
  const here = await installation();
  await using server = await here.serve();
  const { token } = await here.json<{ token: string }>("tokens", "create");
  const operator = api({ base: server.origin, key: token });
  const made = await operator.post<{ project: { url: string } }>("/manage/v1/accounts/sample");
  expect(made.status).toBe(201);
  const { host } = new URL(made.body.project.url);
  const visit = (path: string) => fetch(`${server.origin}${path}`, { headers: { host } });
  const page = await (await visit("/")).text();
  expect(page).toContain("Hubert");
  expect(page).not.toContain("Otto");
  const photo = await visit("/animals/1/photo.webp");
  expect([photo.status, photo.headers.get("content-type")]).toEqual([200, "image/webp"]);
});
