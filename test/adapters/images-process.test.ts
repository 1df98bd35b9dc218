import { afterAll, expect, test } from "bun:test";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { MINUTE_MS, systemClock, type Clock } from "../../lib/base/clock.ts";
import { joined } from "../../lib/base/parts.ts";
import { PictureUndecodable, type Picture, type Rendition } from "../../lib/photos/images.ts";
import { PICTURES_PROCESS, pictureProcess } from "../../server/pictures/process.ts";
import { thisProgram } from "../../server/process/this-program.ts";
import { imagesContract } from "../../testing/index.ts";
import { manualClock } from "../../testing/clock.ts";
import { describeContract } from "../contract/run.ts";
import { pngOf } from "../helpers/pictures.ts";
import { pixelsOf } from "../helpers/pixels.ts";
import { rejection } from "../helpers/rejection.ts";

const shared = pictureProcess({ clock: systemClock });
afterAll(() => shared.close());

describeContract(
  "the process for pictures as images",
  imagesContract(() => ({ images: shared.images, pixels: pixelsOf })),
);

const [width, height] = [8, 6];
const picture: Picture = {
  bytes: await pngOf({ width, height }),
  type: "image/png",
  width,
  height,
  orientation: 1,
};
/** A picture that no pipe has room for. */
const large: Picture = { ...picture, bytes: joined([picture.bytes, new Uint8Array(3_000_000)]) };
const wanted: readonly Rendition[] = [{ width, height, type: "image/webp", quality: 80 }];

const opened = (clock: Clock, ...command: readonly string[]) => {
  const process = pictureProcess({ clock, command });
  return { images: process.images, [Symbol.asyncDispose]: () => process.close() };
};

/** Waits for something that happens soon. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await Bun.sleep(5);
}

test("a picture that crashes the decoder is undecodable, and the next one gets another process", async () => {
  const directory = await mkdtemp(join(tmpdir(), "petstore-pictures-"));
  // The first process crashes while it decodes.
  const script = `mkdir '${directory}/first' 2>/dev/null && { head -c 20 >/dev/null; kill -SEGV $$; }; exec "$@"`;
  const command = ["sh", "-c", script, "sh", ...thisProgram(), PICTURES_PROCESS];
  await using decoder = opened(systemClock, ...command);
  const failure = await rejection(decoder.images.render(large, wanted));
  expect(failure).toBeInstanceOf(PictureUndecodable);
  expect(await decoder.images.render(large, wanted)).toHaveLength(1);
  await rm(directory, { recursive: true });
});

test("a decoder that ends for another reason is a failure of the server", async () => {
  await using decoder = opened(systemClock, "sh", "-c", "exit 7");
  const failure = await rejection(decoder.images.render(picture, wanted));
  expect(failure).not.toBeInstanceOf(PictureUndecodable);
  expect(failure).toMatchObject({
    message: "The process that decodes pictures ended with exit code 7.",
  });
});

test.each([picture, large])(
  "a picture has two minutes, also if the decoder does not read it",
  async (sent) => {
    const clock = manualClock(0);
    await using decoder = opened(clock, "sleep", "600");
    const rendered = rejection(decoder.images.render(sent, wanted));
    await until(() => clock.sleeping > 0);
    clock.advance(2 * MINUTE_MS);
    expect(await rendered).toMatchObject({ message: "The picture took too long." });
  },
);

test("the process has the lowest priority, and ends after a minute without pictures", async () => {
  const directory = await mkdtemp(join(tmpdir(), "petstore-pictures-"));
  const file = join(directory, "pid");
  const clock = manualClock(0);
  const script = `echo $$ > '${file}'; exec "$@"`;
  await using decoder = opened(
    clock,
    ...["sh", "-c", script, "sh", ...thisProgram(), PICTURES_PROCESS],
  );
  await decoder.images.render(picture, wanted);
  const pid = (await readFile(file, "utf8")).trim();
  const niceness = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1]?.split(" ")[16];
  expect(niceness).toBe("19");
  await until(() => clock.sleeping > 0);
  clock.advance(MINUTE_MS);
  await until(() => !(Bun.spawnSync(["kill", "-0", pid]).exitCode === 0));
  // The next picture starts another one.
  expect(await decoder.images.render(picture, wanted)).toHaveLength(1);
  expect((await readFile(file, "utf8")).trim()).not.toBe(pid);
  await rm(directory, { recursive: true });
});

test("the signals that stop a server leave its last pictures to the process", async () => {
  const directory = await mkdtemp(join(tmpdir(), "petstore-pictures-"));
  const file = join(directory, "pid");
  const script = `echo $$ > '${file}'; exec "$@"`;
  await using decoder = opened(
    systemClock,
    ...["sh", "-c", script, "sh", ...thisProgram(), PICTURES_PROCESS],
  );
  await decoder.images.render(picture, wanted);
  const pid = await readFile(file, "utf8");
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.kill(Number(pid), signal);
    expect(await decoder.images.render(picture, wanted)).toHaveLength(1);
  }
  expect(await readFile(file, "utf8")).toBe(pid);
  await rm(directory, { recursive: true });
});

test("a picture that arrives as the minute is over is decoded", async () => {
  const manual = manualClock(0);
  let over: (() => void) | undefined;
  const clock: Clock = {
    ...manual,
    sleep: async (ms, signal) => {
      if (ms !== MINUTE_MS) return manual.sleep(ms, signal);
      await new Promise<void>((resolve) => (over = resolve));
    },
  };
  await using decoder = opened(clock, ...thisProgram(), PICTURES_PROCESS);
  await decoder.images.render(picture, wanted);
  const rendered = decoder.images.render(picture, wanted);
  over?.();
  expect(await rendered).toHaveLength(1);
});

test("after its end, it decodes nothing", async () => {
  const decoder = pictureProcess({ clock: systemClock });
  await decoder.close();
  expect(await rejection(decoder.images.render(picture, wanted))).toMatchObject({
    message: "The server stops.",
  });
});
