import { expect, test } from "bun:test";

import { httpsOnly } from "../../../domains/http/plain-http.ts";

const decide = httpsOnly({ hasCertificate: (host) => host === "pets.test", publicHttpsPort: 443 });
const get = (target: string, host = "pets.test") => decide({ method: "GET", host, target });

test("a page is redirected to HTTPS with its path and query", () => {
  expect(get("/dogs?page=2&q=a%20b")).toEqual({
    kind: "redirect",
    location: "https://pets.test/dogs?page=2&q=a%20b",
  });
});

test.each(["/v1", "/v1/pets?limit=1", "/manage/v1", "/manage/v1/openapi.json"])(
  "an API request is refused, not redirected: %p",
  (target) => {
    expect(get(target)).toEqual({ kind: "refuse" });
  },
);

test.each(["/v10", "/v1.json", "/manage", "/docs"])("%p is not an API request", (target) => {
  expect(get(target)).toEqual({ kind: "redirect", location: `https://pets.test${target}` });
});

test.each(["/livez", "/readyz"])("health checks are answered as usual: %p", (target) => {
  expect(get(target)).toEqual({ kind: "serve" });
});

test.each(["/", "/v1/pets"])("a host without a certificate is served as usual: %p", (target) => {
  expect(get(target, "other.test")).toEqual({ kind: "serve" });
});

test("the visible port is named unless it is the default", () => {
  const other = httpsOnly({ hasCertificate: () => true, publicHttpsPort: 8443 });
  expect(other({ method: "GET", host: "pets.test", target: "/" })).toEqual({
    kind: "redirect",
    location: "https://pets.test:8443/",
  });
});

test("a target with two slashes does not lead to another host", () => {
  const decided = get("//evil.test/x");
  const location = decided.kind === "redirect" ? decided.location : "";
  expect(new URL(location).host).toBe("pets.test");
});
