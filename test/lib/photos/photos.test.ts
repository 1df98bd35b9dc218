import { describe, expect, test } from "bun:test";

import { createPetstore, type Petstore } from "../../../lib/index.ts";
import { receivePicture } from "../../../lib/photos/receive.ts";
import { memoryBlobs } from "../../../lib/publishing/index.ts";
import { memoryStore } from "../../../lib/storage/memory.ts";
import { manualClock } from "../../helpers/clock.ts";
import { must } from "../../helpers/outcome.ts";
import { pngOf, quickImages } from "../../helpers/pictures.ts";

const png = await pngOf({ width: 900, height: 600 });

const MIB = 1_024 ** 2;

async function opened(photoBytes: number): Promise<{
  readonly petstore: Petstore;
  readonly add: () => ReturnType<NonNullable<Petstore["photos"]>["add"]>;
  readonly accountId: string;
}> {
  const petstore = createPetstore({
    store: memoryStore(),
    images: quickImages,
    blobs: memoryBlobs(),
    photoBytes: { free: photoBytes, pro: 10 * MIB, business: 20 * MIB },
  });
  const { id: accountId } = must(await petstore.client.accounts.create({ name: "Otters" }));
  const pet = must(await petstore.client.pets.create({ accountId, name: "Bella", categoryId: 1 }));
  const add = async () => {
    if (petstore.photos === undefined) throw new Error("There are no photos.");
    return petstore.photos.add({ accountId, petId: pet.id }, { picture: png });
  };
  return { petstore, add, accountId };
}

describe("the bytes of an account's photos", () => {
  test("are limited by its plan, and the refusal says what is used and allowed", async () => {
    const { add, petstore, accountId } = await opened(200);
    const { bytes } = must(await add());
    expect(bytes).toBeLessThan(200);
    expect(await add()).toEqual({
      ok: false,
      failure: {
        code: "payload_too_large",
        message:
          "The photos of the account use 0 MiB of 0 MiB, and this one does not fit. Remove photos, or change the plan.",
      },
    });
    must(await petstore.client.accounts.changePlan({ accountId, plan: "pro" }));
    must(await add());
  });

  test("are checked before a picture is received", async () => {
    const { petstore, accountId } = await opened(0);
    let read = false;
    const picture = new ReadableStream<Uint8Array>(
      {
        pull: () => {
          read = true;
        },
      },
      { highWaterMark: 0 },
    );
    const outcome = await petstore.photos?.add({ accountId, petId: 1 }, { picture });
    expect(outcome).toMatchObject({ failure: { code: "payload_too_large" } });
    expect(read).toBe(false);
  });
});

describe("a petstore", () => {
  test("without images and blobs has no photos", () => {
    expect(createPetstore({ store: memoryStore() }).photos).toBeUndefined();
  });

  test("with only one of them is refused", () => {
    const store = memoryStore();
    for (const half of [{ images: quickImages }, { blobs: memoryBlobs() }]) {
      expect(() => createPetstore({ store, ...half })).toThrow(
        "photos need both the options images and blobs",
      );
    }
  });

  test("refuses an alternative text that cannot be shown", async () => {
    const { petstore, accountId } = await opened(MIB);
    for (const alt of ["", "a".repeat(501), "\u202e"]) {
      const outcome = await petstore.photos?.add({ accountId, petId: 1 }, { picture: png, alt });
      expect(outcome).toMatchObject({ failure: { code: "invalid_value" } });
    }
  });
});

describe("a picture that arrives", () => {
  const streamOf = (...parts: readonly Uint8Array[]) =>
    new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const part of parts) controller.enqueue(part);
      },
    });

  test("has two minutes", async () => {
    const clock = manualClock(0);
    const received = receivePicture(streamOf(png), clock);
    await clock.advance(119_999);
    expect(await Promise.race([received, Promise.resolve("waits")])).toBe("waits");
    await clock.advance(1);
    expect(await received).toMatchObject({ failure: { code: "request_timeout" } });
  });

  test("and breaks off, or is empty, is refused", async () => {
    const broken = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(png);
        controller.error(new Error("reset"));
      },
    });
    for (const body of [broken, new Response("").body, null]) {
      expect(await receivePicture(body, manualClock(0))).toMatchObject({
        failure: { code: "invalid_picture" },
      });
    }
  });

  test("is stopped once it is too large", async () => {
    let cancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(MIB)),
      cancel: () => {
        cancelled = true;
      },
    });
    expect(await receivePicture(endless, manualClock(0))).toMatchObject({
      failure: { code: "payload_too_large" },
    });
    expect(cancelled).toBe(true);
  });
});
