import { expect, test } from "bun:test";
import { memoryBlobs } from "../../../../lib/publishing/memory-blobs.ts";
import { etagOf, shopWindow, siteOf, visitsOf, type Ask } from "./shop-window.ts";
import {
  contentRange,
  rangeOf,
  MissingBlob,
  smallBlobs,
} from "../../../../lib/publishing/serving/send-file.ts";
import { chance } from "../../../helpers/chance.ts";
import type { Blobs } from "../../../../lib/publishing/blobs.ts";

const page = { "/index.html": { content: "plain text", br: "br", gzip: "gzip" } };

test("a page is revalidated, with a 304 when unchanged", async () => {
  const ask = await shopWindow(page);
  const first = await ask("/");
  const etag = first.headers.get("etag") ?? "";
  expect(first.headers.get("cache-control")).toBe("no-cache");
  expect(etag).toBe(await etagOf("plain text"));
  const again = await ask("/", { headers: { "if-none-match": etag } });
  expect([again.status, await again.text()]).toEqual([304, ""]);
  expect(again.headers.get("etag")).toBe(etag);
  expect(again.headers.get("vary")).toBe("accept-encoding");
  expect(again.headers.get("content-type")).toBeNull();
});

test.each([
  ["gzip, br", "br", "br"],
  ["gzip", "gzip", "gzip"],
  ["br;q=0, gzip;q=0", "plain text", null],
  ["identity;q=0, gzip", "gzip", "gzip"],
] as const)("a client that accepts %s gets %s", async (accepted, text, encoding) => {
  const ask = await shopWindow(page);
  const answer = await ask("/", { headers: { "accept-encoding": accepted } });
  expect(await answer.text()).toBe(text);
  expect(answer.headers.get("content-encoding")).toBe(encoding);
  expect(answer.headers.get("vary")).toBe("accept-encoding");
  expect(answer.headers.get("etag")).toBe(await etagOf(text));
});

test("a client that accepts no encoding gets the identity", async () => {
  const ask = await shopWindow({ "/a.png": "pixels" });
  const answer = await ask("/a.png", { headers: { "accept-encoding": "identity;q=0" } });
  expect([answer.status, await answer.text()]).toEqual([200, "pixels"]);
});

test("the ETag of one encoding does not match another", async () => {
  const ask = await shopWindow(page);
  const compressed = await ask("/", { headers: { "accept-encoding": "br" } });
  const headers = { "if-none-match": compressed.headers.get("etag") ?? "" };
  expect((await ask("/", { headers })).status).toBe(200);
});

test.each(["*", 'W/"x", ETAG', "W/ETAG"])(
  "If-None-Match: %s is answered with 304",
  async (written) => {
    const ask = await shopWindow(page);
    const etag = await etagOf("plain text");
    const headers = { "if-none-match": written.replace("ETAG", etag) };
    expect((await ask("/", { headers })).status).toBe(304);
  },
);

test("a fingerprinted file is immutable", async () => {
  const ask = await shopWindow({ "/app.3f2a9c1b.css": { content: "a{}", immutable: true } });
  const { headers } = await ask("/app.3f2a9c1b.css");
  expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(headers.get("content-type")).toBe("text/css; charset=utf-8");
  expect(headers.get("vary")).toBeNull();
});

test("responses disable sniffing and limit the referrer", async () => {
  const ask = await shopWindow(page);
  const { headers } = await ask("/");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
  expect(headers.get("set-cookie")).toBeNull();
});

const SMALL = "0123456789";
const LARGE = "0123456789".repeat(220_000);

test.each([
  ["small", SMALL],
  ["large", LARGE],
])("ranges of a %s file are served", async (_size, content) => {
  const ask = await shopWindow({ "/film.mp4": content });
  const size = content.length;
  const part = async (range: string) => {
    const answer = await ask("/film.mp4", { headers: { range } });
    return [answer.status, answer.headers.get("content-range"), await answer.text()];
  };
  expect(await part("bytes=2-4")).toEqual([206, `bytes 2-4/${size}`, "234"]);
  expect(await part("bytes=-2")).toEqual([206, `bytes ${size - 2}-${size - 1}/${size}`, "89"]);
  expect(await part(`bytes=${size}-`)).toEqual([416, `bytes */${size}`, ""]);
  expect(await part("bytes=0-1,4-5")).toEqual([200, null, content]);
  expect((await ask("/film.mp4")).headers.get("accept-ranges")).toBe("bytes");
});

test("a range applies to the selected encoding", async () => {
  const ask = await shopWindow({ "/index.html": { content: "plain text", br: "compressed" } });
  const headers = { "accept-encoding": "br", range: "bytes=0-3" };
  const answer = await ask("/", { headers });
  expect([answer.status, await answer.text()]).toEqual([206, "comp"]);
  expect(answer.headers.get("content-range")).toBe("bytes 0-3/10");
  expect(answer.headers.get("content-encoding")).toBe("br");
});

