import { expect, test } from "bun:test";

import { redirectRoute, redirectTo, strictTransport } from "../../../domains/http/plain-http.ts";

const route = (status: 301 | 302 | 307 | 308) =>
  ({ kind: "redirect", projectId: "p", to: "https://pets.test", status, hstsSeconds: 0 }) as const;

test.each([301, 302, 307, 308] as const)("a redirect has its owner's status: %d", (status) => {
  expect(redirectRoute(route(status), "/").status).toBe(status);
});

test("path and query are preserved exactly", () => {
  const { headers } = redirectRoute(route(308), "/dogs/rex%20?a=1&a=%32");
  expect(headers.get("location")).toBe("https://pets.test/dogs/rex%20?a=1&a=%32");
});

test.each(["*", "", "@evil.test/", ".evil.test/", ":8443/"])(
  "an invalid target leads to the root path: %p",
  (target) => {
    expect(redirectRoute(route(308), target).headers.get("location")).toBe("https://pets.test/");
  },
);

test("a redirect is not cached, so that it ends when its owner removes it", () => {
  expect(redirectTo("https://pets.test/", 301).headers.get("cache-control")).toBe("no-cache");
});

test("HSTS is sent with the owner's duration", () => {
  expect(strictTransport({ hstsSeconds: 5_184_000 })).toBe("max-age=5184000");
});

test("HSTS is not sent while it is off", () => {
  expect(strictTransport({ hstsSeconds: 0 })).toBeUndefined();
});
