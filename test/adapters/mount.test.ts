import { expect, test } from "bun:test";

import { covered, placeOf, type Service } from "../../adapters/hosts/mount.ts";

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
