import { beforeEach, describe, expect, test } from "bun:test";

import type { PhotoShown } from "../../../lib/catalogue/profile-schema.ts";
import { MAX_PHOTOS } from "../../../lib/catalogue/model-profile.ts";
import type { Api, Reply } from "../../helpers/api.ts";
import { openOffice, type Office } from "../../helpers/management.ts";
import { exifOf, exifSegment, jpegOf, jpegWith, pngOf } from "../../helpers/pictures.ts";

const [png, jpeg] = await Promise.all([
  pngOf({ width: 900, height: 600 }),
  jpegOf({ width: 900, height: 600 }),
]);

let office: Office;
let staff: Api;
let catalogue = "";
let photos = "";

beforeEach(async () => {
  office = await openOffice();
  staff = office.as("staff");
  catalogue = `/manage/v1/accounts/${office.accountId}/production`;
  const pet = await staff.post<{ readonly id: number }>(`${catalogue}/pets`, {
    name: "Bella",
    categoryId: 1,
  });
  photos = `${catalogue}/pets/${pet.body.id}/photos`;
});

const send = (
  body: Uint8Array,
  type = "image/png",
  path = photos,
): Promise<Reply<PhotoShown & { readonly code: string; readonly message: string }>> =>
  staff.raw("POST", path, { body: Uint8Array.from(body), headers: { "content-type": type } });

const listed = async (): Promise<readonly PhotoShown[]> =>
  (await staff.get<readonly PhotoShown[]>(photos)).body;

describe("adding a photo", () => {
  test("answers with its sizes, each at an address of its own, and lists it", async () => {
    const added = await send(png, "image/png", `${photos}?alt=Bella%20runs`);
    expect(added.status).toBe(201);
    expect(added.headers.get("location")).toBe(`http://petstore.test${photos}/1`);
    const { sizes, ...photo } = added.body;
    expect<object>(photo).toEqual({ id: 1, alt: "Bella runs", width: 900, height: 600 });
    expect(sizes.map(({ width, height, type }) => [width, height, type])).toEqual([
      [900, 600, "image/webp"],
      [400, 267, "image/webp"],
      [800, 533, "image/webp"],
      [900, 600, "image/jpeg"],
    ]);
    expect(new Set(sizes.map(({ url }) => url)).size).toBe(4);
    expect(await listed()).toEqual([added.body]);
    const profile = await staff.get(`${photos.slice(0, -7)}/profile`);
    expect(profile.body).toEqual({ photos: [added.body] });
  });

  test("makes an event without the address of its file", async () => {
    await send(png);
    const events = await staff.get(`/manage/v1/accounts/${office.accountId}/events`);
    expect(events.body).toContainEqual(
      expect.objectContaining({
        type: "photo.added",
        data: { petId: 1, photo: { id: 1, width: 900, height: 600 } },
      }),
    );
  });

  test("applies the orientation", async () => {
    const turned = jpegWith(jpeg, exifSegment(exifOf(8)));
    expect((await send(turned, "image/jpeg")).body).toMatchObject({ width: 600, height: 900 });
  });

  const heic = Buffer.from("\0\0\0\u0018ftypheic\0\0\0\0mif1heic", "latin1");
  test.each([
    ["of another type than it says", png, "image/jpeg", 415, "unsupported_media_type"],
    ["in HEIC, with what to do", heic, "image/heic", 415, "unsupported_media_type"],
    ["that is a text", Buffer.from("name,status"), "image/png", 415, "unsupported_media_type"],
    ["without a type", png, "", 415, "unsupported_media_type"],
    ["as JSON", Buffer.from("{}"), "application/json", 415, "unsupported_media_type"],
    ["that is cut off", png.subarray(0, -20), "image/png", 400, "invalid_picture"],
    ["that is empty", new Uint8Array(), "image/png", 400, "invalid_picture"],
  ])("refuses one %s", async (_, bytes, type, status, code) => {
    const reply = await send(bytes, type);
    expect([reply.status, reply.body.code]).toEqual([status, code]);
    expect(reply.body.message).toMatch(/JPEG|image\/jpeg|Send/);
    expect(await listed()).toEqual([]);
  });

  test("refuses more than 25 MiB, announced or not", async () => {
    const large = new Uint8Array(25 * 1_024 * 1_024 + 1);
    large.set(png);
    const stream = new Response(large).body;
    for (const body of [large, stream]) {
      const reply = await staff.raw<{ readonly code: string }>("POST", photos, {
        body,
        headers: { "content-type": "image/png" },
      });
      expect([reply.status, reply.body.code]).toEqual([413, "payload_too_large"]);
    }
  });

  test("refuses more photos than an animal can have", async () => {
    for (let count = 0; count < MAX_PHOTOS; count++) await send(png);
    expect(await send(png)).toMatchObject({ status: 409, body: { code: "limit_reached" } });
    expect(await listed()).toHaveLength(MAX_PHOTOS);
  });

  test("of an unknown animal is refused, and takes no picture", async () => {
    const reply = await send(png, "image/png", `${catalogue}/pets/99/photos`);
    expect([reply.status, reply.body.code]).toEqual([404, "not_found"]);
  });

  test("needs the role staff", async () => {
    const init = { body: Uint8Array.from(png), headers: { "content-type": "image/png" } };
    const reply = await office.as("viewer").raw("POST", photos, init);
    expect(reply.status).toBe(403);
  });
});

