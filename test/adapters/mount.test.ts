import { expect, test } from "bun:test";

import { aMountPath, covered, mountIn, placeOf, type Service } from "../../adapters/hosts/mount.ts";

/** Matches like a petstore with its own prefix. */
function service(own: string): Service {
  return {
    fetch: () => new Response(),
    match: ({ url }, context) => new URL(url).pathname.startsWith(`${context?.prefix ?? own}/v1/`),
  };
}

const at = (path: string): string => `http://localhost${path}`;

test("the path mounted by the framework is the prefix", () => {
  expect(placeOf(service(""), at("/shelter/v1/pets"), "/shelter")).toEqual({ prefix: "/shelter" });
});

test("at the root the service's own prefix applies", () => {
  expect(placeOf(service("/shelter"), at("/shelter/v1/pets"), "")).toEqual({});
});

test("a mount as deep as the version is not a prefix", () => {
  expect(placeOf(service(""), at("/v1/pets"), "/v1")).toEqual({});
});

test("another path is not for the service", () => {
  expect(placeOf(service(""), at("/shelter/hello"), "/shelter")).toBeUndefined();
  expect(placeOf(service("/shelter"), at("/v1/pets"), "")).toBeUndefined();
});

test("a pattern matches as many segments as it has", () => {
  expect(covered("/shelter/*", "/shelter/v1/pets")).toBe("/shelter");
  expect(covered("/of/:city", "/of/oslo/v1/pets")).toBe("/of/oslo");
  expect(covered("/:city/*", "/%6Fslo/v1/pets")).toBe("/%6Fslo");
  for (const root of ["", "/", "*", "/*"]) expect(covered(root, "/v1/pets")).toBe("");
});

test("a mount is compared as a normal path, because both spellings are the same", () => {
  expect(placeOf(service(""), at("/of/oslo/v1/pets"), "/of/%6Fslo")).toEqual({
    prefix: "/of/oslo",
  });
});

test("a pattern with parameters is mounted where a path matches it", () => {
  const mountOf = mountIn("/of/:city/in.north/:part");
  expect(mountOf("/of/oslo/in.north/a%20b/v1/pets?x=/")).toBe("/of/oslo/in.north/a%20b");
  expect(mountOf("/of/m%C3%BCnchen/in.north/%7E/v1")).toBe("/of/m%C3%BCnchen/in.north/~");
  for (const path of ["/of/oslo/in-north/a/v1", "/of//in.north/a/v1", "/of/oslo/in.north/a", "/"]) {
    expect([path, mountOf(path)]).toEqual([path, "/of/:city/in.north/:part"]);
  }
  expect(mountIn("/shelter")("/elsewhere")).toBe("/shelter");
});

test("a mount path has no wildcard, no query and no slash at its end", () => {
  for (const path of ["", "/shelter", "/of/:city", "/:a/:b"])
    expect(aMountPath.holds(path)).toBe(true);
  for (const path of ["/", "/a/", "a", "/of/:", "/of/*", "/a?b", "/a b", "/:a-b", 1, undefined]) {
    expect([path, aMountPath.holds(path)]).toEqual([path, false]);
  }
});
