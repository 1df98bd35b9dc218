import { expect, test } from "bun:test";

import { mediaType } from "../../../../lib/publishing/model/file-kind.ts";

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
