import { describe, expect, test } from "bun:test";

import { fields } from "../../../../lib/publishing/archive/tar-format.ts";
import {
  gzipped,
  joined,
  paxEntry,
  rawEntry,
  streamOf,
  tarEnd,
  tarGzOf,
  type RawEntry,
} from "../../../helpers/tar.ts";
import { ingest } from "../../../../lib/publishing/ingest/ingest.ts";
import type { Blobs } from "../../../../lib/publishing/blobs.ts";
import { memoryBlobs } from "../../../../lib/publishing/memory-blobs.ts";
import { outcome, take } from "./take.ts";

const page: RawEntry = { name: "index.html", content: "<h1>Rex</h1>" };
const MIB = 1_048_576;

/** The fault, the entries and the message. Each archive starts with a valid page. */
const refused: readonly (readonly [string, readonly (RawEntry | Uint8Array)[], string])[] = [
  ["goes up and out", [{ name: "photos/../../x" }], '"photos/../../x" leaves the site.'],
  ["goes up", [{ name: "../x" }], '"../x" leaves the site.'],
  ["is the directory above", [{ name: "..", type: "5" }], '".." leaves the site.'],
  ["goes up within the site", [{ name: "a/../b" }], '"a/../b" has ".." in its path.'],
  ["goes up to a hidden file", [{ name: "../.env" }], '"../.env" leaves the site.'],
  ["is absolute", [{ name: "/etc/passwd" }], '"/etc/passwd" is an absolute path.'],
  ["is absolute on another host", [{ name: "//host/x" }], '"//host/x" is an absolute path.'],
  ["has a backslash", [{ name: "..\\x" }], '"..\\x" has a backslash in its name.'],
  ["has a drive", [{ name: "C:/x" }], '"C:/x" begins with the letter of a drive.'],
  [
    "is a symbolic link",
    [{ name: "photo.jpg", type: "2", patch: { 157: "/etc/passwd" } }],
    '"photo.jpg" is a symbolic link; a site consists of files and directories.',
  ],
  [
    "is a hard link",
    [{ name: "x", type: "1", patch: { 157: "index.html" } }],
    '"x" is a hard link; a site consists of files and directories.',
  ],
  ["is a character device", [{ name: "null", type: "3" }], '"null" is a device;'],
  ["is a block device", [{ name: "sda", type: "4" }], '"sda" is a device;'],
  ["is a pipe", [{ name: "p", type: "6" }], '"p" is a named pipe;'],
  ["is sparse, as GNU writes it", [{ name: "s", type: "S" }], '"s" is a sparse file;'],
  [
    "is sparse, as pax writes it",
    [paxEntry({ "GNU.sparse.major": "1" }), { name: "s" }],
    '"s" is a sparse file;',
  ],
  ["is of no known kind", [{ name: "v", type: "V" }], '"v" is a thing of an unknown kind;'],
  ["has NUL in its name", [{ name: "a\0b" }], '"a\u{FFFD}b" has a control character in its name.'],
  ["has a line end in its name", [{ name: "a\nb" }], '"a\u{FFFD}b" has a control character'],
  ["has an escape in its name", [{ name: "a\u001b[31m" }], '"a\u{FFFD}[31m" has a control'],
  [
    "is not UTF-8",
    [{ name: new Uint8Array([0x63, 0xe9, 0x2e, 0x74]) }],
    'The name "c\u{FFFD}.t" is not valid UTF-8.',
  ],
  [
    "hides NUL in a pax name",
    [paxEntry({ path: "a\0b" }), { name: "x" }],
    '"a\u{FFFD}b" has a control character',
  ],
  ["climbs by a pax name", [paxEntry({ path: "../x" }), { name: "x" }], '"../x" leaves the site.'],
  [
    "climbs by a GNU name",
    [{ name: "././@LongLink", type: "L", content: "../../x\0" }, { name: "x" }],
    '"../../x" leaves the site.',
  ],
  [
    "climbs by the prefix",
    [{ name: "x", patch: { [fields.prefix.at]: ".." } }],
    '"../x" leaves the site.',
  ],
  ["has no name", [{ name: "" }], '"" is an entry without a name.'],
  ["is there twice", [{ name: "a.css" }, { name: "a.css" }], '"/a.css" appears twice.'],
  [
    "is there twice, written otherwise",
    [{ name: "a//b.css" }, { name: "./a/./b.css" }],
    '"/a/b.css" appears twice.',
  ],
  [
    "is there twice, composed and decomposed",
    [{ name: "caf\u00e9" }, { name: "cafe\u0301" }],
    '"/caf\u00e9" appears twice.',
  ],
  [
    "differs by case alone",
    [{ name: "Logo.PNG" }, { name: "logo.png" }],
    '"/logo.png" and "/Logo.PNG" differ by upper and lower case alone.',
  ],
  [
    "differs by the case of a directory",
    [{ name: "Img/a" }, { name: "img/a" }],
    '"/img/a" and "/Img/a" differ by upper and lower case alone.',
  ],
  [
    "differs by a sharp s",
    [{ name: "stra\u00dfe" }, { name: "STRASSE" }],
    "differ by upper and lower case alone.",
  ],
  [
    "is a file, then a directory",
    [{ name: "a" }, { name: "a/b" }],
    '"/a" is a file, and a directory in "/a".',
  ],
  [
    "is a directory, then a file",
    [{ name: "a/b/c" }, { name: "A/b" }],
    '"/A/b" is a file, and a directory in "/a/b".',
  ],
  [
    "is where certificates are proven",
    [{ name: ".well-known/acme-challenge/token" }],
    '".well-known/acme-challenge/token" belongs to a place that this service answers itself',
  ],
  ["is in the API's place", [{ name: "v1/pets" }], '"v1/pets" belongs to a place'],
  ["is in the reference's place", [{ name: "docs/index.html" }], '"docs/index.html" belongs to'],
  ["lies too deep", [{ name: "a/".repeat(33) + "b" }], "lies deeper than 32 directories."],
  [
    "has too long a name",
    [paxEntry({ path: "é/".repeat(400) }), { name: "x" }],
    "is longer than 1024 bytes.",
  ],
  ["has too long a part", [paxEntry({ path: "é".repeat(128) }), { name: "x" }], "255 bytes."],
  [
    "is a directory with content",
    [{ name: "d/", content: "x" }],
    '"d/" is a directory with content.',
  ],
  [
    "gives all entries one name",
    [paxEntry({ path: "x" }, "g"), { name: "y" }],
    "The archive gives all its entries one name or size.",
  ],
  [
    "has a broken pax header",
    [{ name: "p", type: "x", content: "99 path=x\n" }, { name: "y" }],
    "a pax header cannot be read.",
  ],
  [
    "has a size below zero",
    [{ name: "x", patch: { 124: new Uint8Array(12).fill(0xff) } }],
    "a header in it cannot be read.",
  ],
  [
    "has a size that is no number",
    [{ name: "x", patch: { 124: "0000000009z\0" } }],
    "a header in it cannot be read.",
  ],
  [
    "has more headers than one entry needs",
    Array.from({ length: 10 }, () => paxEntry({ comment: "x" })),
    "too many headers before one entry.",
  ],
];

