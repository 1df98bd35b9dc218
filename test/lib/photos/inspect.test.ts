import { describe, expect, test } from "bun:test";

import { deflateSync } from "node:zlib";

import { bunImages } from "../../../adapters/images/bun.ts";
import { joined } from "../../../lib/base/parts.ts";
import { ascii, isAt, joinedInSteps } from "../../../lib/photos/formats/bytes.ts";
import { coloursOf, withColours } from "../../../lib/photos/formats/colours.ts";
import { inspectPicture } from "../../../lib/photos/formats/inspect.ts";
import { MAX_PARTS, STEP_BYTES } from "../../../lib/photos/limits.ts";
import { problemOf } from "../../../lib/photos/fault.ts";
import {
  exifOf,
  exifSegment,
  jpegOf,
  jpegWith,
  pngChunk,
  pngOf,
  pngWith,
  profileSegment,
  segment,
  webpChunk,
  webpOf,
  webpWith,
} from "../../helpers/pictures.ts";

const SIZE = { width: 60, height: 40 };
const [jpeg, progressive, png, webp] = await Promise.all([
  jpegOf(SIZE),
  jpegOf(SIZE, true),
  pngOf(SIZE),
  webpOf(SIZE),
]);
const EXIF_AND_XMP = 0x0c;
const secret = "Secret Shelter Street 7";
const xmp = ascii(`http://ns.adobe.com/xap/1.0/\0<x>${secret}</x>`);

const contains = (bytes: Uint8Array, text: string): boolean =>
  bytes.some((_, at) => isAt(bytes, at, text));

async function found(bytes: Uint8Array) {
  const read = await inspectPicture(bytes.slice());
  if (!read.ok) throw new Error(`refused: ${read.failure.kind}`);
  return read.value;
}

async function refusal(bytes: Uint8Array): Promise<string> {
  const read = await inspectPicture(bytes.slice());
  return read.ok ? "none" : read.failure.kind;
}

/** Repeats the last scan of a JPEG. */
function scansOf(bytes: Uint8Array, count: number): Uint8Array {
  const starts = Array.from(bytes.keys()).filter((at) => isAt(bytes, at, "\u00ff\u00da"));
  const scan = bytes.subarray(starts.at(-1), -2);
  const more = Array.from({ length: count - starts.length }, () => scan);
  return joined([bytes.subarray(0, -2), ...more, bytes.subarray(-2)]);
}

/** Repeats a part more often than a file may have parts. */
function segments(part: Uint8Array): Uint8Array {
  return joined(Array.from({ length: MAX_PARTS }, () => part));
}

describe("a picture is accepted with its size as stored", () => {
  test.each([
    ["image/jpeg", jpeg],
    ["image/jpeg", progressive],
    ["image/png", png],
    ["image/webp", webp],
  ] as const)("%s", async (type, bytes) => {
    expect(await found(bytes)).toMatchObject({ type, ...SIZE, orientation: 1, colours: "srgb" });
  });
});

describe("the orientation of EXIF is found, in either order of bytes", () => {
  for (const littleEndian of [true, false]) {
    for (const orientation of [1, 3, 6, 8] as const) {
      const exif = exifOf(orientation, littleEndian);
      test.each([
        ["JPEG", jpegWith(jpeg, exifSegment(exif))],
        ["PNG", pngWith(png, pngChunk("eXIf", exif))],
        ["WebP", webpWith(webp, SIZE, EXIF_AND_XMP, webpChunk("EXIF", exif))],
        [
          "WebP with a name",
          webpWith(webp, SIZE, EXIF_AND_XMP, webpChunk("EXIF", joined([ascii("Exif\0\0"), exif]))),
        ],
      ])(`${orientation}, ${littleEndian ? "little" : "big"}-endian, %s`, async (_, bytes) => {
        expect((await found(bytes)).orientation).toBe(orientation);
      });
    }
  }

  test("and values outside of 1 to 8, or offsets beyond the data, mean upright", async () => {
    const beyond = exifOf(6);
    new DataView(beyond.buffer).setUint32(4, 4_000_000_000, true);
    for (const exif of [exifOf(0), exifOf(9), beyond, ascii("II*\0"), ascii("nothing")]) {
      expect((await found(jpegWith(jpeg, exifSegment(exif)))).orientation).toBe(1);
    }
  });
});

