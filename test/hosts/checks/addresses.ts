import { deepEqual, equal, match, ok } from "node:assert/strict";

import type { Check, Place } from "../check.ts";
import type { Role } from "../host.ts";
import { converse } from "../raw-http.ts";

/** Paths and addresses: of the mount, of the host, of the client, and those that a proxy names. */
export const addresses: readonly Check[] = [
  {
    name: "the service gets the client's address and its mount",
    async run(place) {
      const { address, prefix } = await place.facts();
      match(address, /^(::ffff:)?127\.0\.0\.1$/);
      // A host that takes the mount away gives the service none.
      ok(["", "none", place.path].includes(prefix), prefix);
    },
  },
  {
    name: "a parameter in the mount may be any text",
    at: ["parameter"],
    async run(place) {
      for (const city of ["oslo", "old%20town", "m%C3%BCnchen", "%E6%9D%B1%E4%BA%AC", "a%2Fb"]) {
        const { base, shown, api, authorized } = await place.as(city);
        const listed = await fetch(`${base}/pets?limit=1`, { headers: authorized });
        equal(listed.status, 200, city);
        const first = /<([^>]*)>; rel="first"/.exec(listed.headers.get("link") ?? "")?.[1];
        equal(first, `${shown}${api}/pets?limit=1`);
        const { servers } = await (await fetch(`${base}/openapi.json`)).json();
        equal(servers[0].url, api);
      }
    },
  },
  {
    name: "another spelling of a path names the same resource or none",
    async run(place) {
      const { path, api, token, origin } = place;
      const statusOf = async (target: string): Promise<number> => {
        const lines = [`GET ${target} HTTP/1.1`, "Host: localhost"];
        return (await place.raw([...lines, `Authorization: Bearer ${token}`])).status;
      };
      equal(await statusOf(`${api}/p%65ts`), 200);
      for (const below of [
        "/pets/",
        "//pets",
        "/pets//1",
        "/p%2Fets",
        "/pets/..%2f..",
        "/pets%00",
      ]) {
        const status = await statusOf(api + below);
        ok([400, 404].includes(status), `${below}: ${status}`);
      }
      // Hosts that use URLs resolve these before an adapter sees them.
      for (const below of [
        "/../v1/pets",
        "/%2e%2e/v1/pets",
        "/x/../pets",
        "/../../hello",
        "/pets\\1",
      ]) {
        const resolved = await statusOf(new URL(api + below, origin).pathname);
        const status = await statusOf(api + below);
        ok([400, 404, resolved].includes(status), `${below}: ${status}, not ${resolved}`);
      }
      const doubled = await statusOf(`${path}//v1/pets`);
      ok([301, 308, 400, 404].includes(doubled), `//v1/pets: ${doubled}`);
    },
  },
  {
    name: "an impossible Host is refused, and the next request is served",
    at: ["plain"],
    proxied: false,
    async run(place) {
      const { status } = await place.raw([`GET ${place.api}/pets HTTP/1.1`, "Host: a b/c@d"]);
      ok(status >= 400 && status < 500, String(status));
      const next = await fetch(`${place.base}/pets`, { headers: place.authorized });
      equal(next.status, 200);
    },
  },
  {
    name: "TRACE and two Authorization headers are refused",
    at: ["plain"],
    proxied: false,
    async run(place) {
      const key = `Authorization: Bearer ${place.token}`;
      const trace = [`TRACE ${place.api}/pets HTTP/1.1`, "Host: localhost", key];
      equal((await place.raw(trace)).status, 405);
      const get = [`GET ${place.api}/pets HTTP/1.1`, "Host: localhost", key, key];
      const twice = await place.raw(get);
      equal(twice.status, 401);
      match(twice.text, /"code":"invalid_api_key"/);
    },
  },
  {
    name: "other requests go to the host's own routes and its own 404",
    at: ["plain", "root", "parsed", "before"],
    routes: true,
    async run({ origin, path }) {
      const hello = await fetch(`${origin}/hello`);
      deepEqual([hello.status, await hello.text()], [200, "hello"]);
      for (const elsewhere of ["/nowhere", `${path}/elsewhere`, `${path}/v12/pets`]) {
        const missing = await fetch(origin + elsewhere);
        equal(missing.status, 404, elsewhere);
        ok(!(await missing.text()).includes("route_not_found"), `${elsewhere} is the service's`);
      }
    },
  },
  {
    name: "X-Forwarded headers count for nothing without a trusted proxy",
    at: ["plain", "root", "parsed"],
    proxied: false,
    async run(place) {
      const { facts, shown } = await forwarded(place, "203.0.113.9");
      match(facts.address, /^(::ffff:)?127\.0\.0\.1$/);
      equal(shown, place.origin);
    },
  },
  {
    name: "X-Forwarded headers of a trusted proxy name the client, the host and the scheme",
    at: ["proxied"],
    proxied: false,
    async run(place) {
      const { facts, shown } = await forwarded(place, "203.0.113.9");
      equal(facts.address, "203.0.113.9");
      equal(shown, "https://pets.example.org");
    },
  },
  {
    name: "clients cannot evade the counter of failed authentication",
    at: ["plain", "proxied"],
    async run(place) {
      const from = someAddress();
      // A client may send X-Forwarded-For; a proxy adds the address that it sees.
      const lied = (index: number): string =>
        trusts(place) ? `203.0.113.${index}, ${from}` : `203.0.113.${index}`;
      const statuses = await failures(place, { from, forwardedFor: lied });
      deepEqual([statuses[0], statuses.at(-1)], [401, 429]);
    },
  },
  {
    name: "failed authentication is counted by the client's true address",
    at: ["plain", "proxied"],
    async run(place) {
      const [from, other] = [someAddress(), someAddress()];
      const named = (address: string) => (trusts(place) ? () => address : undefined);
      const first = await failures(place, { from, forwardedFor: named(from) });
      equal(first.at(-1), 429);
      const second = await failures(place, { from: other, forwardedFor: named(other), count: 1 });
      deepEqual(second, [401]);
    },
  },
];

