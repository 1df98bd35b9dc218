import { expect, test } from "bun:test";

import { forwarded } from "../../server/listeners/arrival.ts";
import { createFront, type FrontOptions, type Readiness } from "../../server/listeners/front.ts";
import type { Environment, RequestContext, Petstore } from "../../lib/index.ts";
import type { Found, VisitContext } from "../../lib/publishing/index.ts";

interface Seen {
  readonly by: Environment | "management";
  readonly address: string | undefined;
  readonly origin: string | undefined;
  /** Whether the handler was responses to refuse the request because it lacks HTTPS. */
  readonly refused?: boolean;
}

/** `happy-cat` has a site, `calm-dog` has no deploy, and `old-name` was renamed. */
const SITES: Readonly<Record<string, Found["kind"]>> = {
  "happy-cat": "site",
  "calm-dog": "empty",
  "old-name": "moved",
};

function front({
  baseDomain = "localhost",
  sitesDomain = baseDomain,
  trusted,
  readiness = "ready",
  managed = () => new Response("from the management API"),
  failing,
  custom,
  hstsSeconds = 0,
  siteStatus = 200,
}: {
  readonly baseDomain?: string;
  readonly sitesDomain?: string;
  readonly trusted?: (address: string) => boolean;
  readonly readiness?: Readiness;
  readonly managed?: () => Response;
  /** Makes the lookup of projects fail. */
  readonly failing?: "at once" | "later";
  readonly custom?: FrontOptions["custom"];
  readonly hstsSeconds?: number;
  /** The status of all pages of sites. */
  readonly siteStatus?: number;
} = {}) {
  const seen: Seen[] = [];
  const visits: VisitContext[] = [];
  const timeouts: number[] = [];
  const notice = (
    by: Seen["by"],
    { address, origin, httpsRequired }: RequestContext = {},
  ): void => {
    const from = typeof address === "function" ? address() : address;
    const refused = httpsRequired === undefined ? {} : { refused: httpsRequired };
    seen.push({ by, address: from, origin, ...refused });
  };
  const petstore = (environment: Environment): Petstore => {
    const fetch = (_request: Request, context?: RequestContext): Response => {
      notice(environment, context);
      return new Response("from the API");
    };
    return { fetch } as unknown as Petstore;
  };
  const bySlug = (slug: string): Found | undefined | Promise<undefined> => {
    const fault = new Error("the disk is gone");
    if (failing === "later") return Promise.reject(fault);
    if (failing === "at once") throw fault;
    const kind = SITES[slug];
    return kind === undefined ? undefined : ({ kind, slug: "new-name" } as unknown as Found);
  };
  const publishing: FrontOptions["publishing"] = {
    sites: { bySlug },
    visit: (_request, context) => {
      visits.push(context);
      return new Response("from a site", { status: siteStatus });
    },
  };
  const made = createFront({
    petstores: { production: petstore("production"), staging: petstore("staging") },
    management: {
      fetch: (_request, context) => {
        notice("management", context);
        return managed();
      },
    },
    publishing,
    baseDomain,
    sitesDomain,
    addressOf: (slug) => `${custom === undefined ? "http" : "https"}://${slug}.${sitesDomain}`,
    dashboard: { fetch: async (_request, path) => new Response(`dashboard ${path}`) },
    guides: {
      reference: async (_request, path, host) => Response.json(["reference", path, host]),
      help: async (_request, path, host) => Response.json(["help", path, host]),
    },
    servers: {
      production: `http://${baseDomain}:8080/v1`,
      staging: `http://${baseDomain}:8081/v1`,
    },
    address: `http://${baseDomain}:8080`,
    trusted,
    ready: async () => readiness,
    hstsSeconds,
    ...(custom === undefined ? {} : { custom }),
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
        timeout: (_request, seconds) => {
          timeouts.push(seconds);
        },
      }),
    );
  return {
    ask,
    seen,
    visits,
    timeouts,
    drain: () => made.drain(),
    requests: () => made.requests,
  };
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
    expect(seen.map(({ by }) => by)).toEqual([environment]);
  },
);

