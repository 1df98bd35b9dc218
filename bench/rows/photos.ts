import { join } from "node:path";

import { atLeast, atMost, figure, type Bench, type Row } from "../row.ts";

const MAKER = join(import.meta.dir, "../photo-maker.ts");

interface Made {
  readonly seconds: number;
  /** The most memory (RSS) that the process had. */
  readonly peakMb: number;
}

/** Row 23: photos from pictures of a phone, and the memory for the largest picture. */
export const photos: Row = {
  name: "photos",
  measure: async (bench) => {
    const [phone, largest] = [
      await drawn(bench, 4_000, 3_000),
      await drawn(bench, 8_000, 6_250),
    ] as const;
    const ours = await best(bench, () => made(phone, 8));
    const bare = await best(bench, () => made(phone, 8, "bare"));
    const largestMade = await made(largest, 1);
    const small = await made(phone, 0);
    return [
      figure(
        {
          row: 23,
          what: "photos of 12 megapixels, five sizes each, one at a time",
          ours: 8 / ours.seconds,
          against: "bare Bun.Image, one size",
          theirs: 8 / bare.seconds,
          unit: "/s",
        },
        atLeast(0.2),
      ),
      figure(
        {
          row: 23,
          what: "most memory (RSS) for a photo of 50 megapixels",
          ours: largestMade.peakMb,
          against: "before it",
          theirs: small.peakMb,
          value: largestMade.peakMb,
          unit: "MB",
        },
        atMost(300, "MB"),
      ),
      figure(
        {
          row: 23,
          what: "time for a photo of 50 megapixels",
          ours: largestMade.seconds,
          against: "nothing",
          theirs: 0,
          value: largestMade.seconds,
          unit: "s",
        },
        atMost(4, "s"),
      ),
    ];
  },
  smoke: async (bench) => {
    const { seconds } = await made(await drawn(bench, 40, 30), 1);
    if (!(seconds > 0)) throw new Error("No photo was made.");
    return [];
  },
};

async function best({ runs }: Bench, run: () => Promise<Made>): Promise<Made> {
  let quickest = await run();
  for (let turn = 1; turn < runs; turn++) {
    const next = await run();
    if (next.seconds < quickest.seconds) quickest = next;
  }
  return quickest;
}

async function made(file: string, count: number, ...more: readonly string[]): Promise<Made> {
  const child = Bun.spawn([process.execPath, MAKER, file, String(count), ...more], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const written: Made = JSON.parse(await new Response(child.stdout).text());
  return written;
}

/** Writes a JPEG with gradients and some noise, as a camera makes them; returns its path. */
async function drawn({ scratch }: Bench, width: number, height: number): Promise<string> {
  const row = (width * 3 + 3) & ~3;
  const bitmap = new Uint8Array(54 + row * height);
  const view = new DataView(bitmap.buffer);
  bitmap.set([0x42, 0x4d]);
  view.setUint32(2, bitmap.length, true);
  view.setUint32(10, 54, true);
  view.setUint32(14, 40, true);
  view.setInt32(18, width, true);
  view.setInt32(22, height, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, 24, true);
  let noise = 1;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      noise = (Math.imul(noise, 1_103_515_245) + 12_345) >>> 0;
      const shade = (128 + 100 * Math.sin(x / 300) * Math.cos(y / 200) + (noise >>> 28)) & 255;
      const at = 54 + y * row + x * 3;
      bitmap[at] = shade;
      bitmap[at + 1] = (shade + (y >> 5)) & 255;
      bitmap[at + 2] = (shade + (x >> 5)) & 255;
    }
  }
  const path = join(scratch, `picture-${width}.jpg`);
  await Bun.write(path, await new Bun.Image(bitmap).jpeg({ quality: 88 }).bytes());
  return path;
}
