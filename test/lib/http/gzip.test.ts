import { expect, test } from "bun:test";

import { BASE, openOffice, principal } from "../../helpers/management.ts";
import { must } from "../../helpers/outcome.ts";

const GZIP = { "accept-encoding": "br, gzip;q=0.8" };

async function shelter() {
  const { petstore, ask } = await openOffice();
  const issued = must(await petstore.client.keys.create({ name: "website" }));
  const authorization = `Bearer ${issued.token}`;
  const api = async (path: string, headers: Record<string, string> = {}, init?: RequestInit) =>
    petstore.fetch(
      new Request(`${BASE}/v1${path}`, { ...init, headers: { authorization, ...headers } }),
    );
  const add = async (name: string): Promise<Response> =>
    api(
      "/pets",
      { ...GZIP, "content-type": "application/json" },
      {
        method: "POST",
        body: JSON.stringify({ name, categoryId: 1 }),
      },
    );
  const manage = (path: string, headers: Record<string, string> = {}, init?: RequestInit) =>
    ask(new Request(`${BASE}/manage/v1${path}`, { ...init, headers }), principal("operator"));
  return { api, add, manage, accountId: issued.view.accountId };
}

const unpacked = async (response: Response): Promise<string> =>
  new TextDecoder().decode(Bun.gunzipSync(await response.arrayBuffer()));

test("a list is compressed for a client that accepts gzip, with the same content", async () => {
  const { api, add } = await shelter();
  for (let pet = 0; pet < 30; pet++) await add(`Rex the ${pet}th`);
  const plain = await api("/pets?limit=100");
  expect(plain.headers.get("content-encoding")).toBeNull();
  expect(plain.headers.get("vary")).toContain("Accept-Encoding");
  const list = await plain.text();
  // The second response comes from the cache, the third reuses headers too.
  for (let time = 0; time < 3; time++) {
    const packed = await api("/pets?limit=100", GZIP);
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect(packed.headers.get("vary")).toContain("Accept-Encoding");
    expect(packed.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(packed.headers.get("x-ratelimit-limit")).not.toBeNull();
    expect(await unpacked(packed)).toBe(list);
    const etag = packed.headers.get("etag") ?? "";
    expect(etag).toStartWith("W/");
    const again = await api("/pets?limit=100", { ...GZIP, "if-none-match": etag });
    expect([again.status, again.headers.get("content-encoding")]).toEqual([304, null]);
  }
  await add("Tom");
  expect(await unpacked(await api("/pets?limit=100", GZIP))).toContain("Tom");
});

test.each(["gzip;q=0", "identity", "br", "gzip;q=0.5, identity"])(
  "a client that sends %p gets an uncompressed response",
  async (header) => {
    const { api, add } = await shelter();
    for (let pet = 0; pet < 30; pet++) await add(`Rex the ${pet}th`);
    const answer = await api("/pets?limit=100", { "accept-encoding": header });
    expect(answer.headers.get("content-encoding")).toBeNull();
  },
);

test("a single animal is uncompressed and keeps the strong ETag that If-Match needs", async () => {
  const { api, add } = await shelter();
  // The longest name: 120 code points of four bytes.
  const created = await add("🐕".repeat(120));
  expect([created.status, created.headers.get("content-encoding")]).toEqual([201, null]);
  const found = await api("/pets?id=1", GZIP);
  expect(found.headers.get("content-encoding")).toBeNull();
  expect(found.headers.get("etag")).toMatch(/^"/);
});

test("both OpenAPI documents are compressed, and nothing else of the management API", async () => {
  const { api, add, manage, accountId } = await shelter();
  for (const ask of [api, manage]) {
    const plain = await ask("/openapi.json");
    const packed = await ask("/openapi.json", GZIP);
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    const text = await plain.text();
    expect(await unpacked(packed)).toBe(text);
    const etag = packed.headers.get("etag") ?? "";
    expect((await ask("/openapi.json", { ...GZIP, "if-none-match": etag })).status).toBe(304);
  }
  // Cookies, secrets and reflected input, which a compressed length could reveal (BREACH).
  for (let pet = 0; pet < 30; pet++) await add(`Rex the ${pet}th`);
  const pets = await manage(`/accounts/${accountId}/production/pets?limit=100`, GZIP);
  expect([pets.status, pets.headers.get("content-encoding")]).toEqual([200, null]);
  expect((await pets.text()).length).toBeGreaterThan(2_000);
});

test("HEAD describes the body that GET would return", async () => {
  const { api, add, manage } = await shelter();
  for (let pet = 0; pet < 30; pet++) await add(`Rex the ${pet}th`);
  for (const path of ["/openapi.json", "/pets?limit=100"]) {
    for (const [headers, encoding] of [
      [GZIP, "gzip"],
      [{}, null],
    ] as const) {
      const body = await (await api(path, headers)).arrayBuffer();
      const head = await api(path, headers, { method: "HEAD" });
      expect(head.headers.get("content-encoding")).toBe(encoding);
      expect(head.headers.get("content-length")).toBe(String(body.byteLength));
      expect(await head.text()).toBe("");
    }
  }
  const packed = await (await manage("/openapi.json", GZIP)).arrayBuffer();
  const head = await manage("/openapi.json", GZIP, { method: "HEAD" });
  expect(head.headers.get("content-length")).toBe(String(packed.byteLength));
});

test("an error is uncompressed", async () => {
  const { api } = await shelter();
  const missing = await api(`/${"x".repeat(2_000)}`, GZIP);
  expect([missing.status, missing.headers.get("content-encoding")]).toEqual([404, null]);
});