describe("metadata do not reach the decoder", () => {
  const exif = exifOf(6);
  const comment = ascii(`Comment\0${secret}`);
  test.each([
    [
      "JPEG",
      jpegWith(
        jpeg,
        exifSegment(exif),
        segment(0xe1, xmp),
        segment(0xed, ascii(secret)),
        segment(0xfe, ascii(secret)),
      ),
    ],
    ["PNG", pngWith(png, pngChunk("eXIf", exif), pngChunk("tEXt", comment))],
    ["WebP", webpWith(webp, SIZE, EXIF_AND_XMP, webpChunk("EXIF", exif), webpChunk("XMP ", xmp))],
  ])("%s", async (_, bytes) => {
    expect(contains(bytes, "Secret")).toBe(true);
    const picture = await found(bytes);
    expect(contains(picture.bytes, "Secret")).toBe(false);
    // What remains is a whole picture.
    expect(await found(picture.bytes)).toMatchObject({ ...SIZE, orientation: 1 });
    const [made] = await bunImages.render(picture, [
      { width: 40, height: 60, type: "image/webp", quality: 80 },
    ]);
    expect(made?.length).toBeGreaterThan(100);
  });
});

describe("what decoding needs reaches it unchanged and in its order", () => {
  // Bun writes JPEGs with a JFIF segment of 18 bytes, and PNGs without metadata.
  const JFIF_END = 20;
  const comment = segment(0xfe, ascii(secret));
  const text = pngChunk("tEXt", ascii(secret));
  const start = (bytes: Uint8Array) => joined([bytes.subarray(0, 2), bytes.subarray(JFIF_END)]);
  const scan = progressive.findLastIndex((_, at) => isAt(progressive, at, "\u00ff\u00da"));
  const header = scan + 2 + (progressive[scan + 3] ?? 0);
  test.each<[name: string, bytes: Uint8Array, expected: Uint8Array]>([
    ["JPEG", jpegWith(jpeg, comment), start(jpeg)],
    [
      "JPEG with comments among its scans",
      joined([
        progressive.subarray(0, scan),
        comment,
        comment,
        progressive.subarray(scan, -2),
        comment,
        progressive.subarray(-2),
      ]),
      start(progressive),
    ],
    ["PNG", joined([png.subarray(0, 33), text, png.subarray(33, -12), text, png.slice(-12)]), png],
    // The coded data of the long ones go on past the places where the reader pauses.
    ...[-3, -2, -1, 0, 1].flatMap((offset) =>
      ["", "\u00ff\0", "\u00ff\u00d0", "\u00ff\u00ff\0"].map((mark) => {
        const data = new Uint8Array(STEP_BYTES + offset);
        data.set(ascii(mark), data.length - mark.length);
        const long = joined([progressive.subarray(0, header), data, progressive.subarray(header)]);
        const name = `JPEG with ${data.length} more bytes, of which ${mark.length} are marks`;
        return [name, long, start(long)] satisfies [string, Uint8Array, Uint8Array];
      }),
    ),
  ])("%s", async (_, bytes, expected) => {
    expect(Buffer.from((await found(bytes)).bytes).equals(expected)).toBe(true);
  });
});

describe("other work has a turn after each step of a large picture", () => {
  const steps = 4;
  const scan = jpeg.findIndex((_, at) => isAt(jpeg, at, "\u00ff\u00da"));
  const header = scan + 2 + (jpeg[scan + 3] ?? 0);
  const data = new Uint8Array(steps * STEP_BYTES);
  const large = joined([jpeg.subarray(0, header), data, jpeg.subarray(header)]);
  // None of the scans is as long as a step.
  const shortData = new Uint8Array(STEP_BYTES / 2);
  const short = joined([jpeg.subarray(scan, header), shortData]);
  const scanned = joined([
    jpeg.subarray(0, scan),
    ...Array.from({ length: 2 * steps }, () => short),
    jpeg.subarray(scan),
  ]);
  test.each([
    ["joining it", () => joinedInSteps([large.subarray(0, 1_000), large.subarray(1_000)])],
    ["reading it", () => inspectPicture(large.slice())],
    ["reading its scans", () => inspectPicture(scanned.slice())],
  ])("%s", async (_, work) => {
    let [turns, ended] = [0, false];
    const count = (): void => {
      turns++;
      if (!ended) setImmediate(count);
    };
    setImmediate(count);
    await work();
    ended = true;
    // The work may go on before what is counted in the last turn.
    expect(turns).toBeGreaterThanOrEqual(steps - 1);
  });

  test("and joining changes nothing", async () => {
    const parts = [large.subarray(0, 1), large.subarray(1, 1), large.subarray(1)];
    expect(Buffer.from(await joinedInSteps(parts)).equals(large)).toBe(true);
    expect(await joinedInSteps([])).toHaveLength(0);
  });
});

