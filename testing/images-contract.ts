import { crc32 } from "../lib/base/digest.ts";
import type { Eventual } from "../lib/base/eventual.ts";
import { joined } from "../lib/base/parts.ts";
import { ascii, isAt } from "../lib/photos/formats/bytes.ts";
import { inspectPicture } from "../lib/photos/formats/inspect.ts";
import { PictureUndecodable, type Images, type Orientation } from "../lib/photos/images.ts";
import { contractCase, equal, type ContractCase } from "./contract-case.ts";

/** An adapter of `Images`, and a decoder that the cases see its results with. */
export interface ImagesUnderTest {
  readonly images: Images;
  /** Decodes a WebP or a JPEG to red, green, blue and alpha of each pixel, row by row. */
  readonly pixels: (picture: Uint8Array) => Promise<Uint8Array>;
  close?(): Eventual<void>;
}

type Colour = "red" | "green" | "blue" | "white" | "clear";

const RGBA: Readonly<Record<Colour, readonly [number, number, number, number]>> = {
  red: [220, 20, 20, 255],
  green: [20, 180, 20, 255],
  blue: [20, 20, 220, 255],
  white: [240, 240, 240, 255],
  clear: [20, 180, 20, 0],
};

/** The corners of a picture: top left, top right, bottom left, bottom right. */
type Corners = readonly [Colour, Colour, Colour, Colour];

const STORED: Corners = ["red", "green", "blue", "white"];

/** How each orientation shows the stored corners. */
const SHOWN: Readonly<Record<Orientation, Corners>> = {
  1: ["red", "green", "blue", "white"],
  2: ["green", "red", "white", "blue"],
  3: ["white", "blue", "green", "red"],
  4: ["blue", "white", "red", "green"],
  5: ["red", "blue", "green", "white"],
  6: ["blue", "red", "white", "green"],
  7: ["white", "green", "blue", "red"],
  8: ["green", "white", "red", "blue"],
};

const [WIDTH, HEIGHT] = [96, 64];

/** Returns the contract of every adapter of `Images`. */
export function imagesContract(open: () => Eventual<ImagesUnderTest>): readonly ContractCase[] {
  const test = (name: string, body: (subject: ImagesUnderTest) => Promise<void>): ContractCase =>
    contractCase(name, open, body);
  const png = { type: "image/png", width: WIDTH, height: HEIGHT, orientation: 1 } as const;
  const webp = { type: "image/webp", quality: 90 } as const;
  const jpeg = { type: "image/jpeg", quality: 90 } as const;

  return [
    test("renditions are in the order asked for, of exactly their size and type", async (subject) => {
      const wanted = [
        { ...webp, width: 48, height: 32 },
        { ...jpeg, width: 96, height: 64 },
        { ...webp, width: 31, height: 7 },
        { ...webp, width: 1, height: 64 },
      ];
      const made = await subject.images.render({ ...png, bytes: pngOf(STORED) }, wanted);
      const found: object[] = [];
      for (const each of made) {
        const { type, width, height } = await inspected(each);
        found.push({ type, width, height });
      }
      equal(
        found,
        wanted.map(({ type, width, height }) => ({ type, width, height })),
        "renditions",
      );
    }),

    ...([1, 2, 3, 4, 5, 6, 7, 8] as const).flatMap((orientation) =>
      [webp, jpeg].map((form) =>
        test(`orientation ${orientation} is applied before scaling (${form.type})`, async (subject) => {
          const sideways = orientation >= 5;
          const size = sideways ? { width: 32, height: 48 } : { width: 48, height: 32 };
          const [made] = await subject.images.render(
            { ...png, orientation, bytes: pngOf(STORED) },
            [{ ...form, ...size }],
          );
          equal(await cornersIn(subject, made, size), SHOWN[orientation], "corners");
        }),
      ),
    ),

    test("a JPEG and a WebP are decoded like a PNG", async (subject) => {
      const { images } = subject;
      const size = { width: WIDTH, height: HEIGHT };
      const forms = await images.render({ ...png, bytes: pngOf(STORED) }, [
        { ...jpeg, ...size },
        { ...webp, ...size },
      ]);
      for (const form of forms) {
        const [made] = await images.render(await inspected(form), [{ ...webp, ...size }]);
        equal(await cornersIn(subject, made, size), STORED, "corners");
      }
    }),

    test("WebP keeps transparency, and JPEG shows it on white", async (subject) => {
      const corners: Corners = ["red", "clear", "blue", "clear"];
      const size = { width: 48, height: 32 };
      const [asWebp, asJpeg] = await subject.images.render({ ...png, bytes: pngOf(corners) }, [
        { ...webp, ...size },
        { ...jpeg, ...size },
      ]);
      equal(await cornersIn(subject, asWebp, size), corners, "corners");
      const pixels = await subject.pixels(asJpeg ?? new Uint8Array());
      equal(
        pixels.filter((value, index) => index % 4 === 3 && value !== 255).length,
        0,
        "clear pixels",
      );
      const middles = [4, 44].map((x) => [
        ...pixels.subarray((4 * 48 + x) * 4, (4 * 48 + x) * 4 + 3),
      ]);
      const [red = [], white = []] = middles;
      equal((red[0] ?? 0) > 180 && (red[1] ?? 255) < 80, true, "red stays red");
      equal(Math.min(...white) > 235, true, "what is clear is white");
    }),

    test("renditions carry no text of the picture", async (subject) => {
      const secret = "Secret Shelter Street 7";
      const noted = pngOf(STORED, [chunk("tEXt", ascii(`Comment\0${secret}`))]);
      const size = { width: 48, height: 32 };
      const made = await subject.images.render({ ...png, bytes: noted }, [
        { ...webp, ...size },
        { ...jpeg, ...size },
      ]);
      for (const each of made) {
        const holds = each.some((_, at) => isAt(each, at, "Secret") || isAt(each, at, "Exif\0"));
        equal(holds, false, "contains the text");
      }
    }),

    test("bytes that are no picture reject as undecodable", async ({ images }) => {
      const wanted = [{ ...webp, width: 48, height: 32 }];
      const whole = pngOf(STORED);
      for (const bytes of [ascii("GIF89a"), whole.subarray(0, 60)]) {
        const failure = await images
          .render({ ...png, bytes }, wanted)
          .catch((error: unknown) => error);
        equal(failure instanceof PictureUndecodable, true, `undecodable (${bytes.length} bytes)`);
      }
    }),

    test("simultaneous calls do not mix, and change no bytes that they are given", async (subject) => {
      const size = { width: 48, height: 32 };
      const all = [1, 3, 2, 4] as const;
      const bytes = pngOf(STORED);
      const made = await Promise.all(
        all.map((orientation) =>
          subject.images.render({ ...png, orientation, bytes }, [{ ...webp, ...size }]),
        ),
      );
      for (const [index, [each]] of made.entries()) {
        equal(await cornersIn(subject, each, size), SHOWN[all[index] ?? 1], "corners");
      }
      equal(bytes, pngOf(STORED), "bytes");
    }),
  ];
}