test.each([
  "http://other.example.org/v1/pets",
  "http://staging.staging.pets.example.org/v1/pets",
  "http://127.0.0.1/v1/pets",
  "http://[::1]:8080/v1/pets",
])("%s is answered with the generic 404 page", async (url) => {
  const { ask, seen } = front({ baseDomain: "pets.example.org" });
  const answer = await ask(url);
  expect(answer.status).toBe(404);
  expect(answer.headers.get("content-security-policy")).toStartWith("default-src 'none'; ");
  expect(await answer.text()).not.toMatch(/petstore|example|bun|v1/i);
  expect(seen).toEqual([]);
});

test.each(["/", "/setup", "/v10/pets", "/v", "/livez/", "/readyzz", "/metrics", "/petstore.db"])(
  "the dashboard answers %s on the base domain",
  async (path) => {
    const { ask, seen } = front({ baseDomain: "pets.example.org" });
    const answer = await ask(`http://pets.example.org${path}?x=/y`);
    expect(await answer.text()).toBe(`dashboard ${path}`);
    expect(seen).toEqual([]);
  },
);

test.each(["/help", "/help/limits", "/llms.txt"])(
  "%s is answered by the help on the base domain, by the site on a project's host, and with 404 elsewhere",
  async (path) => {
    const { ask } = front({ baseDomain: "pets.example.org" });
    const [service, servedPath] = await (await ask(`http://pets.example.org${path}?x`)).json();
    expect([service, servedPath]).toEqual(["help", path]);
    const site = await ask(`http://happy-cat.pets.example.org${path}`);
    expect(await site.text()).toBe("from a site");
    expect((await ask(`http://staging.pets.example.org${path}`)).status).toBe(404);
  },
);

test.each([
  ["happy-cat", "/llms.txt", true],
  ["calm-dog", "/llms.txt", true],
  ["happy-cat", "/help", false],
  ["happy-cat", "/help/limits", false],
  ["never-was", "/llms.txt", false],
])("if the site of %s has no %s, ours is served: %p", async (slug, path, ours) => {
  const { ask } = front({ baseDomain: "pets.example.org", siteStatus: 404 });
  const response = await ask(`http://${slug}.pets.example.org${path}?x`);
  expect(response.status).toBe(ours ? 200 : 404);
  expect((await response.text()).startsWith(`["help","${path}",`)).toBe(ours);
});

test.each([
  ["http://pets.example.org", true],
  ["http://staging.pets.example.org", true],
  ["http://happy-cat.pets.example.org", true],
  ["http://calm-dog.pets.example.org", true],
  ["http://old-name.pets.example.org", false],
  ["http://never-was.pets.example.org", false],
  ["http://other.example.org", false],
])("%s serves the API reference: %p", async (origin, there) => {
  const { ask } = front({ baseDomain: "pets.example.org" });
  const text = await (await ask(`${origin}/docs/listPets.md?x`)).text();
  expect(text.startsWith(`["reference","/docs/listPets.md",`)).toBe(there);
});

test.each(["/v1", "/v1/", "/v1?x=1", "/v1/nothing"])("the API answers %s", async (path) => {
  const { ask } = front();
  expect(await (await ask(`http://localhost${path}`)).text()).toBe("from the API");
});

test("/livez and /readyz answer with one word on any host", async () => {
  const { ask } = front({ baseDomain: "pets.example.org" });
  const live = await ask("http://10.0.0.1/livez?x");
  const ready = await ask("http://10.0.0.1/readyz");
  expect([live.status, await live.text()]).toEqual([200, "alive\n"]);
  expect([ready.status, await ready.text()]).toEqual([200, "ready\n"]);
  expect((await ask("http://10.0.0.1/livez", { method: "POST" })).status).toBe(404);
});

test("a server whose store accepts no writes is alive but not ready", async () => {
  const { ask } = front({ readiness: "unavailable" });
  expect((await ask("http://x/readyz")).status).toBe(503);
  expect((await ask("http://x/livez")).status).toBe(200);
});

test("a draining server is not ready, and closes connections after responses", async () => {
  const { ask, drain } = front();
  expect((await ask("http://x/v1/pets")).headers.get("connection")).toBeNull();
  drain();
  const ready = await ask("http://x/readyz");
  expect([ready.status, await ready.text()]).toEqual([503, "draining\n"]);
  expect((await ask("http://x/v1/pets")).headers.get("connection")).toBe("close");
});