describe("what lies behind the end is allowed and dropped", () => {
  test.each([
    ["JPEG", jpeg],
    ["PNG", png],
    ["WebP", webp],
  ])("%s", async (_, bytes) => {
    const picture = await found(joined([bytes, ascii(secret), jpeg]));
    expect(contains(picture.bytes, secret)).toBe(false);
  });
});

describe("a picture that is cut off anywhere is refused", () => {
  test.each([
    ["JPEG", jpeg],
    ["progressive JPEG", progressive],
    ["PNG", png],
    ["WebP", webp],
    ["extended WebP", webpWith(webp, SIZE, 0)],
  ])("%s", async (_, bytes) => {
    const kinds = new Set<string>();
    for (let length = 0; length < bytes.length; length++) {
      kinds.add(await refusal(bytes.subarray(0, length)));
    }
    expect([...kinds].filter((kind) => kind !== "cut" && kind !== "format")).toEqual([]);
    expect(await refusal(bytes.subarray(0, -1))).toBe("cut");
  });
});

describe("refused before decoding", () => {
  const withWidth = (bytes: Uint8Array, at: number): Uint8Array => {
    const large = bytes.slice();
    new DataView(large.buffer).setUint16(at, 0xffff);
    return large;
  };
  const frame = jpeg.findIndex((_, at) => isAt(jpeg, at, "\u00ff\u00c0"));
  const size = { width: 16_384, height: 16_384 };
  const huge = webp.slice();
  // Both sides of the frame of a lossy WebP.
  huge.set([0xff, 0x3f, 0xff, 0x3f], 26);

  test.each([
    [
      "a JPEG of more than 50 megapixels",
      withWidth(withWidth(jpeg, frame + 5), frame + 7),
      "pixels",
    ],
    ["a PNG of more than 50 megapixels", withWidth(png, 16), "pixels"],
    ["a WebP of more than 50 megapixels", huge, "pixels"],
    ["a WebP whose canvas has another size than its picture", webpWith(webp, size, 0), "damaged"],
    ["a progressive JPEG of 101 scans", scansOf(progressive, 101), "scans"],
    ["an animated WebP", webpWith(webp, SIZE, 0x02), "animated"],
    [
      "a WebP with frames",
      webpWith(webp, SIZE, 0, webpChunk("ANMF", new Uint8Array(24))),
      "animated",
    ],
    ["an animated PNG", pngWith(png, pngChunk("acTL", new Uint8Array(8))), "animated"],
    ["a PNG without pixels", joined([png.subarray(0, 33), png.subarray(-12)]), "damaged"],
    ["a JPEG without a scan", joined([jpeg.subarray(0, frame), jpeg.subarray(-2)]), "damaged"],
    ["a JPEG with arithmetic coding", jpeg.with(frame + 1, 0xc9), "unusual"],
    ["a JPEG with 12 bits a colour", jpeg.with(frame + 4, 12), "unusual"],
    ["a JPEG of too many segments", jpegWith(jpeg, segments(segment(0xfe, ascii("")))), "unusual"],
    ["a PNG of too many chunks", pngWith(png, segments(pngChunk("tEXt", ascii("")))), "unusual"],
    [
      "a WebP of too many chunks",
      webpWith(webp, SIZE, 0, segments(webpChunk("XMP ", ascii("")))),
      "unusual",
    ],
    ["an empty file", new Uint8Array(), "format"],
  ])("%s", async (_, bytes, kind) => {
    expect(await refusal(bytes)).toBe(kind);
  });

  test("but 100 scans are allowed", async () => {
    expect(await refusal(scansOf(progressive, 100))).toBe("none");
  });

  test.each([
    ["\0\0\0\u0018ftypheic\0\0\0\0mif1heic", "HEIC"],
    ["\0\0\0\u0018ftypmif1\0\0\0\0heicmif1", "HEIC"],
    ["\0\0\0\u001cftypavif\0\0\0\0mif1avif", "AVIF"],
    ["\0\0\0\u001cftypmif1\0\0\0\0mif1avif", "AVIF"],
    ["GIF89a", "GIF"],
    ["BM6\0\0\0", "BMP"],
    ["II*\0", "TIFF"],
    ["MM\0*", "TIFF"],
    ['<?xml version="1.0"?><svg xmlns="">', "SVG"],
    ["<svg/>", "SVG"],
    ["%PDF-1.7", "PDF"],
    ["PK\u0003\u0004", "ZIP"],
    ["\u00ff\u000a", "JPEG XL"],
    ["8BPS", "PSD"],
    ["\0\0\0\u0018ftypisom", undefined],
    ["name,status\nRex,available", undefined],
  ])("%j is %p, and the refusal says what to do", async (text, format) => {
    const read = await inspectPicture(ascii(text));
    expect(read).toEqual({ ok: false, failure: { kind: "format", format } as never });
    if (read.ok) return;
    const { code, message } = problemOf(read.failure);
    expect(code).toBe("unsupported_media_type");
    expect(message).toMatch(/JPEG|zip archive/);
  });
});