async function inspected(bytes: Uint8Array) {
  const found = await inspectPicture(bytes);
  if (!found.ok) throw new TypeError(`A rendition is ${found.failure.kind}.`);
  return found.value;
}

/** Finds the colours in the middle of the quarters of a picture. */
async function cornersIn(
  { pixels }: ImagesUnderTest,
  picture: Uint8Array | undefined,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<readonly string[]> {
  const data = await pixels(picture ?? new Uint8Array());
  const at = (x: number, y: number): string => {
    const place = 4 * (Math.floor(y * height) * width + Math.floor(x * width));
    return nearest(data.subarray(place, place + 4));
  };
  return [at(0.25, 0.25), at(0.75, 0.25), at(0.25, 0.75), at(0.75, 0.75)];
}

function nearest(pixel: Uint8Array): string {
  if ((pixel[3] ?? 0) < 128) return "clear";
  const near = Object.entries(RGBA).find(
    ([name, rgba]) =>
      name !== "clear" && rgba.every((value, index) => Math.abs(value - (pixel[index] ?? 0)) < 40),
  );
  return near?.[0] ?? `another colour: ${pixel.join(", ")}`;
}

/** Makes a PNG of four quarters, uncompressed, since a contract needs no codec. */
function pngOf(corners: Corners, more: readonly Uint8Array[] = []): Uint8Array {
  const row = 1 + 4 * WIDTH;
  const raw = new Uint8Array(row * HEIGHT);
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const corner = corners[(y < HEIGHT / 2 ? 0 : 2) + (x < WIDTH / 2 ? 0 : 1)] ?? "red";
      raw.set(RGBA[corner], y * row + 1 + 4 * x);
    }
  }
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, WIDTH);
  view.setUint32(4, HEIGHT);
  // Eight bits a colour, with transparency.
  header.set([8, 6], 8);
  return joined([
    ascii("\u0089PNG\r\n\u001a\n"),
    chunk("IHDR", header),
    ...more,
    chunk("IDAT", stored(raw)),
    chunk("IEND", new Uint8Array()),
  ]);
}

function chunk(name: string, content: Uint8Array): Uint8Array {
  const out = joined([new Uint8Array(4), ascii(name), content, new Uint8Array(4)]);
  const view = new DataView(out.buffer);
  view.setUint32(0, content.length);
  view.setUint32(out.length - 4, crc32(String.fromCharCode(...out.subarray(4, -4))));
  return out;
}

/** Wraps data as zlib without compression, in one block. */
function stored(data: Uint8Array): Uint8Array {
  const out = joined([new Uint8Array([0x78, 0x01, 0x01, 0, 0, 0, 0]), data, new Uint8Array(4)]);
  const view = new DataView(out.buffer);
  view.setUint16(3, data.length, true);
  view.setUint16(5, ~data.length & 0xffff, true);
  let [a, b] = [1, 0];
  for (const byte of data) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  view.setUint32(out.length - 4, b * 65_536 + a);
  return out;
}
