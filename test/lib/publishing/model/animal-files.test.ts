import { expect, test } from "bun:test";
import {
  animalFiles,
  animalPlace,
  MAX_BIO,
  unusedFiles,
} from "../../../../lib/publishing/model/animal-files.ts";
import type { ManifestFile } from "../../../../lib/publishing/model/deploy.ts";
import { goneBetween } from "../../../../lib/publishing/model/gone.ts";

const file = (path: string, more: Partial<ManifestFile> = {}): ManifestFile => ({
  path,
  sha256: path,
  size: 1,
  type: "",
  immutable: false,
  encodings: [],
  ...more,
});

test.each([
  ["/animals/7/photo.jpg", "photo 7"],
  ["/animals/7/photo.JPG", "photo 7"],
  ["/Animals/7/Photo.WebP", "photo 7"],
  ["/animals/7/bio.md", "bio 7"],
  ["/animals/7/BIO.MD", "bio 7"],
  ["/animals/7/IMG_0001.jpg", "photo_name"],
  ["/animals/7/photo1.png", "photo_name"],
  ["/animals/7/photo.heic", "photo_format"],
  ["/animals/7/IMG_0001.HEIC", "photo_format"],
  ["/animals/7/photo.gif", "photo_format"],
  ["/animals/7/bio.txt", "text_name"],
  ["/animals/7/About.docx", "text_name"],
  ["/animals/Rex/photo.jpg", "folder"],
  ["/animals/007/photo.jpg", "folder"],
  ["/animals/7 Rex/bio.md", "folder"],
  ["/animals/99999999999999999999/photo.jpg", "folder"],
  ["/animals/7.jpg", "place"],
  ["/animals/7/photos/1.jpg", "place"],
  ["/animals/README.md", "place"],
  ["/animals/index.html", undefined],
  ["/animals/7/index.html", undefined],
  ["/animals/7/style.css", undefined],
  ["/photo.jpg", undefined],
  ["/blog/animals/7/photo.jpg", undefined],
])("%s is %s", (path, wanted) => {
  const place = animalPlace(path);
  const found =
    place === undefined || place.kind === "unused" ? place?.reason : `${place.kind} ${place.id}`;
  expect(found).toBe(wanted);
});

test("an animal has its photos by format and a text that is short enough and UTF-8", () => {
  const files = animalFiles([
    file("/animals/7/photo.JPG"),
    file("/animals/7/photo.avif"),
    file("/animals/7/bio.md"),
    file("/animals/8/bio.md", { size: MAX_BIO + 1 }),
    file("/animals/9/bio.md", { notUtf8: true }),
  ]);
  expect([...files.keys()]).toEqual([7]);
  expect([...(files.get(7)?.photos.keys() ?? [])]).toEqual(["jpg", "avif"]);
  expect(files.get(7)?.bio?.path).toBe("/animals/7/bio.md");
});

test("unused files have their reasons, and animals that were not looked up are not unknown", () => {
  const files = [
    file("/animals/7/photo.jpg"),
    file("/animals/8/photo.jpg"),
    file("/animals/9/photo.jpg"),
    file("/animals/7/IMG.jpg"),
    file("/animals/7/bio.md", { notUtf8: true }),
    file("/index.html"),
  ];
  const known = new Map([
    [7, true],
    [8, false],
  ]);
  expect(unusedFiles(files, (id) => known.get(id))).toEqual([
    { path: "/animals/8/photo.jpg", reason: "unknown_animal" },
    { path: "/animals/7/IMG.jpg", reason: "photo_name" },
    { path: "/animals/7/bio.md", reason: "text_not_utf8" },
  ]);
});

test("what is gone counts animals, not formats, and no files that builds rename", () => {
  const before = [
    file("/animals/7/photo.jpg"),
    file("/animals/7/photo.avif"),
    file("/animals/7/bio.md"),
    file("/animals/8/photo.jpg"),
    file("/animals/8/photo.webp"),
    file("/assets/app.3f9a2c1b.js", { immutable: true }),
    file("/petstore.site.json"),
    file("/index.html"),
  ];
  const after = ["/animals/8/photo.JPG", "/index.html"];
  expect(goneBetween(before, new Set(after))).toEqual({
    files: 6,
    photosOf: 1,
    textsOf: 1,
    siteFile: true,
  });
  const nothing = { files: 0, photosOf: 0, textsOf: 0, siteFile: false };
  expect(goneBetween(before, new Set(before.map(({ path }) => path)))).toEqual(nothing);
  expect(goneBetween([], new Set(after))).toEqual(nothing);
});
