import { expect, test } from "bun:test";

import {
  limitWords,
  secondsWords,
  codeIn,
} from "../../../dashboard/reference/script/outcome-view.ts";
import {
  environmentOf,
  hintOn,
  keyInFragment,
  pastedKey,
  shownKey,
} from "../../../dashboard/reference/script/credentials.ts";
import {
  callOf,
  faultOfJson,
  missingIn,
  send,
} from "../../../dashboard/reference/script/request.ts";

test.each([
  ["#key=pet_test_abc_def", "pet_test_abc_def"],
  ["#key=a%20b", "a b"],
  ["#key=abc&more=x", "abc"],
  ["#listPets", undefined],
  ["", undefined],
  ["#key=%", undefined],
  [`#key=${"a".repeat(257)}`, undefined],
  ["#monkey=x", undefined],
])("the fragment %s holds the key %p", (hash, key) => {
  expect(keyInFragment(hash)).toBe(key as string);
});

test.each([
  [" pet_test_abc\n", "pet_test_abc"],
  ["Bearer pet_live_abc", "pet_live_abc"],
  ['"pet_live_abc"', "pet_live_abc"],
])("the key is extracted from the pasted text %j", (text, key) => {
  expect(pastedKey(text)).toBe(key);
});

test("a key's prefix determines its environment, and a mismatch shows a hint", () => {
  expect(environmentOf("pet_live_x")).toBe("Production");
  expect(environmentOf("pet_test_x")).toBe("Staging");
  expect(environmentOf("sk_x")).toBeUndefined();
  expect(hintOn("pet_live_x", "Staging")).toBe(
    "This key belongs to Production; Staging refuses it.",
  );
  expect(hintOn("pet_live_x", "Production")).toBe("");
  expect(hintOn("", "Production")).toBe("");
  expect(hintOn("pet_manage_x", "Staging")).toBe("API keys begin with pet_live_ or pet_test_.");
  expect(hintOn("pet_manage_x", "Management")).toBe("");
  expect(hintOn("pet_live_x", "Management")).toBe("Management tokens begin with pet_manage_.");
});

test("only the recognizable part of a key is shown", () => {
  expect(shownKey("pet_test_FNapSqBIwu_BVr5aDOBMLdB0x40e5Bg1lOvIsMIliV427Ys9S")).toBe(
    "pet_test_FNap…",
  );
  expect(shownKey("my secret")).toBe("unrecognized key");
});

const form = { method: "GET", path: "/pets/{petId}", server: "https://x.test/v1" } as const;

test("form values are encoded in the address", () => {
  const fields = [
    { name: "petId", in: "path", value: "../rate-limit?x#y" },
    { name: "status", in: "query", value: "a&b=c" },
    { name: "id", in: "query", value: "1,2" },
    { name: "limit", in: "query", value: "" },
    { name: "If-Match", in: "header", value: '"1"' },
  ] as const;
  expect(callOf({ ...form, fields })).toEqual({
    method: "GET",
    url: "https://x.test/v1/pets/..%2Frate-limit%3Fx%23y?status=a%26b%3Dc&id=1,2",
    headers: { "If-Match": '"1"' },
  });
});

test("missing path parameters are named", () => {
  expect(missingIn({ ...form, fields: [] })).toEqual(["petId"]);
  expect(missingIn({ ...form, fields: [{ name: "petId", in: "path", value: "" }] })).toEqual([
    "petId",
  ]);
  expect(missingIn({ ...form, fields: [{ name: "petId", in: "path", value: "1" }] })).toEqual([]);
});

test("only invalid JSON is reported", () => {
  expect(faultOfJson('{"a":1}')).toBeUndefined();
  expect(faultOfJson('{"a":1')).toBeString();
});

test("rate limits are described as far as the response has them", () => {
  const headers = [
    ["X-RateLimit-Limit", "60"],
    ["x-ratelimit-remaining", "0"],
    ["X-RateLimit-Reset", "1100"],
    ["retry-after", "42"],
  ] as const;
  expect(limitWords(headers, 1_000)).toEqual([
    "0 of 60 requests remain",
    "resets in 2 min",
    "try again in 42 s",
  ]);
  expect(limitWords([], 1_000)).toEqual([]);
});

test.each([
  [-5, "0 s"],
  [0.2, "1 s"],
  [89, "89 s"],
  [90, "2 min"],
  [86_400, "24 h"],
])("%p seconds are %s", (seconds, words) => {
  expect(secondsWords(seconds)).toBe(words);
});

test.each([
  ['{"code":"not_found","message":"x","status":404}', "not_found"],
  ['{"code":"<img>"}', undefined],
  ['{"code":7}', undefined],
  ["null", undefined],
  ["<html>", undefined],
])("the code of the body %s is %p", (body, code) => {
  expect(codeIn(body)).toBe(code as string);
});

test("a request sends the key and no cookie, and returns the complete response", async () => {
  const seen: Headers[] = [];
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      seen.push(new Headers(request.headers));
      return Response.json({ id: 1 }, { status: 201, headers: { "X-RateLimit-Limit": "60" } });
    },
  });
  let now = 0;
  const outcome = await send(
    { method: "POST", url: `${server.url}v1/pets`, headers: { "X-A": "b" }, body: "{}" },
    { key: "pet_test_x", signal: new AbortController().signal, now: () => (now += 10) },
  );
  expect(outcome).toMatchObject({ kind: "answered", status: 201, text: '{"id":1}', ms: 10 });
  expect(seen[0]?.get("authorization")).toBe("Bearer pet_test_x");
  expect(seen[0]?.get("content-type")).toBe("application/json");
  expect(seen[0]?.get("x-a")).toBe("b");
  expect(seen[0]?.has("cookie")).toBe(false);
});

test("unsendable, unanswered and cancelled requests are distinguished", async () => {
  const { signal } = new AbortController();
  const asked = { key: "k", signal, now: () => 0 };
  const gone = await unusedAddress();
  const url = `http://127.0.0.1:${gone}/v1/pets`;
  expect(await send({ method: "GET", url, headers: { "X-A": "…" } }, asked)).toEqual({
    kind: "unsendable",
  });
  expect(await send({ method: "GET", url }, asked)).toEqual({ kind: "unreachable", ms: 0 });
  const stopped = { ...asked, signal: AbortSignal.abort() };
  expect(await send({ method: "GET", url }, stopped)).toEqual({ kind: "cancelled" });
});

/** Returns a port on which no server listens any more. */
async function unusedAddress(): Promise<number> {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const { port } = server;
  await server.stop(true);
  if (port === undefined) throw new Error("no port was given");
  return port;
}
