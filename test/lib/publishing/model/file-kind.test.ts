import { expect, test } from "bun:test";
import { mediaType, isFingerprinted } from "../../../../lib/publishing/model/file-kind.ts";

test("the media type depends on the last extension, ignoring case", () => {
  for (const [path, type] of [
    ["/index.html", "text/html; charset=utf-8"],
    ["/INDEX.HTM", "text/html; charset=utf-8"],
    ["/a.b/app.min.js", "text/javascript; charset=utf-8"],
    ["/photo.JPG", "image/jpeg"],
    ["/logo.svg", "image/svg+xml; charset=utf-8"],
    ["/font.woff2", "font/woff2"],
    ["/feed.json", "application/json"],
    ["/site.webmanifest", "application/manifest+json"],
    ["/app.wasm", "application/wasm"],
  ] as const) {
    expect(mediaType(path).type).toBe(type);
  }
});

test("unknown extensions are bytes, also names of object members", () => {
  for (const path of [
    "/README",
    "/a.unknown",
    "/a.constructor",
    "/a.__proto__",
    "/a.html/x",
    "/a.",
  ]) {
    expect(mediaType(path)).toEqual({ type: "application/octet-stream", compresses: false });
  }
});

test("bundlers' file names are fingerprinted", () => {
  for (const name of [
    "/app.3f9a2c1b.js",
    "/assets/index-BxYz12_q.css",
    "/assets/index-C4k-9aQz.js",
    "/static/js/main.3f9a2c1b.chunk.js",
    "/main.3f9a2c1b.js.map",
    "/app.3f9a2c1b.min.js",
    "/chunk-7QJ4XKZB.js",
    "/_app/immutable/chunks/3f9a2c1b4d5e6f70.js",
    "/photo-3f9a2c1b4d5e6f708192.jpg",
    "/d41d8cd98f00b204e9800998ecf8427e.png",
    "/style_3f9a2c1b.css",
  ]) {
    expect(`${name} ${isFingerprinted(name)}`).toBe(`${name} true`);
  }
});

test("words, dates, sizes, versions and pages are not fingerprinted", () => {
  for (const name of [
    "/index.html",
    "/page.3f9a2c1b.html",
    "/app.js",
    "/3f9a2c1b",
    "/rex-birthday2024.jpg",
    "/photo-20240512.jpg",
    "/photo-2024-05-12.jpg",
    "/photo-2024may12.jpg",
    "/IMG_20240512_101112.jpg",
    "/photo-1024x768.jpg",
    "/photo-1920x1080.webp",
    "/jquery-3.7.1.min.js",
    "/DSC01234.jpg",
    "/rex-decade2024.jpg",
    "/facade-defaced.png",
    "/animals/12345678/photo.jpg",
    "/report.final.v2.pdf",
    "/app.3f9a2c1b/main.js",
    "/resume-Version2.pdf",
    "/manifest-2024Q3v1.json",
  ]) {
    expect(`${name} ${isFingerprinted(name)}`).toBe(`${name} false`);
  }
});
