import { expect, test } from "bun:test";

import { fetchHandler, type FetchHandlerOptions } from "../../adapters/fetch.ts";
import { createPetstore } from "../../lib/index.ts";
import { memoryStore } from "../../lib/storage/memory.ts";

const petstore = createPetstore({ store: memoryStore() });
const issued = await petstore.client.keys.create({ name: "test" });
const token = issued.ok ? issued.value.token : "";

/** Returns the first page's address in the response to `url` with these headers. */
async function firstPage(
  url: string,
  headers: Readonly<Record<string, string>>,
  options?: FetchHandlerOptions,
): Promise<string | undefined> {
  const request = new Request(url, { headers: { authorization: `Bearer ${token}`, ...headers } });
  const answer = await fetchHandler(petstore, options)(request);
  return /<([^>]*)>; rel="first"/.exec(answer.headers.get("link") ?? "")?.[1];
}

const forwarded = {
  host: "inside:3000",
  "x-forwarded-host": "evil.test, pets.example.org:8443",
  "x-forwarded-proto": "https",
};

test.each([
  ["the Host header", { host: "pets.example.org:8443" }, {}, "http://pets.example.org:8443"],
  ["the URL where there is none", {}, {}, "http://localhost:3000"],
  ["the URL where it is none", { host: "a b/c@d" }, {}, "http://localhost:3000"],
  ["what it was sent, when no proxy is trusted", forwarded, {}, "http://inside:3000"],
  ["a trusted proxy", forwarded, { trustProxy: true }, "https://pets.example.org:8443"],
] as const)("the origin of links comes from %s", async (_name, headers, options, origin) => {
  const at = (path: string): string => `http://localhost:3000${path}`;
  expect(await firstPage(at("/v1/pets"), headers, options)).toBe(`${origin}/v1/pets`);
  const mounted = { ...options, prefix: "/api" };
  expect(await firstPage(at("/api/v1/pets"), headers, mounted)).toBe(`${origin}/api/v1/pets`);
  // The host removed the mount.
  expect(await firstPage(at("/v1/pets"), headers, mounted)).toBe(`${origin}/api/v1/pets`);
});

test("the OpenAPI document contains the mount, whether or not the host leaves it in the URL", async () => {
  const handle = fetchHandler(petstore, { prefix: "/api" });
  for (const path of ["/api/v1/openapi.json", "/v1/openapi.json"]) {
    const answer = await handle(new Request(`http://localhost${path}`));
    const { servers }: { servers: unknown } = await answer.json();
    expect(servers).toEqual([{ url: "/api/v1", description: "Production" }]);
  }
});

test("a path below neither the mount nor /v1 is not found", async () => {
  const handle = fetchHandler(petstore, { prefix: "/api" });
  expect((await handle(new Request("http://localhost/other/v1/pets"))).status).toBe(404);
});

test("documents stay correct, however many mounts callers invent", async () => {
  for (let city = 0; city < 40; city++) {
    const request = new Request(`http://localhost/of/${city}/v1/openapi.json`);
    const answer = await petstore.fetch(request, { prefix: `/of/${city}` });
    const { servers }: { servers: unknown } = await answer.json();
    expect(servers).toEqual([{ url: `/of/${city}/v1`, description: "Production" }]);
  }
});

test("an environment's address can be set", async () => {
  const staging = createPetstore({
    store: memoryStore(),
    environment: "staging",
    prefix: "/staging",
    servers: { production: "https://pets.example.org/v1" },
  });
  const answer = await staging.fetch(new Request("http://localhost/staging/v1/openapi.json"));
  const { servers }: { servers: unknown } = await answer.json();
  expect(servers).toEqual([
    { url: "https://pets.example.org/v1", description: "Production" },
    { url: "/staging/v1", description: "Staging" },
  ]);
});