describe("changing photos", () => {
  beforeEach(async () => {
    for (let count = 0; count < 3; count++) await send(png);
  });
  const ids = async (): Promise<readonly number[]> => (await listed()).map(({ id }) => id);

  test("sets and removes alt and focus", async () => {
    const focus = { x: 10, y: 90 };
    const changed = await staff.patch<PhotoShown>(`${photos}/2`, { alt: " Bella  ", focus });
    expect(changed.body).toMatchObject({ id: 2, alt: "Bella", focus });
    const kept = await staff.patch<PhotoShown>(`${photos}/2`, { alt: null });
    expect(kept.body).toMatchObject({ id: 2, focus });
    expect(kept.body).not.toHaveProperty("alt");
  });

  test("moves one to a position, at most the last", async () => {
    await staff.patch(`${photos}/3`, { position: 1 });
    expect(await ids()).toEqual([3, 1, 2]);
    await staff.patch(`${photos}/3`, { position: 12 });
    expect(await ids()).toEqual([1, 2, 3]);
  });

  test("orders all of them", async () => {
    const ordered = await staff.patch<readonly PhotoShown[]>(photos, { order: [2, 3, 1] });
    expect(ordered.body.map(({ id }) => id)).toEqual([2, 3, 1]);
    for (const order of [[], [1, 2], [1, 2, 2], [1, 2, 4], [1, 2, 3, 4]]) {
      expect((await staff.patch(photos, { order })).status).toBe(400);
    }
    expect(await ids()).toEqual([2, 3, 1]);
  });

  test("removes one, whose number is not used again", async () => {
    expect((await staff.delete(`${photos}/3`)).status).toBe(204);
    expect((await staff.delete(`${photos}/3`)).status).toBe(404);
    await send(png);
    expect(await ids()).toEqual([1, 2, 4]);
  });

  test.each([
    [{ focus: { x: 101, y: 0 } }],
    [{ focus: { x: 1 } }],
    [{ focus: { x: 0.5, y: 1 } }],
    [{ position: 0 }],
    [{ position: 13 }],
    [{ alt: "" }],
    [{ alt: "a".repeat(501) }],
    [{ alt: "\u202e" }],
    [{ other: 1 }],
  ])("refuses %j", async (body) => {
    expect((await staff.patch(`${photos}/1`, body)).status).toBe(400);
  });
});

describe("the file of a photo", () => {
  const pathOf = (photo: PhotoShown, index = 0): string =>
    new URL(photo.sizes[index]?.url ?? "").pathname;

  test("is sent to members of its account, with a type and for caches of their own", async () => {
    const { body: photo } = await send(png);
    for (const role of ["viewer", "operator"] as const) {
      const reply = await office
        .as(role)
        .raw("GET", pathOf(photo, 1), { headers: { accept: "image/*" } });
      expect(reply.status).toBe(200);
      expect(reply.text).toStartWith("image/webp 400 of");
      expect(Object.fromEntries(reply.headers)).toMatchObject({
        "content-type": "image/webp",
        "cache-control": "private, max-age=86400, immutable",
        "x-content-type-options": "nosniff",
      });
    }
    expect((await staff.get(pathOf(photo, 3))).headers.get("content-type")).toBe("image/jpeg");
  });

  test("is not found by others, with another name, or after its photo was removed", async () => {
    const { body: photo } = await send(png);
    const path = pathOf(photo);
    const other = await office
      .as("operator")
      .post<{ readonly id: string }>("/manage/v1/accounts", { name: "Foxes" });
    expect((await office.as("owner", other.body.id).get(path)).status).toBe(404);
    expect((await office.browser().api.get(path)).status).toBe(401);
    for (const name of ["401.webp", "900.png", "900.jpg.webp", "%2e%2e"]) {
      expect((await staff.get(path.replace("900.webp", name))).status).toBe(404);
    }
    await staff.delete(`${photos}/1`);
    expect((await staff.get(path)).status).toBe(404);
  });
});
