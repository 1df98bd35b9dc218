import { expect, test } from "bun:test";

import {
  createClient,
  PetstoreError,
  PetstoreUnreachable,
  type Pet,
} from "../../../lib/client/index.ts";
import { inTime, page, refusal, scene, turn } from "./scripted.ts";
import { newPet } from "../../../testing/shelter.ts";

const pet: Pet = { id: 7, ...newPet({ name: "Ada" }) };
const created = (): Response => Response.json(pet, { status: 201, headers: { etag: '"7-1"' } });

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

test("attempts at one creation share an idempotency key, and two creations have different ones", async () => {
  const { client, clock, sent } = scene([new Error("reset"), created]);
  expect(await inTime(clock, client.pets.create({ name: "Ada", categoryId: 1 }))).toEqual({
    ...pet,
    etag: '"7-1"',
  });
  await inTime(clock, client.pets.create({ name: "Ada", categoryId: 1 }));
  const keys = sent.map(({ request }) => request.headers.get("idempotency-key"));
  expect(keys[0]).toBe(keys[1] ?? "");
  expect(keys[0]).not.toBe(keys[2] ?? "");
  expect(sent.map(({ body }) => body)).toEqual(Array(3).fill('{"name":"Ada","categoryId":1}'));
});

test("a caller can set the idempotency key and the expected version", async () => {
  const { client, sent } = scene([created]);
  await client.pets.update(7, { name: "Bo" }, { idempotencyKey: "mine", ifMatch: '"7-1"' });
  const headers = sent[0]?.request.headers;
  expect([headers?.get("idempotency-key"), headers?.get("if-match")]).toEqual(["mine", '"7-1"']);
});

test("the last failure is thrown after all attempts", async () => {
  const { client, clock, sent } = scene([refusal(503, "unavailable", { "x-request-id": "r1" })]);
  const failure = await failureOf(inTime(clock, client.pets.list()));
  expect(failure).toBeInstanceOf(PetstoreError);
  expect(failure).toMatchObject({ code: "unavailable", status: 503, requestId: "r1" });
  expect(sent).toHaveLength(5);
});

test("a persistent network failure is reported with its cause", async () => {
  const { client, clock, sent } = scene([new Error("reset")], { attempts: 2 });
  const failure = await failureOf(inTime(clock, client.pets.list()));
  expect(failure).toBeInstanceOf(PetstoreUnreachable);
  expect(failure).toMatchObject({ cause: new Error("reset") });
  expect(sent).toHaveLength(2);
});

test("waits between attempts double up to their limit", async () => {
  const { client, clock, sent } = scene([new Error("reset")]);
  await failureOf(inTime(clock, client.pets.list()));
  const waits = sent.slice(1).map(({ at }, index) => at - (sent[index]?.at ?? 0));
  expect(waits.map((wait) => Math.ceil(wait / 500))).toEqual([1, 2, 4, 8]);
});

test("4xx refusals are not retried", async () => {
  const { client, sent } = scene([refusal(400, "invalid_value")]);
  const failure = await failureOf(client.pets.create({ name: "", categoryId: 1 }));
  expect(failure).toMatchObject({ code: "invalid_value", status: 400, message: "invalid_value." });
  expect(sent).toHaveLength(1);
});

test("a 500 is not retried, because its effect is unknown", async () => {
  const { client, sent } = scene([refusal(500, "internal_error")]);
  await failureOf(client.pets.list());
  expect(sent).toHaveLength(1);
});

test("an attempt that is still in progress elsewhere is awaited", async () => {
  const { client, clock, sent } = scene([refusal(409, "idempotency_in_progress"), created]);
  await inTime(clock, client.pets.create({ name: "Ada", categoryId: 1 }));
  expect(sent).toHaveLength(2);
});

test("a proxy's page is an unexpected response", async () => {
  const { client } = scene([new Response("<h1>Bad</h1>", { status: 418 })]);
  expect(await failureOf(client.pets.list())).toMatchObject({
    code: "unexpected_answer",
    status: 418,
  });
});