describe("an archive is refused when an entry", () => {
  for (const [what, entries, message] of refused) {
    test(what, async () => {
      const failure = await outcome(tarGzOf([page, ...entries]));
      expect(failure).toStartWith("invalid_archive: ");
      expect(failure).toContain(message);
    });
  }
});

describe("an archive is too large when", () => {
  test("a file declares more than 25 MiB, and is refused before its content arrives", async () => {
    const large = rawEntry({ name: "a.mp4", size: 25 * MIB + 1 });
    expect(await outcome(tarGzOf([page, large]))).toBe(
      'payload_too_large: "a.mp4" is larger than 25 MiB.',
    );
  });

  test("a file declares too large a size in base 256", async () => {
    const size = new Uint8Array(12);
    size[0] = 0x80;
    size[6] = 1;
    const large = rawEntry({ name: "a.mp4", patch: { [fields.size.at]: size } });
    expect(await outcome(tarGzOf([page, large]))).toStartWith('payload_too_large: "a.mp4" is');
  });

  test("a file declares too large a size in a pax header", async () => {
    const entries = [paxEntry({ size: String(99 * MIB) }), { name: "a.mp4" }];
    expect(await outcome(tarGzOf(entries))).toStartWith('payload_too_large: "a.mp4" is larger');
  });

  test("it has 5,001 entries, including directories and skipped files", async () => {
    const rest = Array.from({ length: 4_998 }, (_, index) => ({ name: `d${index}/`, type: "5" }));
    const most = [page, { name: ".DS_Store" }, ...rest];
    expect(await outcome(tarGzOf(most))).toBe("/index.html");
    expect(await outcome(tarGzOf([...most, { name: "one-more" }]))).toBe(
      'payload_too_large: "one-more" is one entry too many: there may be 5000.',
    );
  });

  test("its files exceed 250 MiB together", async () => {
    const file = rawEntry({ name: "x", content: noise(25 * MIB) });
    const parts = Array.from({ length: 10 }, (_, index) => {
      const one = rawEntry({ name: `${index}.mp4`, size: 25 * MIB });
      return joined([one, file.subarray(512)]);
    });
    const over = gzipped(
      joined([...parts, rawEntry({ name: "last.txt", content: "!" }), tarEnd]),
      0,
    );
    const result = await ingest(streamOf(over), { blobs: forgetful() });
    expect(!result.ok && result.failure).toEqual({
      code: "payload_too_large",
      message: 'With "last.txt" the site is larger than 250 MiB.',
    });
  });

  test("it unpacks to more than 100 times its size", async () => {
    const zeros = { name: "zeros.bin", content: new Uint8Array(20 * MIB) };
    expect(await outcome(tarGzOf([page, zeros, page]))).toBe(
      'payload_too_large: With "zeros.bin" the archive unpacks to more than 100 times its size.',
    );
  });

  test("its skipped files unpack to more than 100 times its size", async () => {
    const zeros = { name: ".git/zeros", content: new Uint8Array(20 * MIB) };
    expect(await outcome(tarGzOf([page, zeros]))).toContain('With ".git/zeros" the archive');
  });

  test("an extension header exceeds 64 KiB", async () => {
    const long = { name: "L", type: "L", content: "x".repeat(65_537) };
    expect(await outcome(tarGzOf([long, page]))).toContain("a header of 65537 bytes");
  });
});

