import { expect, test } from "bun:test";

import {
  type FoundFile,
  SiteRefused,
  siteFiles,
} from "../../../../../../dashboard/app/pages/projects/upload/site-files.ts";

const MIB = 1_048_576;

/** A path and a size in bytes, by default 1. */
type Draft = string | readonly [path: string, size: number];

function found(...paths: readonly Draft[]): {
  readonly files: readonly FoundFile[];
  readonly leftOut: readonly string[];
} {
  const files = paths.map((one) => {
    const [path, size] = typeof one === "string" ? [one, 1] : one;
    return { path, size, open: () => new Blob(["x".repeat(size)]).stream() };
  });
  return { files, leftOut: [] };
}

function pathsOf(...paths: readonly string[]): readonly string[] {
  return siteFiles(found(...paths)).files.map(({ path }) => path);
}

function refusalOf(...paths: readonly Draft[]): string {
  try {
    siteFiles(found(...paths));
  } catch (error) {
    if (error instanceof SiteRefused) return `${error.problem.code}: ${error.problem.message}`;
    throw error;
  }
  return "taken";
}

test("a dropped folder is the root of the site", () => {
  expect(pathsOf("site/index.html", "site/animals/7/bio.md")).toEqual([
    "animals/7/bio.md",
    "index.html",
  ]);
});

test("files dropped without a folder are the site", () => {
  expect(pathsOf("index.html", "style.css")).toEqual(["index.html", "style.css"]);
});

test("two dropped folders stay folders", () => {
  expect(pathsOf("a/index.html", "b/index.html")).toEqual(["a/index.html", "b/index.html"]);
});

test("a folder with a meaning for sites stays a folder", () => {
  expect(pathsOf("animals/7/photo.jpg")).toEqual(["animals/7/photo.jpg"]);
  expect(pathsOf(".well-known/security.txt")).toEqual([".well-known/security.txt"]);
});

test("files of the operating system do not count as a second entry", () => {
  expect(pathsOf("site/index.html", "__MACOSX/site/index.html")).toEqual(["index.html"]);
});

test("files that do not belong on a site are skipped and listed", () => {
  const site = siteFiles({
    ...found(
      "site/.env",
      "site/.DS_Store",
      "site/a/.git/HEAD",
      "site/index.html",
      "site/Thumbs.db",
    ),
    leftOut: ["site/.svn"],
  });
  expect(site.files).toHaveLength(1);
  expect(site.leftOut).toEqual([
    "site/.DS_Store",
    "site/.env",
    "site/.svn",
    "site/Thumbs.db",
    "site/a/.git/HEAD",
  ]);
});

test("well-known files at the root are kept", () => {
  expect(pathsOf("site/.well-known/security.txt", "site/index.html")).toEqual([
    ".well-known/security.txt",
    "index.html",
  ]);
  expect(siteFiles(found("site/a/.well-known/x", "site/index.html")).leftOut).toEqual([
    "site/a/.well-known/x",
  ]);
});

test("the summary has the number and size of files, and whether there is a home page", () => {
  expect(siteFiles(found(["s/a.txt", 3], ["s/b/index.html", 4]))).toMatchObject({
    bytes: 7,
    hasIndex: false,
  });
  expect(siteFiles(found("s/index.html", "s/a"))).toMatchObject({ hasIndex: true });
});

test("a file that the service would refuse is refused by name before the upload", () => {
  expect(refusalOf("s/v1/x", "s/a")).toBe(
    'invalid_archive: "v1/x" belongs to a place that this service answers itself.',
  );
  expect(refusalOf("../evil.txt")).toContain('"../evil.txt" leaves the site');
  expect(refusalOf("C:/evil.txt", "a")).toContain("begins with the letter of a drive");
  expect(refusalOf("/etc/passwd")).toContain("is an absolute path");
  expect(refusalOf("a\\b")).toContain("has a backslash in its name");
});

test("skipped files alone are not a site", () => {
  expect(refusalOf("site/.git/HEAD")).toStartWith("invalid_archive: The upload contains no files");
  expect(refusalOf()).toStartWith("invalid_archive: The upload contains no files");
});

test("too many files are refused", () => {
  const large = (size: number) => ({ path: "film.mp4", size, open: () => new Blob().stream() });
  const judge = (files: readonly FoundFile[]): string => {
    try {
      siteFiles({ files, leftOut: [] });
      return "taken";
    } catch (error) {
      return error instanceof SiteRefused ? error.problem.code : "broken";
    }
  };
  expect(judge([large(25 * MIB)])).toBe("taken");
  expect(judge([large(25 * MIB + 1)])).toBe("payload_too_large");
  const many = (count: number, size: number): readonly FoundFile[] =>
    Array.from({ length: count }, (_, index) => ({ ...large(size), path: `${index}.txt` }));
  expect(judge(many(10, 25 * MIB))).toBe("taken");
  expect(judge(many(11, 25 * MIB))).toBe("payload_too_large");
  expect(judge(many(5_000, 1))).toBe("taken");
  expect(judge(many(5_001, 1))).toBe("payload_too_large");
});