test("If-Range with an old ETag returns the whole new file", async () => {
  const ask = await shopWindow({ "/film.mp4": SMALL });
  const part = async (ifRange: string) => {
    const headers = { range: "bytes=5-", "if-range": ifRange };
    return (await ask("/film.mp4", { headers })).status;
  };
  const etag = await etagOf(SMALL);
  expect(await part(etag)).toBe(206);
  expect(await part('"of the one before"')).toBe(200);
  expect(await part(`W/${etag}`)).toBe(200);
  expect(await part("Sat, 21 Nov 2026 00:00:00 GMT")).toBe(200);
});

test("If-None-Match precedes Range", async () => {
  const ask = await shopWindow({ "/film.mp4": SMALL });
  const headers = { range: "bytes=5-", "if-none-match": await etagOf(SMALL) };
  expect((await ask("/film.mp4", { headers })).status).toBe(304);
});

test("If-Match with another ETag is a 412", async () => {
  const ask = await shopWindow({ "/film.mp4": SMALL });
  const status = async (ifMatch: string) =>
    (await ask("/film.mp4", { headers: { "if-match": ifMatch } })).status;
  expect(await status('"another"')).toBe(412);
  expect(await status(await etagOf(SMALL))).toBe(200);
  expect(await status("*")).toBe(200);
});

test.each(["small", "large"])("HEAD of a %s file returns the headers of GET", async (size) => {
  const ask = await shopWindow({ "/film.mp4": size === "small" ? SMALL : LARGE });
  const get = await ask("/film.mp4");
  const head = await ask("/film.mp4", { method: "HEAD", headers: { range: "bytes=0-1" } });
  const headHeaders = Object.fromEntries(head.headers);
  expect([head.status, await head.text()]).toEqual([200, ""]);
  expect(headHeaders["content-length"]).toBe(String((await get.bytes()).length));
  delete headHeaders["content-length"];
  const { "content-disposition": _, ...rest } = Object.fromEntries(get.headers);
  expect(headHeaders).toEqual(rest);
});

test("an empty file is served", async () => {
  const ask = await shopWindow({ "/empty.txt": "" });
  const answer = await ask("/empty.txt");
  expect([answer.status, await answer.text()]).toEqual([200, ""]);
  expect((await ask("/empty.txt", { headers: { range: "bytes=0-" } })).status).toBe(416);
});

test("the site file's headers apply to matching paths", async () => {
  const ask = await shopWindow(
    { "/a.html": "a", "/fonts/x.woff2": "x" },
    {
      siteFile: {
        headers: [
          { for: "/*", values: { "Referrer-Policy": "no-referrer" } },
          { for: "/fonts/*", values: { "Access-Control-Allow-Origin": "*" } },
          { for: "/a.html", values: { "Cache-Control": "public, max-age=60" } },
        ],
      },
    },
  );
  const own = async (path: string) => {
    const { headers } = await ask(path);
    return ["referrer-policy", "access-control-allow-origin", "cache-control"].map((name) =>
      headers.get(name),
    );
  };
  expect(await own("/a.html")).toEqual(["no-referrer", null, "public, max-age=60"]);
  expect(await own("/fonts/x.woff2")).toEqual(["no-referrer", "*", "no-cache"]);
});

test.each(["small", "large"])(
  "a %s file has the Content-Disposition that the site sets",
  async (size) => {
    const values = { "Content-Disposition": 'attachment; filename="form.pdf"' };
    const ask = await shopWindow(
      { "/form.pdf": size === "small" ? SMALL : LARGE },
      { siteFile: { headers: [{ for: "/form.pdf", values }] } },
    );
    const disposition = async (more: Ask) =>
      (await ask("/form.pdf", more)).headers.get("content-disposition");
    expect(await disposition({})).toBe('attachment; filename="form.pdf"');
    expect(await disposition({ headers: { range: "bytes=1-2" } })).toBe(
      'attachment; filename="form.pdf"',
    );
  },
);

test("a small file is read once, however often and in whatever ranges it is requested", async () => {
  const blobs = memoryBlobs();
  const site = await siteOf(blobs, { "/a.png": SMALL });
  let reads = 0;
  const counted = {
    ...blobs,
    read: (sha256: string) => {
      reads++;
      return blobs.read(sha256);
    },
  };
  const ask = visitsOf({ kind: "site", site }, { blobs: counted });
  for (const range of ["bytes=0-1", "bytes=1-2", "nonsense"]) {
    await ask("/a.png", { headers: { range } });
  }
  expect(reads).toBe(1);
});

