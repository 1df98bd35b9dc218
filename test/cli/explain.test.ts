import { afterEach, beforeEach, expect, test } from "bun:test";

import { MINUTE_MS } from "../../lib/base/clock.ts";
import { api } from "../helpers/api.ts";
import { openOffice, type Office } from "../helpers/management.ts";
import { must } from "../helpers/outcome.ts";
import { commandLine, type CommandLine } from "./typed.ts";

let office: Office;
let line: CommandLine;
let key: string;
let keyId: string;

beforeEach(async () => {
  office = await openOffice();
  line = await commandLine(office);
  const { accountId } = office;
  const made = await office.petstore.client.keys.create({ accountId, name: "Website" });
  const { token, view } = must(made);
  key = token;
  keyId = view.id;
});

afterEach(() => {
  line[Symbol.dispose]();
});

/** Sends a request with an ID, and stores it. */
async function send(id: string, path: string, sent: string | null = key): Promise<void> {
  const extra = { headers: { "x-request-id": id } };
  await api({ fetch: office.petstore.fetch, key: sent ?? undefined }).get(path, extra);
  await office.requests.jobs.tick();
  office.clock.advance(MINUTE_MS);
  await office.requests.jobs.tick();
}

test("explains a request in sentences, and as JSON", async () => {
  await send("request-one", "/v1/pets/7");
  const { exitCode, stdout } = await line.type("explain", "request-one");
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^request-one: GET \/v1\/pets\/7, 404 not_found\n\nWhen /);
  expect(stdout).toContain(`\nAccount      Otters (${office.accountId})\n`);
  expect(stdout).toContain(`\nKey          Website (${keyId})\n`);
  expect(stdout).toContain("\nEnvironment  Production\n");
  expect(stdout).toMatch(/\nMinute {7}60 of 60 requests left before, 59 after; resets at/);
  expect(stdout).toMatch(/\nWhy {10}The path names something that Production did not have then/);
  expect(stdout).toMatch(/\nRetry {8}The same request fails again/);
  expect(stdout).toMatch(/\nWhat to do {3}List the resources/);
  const [found] = await line.json<readonly object[]>("explain", "request-one");
  expect(found).toMatchObject({
    id: "request-one",
    key: { id: keyId, name: "Website" },
    account: { id: office.accountId },
    explanation: { reason: "not_found", retry: "never", retryAt: null },
  });
});

test("explains each request that has the ID, also without a key, and those of one account", async () => {
  await send("request-twice", "/v1/pets");
  await send("request-twice", "/v1/pets", null);
  const both = await line.type("explain", "request-twice");
  expect(both.stdout).toContain("401 missing_api_key");
  expect(both.stdout).toContain("none: the request had no valid key");
  expect(both.stderr).toBe("2 requests have this ID: clients can use one again.\n");
  const own = await line.type("explain", "request-twice", "--account", office.accountId);
  expect(own.stdout).not.toContain("401");
  expect(own.stdout).toContain("Petstore served the request with status 200.");
});

test("says honestly why it may not know a request", async () => {
  const { exitCode, stderr, stdout } = await line.type("explain", "request-none");
  expect([exitCode, stdout]).toEqual([4, ""]);
  expect(stderr).toMatch(
    /^petstore: The log has no request with this ID, and requests are kept for 7 days\. Possible reasons/,
  );
});
