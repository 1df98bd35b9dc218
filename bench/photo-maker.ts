/** Makes photos of a picture: `bun bench/photo-maker.ts FILE COUNT [bare]`. Writes its time and its memory as JSON. */
import { bunImages } from "../adapters/images/bun.ts";
import { photoMaker } from "../lib/photos/maker.ts";

const [file = "", count = "1", bare] = process.argv.slice(2);
const picture = await Bun.file(file).bytes();
const maker = photoMaker(bunImages);

async function make(): Promise<void> {
  if (bare !== undefined) {
    await new Bun.Image(picture).resize(1_600).webp({ quality: 80 }).bytes();
    return;
  }
  const made = await maker.make({
    accountId: "acc",
    bytes: picture.length,
    read: async () => ({ ok: true, value: [picture] }),
  });
  if (!made.ok) throw new Error(made.failure.message);
}

const startedAt = performance.now();
for (let left = Number(count); left > 0; left--) await make();
const seconds = (performance.now() - startedAt) / 1_000;
const status = await Bun.file("/proc/self/status").text();
const peakKb = Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]);
console.log(JSON.stringify({ seconds, peakMb: (peakKb * 1_024) / 1_000_000 }));
