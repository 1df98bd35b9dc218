import { expect, test } from "bun:test";

import {
  customHosts,
  withTransport,
  type CustomHostsOptions,
} from "../../server/listeners/custom-hosts.ts";
import type { Arrival } from "../../server/listeners/arrival.ts";
import type { DomainRoute } from "../../domains/index.ts";

const SITE: Extract<DomainRoute, { readonly kind: "site" }> = {
  kind: "site",
  projectId: "prj_cats",
  slug: "happy-cat",
  hstsSeconds: 0,
};
const REDIRECT: DomainRoute = {
  kind: "redirect",
  projectId: "prj_cats",
  to: "https://pets.shelter.org",
  status: 301,
  hstsSeconds: 600,
};
const ROUTES: Readonly<Record<string, DomainRoute>> = {
  "pets.shelter.org": SITE,
  "www.shelter.org": REDIRECT,
};

const TOKEN = "t".repeat(43);

/** Custom domains, the base domain and a challenge for a name that is not live yet. */
function deciding(options: Partial<CustomHostsOptions> = {}) {
  const certified = new Set([...Object.keys(ROUTES), "petstore.example"]);
  const lookups: string[] = [];
  const wayOf = customHosts({
    routes: { byHost: (host) => ROUTES[host] },
    challenges: {
      http01: (host, token) => {
        lookups.push(`${host} ${token}`);
        return host === "new.shelter.org" && token === "abc" ? "abc.thumb" : undefined;
      },
    },
    presence: {
      answer: (host, token, manner) => (token === TOKEN ? `${host} ${manner}` : undefined),
    },
    hasCertificate: (host) => certified.has(host),
    publicHttpsPort: 443,
    ...options,
  });
  return {
    lookups,
    wayOf: (url: string, method = "GET") => {
      const request = new Request(url, { method });
      const { host, protocol } = new URL(url);
      const arrival: Arrival = {
        host,
        pathStart: request.url.indexOf("/", "https://".length),
        secure: protocol === "https:",
        context: {},
      };
      return wayOf(request, arrival);
    },
  };
}

async function answeredBy(way: ReturnType<ReturnType<typeof deciding>["wayOf"]>) {
  if (way.kind !== "answered") throw new Error(`not answered: ${way.kind}`);
  const response = await way.response;
  return [response.status, response.headers.get("location"), await response.text()] as const;
}

test("a challenge over plain HTTP is answered before any other check, for its host only", async () => {
  const { wayOf } = deciding();
  const path = "/.well-known/acme-challenge/abc";
  expect(await answeredBy(wayOf(`http://new.shelter.org${path}`))).toEqual([
    200,
    null,
    "abc.thumb",
  ]);
  // This host has a certificate, so other requests would be redirected.
  expect((await answeredBy(wayOf(`http://pets.shelter.org${path}`)))[0]).toBe(404);
});

test("our own probe is answered first, and reports whether other requests are redirected", async () => {
  const { wayOf } = deciding();
  const at = async (origin: string) =>
    (await answeredBy(wayOf(`${origin}/.well-known/petstore-probe/${TOKEN}`)))[2];
  expect(await at("http://new.shelter.org:8080")).toBe("new.shelter.org served");
  expect(await at("http://pets.shelter.org")).toBe("pets.shelter.org redirected");
  expect(await at("https://pets.shelter.org")).toBe("pets.shelter.org served");
  expect(await at("https://www.shelter.org")).toBe("www.shelter.org served");
});

test("a challenge over HTTPS is answered too, because a CA follows the redirects of proxies", async () => {
  const path = "/.well-known/acme-challenge/abc";
  for (const host of ["new", "www"]) {
    const { wayOf, lookups } = deciding();
    const [status] = await answeredBy(wayOf(`https://${host}.shelter.org${path}`));
    expect([status, lookups]).toEqual([host === "new" ? 200 : 404, [`${host}.shelter.org abc`]]);
  }
});

test("plain HTTP to a host with a certificate redirects to HTTPS with the same path and query", async () => {
  for (const host of ["pets.shelter.org", "www.shelter.org", "petstore.example"]) {
    const [status, location] = await answeredBy(deciding().wayOf(`http://${host}:8080/a?b=c`));
    expect([status, location]).toEqual([308, `https://${host}/a?b=c`]);
  }
  const { wayOf } = deciding({ publicHttpsPort: 8443 });
  const [, location] = await answeredBy(wayOf("http://pets.shelter.org/"));
  expect(location).toBe("https://pets.shelter.org:8443/");
});

test("API requests over plain HTTP are refused if the host has a certificate", () => {
  const { wayOf } = deciding();
  for (const path of ["/v1/pets", "/v1", "/manage/v1/me"]) {
    expect(wayOf(`http://pets.shelter.org${path}`).kind).toBe("refused");
    expect(wayOf(`http://petstore.example${path}`).kind).toBe("refused");
    expect(wayOf(`http://127.0.0.1${path}`).kind).toBe("ours");
  }
});

test("without an HTTPS listener a custom domain is served over plain HTTP", () => {
  const { wayOf } = deciding({ hasCertificate: undefined });
  expect(wayOf("http://pets.shelter.org/v1/pets")).toEqual({ kind: "site", route: SITE });
});

test("a custom domain serves its project's site, and a redirecting domain leads to it", async () => {
  const { wayOf } = deciding();
  expect(wayOf("https://pets.shelter.org/")).toEqual({ kind: "site", route: SITE });
  expect(wayOf("https://PETS.shelter.org.:8443/")).toEqual({ kind: "site", route: SITE });
  const [status, location] = await answeredBy(wayOf("https://www.shelter.org/a?b=c"));
  expect([status, location]).toEqual([301, "https://pets.shelter.org/a?b=c"]);
});

test("hosts that are not custom domains are left to the table of our own hosts", () => {
  const { wayOf } = deciding();
  for (const host of ["petstore.example", "unknown.test", "shelter.org", "[::1]"]) {
    expect(wayOf(`https://${host}/`).kind).toBe("ours");
  }
});

test("Strict-Transport-Security is sent only over HTTPS, if the owner set it", async () => {
  const header = async (hstsSeconds: number, secure: boolean) => {
    const route = { ...SITE, hstsSeconds };
    const response = await withTransport(new Response("x"), route, secure);
    return response.headers.get("strict-transport-security");
  };
  expect(await header(600, true)).toBe("max-age=600");
  expect(await header(600, false)).toBeNull();
  expect(await header(0, true)).toBeNull();
});
