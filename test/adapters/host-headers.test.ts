import { expect, test } from "bun:test";

import { besideHost } from "../../adapters/hosts/host-headers.ts";

const own = new Headers({
  vary: "Authorization, Accept",
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "ETag",
  etag: '"1"',
});
own.append("set-cookie", "a=1");
own.append("set-cookie", "b=2");

/** Returns the headers beside those of the host. */
function beside(host: Readonly<Record<string, unknown>>): Headers | undefined {
  return besideHost(own, (name) => host[name]);
}

test("headers of the host that are neither Vary nor CORS change nothing", () => {
  expect(beside({})).toBeUndefined();
  expect(beside({ "x-host": "yes", "set-cookie": ["host=1"], vary: null })).toBeUndefined();
});

test.each([
  ["Accept-Encoding", "Accept-Encoding, Authorization, Accept"],
  ["accept", "accept, Authorization"],
  ["accept ,AUTHORIZATION", "accept ,AUTHORIZATION"],
  [["Cookie", "X-Theme"], "Cookie, X-Theme, Authorization, Accept"],
  ["*", "*, Authorization, Accept"],
])("Vary %j of the host is joined, with each name once", (vary, expected) => {
  const headers = beside({ vary });
  expect(headers?.get("vary")).toBe(expected);
  expect(headers?.get("access-control-allow-origin")).toBe("*");
  expect(headers?.getSetCookie()).toEqual(["a=1", "b=2"]);
});

test.each([
  { "access-control-allow-origin": "https://app.example" },
  { "access-control-allow-credentials": "true" },
  { "access-control-expose-headers": "X-Host" },
  // Middleware that does not allow the page's origin.
  { vary: "Origin" },
  { vary: "Cookie, origin" },
])("a host that sets %j decides about CORS alone", (host) => {
  const headers = beside(host);
  expect([...(headers?.keys() ?? [])].filter((name) => name.startsWith("access-"))).toEqual([]);
  expect(headers?.get("etag")).toBe('"1"');
});

test("the headers of the response stay as they are", () => {
  beside({ vary: "Origin" });
  expect(own.get("vary")).toBe("Authorization, Accept");
  expect(own.get("access-control-allow-origin")).toBe("*");
});
