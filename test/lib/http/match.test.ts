import { expect, test } from "bun:test";
import * as fc from "fast-check";

import { endpoints } from "../../../lib/endpoints.ts";
import { routeTable } from "../../../lib/http/api.ts";
import { runSeed } from "../../helpers/chance.ts";
import { anyCharacter } from "../../helpers/any-character.ts";

const find = routeTable(endpoints);

test("every operation is found by its path and method", () => {
  for (const endpoint of endpoints) {
    const found = find(endpoint.path.replace(/:\w+/, "7"));
    const [, name] = /:(\w+)/.exec(endpoint.path) ?? [];
    expect(found?.route.endpoints.get(endpoint.method)?.operationId).toBe(endpoint.operationId);
    expect({ ...found?.parameters }).toEqual(name === undefined ? {} : { [name]: "7" });
  }
});

test("paths match exactly: other slashes, case and encodings are other paths", () => {
  for (const path of [
    "/",
    "",
    "/pets/",
    "//pets",
    "/pets//1",
    "/pets/1/",
    "/Pets",
    "/%70ets",
    "/pets/1/restore/",
    "/pets/1/2",
    "/pets/1/restore/2",
    "/store",
    "/pets?x",
    "pets",
  ]) {
    expect(find(path)).toBeUndefined();
  }
});

test("a path parameter is passed on as it was sent", () => {
  for (const text of ["abc", "%2e%2e", "1%2F2", "0", "__proto__", "-1"]) {
    expect(find(`/pets/${text}`)?.parameters["petId"]).toBe(text);
  }
});

test("names of Object.prototype are not paths", () => {
  for (const name of ["__proto__", "constructor", "toString"]) {
    expect(find(`/${name}`)).toBeUndefined();
  }
});

test("Allow contains HEAD wherever GET is allowed, and OPTIONS", () => {
  expect(find("/pets")?.route.allow).toBe("GET, HEAD, POST, OPTIONS");
  expect(find("/pets/1")?.route.allow).toBe("GET, HEAD, PATCH, DELETE, OPTIONS");
  expect(find("/pets/1/restore")?.route.allow).toBe("POST, OPTIONS");
});

test("no path makes matching throw", () => {
  fc.assert(
    fc.property(fc.oneof(fc.webPath(), fc.string({ unit: anyCharacter })), (path) => {
      find(path);
      find(`/pets/${path}`);
    }),
    { seed: runSeed, numRuns: 1_000 },
  );
});
