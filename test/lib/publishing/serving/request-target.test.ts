import { expect, test } from "bun:test";

import {
  decodePath,
  encodePath,
  requestTarget,
} from "../../../../lib/publishing/serving/request-target.ts";

test.each([
  ["http://a.org/", "/", ""],
  ["http://a.org", "/", ""],
  ["https://a.org:8080/x/y?z=1", "/x/y", "?z=1"],
  ["http://a.org/x?a?b#c", "/x", "?a?b"],
  ["http://a.org/x#c?d", "/x", ""],
  ["http://a.org//evil.org/x", "//evil.org/x", ""],
  ["/x?y", "/x", "?y"],
])("the URL %s has the path %s and the query %p", (url, rawPath, search) => {
  expect(requestTarget(url)).toEqual({ rawPath, search });
});

test.each([
  ["/", "/"],
  ["/a/b.html", "/a/b.html"],
  ["/a%20b", "/a b"],
  ["/%61bout", "/about"],
  ["/caf%C3%A9", "/café"],
  ["/cafe%CC%81", "/café"],
  ["/%E2%9C%93", "/✓"],
  ["/a/.well-known/x", "/a/.well-known/x"],
  ["/...", "/..."],
  ["/a..b", "/a..b"],
  ["/100%25", "/100%"],
])("the path %s is decoded as %s", (raw, path) => {
  expect(decodePath(raw)).toBe(path);
});

test.each([
  "//",
  "/a//b",
  "//evil.org",
  "/..",
  "/../x",
  "/a/../b",
  "/a/.",
  "/./a",
  "/%2e%2e/x",
  "/%2E/x",
  "/a%2fb",
  "/a%2Fb",
  "/..%5c..%5cx",
  "/a\\b",
  "/%00",
  "/a%0d%0ab",
  "/%7f",
  "/%",
  "/%zz",
  "/%ff",
  "/%c0%af",
  "/%ed%a0%80",
  "/%2",
])("the path %s is invalid", (raw) => {
  expect(decodePath(raw)).toBeUndefined();
});

test("decoding reverses encoding", () => {
  for (const path of ["/", "/a b/ü?#%&.txt", "/100%", "/✓/", "/a+b=c;d,e"]) {
    expect(decodePath(encodePath(path))).toBe(path);
  }
});