/** Whether the mount believes what the client sends, as if it were a proxy. */
function trusts({ role, behind }: Place): boolean {
  return role === ("proxied" satisfies Role) && !behind;
}

/** Returns a loopback address that no other check uses. */
function someAddress(): string {
  const byte = (): number => 1 + Math.floor(Math.random() * 250);
  return `127.${byte()}.${byte()}.${byte()}`;
}

async function forwarded(place: Place, address: string) {
  const headers = {
    "x-forwarded-for": `198.51.100.7, ${address}`,
    "x-forwarded-proto": "https",
    "x-forwarded-host": "pets.example.org",
  };
  const facts = await (await place.probe("facts", { headers })).json();
  const listed = await fetch(`${place.base}/pets?limit=1`, {
    headers: { ...place.authorized, ...headers },
  });
  const link = /<([^>]*)>/.exec(listed.headers.get("link") ?? "")?.[1] ?? "none:";
  return { facts, shown: new URL(link).origin };
}

/** Returns the statuses of requests with an unknown key, over one connection from this address. */
async function failures(
  { origin, api }: Place,
  {
    from,
    forwardedFor,
    count = 70,
  }: {
    readonly from: string;
    readonly forwardedFor: ((index: number) => string) | undefined;
    readonly count?: number;
  },
): Promise<readonly number[]> {
  const requests = Array.from({ length: count }, (_, index) =>
    [
      `GET ${api}/pets HTTP/1.1`,
      "Host: localhost",
      "Authorization: Bearer unknown",
      ...(forwardedFor === undefined ? [] : [`X-Forwarded-For: ${forwardedFor(index)}`]),
      ...(index === count - 1 ? ["Connection: close"] : []),
      "",
      "",
    ].join("\r\n"),
  );
  const said = await converse(origin, requests.join(""), { from });
  return [...said.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
}
