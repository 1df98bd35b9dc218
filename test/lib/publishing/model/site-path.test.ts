import { expect, test } from "bun:test";

import * as fc from "fast-check";

import { foldedPath, siteName } from "../../../../lib/publishing/model/site-path.ts";
import { runSeed } from "../../../helpers/chance.ts";

test("a site path is absolute, in NFC and without empty or dot segments", () => {
  for (const [name, path] of [
    ["index.html", "/index.html"],
    ["./a//b/./c.css", "/a/b/c.css"],
    ["img/", "/img"],
    ["cafe\u0301/x", "/caf\u00e9/x"],
    ["100% é & co.html", "/100% é & co.html"],
    ["a..b/c...d", "/a..b/c...d"],
    [".well-known/security.txt", "/.well-known/security.txt"],
    ["docs.html", "/docs.html"],
    ["v1.css", "/v1.css"],
    ["a/v1/x", "/a/v1/x"],
    ["setup/index.html", "/setup/index.html"],
  ] as const) {
    expect(siteName(name)).toEqual({ kind: "path", path });
  }
});

test("the root, hidden files and debris are left out", () => {
  for (const name of [".", "./", ".env", "a/.git/config", "._a", "__MACOSX/a", "a/Thumbs.db"]) {
    expect(siteName(name)).toEqual({ kind: "left out" });
  }
});

test("no name yields a path that climbs or is ambiguous", () => {
  const unit = fc.constantFrom("a", "B", ".", "..", "/", "\\", ":", "\0", "é", "\n", "%2e", " ");
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 12 }), (name) => {
      const verdict = siteName(name);
      if (verdict.kind !== "path") return;
      const segments = verdict.path.slice(1).split("/");
      expect(verdict.path).toStartWith("/");
      expect(segments.every((one) => one !== "" && one !== "." && one !== "..")).toBe(true);
      expect(segments.every((one) => !one.startsWith("."))).toBe(true);
      expect(verdict.path).not.toMatch(/[\\\p{Cc}]/u);
    }),
    { seed: runSeed, numRuns: 2_000 },
  );
});

test("paths that a file system may confuse fold to the same path", () => {
  for (const [a, b] of [
    ["/Index.HTML", "/index.html"],
    ["/straße", "/STRASSE"],
    ["/\u212Aelvin", "/kelvin"],
    ["/É", "/é"],
    ["/ſ", "/S"],
  ] as const) {
    expect(foldedPath(a)).toBe(foldedPath(b));
  }
  expect(foldedPath("/a")).not.toBe(foldedPath("/ä"));
});
