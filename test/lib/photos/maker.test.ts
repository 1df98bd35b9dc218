import { describe, expect, test } from "bun:test";

import { bunImages } from "../../../adapters/images/bun.ts";
import { problem } from "../../../lib/base/problem.ts";
import { done, refused } from "../../../lib/base/result.ts";
import { ascii, isAt } from "../../../lib/photos/formats/bytes.ts";
import { inspectPicture } from "../../../lib/photos/formats/inspect.ts";
import { withColours } from "../../../lib/photos/formats/colours.ts";
import type { Images } from "../../../lib/photos/images.ts";
import {
  MAX_PICTURE_BYTES,
  MAX_WAITING_BYTES,
  MAX_WAITING_BYTES_OF_ACCOUNT,
  MAX_WAITING_OF_ACCOUNT,
  MAX_WAITING_PICTURES,
} from "../../../lib/photos/limits.ts";
import { photoMaker, type MadePhoto } from "../../../lib/photos/maker.ts";
import { exifOf, exifSegment, jpegOf, jpegWith, pngOf } from "../../helpers/pictures.ts";
import { rejection } from "../../helpers/rejection.ts";

/** A picture that has arrived. */
const sent = (picture: Uint8Array, accountId = "acc_1") => ({
  accountId,
  bytes: picture.length,
  read: async () => done([picture]),
});

async function made(picture: Uint8Array): Promise<MadePhoto> {
  const outcome = await photoMaker(bunImages).make(sent(picture));
  if (!outcome.ok) throw new Error(outcome.failure.message);
  return outcome.value;
}

const shapes = ({ sizes }: MadePhoto): readonly string[] =>
  sizes.map(({ type, width, height }) => `${type.slice(6)} ${width} × ${height}`);

describe("the forms of a photo", () => {
  test("are a master of 2,560 pixels, three widths, and a JPEG for feeds", async () => {
    const photo = await made(await jpegOf({ width: 3_000, height: 1_500 }));
    expect(photo).toMatchObject({ width: 2_560, height: 1_280 });
    expect(shapes(photo)).toEqual([
      "webp 2560 × 1280",
      "webp 400 × 200",
      "webp 800 × 400",
      "webp 1600 × 800",
      "jpeg 1200 × 600",
    ]);
  });

  test("are never larger than the picture", async () => {
    const photo = await made(await pngOf({ width: 300, height: 500 }));
    expect(shapes(photo)).toEqual(["webp 300 × 500", "jpeg 300 × 500"]);
  });

  test("keep at least one pixel of a very long picture", async () => {
    const photo = await made(await pngOf({ width: 6_000, height: 1 }));
    expect(shapes(photo)[0]).toBe("webp 2560 × 1");
  });

  test("are upright, and contain nothing of the EXIF data", async () => {
    const jpeg = jpegWith(await jpegOf({ width: 600, height: 300 }), exifSegment(exifOf(6)));
    const photo = await made(jpeg);
    expect(photo).toMatchObject({ width: 300, height: 600 });
    expect(photo.content.some((_, at) => isAt(photo.content, at, "Secret"))).toBe(false);
  });

  test("are where the sizes say, and keep known colours", async () => {
    const jpeg = await jpegOf({ width: 900, height: 450 });
    const size = { type: "image/jpeg", width: 900, height: 450 } as const;
    const photo = await made(withColours(jpeg, "display-p3", size));
    let end = 0;
    for (const { type, width, height, start, bytes } of photo.sizes) {
      expect(start).toBe(end);
      end = start + bytes;
      const form = await inspectPicture(photo.content.slice(start, end));
      expect(form).toMatchObject({ value: { type, width, height, colours: "display-p3" } });
    }
    expect(photo.content).toHaveLength(end);
  });
});

test("a picture that the caller has in memory stays as it is", async () => {
  const picture = jpegWith(await jpegOf({ width: 60, height: 30 }), exifSegment(exifOf(6)));
  const before = picture.slice();
  await made(picture);
  expect(picture).toEqual(before);
});

describe("refused", () => {
  test("a picture of another type than declared, which both are named", async () => {
    const outcome = await photoMaker(bunImages).make({
      ...sent(await pngOf({ width: 9, height: 9 })),
      declared: "image/jpeg",
    });
    expect(outcome).toMatchObject({
      failure: {
        code: "unsupported_media_type",
        message: expect.stringContaining("image/jpeg, but it is image/png"),
      },
    });
  });

  test("a picture that cannot be decoded", async () => {
    const png = await pngOf({ width: 9, height: 9 });
    const idat = Array.from(png.keys()).find((at) => isAt(png, at, "IDAT")) ?? 0;
    const outcome = await photoMaker(bunImages).make(sent(png.fill(7, idat + 4, -16)));
    expect(outcome).toMatchObject({ failure: { code: "invalid_picture" } });
  });

  test("no picture: other failures reject", async () => {
    const failing: Images = { render: () => Promise.reject(new Error("out of memory")) };
    const picture = await pngOf({ width: 9, height: 9 });
    const error = await rejection(photoMaker(failing).make(sent(picture)));
    expect(error).toHaveProperty("message", "out of memory");
  });
});

