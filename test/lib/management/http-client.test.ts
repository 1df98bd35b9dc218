import { expect, test } from "bun:test";

import { managementClient, UnexpectedAnswer } from "../../../lib/management/http-client.ts";
import { rejection } from "../../helpers/rejection.ts";

interface Sent {
  readonly request: string;
  readonly body: string;
}

/** Returns a client whose requests are noted, and answered one after the other. */
function scripted(...answers: readonly Response[]) {
  const sent: Sent[] = [];
  const left = [...answers];
  const client = managementClient({
    base: "https://pets.example.org/manage/v1",
    send: async (request) => {
      const body = await request.text();
      sent.push({ request: `${request.method} ${request.url}`, body });
      return left.shift() ?? Response.json([]);
    },
  });
  return { client, sent };
}

const refusal = (status: number, code: string, message: string): Response =>
  Response.json({ code, message, status }, { status });

test("times are numbers in the client and text on the wire", async () => {
  const account = { id: "acc_1", name: "A", createdAt: "2026-11-20T09:30:00.000Z" };
  const { client, sent } = scripted(Response.json(account), Response.json([]));
  const read = await client.accounts.byId("acc_1");
  expect(read).toMatchObject({ ok: true, value: { createdAt: 1_795_167_000_000 } });
  const from = 1_795_167_000_000;
  await client.usage.read({ accountId: "acc_1", by: "day", from, to: from + 1, keyId: "k" });
  expect(sent[1]?.request).toBe(
    "GET https://pets.example.org/manage/v1/accounts/acc_1/usage?by=day&key=k&from=2026-11-20T09%3A30%3A00.000Z&to=2026-11-20T09%3A30%3A00.001Z",
  );
});

test("a refusal is the service's, with its Retry-After", async () => {
  const limited = refusal(429, "rate_limited", "Slow down.");
  limited.headers.set("retry-after", "7");
  const { client } = scripted(limited);
  expect(await client.projects.list()).toEqual({
    ok: false,
    failure: { code: "rate_limited", message: "Slow down.", retryAfterSeconds: 7 },
  });
});

test("an unknown code of a later version falls back to one for its status", async () => {
  const { client } = scripted(refusal(404, "gone_fishing", "Not here."), refusal(599, "odd", "?"));
  expect(await client.projects.byId("p")).toMatchObject({ failure: { code: "not_found" } });
  expect(await client.projects.byId("p")).toMatchObject({ failure: { code: "internal_error" } });
});

test.each([
  new Response("<h1>Bad Gateway</h1>", { status: 502 }),
  new Response("<h1>Welcome</h1>"),
  Response.json({ error: "nope" }, { status: 404 }),
])("what is not of the service is not taken for it", async (answer) => {
  const { client } = scripted(answer);
  const error = await rejection(client.accounts.byId("acc_1"));
  expect(error).toBeInstanceOf(UnexpectedAnswer);
  expect(error).toMatchObject({ status: answer.status });
});

test("a list is read to its last page, and the token is not sent to another origin", async () => {
  const first = Response.json([{ id: "prj_1" }], {
    headers: { link: '<https://elsewhere.example/x?after=prj_1&limit=1>; rel="next"' },
  });
  const { client, sent } = scripted(first, Response.json([{ id: "prj_2" }]));
  const listed = await client.projects.list("acc_1");
  expect(listed).toEqual({ ok: true, value: [{ id: "prj_1" }, { id: "prj_2" }] as never });
  expect(sent.map(({ request }) => request)).toEqual([
    "GET https://pets.example.org/manage/v1/accounts/acc_1/projects",
    "GET https://pets.example.org/manage/v1/accounts/acc_1/projects?after=prj_1&limit=1",
  ]);
});

test("a response that is not a list is an error", async () => {
  const { client } = scripted(Response.json({ items: [] }));
  expect(await rejection(client.projects.list())).toBeInstanceOf(UnexpectedAnswer);
});

test.each(["..", ".", "", "a/b", "a?b#c", "%2e%2e"])(
  "the id %p stays one path segment",
  async (id) => {
    const { client, sent } = scripted(Response.json({}));
    await client.projects.byId(id);
    const path = new URL(sent[0]?.request.slice("GET ".length) ?? "").pathname;
    expect(path).toMatch(/^\/manage\/v1\/projects\/[^/?#]+$/);
  },
);

test("a key given by its id alone is looked up first", async () => {
  const view = { id: "k1", accountId: "acc_1" };
  const { client, sent } = scripted(
    Response.json(view),
    Response.json({ ...view, key: "pet_live_x" }, { status: 201 }),
  );
  const rotated = await client.keys.rotate({ keyId: "k1", overlapMs: 5 });
  expect(rotated).toEqual({ ok: true, value: { view, token: "pet_live_x" } as never });
  expect(sent).toEqual([
    { request: "GET https://pets.example.org/manage/v1/keys/k1", body: "" },
    {
      request: "POST https://pets.example.org/manage/v1/accounts/acc_1/keys/k1/rotate",
      body: '{"overlapMs":5}',
    },
  ]);
});

test("an invisible key is refused before any change", async () => {
  const { client, sent } = scripted(refusal(404, "not_found", "There is no such API key."));
  expect(await client.keys.revoke("k1")).toMatchObject({ failure: { code: "not_found" } });
  expect(sent).toHaveLength(1);
});

test("a deletion returns nothing", async () => {
  const { client } = scripted(new Response(null, { status: 204 }));
  expect(await client.accounts.delete("acc_1")).toEqual({ ok: true, value: undefined });
});
