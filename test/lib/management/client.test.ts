import { expect, test } from "bun:test";

import { managementClient, UnexpectedAnswer } from "../../../lib/management/client.ts";
import { rejection } from "../../helpers/rejection.ts";

interface Sent {
  readonly request: string;
  readonly body: string;
}

/** A client that records its requests and gets the given responses in turn. */
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

test("times in an answer become numbers, and the query is sent unchanged", async () => {
  const account = { id: "acc_1", name: "A", createdAt: "2026-11-20T09:30:00.000Z" };
  const { client, sent } = scripted(Response.json(account), Response.json([]));
  const read = await client.call("GET /accounts/:account", { account: "acc_1" });
  expect(read).toMatchObject({ ok: true, value: { createdAt: 1_795_167_000_000 } });
  const query = { by: "day", key: "k", from: "2026-11-20T09:30:00Z", to: undefined } as const;
  await client.all("GET /accounts/:account/usage", { account: "acc_1", query });
  expect(sent[1]?.request).toBe(
    "GET https://pets.example.org/manage/v1/accounts/acc_1/usage?by=day&key=k&from=2026-11-20T09%3A30%3A00Z",
  );
});

test("a refusal has the service's code and message, and says when to retry", async () => {
  const limited = refusal(429, "rate_limited", "Slow down.");
  limited.headers.set("retry-after", "7");
  const { client } = scripted(limited);
  expect(await client.all("GET /projects")).toEqual({
    ok: false,
    failure: { code: "rate_limited", message: "Slow down.", retryAfterSeconds: 7 },
  });
});

test("a code of a later version becomes a known one with the same status", async () => {
  const { client } = scripted(refusal(404, "gone_fishing", "Not here."), refusal(599, "odd", "?"));
  const read = () => client.call("GET /projects/:project", { project: "p" });
  expect(await read()).toMatchObject({ failure: { code: "not_found" } });
  expect(await read()).toMatchObject({ failure: { code: "internal_error" } });
});

test.each([
  new Response("<h1>Bad Gateway</h1>", { status: 502 }),
  new Response("<h1>Welcome</h1>"),
  Response.json({ error: "nope" }, { status: 404 }),
])("an answer of another server rejects", async (answer) => {
  const { client } = scripted(answer);
  const error = await rejection(client.call("GET /accounts/:account", { account: "acc_1" }));
  expect(error).toBeInstanceOf(UnexpectedAnswer);
  expect(error).toMatchObject({ status: answer.status });
});

test("a list is read to its last page, and requests stay at the configured address", async () => {
  const first = Response.json([{ id: "prj_1" }], {
    headers: { link: '<https://elsewhere.example/x?after=prj_1&limit=1>; rel="next"' },
  });
  const { client, sent } = scripted(first, Response.json([{ id: "prj_2" }]));
  const listed = await client.all("GET /accounts/:account/projects", { account: "acc_1" });
  expect(listed).toEqual({ ok: true, value: [{ id: "prj_1" }, { id: "prj_2" }] as never });
  expect(sent.map(({ request }) => request)).toEqual([
    "GET https://pets.example.org/manage/v1/accounts/acc_1/projects",
    "GET https://pets.example.org/manage/v1/accounts/acc_1/projects?after=prj_1&limit=1",
  ]);
});

test("an answer that is not a list rejects", async () => {
  const { client } = scripted(Response.json({ items: [] }));
  expect(await rejection(client.all("GET /projects"))).toBeInstanceOf(UnexpectedAnswer);
});

test.each(["..", ".", "", "a/b", "a?b#c", "%2e%2e"])(
  "the ID %p stays one path segment",
  async (id) => {
    const { client, sent } = scripted(Response.json({}));
    await client.call("GET /projects/:project", { project: id });
    const path = new URL(sent[0]?.request.slice("GET ".length) ?? "").pathname;
    expect(path).toMatch(/^\/manage\/v1\/projects\/[^/?#]+$/);
  },
);

test("an answer without a body has the value undefined", async () => {
  const { client } = scripted(new Response(null, { status: 204 }));
  expect(await client.call("DELETE /accounts/:account", { account: "acc_1" })).toEqual({
    ok: true,
    value: undefined,
  });
});
