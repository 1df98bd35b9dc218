import { expect, test } from "bun:test";

import { redirectRoute, redirectTo, strictTransport } from "../../../domains/http/plain-http.ts";

const route = (status: 301 | 302 | 307 | 308) =>
  ({ kind: "redirect", projectId: "p", to: "https://pets.test", status, hstsSeconds: 0 }) as const;

test.each([301, 302, 307, 308] as const)(
  "a redirect has the status its owner chose: %d",
  (status) => {
    expect(redirectRoute(route(status), "/").status).toBe(status);
  },
);

test("path and query are kept to the letter", () => {
  const { headers } = redirectRoute(route(308), "/dogs/rex%20?a=1&a=%32");
  expect(headers.get("location")).toBe("https://pets.test/dogs/rex%20?a=1&a=%32");
});

test.each(["*", "", "@evil.test/", ".evil.test/", ":8443/"])(
  "a target that is no path leads to the first page: %p",
  (target) => {
    expect(redirectRoute(route(308), target).headers.get("location")).toBe("https://pets.test/");
  },
);

test("a redirect is asked for again each time, so that it ends when its owner ends it", () => {
  expect(redirectTo("https://pets.test/", 301).headers.get("cache-control")).toBe("no-cache");
});

test("browsers are told to stay with HTTPS for as long as the owner says", () => {
  expect(strictTransport({ hstsSeconds: 5_184_000 })).toBe("max-age=5184000");
});

test("browsers are told nothing while it is off", () => {
  expect(strictTransport({ hstsSeconds: 0 })).toBeUndefined();
});