test("on every host, a percent-encoded letter of a path is that letter, and %2F is data", async () => {
  const { ask } = front({ baseDomain: "pets.example.org" });
  const texts = async (host: string, path: string): Promise<unknown> => {
    const response = await ask(`http://${host}${path}`);
    return [host, response.status, await response.text()];
  };
  const hosts = ["", "staging.", "happy-cat.", "calm-dog.", "nobody.", "a.b."];
  for (const host of hosts.map((label) => `${label}pets.example.org`)) {
    for (const [path, encoded, data] of [
      ["/v1/pets", "/%76%31/p%65ts", "/v1%2Fpets"],
      ["/manage/v1/me", "/m%61nage/%761/me", "/manage%2Fv1/me"],
      ["/manage/other", "/%6danage/other", undefined],
      ["/livez", "/l%69vez", "/%2Flivez"],
      ["/readyz", "/%72eadyz", undefined],
      ["/docs", "/d%6Fcs", "/docs%2F"],
      ["/help/", "/%68elp/", "/help%2F"],
      ["/llms.txt", "/llms%2Etxt", undefined],
      ["/setup", "/set%75p", undefined],
      ["/.well-known/acme-challenge/x", "/%2ewell-known/acme%2Dchallenge/x", undefined],
    ] as const) {
      expect(await texts(host, encoded)).toEqual(await texts(host, path));
      if (data !== undefined && host === "pets.example.org") {
        expect(await texts(host, data)).not.toEqual(await texts(host, path));
      }
    }
  }
});

const proxies = (address: string): boolean => address.startsWith("10.");

test("the client's address and origin are taken from a trusted proxy's headers", async () => {
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
    { by: "production", address: "198.51.100.9", origin: "https://pets.example.org" },
  ]);
});

test("forwarding headers from an untrusted address are ignored", async () => {
  const { ask, seen } = front({ trusted: proxies });
  await ask("http://localhost/v1/pets", {
    from: "203.0.113.5",
    headers: { "x-forwarded-for": "198.51.100.9", "x-forwarded-host": "evil.test" },
  });
  expect(seen).toEqual([{ by: "production", address: "203.0.113.5", origin: undefined }]);
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
])("from X-Forwarded-For %p the client is %s", (list, client) => {
  const headers = new Headers({ "x-forwarded-for": list });
  expect(forwarded(headers, "10.0.0.1", proxies)?.address).toBe(client);
});

test("an invalid forwarded scheme or host is ignored", () => {
  const headers = new Headers({ "x-forwarded-proto": "gopher", "x-forwarded-host": "a b/c" });
  expect(forwarded(headers, "10.0.0.1", proxies)).toEqual({
    address: "10.0.0.1",
    scheme: undefined,
    host: undefined,
  });
});

test.each(["pets.example.org, evil.test", "pets.example.org, pets.example.org", "evil.test,"])(
  "a Host header with several hosts (%p) is refused, and nothing is served",
  async (host) => {
    const { ask, seen, visits } = front({ baseDomain: "pets.example.org" });
    for (const path of ["/v1/pets", "/", "/livez"]) {
      const answer = await ask(`http://pets.example.org${path}`, { headers: { host } });
      expect([answer.status, (await answer.json()).code]).toEqual([400, "invalid_value"]);
    }
    expect([seen, visits]).toEqual([[], []]);
  },
);

test("an IPv6 base domain is recognised in its brackets", async () => {
  const { ask, seen } = front({ baseDomain: "::1", sitesDomain: "localhost" });
  await ask("http://[::1]:8080/v1/pets");
  expect(seen.map(({ by }) => by)).toEqual(["production"]);
});

test.each([
  ["http://pets.example.org/manage/v1/accounts", "from the management API"],
  ["http://happy-cat.pets.example.org/", "from a site"],
  ["http://happy-cat.pets.example.org/setup", "from a site"],
  ["http://happy-cat.pets.example.org/v1/pets", "from the API"],
  ["http://calm-dog.pets.example.org/v1/pets", "from the API"],
  ["http://old-name.pets.example.org/v1/pets", "from a site"],
  ["http://no-such-one.pets.example.org/v1/pets", "from a site"],
])("%s is answered %s", async (url, text) => {
  const { ask } = front({ baseDomain: "pets.example.org" });
  expect(await (await ask(url)).text()).toBe(text);
});

