import { afterAll, beforeAll, expect, test } from "bun:test";

import { chance } from "../helpers/chance.ts";
import type { Program } from "../helpers/process.ts";
import { installation, scratch } from "./installation.ts";

const BASE = "pets.example.org";
/** Random, because an archive that unpacks to a hundred times its size is refused. */
const dice = chance();
const FILM = Array.from({ length: 300_000 }, () => dice.between(0, 999_999_999)).join("-");

/** One server for all tests of this file, which only read. */
let server: Program;
let slug: string;

beforeAll(async () => {
  const here = await installation();
  const site = await scratch();
  await Bun.write(`${site}/index.html`, "start page of the shelter");
  await Bun.write(`${site}/film.mp4`, FILM);
  const { id } = await here.json<{ readonly id: string }>("accounts", "create", "Shelter");
  ({ slug } = await here.json<{ readonly slug: string }>(
    ...["projects", "create", "Happy cats", "--account", id],
  ));
  const deployed = await here.run("deploy", site, "--project", slug);
  if (deployed.exitCode !== 0) throw new Error(deployed.stderr);
  server = await here.serve("--base-domain", BASE);
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

function ask(
  host: string,
  path: string,
  { method = "GET", headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<Response> {
  return fetch(server.origin + path, {
    method,
    headers: { ...headers, host },
    redirect: "manual",
  });
}

test.each([
  ["base", "/v1/openapi.json", 200],
  ["base", "/v1/pets", 401],
  ["base", "/manage/v1/accounts", 401],
  ["base", "/setup", 200],
  ["base", "/", 200],
  ["base", "/nobody-knows", 404],
  ["base", "/docs", 200],
  ["base", "/docs/nothing", 404],
  ["base", "/docs/management", 200],
  ["base", "/docs/management/keys", 200],
  ["base", "/help", 200],
  ["base", "/llms.txt", 200],
  ["staging", "/v1/openapi.json", 200],
  ["staging", "/manage/v1/accounts", 404],
  ["staging", "/docs", 200],
  ["staging", "/docs/management", 404],
  ["staging", "/help", 404],
  ["staging", "/setup", 404],
  ["staging", "/", 404],
  ["project", "/", 200],
  ["project", "/v1/openapi.json", 200],
  ["project", "/v1/pets", 401],
  ["project", "/feed.json", 200],
  ["project", "/manage/v1/accounts", 404],
  ["project", "/docs", 200],
  ["project", "/docs/nothing", 404],
  ["project", "/docs/management", 404],
  ["project", "/help", 404],
  ["project", "/llms.txt", 200],
  ["project", "/setup", 404],
  ["project", "/petstore.site.json", 404],
] as const)("the %s host answers %s with %i", async (kind, path, status) => {
  const host = { base: BASE, staging: `staging.${BASE}`, project: `${slug}.${BASE}` }[kind];
  expect((await ask(host, path)).status).toBe(status);
});

test("foreign hosts and hosts without a project get the same response to the byte", async () => {
  const responses = new Set<string>();
  const hosts = [
    "other.org",
    `www.${BASE}`,
    `a.${slug}.${BASE}`,
    `no-such-1f2e.${BASE}`,
    "10.0.0.1",
  ];
  for (const host of hosts) {
    for (const path of ["/", "/v1/pets", "/manage/v1/accounts", "/setup", "/feed.json"]) {
      for (const method of ["GET", "POST", "OPTIONS", "DELETE"]) {
        const answer = await ask(host, path, { method });
        const headers = [...answer.headers].filter(([name]) => name !== "date");
        responses.add(JSON.stringify([answer.status, headers, await answer.text()]));
      }
    }
  }
  expect([...responses]).toHaveLength(1);
});

test("a deploy is served only on its own host", async () => {
  const page = await ask(`${slug}.${BASE}`, "/");
  expect(await page.text()).toBe("start page of the shelter");
  expect(await (await ask(BASE, "/")).text()).not.toContain("shelter");
});

test("a project cannot use the slug that the service's own host has below the sites domain", async () => {
  const here = await installation();
  await using _server = await here.serve("--base-domain", BASE, "--sites-domain", "example.org");
  const { id } = await here.json<{ readonly id: string }>("accounts", "create", "Shelter");
  const taken = await here.run("projects", "create", "Ours", "--slug", "pets", "--account", id);
  expect([taken.exitCode, taken.stderr]).toEqual([2, expect.stringContaining("reserved")]);
});

test("HEAD returns the Content-Length of GET", async () => {
  const head = await ask(`${slug}.${BASE}`, "/film.mp4", { method: "HEAD" });
  expect(head.headers.get("content-length")).toBe(String(FILM.length));
});

test("range requests for a large file follow If-Range instead of the runtime's own rules", async () => {
  const part = async (headers: Record<string, string>) => {
    const answer = await ask(`${slug}.${BASE}`, "/film.mp4", { headers });
    return [answer.status, answer.headers.get("content-range"), (await answer.text()).length];
  };
  const etag = (await ask(`${slug}.${BASE}`, "/film.mp4", { method: "HEAD" })).headers.get("etag");
  const range = "bytes=10-19";
  expect(await part({ range })).toEqual([206, `bytes 10-19/${FILM.length}`, 10]);
  expect(await part({ range, "if-range": etag ?? "" })).toEqual([
    206,
    `bytes 10-19/${FILM.length}`,
    10,
  ]);
  expect(await part({ range, "if-range": '"of the one before"' })).toEqual([
    200,
    null,
    FILM.length,
  ]);
  expect(await part({ range: "bytes=0-" })).toEqual([
    206,
    `bytes 0-${FILM.length - 1}/${FILM.length}`,
    FILM.length,
  ]);
});

test("no response reveals the stored name of a large file", async () => {
  const { headers } = await ask(`${slug}.${BASE}`, "/film.mp4");
  expect(headers.get("content-disposition")).toBe("inline");
});
