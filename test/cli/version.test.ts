import { describe, expect, test } from "bun:test";

import manifest from "../../package.json";
import { isNewer, newestRelease } from "../../cli/releases.ts";
import { Failure } from "../../settings/failure.ts";
import { runProgram } from "../helpers/process.ts";

/** Serves one answer, and counts its requests. */
function feed(answer: (request: Request) => Response | Promise<Response>) {
  /** The names of the headers of each request. */
  const asked: (readonly string[])[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) => {
      asked.push([...request.headers.keys()].toSorted());
      return answer(request);
    },
  });
  return {
    url: `${server.url.origin}/releases.json`,
    asked,
    [Symbol.dispose]: () => void server.stop(true),
  };
}

async function refusal(answer: () => Response | Promise<Response>, longestMs?: number) {
  using served = feed(answer);
  try {
    return { release: await newestRelease(served.url, longestMs) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { exit: error.exit, message: error.message.replace(served.url, "FEED") };
  }
}

const LATEST = { version: "99.0.0", date: "2031-02-03", url: "https://example.org/petstore" };

test.each([
  ["1.10.0", "1.9.0", true],
  ["1.9.0", "1.10.0", false],
  ["2.0.0", "2.0.0", false],
  ["2.0.0", "2.0.0-rc.1", true],
  ["2.0.0-rc.1", "2.0.0", false],
  ["2.0.0-rc.10", "2.0.0-rc.9", true],
  ["2.0.0-rc.1", "2.0.0-beta", true],
  ["2.0.0-rc.1", "2.0.0-rc", true],
  ["2.0.0-rc", "2.0.0-1", true],
  ["2.0.0-1", "2.0.0-rc", false],
])("%s is newer than %s: %p", (version, than, newer) => {
  expect(isNewer(version, than)).toBe(newer);
});

describe("an answer of the feed", () => {
  test("is read with the members that it must have", async () => {
    expect(await refusal(() => Response.json({ ...LATEST, more: 1 }))).toEqual({ release: LATEST });
    const { url: _, ...least } = LATEST;
    expect(await refusal(() => Response.json(least))).toEqual({ release: least });
  });

  test.each([
    ["no JSON", new Response("<html>")],
    ["nothing", new Response("")],
    ["null", Response.json(null)],
    ["a list", Response.json([LATEST])],
    ["no version", Response.json({ date: "2031-02-03" })],
    ["a version with control characters", Response.json({ ...LATEST, version: "1.0.0\u001B[2J" })],
    ["a version that is too long", Response.json({ ...LATEST, version: `1.0.${"9".repeat(99)}` })],
    ["a wrong date", Response.json({ ...LATEST, date: "tomorrow" })],
    ["an address that is none", Response.json({ ...LATEST, url: "javascript:alert(1)" })],
    ["an address with control characters", Response.json({ ...LATEST, url: "https://a/\u0007" })],
    ["a redirect", new Response("", { status: 302, headers: { location: "https://b.example/" } })],
    ["404", new Response("", { status: 404 })],
    ["too many bytes", new Response(" ".repeat(70_000))],
  ])("with %s is an error that names the address", async (_, response) => {
    const { exit, message } = await refusal(() => response);
    expect(exit).toBe("failed");
    expect(message).toContain("FEED");
    expect(message).toContain("releases-url");
    // oxlint-disable-next-line no-control-regex
    expect(message).not.toMatch(/[\u0000-\u001F]/);
  });

  test.each([
    ["503", () => new Response("", { status: 503 })],
    ["429", () => new Response("", { status: 429 })],
    ["no answer", () => Promise.withResolvers<Response>().promise],
  ])("with %s means to try later", async (_, answer) => {
    expect(await refusal(answer, 50)).toMatchObject({
      exit: "tryLater",
      message: expect.stringContaining("Try again later."),
    });
  });
});

test("version --check asks only the address of the option, and its exit code is the answer", async () => {
  using newer = feed(() => Response.json(LATEST));
  using same = feed(() => Response.json({ ...LATEST, version: manifest.version }));
  const env = { PETSTORE_RELEASES_URL: newer.url };
  const found = await runProgram(["version", "--check"], { env });
  expect([found.exitCode, found.stderr]).toEqual([6, ""]);
  expect(found.stdout).toContain("Version 99.0.0 of 2031-02-03 is newer. https://example.org/pet");
  const none = await runProgram(["version", "--check", "--releases-url", same.url, "--json"]);
  expect(none.exitCode).toBe(0);
  expect(JSON.parse(none.stdout)).toMatchObject({ version: manifest.version, newer: false });
  const unset = await runProgram(["version", "--check"]);
  expect([unset.exitCode, unset.stdout]).toEqual([3, ""]);
  expect(unset.stderr).toContain("Set releases-url");
  await runProgram(["version"], { env });
  expect(same.asked).toHaveLength(1);
  // It says nothing about the installation.
  expect(newer.asked).toEqual([["accept", "accept-encoding", "connection", "host", "user-agent"]]);
});