test.each([false, true])(
  "a renamed project stays at its old host until the new one has a certificate: %p",
  async (certified) => {
    const hasCertificate = (host: string) => certified && host === "new-name.pets.example.org";
    const { ask, visits } = front({
      baseDomain: "pets.example.org",
      custom: { ...custom, hasCertificate },
    });
    await ask("https://old-name.pets.example.org/");
    expect(visits.map(({ isReady }) => isReady?.("new-name"))).toEqual([certified]);
    const api = await ask("https://old-name.pets.example.org/v1/pets");
    expect(await api.text()).toBe(certified ? "from a site" : "from the API");
  },
);

const UNKNOWN_HOSTS = [
  "http://other.example.org",
  "http://www.pets.example.org",
  "http://a.happy-cat.pets.example.org",
  "http://kq3--happy-cat.pets.example.org",
  "http://10.0.0.1",
];
const METHODS = ["GET", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"];

test("unknown hosts get the same response to the byte, whatever the path and method", async () => {
  const { ask, seen, visits } = front({ baseDomain: "pets.example.org" });
  const responses = new Set<string>();
  for (const host of UNKNOWN_HOSTS) {
    for (const path of ["/", "/v1/pets", "/manage/v1/accounts", "/setup", "/docs", "/feed.json"]) {
      for (const method of METHODS) {
        const answer = await ask(host + path, { method, headers: { authorization: "Bearer x" } });
        responses.add(JSON.stringify([answer.status, [...answer.headers], await answer.text()]));
      }
    }
  }
  expect(responses.size).toBe(1);
  expect([seen, visits]).toEqual([[], []]);
});

test.each(["/manage/v1/accounts", "/manage", "/.well-known/acme-challenge/x"])(
  "%s on a project's host and on Staging is answered with 404",
  async (path) => {
    const { ask, seen, visits } = front({ baseDomain: "pets.example.org" });
    expect((await ask(`http://happy-cat.pets.example.org${path}`)).status).toBe(404);
    expect((await ask(`http://staging.pets.example.org${path}`)).status).toBe(404);
    expect([seen, visits]).toEqual([[], []]);
  },
);

test("a site handler gets the visitor's origin and the address of any slug", async () => {
  const { ask, visits } = front({ sitesDomain: "shelters.test" });
  await ask("http://happy-cat.shelters.test:8080/a?b");
  expect(visits.map(({ slug, origin }) => [slug, origin])).toEqual([
    ["happy-cat", "http://happy-cat.shelters.test:8080"],
  ]);
  expect(visits[0]?.addressOf("new-name")).toBe("http://new-name.shelters.test");
});

test("behind a trusted proxy, a site handler gets the visitor's origin", async () => {
  const { ask, visits } = front({ baseDomain: "pets.example.org", trusted: proxies });
  await ask("http://internal:8080/", {
    from: "10.0.0.1",
    headers: {
      "x-forwarded-proto": "https",
      "x-forwarded-host": "happy-cat.pets.example.org",
    },
  });
  expect(visits.map(({ origin }) => origin)).toEqual(["https://happy-cat.pets.example.org"]);
});

test.each(["at once", "later"] as const)(
  "while the store fails to list projects (%s), the API answers on any host that may be a project's",
  async (failing) => {
    const { ask } = front({ baseDomain: "pets.example.org", failing });
    for (const slug of ["happy-cat", "no-such-one"]) {
      const answer = await ask(`http://${slug}.pets.example.org/v1/pets`);
      expect(await answer.text()).toBe("from the API");
    }
  },
);

test("an event stream has no idle timeout, a write has a long one, and a read the default", async () => {
  const stream = () => new Response("", { headers: { "content-type": "text/event-stream" } });
  const streaming = front({ managed: stream });
  await streaming.ask("http://localhost/manage/v1/events");
  expect(streaming.timeouts).toEqual([0]);
  const { ask, timeouts } = front();
  await ask("http://localhost/manage/v1/accounts");
  expect(timeouts).toEqual([]);
  await ask("http://localhost/manage/v1/accounts", { method: "POST" });
  expect(timeouts).toEqual([240]);
});

test("requests for /livez and /readyz are not counted", async () => {
  const { ask, requests } = front({ baseDomain: "pets.example.org" });
  await ask("http://10.0.0.1/readyz");
  await ask("http://10.0.0.1/livez");
  expect(requests()).toBe(0);
  await ask("http://pets.example.org/v1/pets");
  await ask("http://happy-cat.pets.example.org/");
  expect(requests()).toBe(2);
});

/** `pets.shelter.org` serves `happy-cat`; it and `petstore.example` have certificates. */
const custom: NonNullable<FrontOptions["custom"]> = {
  routes: {
    byHost: (host) =>
      host === "pets.shelter.org"
        ? { kind: "site", projectId: "prj_1", slug: "happy-cat", hstsSeconds: 600 }
        : undefined,
  },
  challenges: { http01: () => undefined },
  presence: { answer: () => undefined },
  hasCertificate: (host) => host === "pets.shelter.org" || host === "petstore.example",
  publicHttpsPort: 443,
};

test("a custom domain serves the API reference, with API addresses on that domain", async () => {
  const { ask } = front({ baseDomain: "petstore.example", custom });
  const answer = await ask("https://pets.shelter.org/docs");
  const [service, path, host] = await answer.json();
  expect([service, path]).toEqual(["reference", "/docs"]);
  expect(host).toMatchObject({
    production: "https://pets.shelter.org/v1",
    help: "http://petstore.example:8080",
    dashboard: false,
  });
});

test("a custom domain serves its project's site and API, but not the management API", async () => {
  const { ask, visits, seen } = front({ baseDomain: "petstore.example", custom });
  const page = await ask("https://pets.shelter.org/a");
  expect(page.headers.get("strict-transport-security")).toBe("max-age=600");
  expect(visits).toMatchObject([{ slug: "happy-cat", origin: "https://pets.shelter.org" }]);
  await ask("https://pets.shelter.org/v1/pets");
  expect(seen.map(({ by }) => by)).toEqual(["production"]);
  expect((await ask("https://pets.shelter.org/manage/v1/me")).status).toBe(404);
});

test("X-Forwarded-Proto counts as HTTPS from a trusted proxy only", async () => {
  const trusted = (address: string): boolean => address === "10.0.0.1";
  const { ask } = front({ baseDomain: "petstore.example", trusted, custom });
  const headers = { "x-forwarded-proto": "https" };
  const proxied = await ask("http://pets.shelter.org/", { headers, from: "10.0.0.1" });
  expect([proxied.status, proxied.headers.get("strict-transport-security")]).toEqual([
    200,
    "max-age=600",
  ]);
  const pretended = await ask("http://pets.shelter.org/", { headers, from: "192.0.2.1" });
  expect(pretended.status).toBe(308);
});

test("over plain HTTP /livez answers, APIs refuse, and pages redirect to HTTPS", async () => {
  const { ask, seen } = front({ baseDomain: "petstore.example", custom });
  for (const host of ["pets.shelter.org", "petstore.example"]) {
    expect((await ask(`http://${host}/livez`)).status).toBe(200);
    expect((await ask(`http://${host}/`)).status).toBe(308);
    seen.length = 0;
    await ask(`http://${host}/v1/pets`);
    await ask(`http://${host}/manage/v1/me`);
    expect(seen.map(({ by, refused }) => [by, refused])).toEqual([
      ["production", true],
      ["management", true],
    ]);
  }
  seen.length = 0;
  await ask("https://petstore.example/v1/pets");
  expect(seen.map(({ refused }) => refused)).toEqual([undefined]);
});

test.each([
  ["https://petstore.example/", "max-age=3600"],
  ["https://petstore.example/v1/pets", "max-age=3600"],
  ["https://petstore.example/manage/v1/me", "max-age=3600"],
  ["https://staging.petstore.example/v1/pets", "max-age=3600"],
  ["https://happy-cat.petstore.example/", "max-age=3600"],
  // A browser ignores the header over plain HTTP (RFC 6797 §7.2), an unknown host is not ours to set it for, and a
  // custom domain has its owner's setting.
  ["http://calm-dog.petstore.example/", null],
  ["https://elsewhere.example/", null],
  ["https://pets.shelter.org/", "max-age=600"],
])("with hsts %s answers Strict-Transport-Security %p", async (url, header) => {
  const { ask } = front({ baseDomain: "petstore.example", custom, hstsSeconds: 3_600 });
  expect((await ask(url)).headers.get("strict-transport-security")).toBe(header);
});

test("without the hsts option our own hosts send no Strict-Transport-Security", async () => {
  const { ask } = front({ baseDomain: "petstore.example", custom });
  const { headers } = await ask("https://petstore.example/");
  expect(headers.get("strict-transport-security")).toBeNull();
});
