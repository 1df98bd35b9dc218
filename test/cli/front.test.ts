import { expect, test } from "bun:test";

import { forwarded } from "../../cli/forwarded.ts";
import { createFront, type Readiness } from "../../cli/front.ts";
import { hostsOf } from "../../cli/hosts.ts";
import type { Environment, FetchContext, Petstore } from "../../lib/index.ts";

interface Seen {
  readonly environment: Environment;
  readonly address: string | undefined;
  readonly origin: string | undefined;
}

function front({
  baseDomain = "localhost",
  trusted,
  readiness = "ready",
}: {
  readonly baseDomain?: string;
  readonly trusted?: (address: string) => boolean;
  readonly readiness?: Readiness;
} = {}) {
  const seen: Seen[] = [];
  const petstore = (environment: Environment): Petstore => {
    const fetch = (_request: Request, { address, origin }: FetchContext = {}): Response => {
      const known = typeof address === "function" ? address() : address;
      seen.push({ environment, address: known, origin });
      return new Response("from the API");
    };
    return { fetch } as unknown as Petstore;
  };
  const made = createFront({
    petstores: { production: petstore("production"), staging: petstore("staging") },
    baseDomain,
    trusted,
    ready: async () => readiness,
  });
  const ask = (
    url: string,
    {
      listener = "production",
      headers = {},
      from = "192.0.2.1",
      method = "GET",
    }: {
      readonly listener?: Environment;
      readonly headers?: Record<string, string>;
      readonly from?: string;
      readonly method?: string;
    } = {},
  ) =>
    Promise.resolve(
      made.handle(listener, new Request(url, { headers, method }), {
        requestIP: () => ({ address: from }),
      }),
    );
  return { ask, seen, drain: () => made.drain() };
}

test.each([
  ["localhost", "http://anything.test:8080", "production", "production"],
  ["localhost", "http://127.0.0.1:8080", "production", "production"],
  ["localhost", "http://staging.localhost:8080", "production", "staging"],
  ["localhost", "http://localhost:8081", "staging", "staging"],
  ["192.0.2.5", "http://192.0.2.5", "production", "production"],
  ["pets.example.org", "http://pets.example.org", "production", "production"],
  ["pets.example.org", "http://PETS.example.org.:8080", "production", "production"],
  ["pets.example.org", "http://staging.pets.example.org", "production", "staging"],
  ["pets.example.org", "http://pets.example.org:8081", "staging", "staging"],
] as const)(
  "with base domain %s, %s on the %s listener is %s",
  async (baseDomain, origin, listener, environment) => {
    const { ask, seen } = front({ baseDomain });
    expect(await (await ask(`${origin}/v1/pets?limit=1`, { listener })).text()).toBe(
      "from the API",
    );
    expect(seen.map((one) => one.environment)).toEqual([environment]);
  },
);

test.each([
  "http://other.example.org/v1/pets",
  "http://x.pets.example.org/v1/pets",
  "http://staging.staging.pets.example.org/v1/pets",
  "http://127.0.0.1/v1/pets",
  "http://[::1]:8080/v1/pets",
  "http://pets.example.org/",
  "http://pets.example.org/v10/pets",
  "http://pets.example.org/v",
  "http://pets.example.org/livez/",
  "http://pets.example.org/readyzz",
  "http://pets.example.org/metrics",
  "http://pets.example.org/petstore.db",
])("%s is the page that tells nothing", async (url) => {
  const { ask, seen } = front({ baseDomain: "pets.example.org" });
  const answer = await ask(url);
  expect(answer.status).toBe(404);
  expect(answer.headers.get("content-security-policy")).toBe("default-src 'none'");
  expect(await answer.text()).not.toMatch(/petstore|example|bun|v1/i);
  expect(seen).toEqual([]);
});

test.each(["/v1", "/v1/", "/v1?x=1", "/v1/nothing"])("%s is the API's to answer", async (path) => {
  const { ask } = front();
  expect(await (await ask(`http://localhost${path}`)).text()).toBe("from the API");
});

test("the state is told on any host, in a word", async () => {
  const { ask } = front({ baseDomain: "pets.example.org" });
  const live = await ask("http://10.0.0.1/livez?x");
  const ready = await ask("http://10.0.0.1/readyz");
  expect([live.status, await live.text()]).toEqual([200, "alive\n"]);
  expect([ready.status, await ready.text()]).toEqual([200, "ready\n"]);
  expect((await ask("http://10.0.0.1/livez", { method: "POST" })).status).toBe(404);
});

test("a store that takes no writes is not ready, but alive", async () => {
  const { ask } = front({ readiness: "unavailable" });
  expect((await ask("http://x/readyz")).status).toBe(503);
  expect((await ask("http://x/livez")).status).toBe(200);
});

test("who drains is not ready, and tells clients to take another connection", async () => {
  const { ask, drain } = front();
  expect((await ask("http://x/v1/pets")).headers.get("connection")).toBeNull();
  drain();
  const ready = await ask("http://x/readyz");
  expect([ready.status, await ready.text()]).toEqual([503, "draining\n"]);
  expect((await ask("http://x/v1/pets")).headers.get("connection")).toBe("close");
});

const proxies = (address: string): boolean => address.startsWith("10.");

test("a proxy that is trusted says who the client is and what it asked for", async () => {
  const { ask, seen } = front({ baseDomain: "pets.example.org", trusted: proxies });
  await ask("http://internal:8080/v1/pets", {
    from: "10.0.0.1",
    headers: {
      "x-forwarded-for": "198.51.100.9",
      "x-forwarded-proto": "https",
      "x-forwarded-host": "pets.example.org",
    },
  });
  expect(seen).toEqual([
    { environment: "production", address: "198.51.100.9", origin: "https://pets.example.org" },
  ]);
});

test("anybody else's forwarding headers are nothing", async () => {
  const { ask, seen } = front({ trusted: proxies });
  await ask("http://localhost/v1/pets", {
    from: "203.0.113.5",
    headers: { "x-forwarded-for": "198.51.100.9", "x-forwarded-host": "evil.test" },
  });
  expect(seen).toEqual([{ environment: "production", address: "203.0.113.5", origin: undefined }]);
});

test.each([
  ["198.51.100.9", "198.51.100.9"],
  ["1.1.1.1, 198.51.100.9", "198.51.100.9"],
  ["1.1.1.1, 198.51.100.9, 10.0.0.2", "198.51.100.9"],
  ["10.0.0.3, 10.0.0.2", "10.0.0.3"],
  ["198.51.100.9:4711", "198.51.100.9"],
  ["[2001:db8::1]:4711", "2001:db8::1"],
  ["2001:db8::1", "2001:db8::1"],
  ["", "10.0.0.1"],
])("of X-Forwarded-For %p the client is %s", (list, client) => {
  const headers = new Headers({ "x-forwarded-for": list });
  expect(forwarded(headers, "10.0.0.1", proxies)?.address).toBe(client);
});

test("a scheme or host that cannot be one is not believed", () => {
  const headers = new Headers({ "x-forwarded-proto": "gopher", "x-forwarded-host": "a b/c" });
  expect(forwarded(headers, "10.0.0.1", proxies)).toEqual({
    address: "10.0.0.1",
    scheme: undefined,
    host: undefined,
  });
});

test("an IPv6 base domain is recognised in its brackets", () => {
  expect(hostsOf("::1", "production")("[::1]:8080")).toBe("production");
});