describe("colours", () => {
  const size = { type: "image/jpeg", ...SIZE } as const;
  const profiles = (["display-p3", "adobe-rgb"] as const).map((colours) => {
    const tagged = withColours(jpeg, colours, size);
    const from = Array.from(tagged.keys()).find((at) => isAt(tagged, at, "ICC_PROFILE\0")) ?? 0;
    const length = new DataView(tagged.buffer).getUint16(from - 2);
    return [colours, tagged.subarray(from + 14, from - 2 + length)] as const;
  });

  for (const [colours, profile] of profiles) {
    test(`a short profile of ${colours} is recognized and replaced by our own`, async () => {
      expect(profile.length).toBeLessThan(700);
      expect(coloursOf(profile)).toBe(colours);
      const packed = joined([ascii("x\0\0"), deflateSync(profile)]);
      for (const bytes of [
        jpegWith(jpeg, profileSegment(profile)),
        pngWith(png, pngChunk("iCCP", packed)),
        webpWith(webp, SIZE, 0x20, webpChunk("ICCP", profile)),
      ]) {
        const picture = await found(bytes);
        expect(picture.colours).toBe(colours);
        expect(contains(picture.bytes, "acsp")).toBe(false);
      }
    });

    test(`renditions in ${colours} are whole pictures with the profile`, async () => {
      const alpha = await new Bun.Image(
        pngWith(await pngOf(SIZE), pngChunk("tRNS", new Uint8Array(6))),
      )
        .webp()
        .bytes();
      for (const [bytes, type] of [
        [jpeg, "image/jpeg"],
        [webp, "image/webp"],
        [alpha, "image/webp"],
        [webpWith(webp, SIZE, 0), "image/webp"],
      ] as const) {
        const tagged = withColours(bytes, colours, { type, ...SIZE });
        expect(await found(tagged)).toMatchObject({ type, ...SIZE, colours });
        expect(await new Bun.Image(tagged).metadata()).toMatchObject(SIZE);
      }
    });
  }

  test("a profile of 4 KB, of unknown primaries or damaged is dropped: its picture is sRGB", async () => {
    const [, p3] = profiles[0] ?? ["", new Uint8Array()];
    const long = joined([p3, new Uint8Array(4_096 - p3.length)]);
    const other = p3.slice();
    for (const at of other.keys()) if (isAt(other, at, "XYZ \0")) other[at + 10] = 0x7f;
    for (const profile of [long, other, p3.subarray(0, 140), ascii("nothing"), new Uint8Array()]) {
      const picture = await found(jpegWith(jpeg, profileSegment(profile)));
      expect(picture.colours).toBe("srgb");
    }
    for (const packed of [deflateSync(new Uint8Array(1_000_000)), ascii("nothing")]) {
      const chunk = pngChunk("iCCP", joined([ascii("x\0\0"), packed]));
      expect((await found(pngWith(png, chunk))).colours).toBe("srgb");
    }
  });
});