test("small text that compresses a thousandfold is accepted", async () => {
  const text = { name: "a.txt", content: " ".repeat(900_000) };
  expect(await outcome(tarGzOf([text]))).toBe("/a.txt");
});

describe("other formats are named in the refusal:", () => {
  const cases: readonly (readonly [string, Uint8Array, string])[] = [
    ["nothing", new Uint8Array(), "Nothing was sent. Send the files as a tar.gz."],
    [
      "a zip",
      new TextEncoder().encode("PK\u0003\u0004…"),
      "This is a zip archive. Send a tar.gz instead.",
    ],
    ["a plain tar", joined([rawEntry(page), tarEnd]), "This is a tar that is not compressed."],
    ["a web page", new TextEncoder().encode("<!doctype html>"), "This is not a tar.gz"],
    ["two bytes", new Uint8Array([0x1f, 0x8b]), "The archive cannot be unpacked"],
    ["gzip of text", gzipped(new Uint8Array(2_000).fill(65)), "does not contain a tar archive"],
    ["gzip of nothing", gzipped(new Uint8Array()), "The archive ends too early"],
    ["an empty tar", tarGzOf([]), "The archive holds no files that a site can show."],
    ["directories alone", tarGzOf([{ name: "a/", type: "5" }]), "holds no files"],
    ["hidden files alone", tarGzOf([{ name: ".env", content: "x" }]), "holds no files"],
  ];
  for (const [what, bytes, message] of cases) {
    test(what, async () => {
      const failure = await outcome(bytes);
      expect(failure).toStartWith("invalid_archive: ");
      expect(failure).toContain(message);
    });
  }
});

