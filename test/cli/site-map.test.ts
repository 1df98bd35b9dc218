import { afterEach, beforeEach, expect, test } from "bun:test";

import { join } from "node:path";

import type { SiteMaps } from "../../domains/index.ts";
import { noSiteMaps, projectSiteMaps } from "../../domains/projects/site-maps.ts";
import { sqlProjectStore } from "../../lib/publishing/index.ts";
import { openOffice, realProjects, type Office } from "../helpers/management.ts";
import { scratch } from "./installation.ts";
import { commandLine, type CommandLine } from "./typed.ts";

const ON = ["--project", "cats-site"];
const PETS = "pets.shelter.org";
const WWW = "www.shelter.org";

let office: Office;
let line: CommandLine;

beforeEach(async () => {
  let maps: SiteMaps = noSiteMaps;
  office = await openOffice({
    projects: async (stores) => {
      const { sql, clock } = stores;
      maps = projectSiteMaps(await sqlProjectStore({ sql, clock }));
      return realProjects(stores);
    },
    domains: {
      siteMaps: {
        live: (projectId) => maps.live(projectId),
        map: (projectId, deployId) => maps.map(projectId, deployId),
      },
    },
  });
  line = await commandLine(office);
  const { accountId } = office;
  await line.json("projects", "create", "Cats", "--account", accountId, "--slug", "cats-site");
});

afterEach(() => {
  line[Symbol.dispose]();
});

/** Creates a directory with only this site file. */
async function directory(site: unknown): Promise<string> {
  const path = await scratch();
  await Bun.write(join(path, "petstore.site.json"), JSON.stringify(site));
  return path;
}

const asking = {
  title: "Our cats",
  domains: { primary: PETS, redirects: [{ from: WWW, to: PETS, status: 301 }] },
};

test("deploy prints the commands for domains that are not in effect yet", async () => {
  await line.json("deploy", "--starter", ...ON);
  await line.json("domains", "add", WWW, ...ON);
  const { exitCode, stderr } = await line.type("deploy", await directory(asking), ...ON);
  expect(exitCode).toBe(0);
  expect(stderr).toContain(
    `Add domain ${PETS}: petstore domains add ${PETS} --project cats-site\n`,
  );
  expect(stderr).toContain(
    `Verify domain ${WWW}: petstore domains verify ${WWW} --project cats-site\n`,
  );
  const back = await line.type("rollback", ...ON, "--yes");
  expect(back.stderr).not.toContain("domain");
  const deploys = await line.json<readonly { readonly id: string }[]>("deploys", "list", ...ON);
  const activated = ["deploys", "activate", deploys[0]?.id ?? "", ...ON];
  expect(await line.json(...activated)).toMatchObject({
    domainSuggestions: [
      { domain: PETS, unicode: PETS, step: "add" },
      { domain: WWW, unicode: WWW, step: "verify" },
    ],
  });
});

test("deploy refuses a site file whose domains form a redirect loop", async () => {
  const domains = { redirects: [{ from: PETS, to: PETS }] };
  const { exitCode, stderr } = await line.type("deploy", await directory({ domains }), ...ON);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("is part of a redirect loop")]);
});

test("the site file from projects export can be deployed and exports the same again", async () => {
  await line.json("deploy", await directory(asking), ...ON);
  for (const name of [WWW, PETS]) await line.json("domains", "add", name, ...ON);
  await line.json("domains", "redirect", PETS, WWW, "--status", "302");
  const exported = await line.json("projects", "export", ...ON);
  const redirects = [{ from: PETS, to: WWW, status: 302 }];
  expect(exported).toEqual({ title: "Our cats", domains: { primary: WWW, redirects } });
  await line.json("deploy", await directory(exported), ...ON);
  expect(await line.json("projects", "export", ...ON)).toEqual(exported);
});

test("projects export omits domains if there are none, and is empty without a live deploy", async () => {
  expect(await line.json("projects", "export", ...ON)).toEqual({});
  await line.json("deploy", await directory(asking), ...ON);
  const { exitCode, stdout } = await line.type("projects", "export", ...ON);
  expect([exitCode, JSON.parse(stdout)]).toEqual([0, { title: "Our cats" }]);
  expect((await line.type("projects", "export", "--project", "nobody")).exitCode).toBe(4);
});