test("a redirect is not followed, because it could leak the key", async () => {
  const { client, sent } = scene([new Response(null, { status: 302, headers: { location: "/" } })]);
  expect(await failureOf(client.pets.list())).toMatchObject({ code: "unexpected_answer" });
  expect(sent[0]?.request.redirect).toBe("manual");
});

test("a deletion without a response succeeds if its retry finds nothing", async () => {
  const { client, clock } = scene([new Error("reset"), refusal(404, "not_found")]);
  expect(await inTime(clock, client.pets.delete(7))).toBeUndefined();
});

test("a deletion that finds nothing the first time is refused", async () => {
  const { client } = scene([refusal(404, "not_found")]);
  expect(await failureOf(client.pets.delete(7))).toMatchObject({ code: "not_found" });
});

test("an attempt that takes too long is abandoned and repeated", async () => {
  const { client, clock, sent } = scene([() => new Promise(() => {}), () => page(9)], {
    timeoutMs: 10_000,
  });
  expect(await inTime(clock, client.pets.list())).toEqual({ items: [] });
  expect(sent.map(({ at }) => Math.floor(at / 10_000))).toEqual([0, 1]);
  expect(sent[0]?.request.signal.aborted).toBe(true);
});

test("the caller's signal ends a request, a wait and a call that has not started", async () => {
  const reason = new Error("enough");
  const hanging = scene([() => new Promise(() => {})]);
  const waiting = scene([refusal(503, "unavailable", { "retry-after": "30" })]);
  for (const { client, sent } of [hanging, waiting]) {
    const leave = new AbortController();
    const call = failureOf(client.pets.list({}, { signal: leave.signal }));
    await turn();
    leave.abort(reason);
    expect(await call).toBe(reason);
    expect(sent).toHaveLength(1);
  }
  const late = scene([page(9)]);
  expect(await failureOf(late.client.pets.list({}, { signal: AbortSignal.abort(reason) }))).toBe(
    reason,
  );
});

test("creating a client fails without an http(s) address", () => {
  expect(() => scene([], { baseUrl: "ftp://pets.test" })).toThrow(TypeError);
  expect(() => scene([], { baseUrl: "pets.test/v1" })).toThrow(TypeError);
  const object = new URL("https://pets.test/v1") as unknown as string;
  expect(() => scene([], { baseUrl: object })).toThrow("baseUrl must be an address");
});

test("without a key, no Authorization is sent, so that the login of the host counts", async () => {
  const requests: Request[] = [];
  const { pets } = createClient({
    baseUrl: "https://pets.test/v1",
    fetch: (request) => {
      requests.push(request);
      return page(9);
    },
  });
  await pets.list();
  expect(requests.map(({ headers }) => headers.has("authorization"))).toEqual([false]);
});

test("creating a client fails with a malformed key, without revealing it", () => {
  // As JavaScript reads it from an environment without it.
  const missing = {} as { readonly key: string };
  for (const apiKey of ["", "two words", "line\nbreak", missing.key]) {
    expect(() => scene([], { apiKey })).toThrow(
      "the option apiKey must be the text of an API key.",
    );
  }
});

test("input that cannot be sent is thrown immediately, without a request", async () => {
  const { client, sent } = scene([created]);
  const failure = await failureOf(
    client.pets.create({ name: "Ada", categoryId: 1 }, { idempotencyKey: "line\nbreak" }),
  );
  expect(failure).toBeInstanceOf(TypeError);
  expect(sent).toHaveLength(0);
});

test("the key is sent with every request and never appears in a failure", async () => {
  const { client, clock, sent } = scene([new Error("reset")], { attempts: 1 });
  const failure = await failureOf(inTime(clock, client.pets.list()));
  expect(sent[0]?.request.headers.get("authorization")).toBe("Bearer secret");
  expect(Bun.inspect(failure)).not.toContain("secret");
});