describe("incomplete archives are refused:", () => {
  const tar = joined([rawEntry(page), rawEntry({ name: "b", content: "x".repeat(600) }), tarEnd]);

  test("a tar cut off at any block, or within one", async () => {
    for (let length = 256; length < tar.length; length += 256) {
      const failure = await outcome(gzipped(tar.slice(0, length)));
      expect(`${length} ${failure}`).toContain("invalid_archive: The archive ends too early");
    }
  });

  test("gzip cut off anywhere", async () => {
    const whole = gzipped(tar);
    for (let length = 18; length < whole.length; length++) {
      expect(`${length} ${await outcome(whole.slice(0, length))}`).toContain("invalid_archive");
    }
  });

  test("a flipped bit in the gzip checksum", async () => {
    const bytes = gzipped(tar);
    bytes[bytes.length - 6] = (bytes[bytes.length - 6] ?? 0) ^ 1;
    expect(await outcome(bytes)).toContain("The archive cannot be unpacked");
  });

  test("a header whose checksum is wrong", async () => {
    const broken = rawEntry({ name: "b" });
    broken[0] = 0x63;
    expect(await outcome(tarGzOf([page, broken]))).toContain("a header in it cannot be read");
  });

  test("a second archive after the end", async () => {
    expect(await outcome(gzipped(joined([tar, tar])))).toContain("continues after its end");
  });

  test("garbage after the gzip", async () => {
    expect(await outcome(joined([gzipped(tar), tar]))).toContain("The archive cannot be unpacked");
  });

  test("except zeros that pad a tape record, and gzip with several members", async () => {
    const filled = joined([tar, new Uint8Array(9_000)]);
    expect(await outcome(gzipped(filled))).toBe("/b /index.html");
    const members = joined([gzipped(tar.slice(0, 700)), gzipped(tar.slice(700))]);
    expect(await outcome(members)).toBe("/b /index.html");
  });
});

test("files of macOS and Windows tools and hidden files are skipped", async () => {
  const debris = [
    ".DS_Store",
    "img/.DS_Store",
    "._index.html",
    "__MACOSX/index.html",
    "Thumbs.db",
    "desktop.ini",
    ".env",
    ".git/config",
    "img/.hidden/a.txt",
    ".well-known/.secret",
  ].map((name) => ({ name, content: "secret" }));
  const linked = { name: ".git/link", type: "2" };
  const known = { name: ".well-known/security.txt", content: "x" };
  expect(await outcome(tarGzOf([{ name: "./", type: "5" }, page, known, linked, ...debris]))).toBe(
    "/.well-known/security.txt /index.html",
  );
});

test("a single top directory is part of the paths", async () => {
  expect(await outcome(tarGzOf([{ name: "site/index.html" }]))).toBe("/site/index.html");
});

test("after a refusal no write is in flight, and the sender is cancelled", async () => {
  const inner = memoryBlobs();
  let writing = 0;
  const slow: Blobs = {
    ...inner,
    put: async (content, options) => {
      writing++;
      await Bun.sleep(5);
      const stored = await inner.put(content, options);
      writing--;
      return stored;
    },
  };
  let cancelled = false;
  const film = { name: "film.mp4", content: noise(MIB) };
  const bytes = tarGzOf([page, { name: "a.css", content: "a{}" }, { name: "../x" }, film]);
  let sent = false;
  const archive = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      // It never ends.
      if (!sent) controller.enqueue(bytes.slice(0, -4));
      sent = true;
    },
    cancel: () => {
      cancelled = true;
    },
  });
  const result = await ingest(archive, { blobs: slow });
  expect(result.ok).toBe(false);
  expect(writing).toBe(0);
  expect(cancelled).toBe(true);
});

test("a failing stream rejects with its reason", async () => {
  const reason = new Error("connection reset");
  const bytes = tarGzOf([page]);
  let sent = false;
  const archive = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (sent) controller.error(reason);
      else controller.enqueue(bytes.slice(0, 40));
      sent = true;
    },
  });
  const failure: unknown = await ingest(archive, { blobs: memoryBlobs() }).catch((error) => error);
  expect(failure).toBe(reason);
});

test("failing blob writes reject, whichever file it was", async () => {
  const reason = new Error("no space left");
  const blobs: Blobs = { ...memoryBlobs(), put: () => Promise.reject(reason) };
  const failure: unknown = await take(tarGzOf([page]), { blobs }).catch((error: unknown) => error);
  expect(failure).toBe(reason);
});

/** Incompressible bytes, the same each time. */
function noise(length: number): Uint8Array {
  const words = new Uint32Array(length / 4);
  let state = 1;
  for (let index = 0; index < words.length; index++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    words[index] = state;
  }
  return new Uint8Array(words.buffer);
}

/** Counts the bytes put and keeps nothing. */
function forgetful(): Blobs {
  return {
    ...memoryBlobs(),
    put: async (content) => {
      const size = (await new Response(content as BodyInit).arrayBuffer()).byteLength;
      return { sha256: "0".repeat(64), size, added: true };
    },
  };
}
