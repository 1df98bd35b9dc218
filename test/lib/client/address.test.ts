import { describe, expect, test } from "bun:test";

import { createClient, PetstoreError, PetstoreUnreachable } from "../../../lib/client/index.ts";
import { openOffice } from "../../helpers/management.ts";
import { must } from "../../helpers/outcome.ts";
import { inTime, refusal, scene } from "./scripted.ts";

async function messageOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => "no failure",
    (error: unknown) =>
      error instanceof PetstoreError || error instanceof PetstoreUnreachable
        ? error.message
        : `not a failure of the client: ${String(error)}`,
  );
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => "no failure",
    (error: unknown) => (error instanceof PetstoreError ? error.code : String(error)),
  );
}

const page = (status: number): Response =>
  new Response("<h1>Hello</h1>", { status, headers: { "content-type": "text/html" } });
const likely = (address: string): string => ` Should baseUrl be ${address}?`;

describe("a host that does not know the path", () => {
  test.each([
    ["https://pets.test", "https://pets.test/v1"],
    ["https://pets.test/", "https://pets.test/v1"],
    ["https://pets.test/shelter", "https://pets.test/shelter/v1"],
    ["https://pets.test/v1/pets", "https://pets.test/v1"],
    ["https://pets.test/shelter/v1/openapi.json", "https://pets.test/shelter/v1"],
    ["https://pets.test/manage/v1", "https://pets.test/v1"],
    ["https://pets.test/shelter/manage/v1/accounts", "https://pets.test/shelter/v1"],
  ])("for %s, the message names %s", async (baseUrl, meant) => {
    for (const status of [404, 405, 401, 200]) {
      const { client, sent } = scene([page(status)], { baseUrl });
      const expected = `The response (HTTP ${status}) is not from the service.${likely(meant)}`;
      expect(await messageOf(client.pets.list())).toBe(expected);
      expect(sent).toHaveLength(1);
    }
  });

  test.each(["https://pets.test/v1", "https://pets.test/v1/", "https://pets.test/v1/shelter/v1"])(
    "for %s, it names no other address",
    async (baseUrl) => {
      const { client } = scene([page(404)], { baseUrl });
      expect(await messageOf(client.pets.list())).toBe(
        "The response (HTTP 404) is not from the service.",
      );
    },
  );

  test("an address that answered once is right, whatever it ends with", async () => {
    const { client } = scene([Response.json([]), refusal(404, "not_found")], {
      baseUrl: "https://pets.test/behind-a-proxy",
    });
    await client.pets.list();
    expect(await messageOf(client.pets.restore(7))).toBe("not_found.");
  });

  test("one that does not respond is named too", async () => {
    const { client, clock } = scene([new Error("no CORS")], { baseUrl: "https://pets.test" });
    expect(await messageOf(inTime(clock, client.pets.list()))).toBe(
      `The service could not be reached.${likely("https://pets.test/v1")}`,
    );
  });
});

describe("the service itself, at a wrong address", () => {
  test.each(["", "/v1/pets", "/v1/categories", "/manage", "/manage/v1"])(
    "says where the API is: %j",
    async (path) => {
      const { petstore, management, clock } = await openOffice();
      const { token } = must(await petstore.client.keys.create({}));
      const client = createClient({
        baseUrl: `https://pets.test${path}`,
        apiKey: token,
        clock,
        fetch: (request) =>
          path.startsWith("/manage") ? management.fetch(request) : petstore.fetch(request),
      });
      for (const call of [
        () => client.pets.list(),
        () => client.pets.get(1),
        () => client.pets.create({ name: "Rex", categoryId: 1 }),
        () => client.categories.get(1),
        () => client.rateLimit(),
      ]) {
        expect(await messageOf(call())).toEndWith(likely("https://pets.test/v1"));
      }
    },
  );
});

describe("a page for every address", () => {
  test("is not a list, nor an animal, nor a deletion", async () => {
    const json = Response.json({ ok: true });
    for (const line of [page(200), json, new Response(null, { status: 204 })]) {
      expect(await codeOf(scene([line]).client.pets.list())).toBe("unexpected_answer");
    }
    const { client } = scene([page(200)]);
    expect(await codeOf(client.pets.update(1, { name: "Bo" }))).toBe("unexpected_answer");
    expect(await codeOf(client.pets.delete(1))).toBe("unexpected_answer");
  });

  test("is no proof that a repeated deletion took effect", async () => {
    const { client, clock } = scene([new Error("reset"), page(404)]);
    expect(await codeOf(inTime(clock, client.pets.delete(7)))).toBe("unexpected_answer");
  });
});

test("the message about a redirect names its target, which browsers hide", async () => {
  const headers = { location: "https://pets.test/v1/pets" };
  for (const [line, where] of [
    [new Response(null, { status: 308, headers }), "https://pets.test/v1/pets"],
    [Response.error(), "another address"],
  ] as const) {
    const { client } = scene([line], { baseUrl: "http://pets.test/v1" });
    expect(await messageOf(client.pets.list())).toBe(`The server redirects to ${where}.`);
  }
});

test.each([
  "https://pets.test/v1?key=1",
  "https://pets.test/v1#pets",
  "https://ada:hunter2@pets.test/v1",
])(
  "an address with a query, a fragment or a password is refused without showing it: %s",
  (baseUrl) => {
    const make = (): unknown => scene([], { baseUrl });
    expect(make).toThrow(TypeError);
    expect(make).toThrow("must be an address such as https://pets.example.org/v1.");
  },
);