test("a large file is not cached", async () => {
  const blobs = memoryBlobs();
  const site = await siteOf(blobs, { "/film.mp4": LARGE });
  const read = () => Promise.reject(new Error("read whole"));
  const ask = visitsOf({ kind: "site", site }, { blobs: { ...blobs, read } });
  expect(await (await ask("/film.mp4")).text()).toBe(LARGE);
});

test.each([
  ["bytes=0-0", 10, { start: 0, end: 1 }],
  ["bytes=0-9", 10, { start: 0, end: 10 }],
  ["bytes=2-", 10, { start: 2, end: 10 }],
  ["bytes=-3", 10, { start: 7, end: 10 }],
  ["bytes=-30", 10, { start: 0, end: 10 }],
  ["bytes=5-99999999999999999999", 10, { start: 5, end: 10 }],
  ["BYTES= 1-2 ", 10, { start: 1, end: 3 }],
  ["bytes=10-", 10, "unsatisfiable"],
  ["bytes=99999999999999999999-", 10, "unsatisfiable"],
  ["bytes=-0", 10, "unsatisfiable"],
  ["bytes=0-", 0, "unsatisfiable"],
  ["bytes=-1", 0, "unsatisfiable"],
  ["bytes=3-2", 10, "whole"],
  ["bytes=0-1,3-4", 10, "whole"],
  ["bytes=-", 10, "whole"],
  ["bytes=", 10, "whole"],
  ["bytes=a-b", 10, "whole"],
  ["bytes=1.5-2", 10, "whole"],
  ["bytes=+1-2", 10, "whole"],
  ["items=0-1", 10, "whole"],
  ["0-1", 10, "whole"],
  [`bytes=${"1".repeat(21)}-`, 10, "whole"],
] as const)("the range %s of %i bytes is %p", (header, size, ranged) => {
  expect(rangeOf(header, size)).toEqual(ranged);
});

test("a range lies within the file and has at least one byte", () => {
  const { true: happens, between } = chance();
  const number = (): string => (happens(0.3) ? "" : String(between(0, 30)));
  for (let round = 0; round < 2_000; round++) {
    const size = between(0, 20);
    const range = rangeOf(`bytes=${number()}-${number()}`, size);
    if (typeof range === "string") continue;
    expect(range.start).toBeGreaterThanOrEqual(0);
    expect(range.end).toBeLessThanOrEqual(size);
    expect(range.end).toBeGreaterThan(range.start);
  }
});

test("`Content-Range` includes the last byte, or only the size for a 416", () => {
  expect(contentRange({ start: 2, end: 5 }, 10)).toBe("bytes 2-4/10");
  expect(contentRange(undefined, 10)).toBe("bytes */10");
});

/** Blobs that count their reads. */
function counted(): { readonly blobs: Blobs; readonly reads: string[] } {
  const reads: string[] = [];
  const kept = memoryBlobs();
  const read = (sha256: string) => {
    reads.push(sha256);
    return kept.read(sha256);
  };
  return { blobs: { ...kept, read }, reads };
}

test("a blob is read once and then cached", async () => {
  const { blobs, reads } = counted();
  const { sha256 } = await blobs.put(new Uint8Array([1, 2, 3]));
  const small = smallBlobs(blobs, 10_000);
  await small.read(sha256);
  const kept = small.read(sha256);
  expect(kept instanceof Blob && (await kept.bytes())).toEqual(new Uint8Array([1, 2, 3]));
  expect(reads).toEqual([sha256]);
});

test("concurrent readers share one read", async () => {
  const { blobs, reads } = counted();
  const { sha256 } = await blobs.put(new Uint8Array([1]));
  const small = smallBlobs(blobs, 10_000);
  await Promise.all([small.read(sha256), small.read(sha256), small.read(sha256)]);
  expect(reads.length).toBe(1);
});

test("the cache keeps the most recently used blobs", async () => {
  const { blobs, reads } = counted();
  const small = smallBlobs(blobs, 10_000);
  const names: string[] = [];
  for (let index = 0; index < 4; index++) {
    const { sha256 } = await blobs.put(new Uint8Array(4_000).fill(index));
    names.push(sha256);
    await small.read(sha256);
  }
  const [first = "", , , last = ""] = names;
  await small.read(last);
  expect(reads.length).toBe(4);
  await small.read(first);
  expect(reads.length).toBe(5);
});

test("a missing blob is not cached as missing", async () => {
  const { blobs } = counted();
  const content = new TextEncoder().encode("late");
  const { sha256 } = await memoryBlobs().put(content);
  const small = smallBlobs(blobs, 10_000);
  expect(await Promise.resolve(small.read(sha256)).catch((error: unknown) => error)).toBeInstanceOf(
    MissingBlob,
  );
  await blobs.put(content);
  expect(await (await small.read(sha256)).bytes()).toEqual(content);
});