describe("the queue", () => {
  /** Images that are decoded when the test says so. */
  function held() {
    const starts: (() => void)[] = [];
    let [running, most] = [0, 0];
    const images: Images = {
      render: async (_, wanted) => {
        most = Math.max(most, ++running);
        await new Promise<void>((resolve) => starts.push(resolve));
        running--;
        return wanted.map(() => ascii("x"));
      },
    };
    const releaseAll = async (outcomes: readonly Promise<unknown>[]): Promise<void> => {
      const settled = Promise.all(outcomes).then(() => true);
      while (!(await Promise.race([settled, new Promise(setImmediate).then(() => false)])))
        starts.shift()?.();
    };
    return { images, releaseAll, most: () => most };
  }

  test("decodes one picture at a time, also after one that fails", async () => {
    const { images, releaseAll, most } = held();
    const maker = photoMaker(images);
    const picture = await pngOf({ width: 9, height: 9 });
    const outcomes = [picture, ascii("no picture"), picture, picture].map((bytes) =>
      maker.make(sent(bytes)),
    );
    await releaseAll(outcomes);
    expect((await Promise.all(outcomes)).map(({ ok }) => ok)).toEqual([true, false, true, true]);
    expect(most()).toBe(1);
  });

  test("refuses more pictures of an account, or of all, until some are done", async () => {
    const { images, releaseAll } = held();
    const maker = photoMaker(images);
    const picture = await pngOf({ width: 9, height: 9 });
    const send = (account: number) => maker.make(sent(picture, `acc_${account}`));
    const first = Array.from({ length: MAX_WAITING_OF_ACCOUNT }, () => send(0));
    expect(await send(0)).toMatchObject({
      failure: {
        code: "unavailable",
        retryAfterSeconds: 5,
        message: expect.stringContaining("of this account"),
      },
    });
    const others = MAX_WAITING_PICTURES - MAX_WAITING_OF_ACCOUNT;
    const rest = Array.from({ length: others }, (_, index) => send(1 + index));
    expect(await send(999)).toMatchObject({
      failure: { code: "unavailable", retryAfterSeconds: 5 },
    });
    await releaseAll([...first, ...rest]);
    const again = send(0);
    await releaseAll([again]);
    expect(await again).toMatchObject({ ok: true });
  });

  test("is one for all makers with the same adapter", async () => {
    const { images, releaseAll, most } = held();
    const picture = await pngOf({ width: 9, height: 9 });
    const outcomes = [1, 2].map(() => photoMaker(images).make(sent(picture)));
    await releaseAll(outcomes);
    expect(most()).toBe(1);
  });

  test("keeps room for others while one account sends pictures of unknown length", async () => {
    const { images, releaseAll } = held();
    const maker = photoMaker(images);
    const picture = await pngOf({ width: 9, height: 9 });
    const send = (account: string) =>
      maker.make({ ...sent(picture, account), bytes: MAX_PICTURE_BYTES });
    const own = Array.from({ length: MAX_WAITING_OF_ACCOUNT }, () => send("acc_one"));
    const other = send("acc_two");
    await releaseAll([...own, other]);
    expect(await other).toMatchObject({ ok: true });
    const refusals = (await Promise.all(own)).filter(({ ok }) => !ok);
    expect(refusals.length).toBe(
      MAX_WAITING_OF_ACCOUNT - Math.floor(MAX_WAITING_BYTES_OF_ACCOUNT / MAX_PICTURE_BYTES),
    );
    expect(refusals[0]).toMatchObject({ failure: { code: "unavailable", retryAfterSeconds: 5 } });
  });

  test("receives no picture that there is no room for", async () => {
    const { images, releaseAll } = held();
    const maker = photoMaker(images);
    const picture = await pngOf({ width: 9, height: 9 });
    const part = MAX_WAITING_BYTES_OF_ACCOUNT;
    const full = [part, part, MAX_WAITING_BYTES - 2 * part].map((bytes, index) =>
      maker.make({ ...sent(picture, `acc_${index}`), bytes }),
    );
    let read = false;
    const second = maker.make({
      ...sent(picture),
      bytes: 1,
      read: async () => {
        read = true;
        return done([picture]);
      },
    });
    expect(await second).toMatchObject({ failure: { code: "unavailable", retryAfterSeconds: 5 } });
    expect(read).toBe(false);
    await releaseAll(full);
    expect((await Promise.all(full)).map(({ ok }) => ok)).toEqual([true, true, true]);
  });

  test("gives the room back if a picture does not arrive", async () => {
    const maker = photoMaker(held().images);
    const failure = problem("request_timeout", "Too slow.");
    for (let turn = 0; turn < 2 * MAX_WAITING_OF_ACCOUNT; turn++) {
      const read = async () => refused(failure);
      expect(
        await maker.make({
          ...sent(new Uint8Array()),
          bytes: MAX_WAITING_BYTES_OF_ACCOUNT,
          read,
        }),
      ).toEqual(refused(failure));
    }
  });
});
