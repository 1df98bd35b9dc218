import { expect, test } from "bun:test";

import { addressOf, toRequest, type NodeRequest } from "../../adapters/hosts/node-request.ts";

test("the URL consists of scheme, host and target", () => {
  expect(addressOf("https", "pets.example.org:8443", "/v1/pets?limit=1")).toBe(
    "https://pets.example.org:8443/v1/pets?limit=1",
  );
  expect(addressOf("http", "[::1]:80", "/v1")).toBe("http://[::1]:80/v1");
});

test("an invalid host gives no URL", () => {
  const wrong = [
    "",
    "a b",
    "a/b",
    "a@b",
    "user:pass@b",
    "a?b",
    "a#b",
    "a:99999",
    "[::1",
    "a:b",
    "é",
  ];
  for (const host of wrong) expect(addressOf("http", host, "/v1")).toBeUndefined();
});

test("only http and https give a URL", () => {
  for (const scheme of ["javascript", "ftp", "", "https,http"]) {
    expect(addressOf(scheme, "a", "/v1")).toBeUndefined();
  }
});

test("only the path of an absolute target counts", () => {
  expect(addressOf("http", "good.example", "http://evil.example/v1?a=b")).toBe(
    "http://good.example/v1?a=b",
  );
});

test("a target cannot move the URL to another host", () => {
  expect(addressOf("http", "good.example", "//evil.example/v1")).toBe(
    "http://good.example//evil.example/v1",
  );
  expect(addressOf("http", "good.example", "*")).toBe("http://good.example/*");
});

test("a forbidden or unknown method is never treated as another one", () => {
  for (const method of ["TRACE", "CONNECT", "TRACK", "FOO", "get", "PROPFIND"]) {
    const message: NodeRequest = {
      method,
      rawHeaders: [],
      headers: {},
      httpVersionMajor: 1,
      readableDidRead: false,
      readableEnded: false,
      socket: {},
      on: () => undefined,
      pause: () => undefined,
      resume: () => undefined,
    };
    const request = toRequest(message, "http://a/v1", {}, new AbortController().signal);
    expect(["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]).not.toContain(
      request.method,
    );
  }
});
