import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";

import { problems } from "../../lib/base/problem.ts";
import { memoryStore } from "../../lib/storage/memory.ts";
import { addPets, expectProblem, links, type ErrorBody } from "../conformance/expect.ts";
import { inProcess } from "../conformance/in-process.ts";
import type { Api, Reply } from "../helpers/api.ts";
import { runSeed, torture } from "../helpers/chance.ts";
import { anyCharacter } from "../helpers/any-character.ts";

const runs = { seed: runSeed, numRuns: torture ? 20_000 : 400 };

async function fresh(): Promise<{ readonly api: Api; readonly close: () => Promise<void> }> {
  const { env, close } = inProcess(memoryStore());
  const { api } = await env.account();
  await addPets(api, 4);
  return { api, close };
}

/** Fails if the response is a server error, or a refusal without its body. */
function expectSound(reply: Reply<unknown>, method = "GET"): void {
  const { status, headers, text } = reply;
  expect(status).toBeLessThan(500);
  expect(headers.get("x-ratelimit-remaining")).toMatch(/^\d+$/);
  expect(headers.get("x-request-id")).toMatch(/^[\w-]{8,64}$/);
  if (status < 400) return;
  if (method === "HEAD") {
    expect(text).toBe("");
    return;
  }
  const body = reply.body as ErrorBody;
  expect(problems[body.code].status).toBe(status as 400);
  expect(body.status).toBe(status);
  expect(body.message).not.toMatch(/\p{Cc}|undefined|\[object|Error:/u);
}

const paths = [
  "/v1/pets",
  "/v1/pets/1",
  "/v1/pets/1/restore",
  "/v1/categories",
  "/v1/categories/1",
  "/v1/store/orders",
  "/v1/rate-limit",
  "/v1/openapi.json",
] as const;
const methods = ["GET", "HEAD", "POST", "PATCH", "DELETE", "PUT", "OPTIONS"] as const;
const queryNames = ["limit", "status", "categoryId", "id", "sort", "cursor", "count", "petId"];

/** Visible ASCII, inner white space and Latin-1: the allowed characters of a header. */
const headerText = fc
  .array(
    fc.oneof(
      { arbitrary: fc.integer({ min: 0x21, max: 0x7e }), weight: 8 },
      { arbitrary: fc.constantFrom(0x20, 0x09), weight: 1 },
      { arbitrary: fc.integer({ min: 0xa0, max: 0xff }), weight: 1 },
    ),
    { maxLength: 120 },
  )
  .map((codes) => String.fromCharCode(...codes).trim());

const headerNames = [
  "accept",
  "authorization",
  "content-encoding",
  "content-length",
  "content-type",
  "host",
  "idempotency-key",
  "if-match",
  "if-none-match",
  "origin",
  "range",
  "transfer-encoding",
  "x-forwarded-for",
  "x-request-id",
] as const;

describe("every response is valid, whatever is sent:", () => {
  test("any path", async () => {
    const { api, close } = await fresh();
    const path = fc.oneof(
      fc.webPath().map((text) => `/v1${text}`),
      fc.tuple(fc.constantFrom(...paths), fc.string({ unit: anyCharacter, maxLength: 20 })).map(
        // As URL serializes it: other characters are percent-encoded.
        ([path, tail]) => path + tail.toWellFormed().replaceAll(/[?#]/g, ""),
      ),
      fc.tuple(fc.constantFrom(...paths), fc.webSegment()).map(([path, tail]) => `${path}/${tail}`),
      fc.constantFrom(
        "/v1/pets/%",
        "/v1/pets/%zz",
        "/v1/pets/%00",
        "/v1/%e0%a4%a",
        "/v1/pets/..;/1",
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...methods), path, async (method, path) => {
        expectSound(await api.raw(method, path), method);
      }),
      runs,
    );
    await close();
  });

  test("any query", async () => {
    const { api, close } = await fresh();
    const name = fc.oneof(fc.constantFrom(...queryNames), fc.string({ maxLength: 12 }));
    const value = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 30 }),
      fc.maxSafeInteger().map(String),
      fc.constantFrom("%", "%ff", "+", "&", "=", "1,2,3", "-id", "true", "\u0000"),
    );
    const query = fc.array(fc.tuple(name, value, fc.boolean()), { maxLength: 6 }).map((pairs) =>
      pairs
        .map(([key, text, encoded]) =>
          encoded
            ? `${encodeURIComponent(key.toWellFormed())}=${encodeURIComponent(text.toWellFormed())}`
            : `${key}=${text}`,
        )
        .join("&")
        .toWellFormed(),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), query, async (path, query) => {
        expectSound(await api.get(`${path}?${query}`));
      }),
      runs,
    );
    await close();
  });

  test("any headers", async () => {
    const { api, close } = await fresh();
    const headers = fc
      .dictionary(fc.constantFrom(...headerNames), headerText, { maxKeys: 5 })
      .map((some) => ({ ...some }));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...methods),
        fc.constantFrom(...paths),
        headers,
        async (method, path, headers) => {
          const body = method === "POST" || method === "PATCH" ? { body: '{"name":"Rex"}' } : {};
          expectSound(await api.raw(method, path, { headers, ...body }), method);
        },
      ),
      runs,
    );
    await close();
  });

  test("any body", async () => {
    const { api, close } = await fresh();
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.json().map((text) => new TextEncoder().encode(text)),
      fc
        .tuple(fc.json({ maxDepth: 3 }), fc.nat(200), fc.nat(255))
        .map(([text, place, byte]) =>
          new TextEncoder().encode(text).with(place % text.length, byte),
        ),
      fc
        .record({
          name: fc.oneof(
            fc.string({ unit: anyCharacter }),
            fc.anything().filter((x) => x !== undefined),
          ),
          categoryId: fc.oneof(fc.integer(), fc.double(), fc.string()),
        })
        .map((value) => {
          try {
            return new TextEncoder().encode(JSON.stringify(value));
          } catch {
            // Values that JSON cannot represent, such as a bigint.
            return new Uint8Array();
          }
        }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(
          ["POST", "/v1/pets"],
          ["PATCH", "/v1/pets/1"],
          ["POST", "/v1/categories"],
          ["PATCH", "/v1/categories/1"],
        ),
        bytes,
        async ([method = "", path = ""], bytes) => {
          const headers = { "content-type": "application/json" };
          const body = new Uint8Array(bytes);
          expectSound(await api.raw(method, path, { headers, body }));
        },
      ),
      runs,
    );
    expect((await api.get<unknown[]>("/v1/pets")).status).toBe(200);
    await close();
  });

  test("any key", async () => {
    const { env, close } = inProcess(memoryStore());
    const { token } = await env.account();
    const key = fc.oneof(
      headerText,
      fc
        .tuple(fc.nat(token.length - 1), fc.constantFrom("A", "b", "0", "_", "-"))
        .map(([place, letter]) => token.slice(0, place) + letter + token.slice(place + 1)),
      fc.nat(token.length).map((length) => token.slice(0, length)),
    );
    let count = 0;
    await fc.assert(
      fc.asyncProperty(key, async (key) => {
        // Each from another address, because an address may fail 60 times.
        const address = `2001:db8:${(count++).toString(16)}::1`;
        const reply = await env.from(address).as(key).get("/v1/pets");
        expectSound(reply);
        expect(reply.status).toBe(key === token ? 200 : 401);
      }),
      runs,
    );
    await close();
  });

  test("any cursor: only issued ones are accepted", async () => {
    const { api, close } = await fresh();
    const { next } = links(await api.get("/v1/pets?limit=1"));
    const given = new URL(next ?? "").searchParams.get("cursor") ?? "";
    const cursor = fc.oneof(
      fc
        .string({ unit: anyCharacter, minLength: 1, maxLength: 40 })
        .map((text) => text.toWellFormed()),
      fc
        .tuple(fc.nat(given.length - 1), fc.constantFrom("a", "0", "n", "p", ".", "_"))
        .map(([place, letter]) => given.slice(0, place) + letter + given.slice(place + 1)),
      fc.nat({ max: 2 ** 31 }).map((id) => `n${id.toString(36)}.${given.split(".")[1] ?? ""}`),
    );
    await fc.assert(
      fc.asyncProperty(cursor, async (cursor) => {
        const reply = await api.get(`/v1/pets?limit=1&cursor=${encodeURIComponent(cursor)}`);
        if (cursor === given) expect(reply.status).toBe(200);
        else expectProblem(reply, "invalid_cursor");
      }),
      runs,
    );
    await close();
  });

  test("several of these at once", async () => {
    const { api, close } = await fresh();
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            method: fc.constantFrom("POST", "PATCH", "DELETE", "GET"),
            path: fc.constantFrom("/v1/pets", "/v1/pets/1", "/v1/pets/2", "/v1/pets/1/restore"),
            body: fc.constantFrom(
              '{"name":"Rex","categoryId":1}',
              '{"status":"sold"}',
              '{"status":"available"}',
              "{",
            ),
            key: fc.constantFrom("a", "b"),
          }),
          { minLength: 2, maxLength: 12 },
        ),
        async (all) => {
          const replies = await Promise.all(
            all.map(({ method, path, body, key }) =>
              api.raw(method, path, {
                headers: { "content-type": "application/json", "idempotency-key": key },
                ...(method === "POST" || method === "PATCH" ? { body } : {}),
              }),
            ),
          );
          for (const reply of replies) expectSound(reply);
        },
      ),
      { ...runs, numRuns: Math.ceil(runs.numRuns / 8) },
    );
    await close();
  });
});

