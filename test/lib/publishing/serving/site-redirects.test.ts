import { expect, test } from "bun:test";

import type { SiteRedirect } from "../../../../lib/publishing/model/site-file.ts";
import { siteRedirects } from "../../../../lib/publishing/serving/site-redirects.ts";

function location(rule: SiteRedirect, path: string, search = ""): string | undefined {
  return siteRedirects([rule])(path, search)?.location;
}

test("the default redirect is permanent and keeps the method", () => {
  expect(siteRedirects([{ from: "/a", to: "/b" }])("/a", "")).toEqual({
    location: "/b",
    status: 308,
  });
  expect(siteRedirects([{ from: "/a", to: "/b", status: 302 }])("/a", "")?.status).toBe(302);
});

test.each([
  ["/old", "/new", "/old", "", "/new"],
  ["/old", "/new", "/old", "?a=1", "/new?a=1"],
  ["/old", "/new?b=2", "/old", "?a=1", "/new?b=2"],
  ["/old", "/new#part", "/old", "?a=1", "/new#part"],
  ["/old", "https://other.org/x", "/old", "", "https://other.org/x"],
  ["/old/*", "/new/*", "/old/a/b c.html", "", "/new/a/b%20c.html"],
  ["/old/*", "/new/*", "/old/", "", "/new/"],
  ["/old/*", "/new", "/old/a", "", "/new"],
  ["/old/*", "https://other.org/*", "/old/ü", "", "https://other.org/%C3%BC"],
  ["/old", "/nöw x", "/old", "", "/n%C3%B6w%20x"],
  ["/a%b", "/100%25", "/a%b", "", "/100%25"],
] as const)("the rule %s to %s redirects %s%s to %s", (from, to, path, search, leadsTo) => {
  expect(location({ from, to }, path, search)).toBe(leadsTo);
});

test.each([
  ["/old", "/new", "/older"],
  ["/old", "/new", "/old/"],
  ["/old/*", "/new/*", "/old"],
  ["/old", "/new", "/OLD"],
  ["/same", "/same", "/same"],
  ["/*", "/*", "/anything"],
])("the rule %s to %s does not redirect %s", (from, to, path) => {
  expect(location({ from, to }, path)).toBeUndefined();
});

test.each([
  ["/old*", "/*", "/old/evil.org", "/evil.org"],
  ["/old*", "https://other.org*", "/old.evil.org", "https://other.org/.evil.org"],
  ["/old*", "https://other.org*", "/old@evil.org", "https://other.org/%40evil.org"],
  ["/old/*", "/new/*", "/old/\r\nset-cookie: x", "/new/%0D%0Aset-cookie%3A%20x"],
])("the rule %s to %s redirects %j to no other host", (from, to, path, leadsTo) => {
  expect(location({ from, to }, path)).toBe(leadsTo);
});

test("exact rules precede patterns, longer patterns shorter ones, and the first of equal rules wins", () => {
  const redirects = siteRedirects([
    { from: "/*", to: "/everything" },
    { from: "/dogs/*", to: "/all-dogs" },
    { from: "/dogs/rex", to: "/rex" },
    { from: "/dogs/rex", to: "/another" },
  ]);
  const of = (path: string) => redirects(path, "")?.location;
  expect([of("/dogs/rex"), of("/dogs/bello"), of("/cats")]).toEqual([
    "/rex",
    "/all-dogs",
    "/everything",
  ]);
});