describe("hostile input is refused without losing data:", () => {
  test("an endless body is refused at 64 KiB, and its sender is stopped four megabytes later", async () => {
    const { api, close } = await fresh();
    let sent = 0;
    const cancelled = Promise.withResolvers<void>();
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += 1_024;
        controller.enqueue(new Uint8Array(1_024).fill(0x20));
      },
      cancel: () => cancelled.resolve(),
    });
    const headers = { "content-type": "application/json" };
    expectProblem(await api.raw("POST", "/v1/pets", { headers, body }), "payload_too_large");
    await cancelled.promise;
    // The rest after 64 KiB is discarded unread; hosts would close the connection first.
    expect(sent).toBeGreaterThan(4_096 * 1_024);
    expect(sent).toBeLessThan(4_300 * 1_024);
    await close();
  });

  test("an interrupted body is refused and is not a server error", async () => {
    const { api, close } = await fresh();
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"name":')),
      pull: (controller) => controller.error(new Error("connection reset")),
    });
    const headers = { "content-type": "application/json" };
    expectProblem(await api.raw("POST", "/v1/pets", { headers, body }), "invalid_json");
    await close();
  });

  test("afterwards all data still exists", async () => {
    const { api, close } = await fresh();
    const before = (await api.get("/v1/pets")).text;
    const headers = { "content-type": "application/json" };
    for (const body of [
      "",
      "{",
      "[]",
      "null",
      '{"name":"Rex","name":"Rex","categoryId":1}',
      '{"name":"Rex","categoryId":9007199254740992}',
      '{"name":"Rex","categoryId":1,"__proto__":{}}',
      '{"name":"R\\u0000x","categoryId":1}',
      '{"name":"\\ud800","categoryId":1}',
      '{"name":"Rex","categoryId":77}',
      " ".repeat(1_048_576),
      "[".repeat(60_000),
    ]) {
      const post = await api.raw("POST", "/v1/pets", { headers, body });
      expect(post.status).toBeWithin(400, 414);
      const patch = await api.raw("PATCH", "/v1/pets/1", { headers, body });
      expect(patch.status).toBeWithin(400, 414);
    }
    expect((await api.get("/v1/pets")).text).toBe(before);
    await close();
  });
});
