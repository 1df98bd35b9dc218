import { describe, expect, test } from "bun:test";

import { DAY_MS } from "../../../lib/base/clock.ts";
import { api, type Api } from "../../helpers/api.ts";
import { BASE, openOffice, type Office } from "../../helpers/management.ts";

interface Order {
  readonly id: number;
  readonly status: string;
  readonly returnedAt?: string;
  readonly statusBefore?: string;
  readonly adopter?: { readonly name?: string; readonly contact?: string; readonly date?: string };
}

interface Opened {
  readonly office: Office;
  readonly staff: Api;
  /** The address of the catalogue. */
  readonly at: string;
  /** The public API of the same catalogue. */
  readonly shop: Api;
  /** Adopts the animal 1, which had this status. */
  readonly adopt: (status?: string) => Promise<void>;
  readonly statusOf: () => Promise<string>;
}

async function open(): Promise<Opened> {
  const office = await openOffice();
  const at = `/manage/v1/accounts/${office.accountId}/production`;
  const staff = office.as("staff");
  const issued = await office.petstore.client.keys.create({ accountId: office.accountId });
  if (!issued.ok) throw new Error(issued.failure.message);
  return {
    office,
    staff,
    at,
    shop: api({ fetch: office.petstore.fetch, base: BASE, key: issued.value.token }),
    adopt: async (status = "available") => {
      await staff.post(`${at}/pets`, { name: "Rex", categoryId: 1, status });
      await staff.patch(`${at}/pets/1`, { status: "sold" });
    },
    statusOf: async () =>
      (await staff.get<{ readonly status: string }>(`${at}/pets/1`)).body.status,
  };
}

describe("an order that was a mistake", () => {
  for (const status of ["available", "pending"]) {
    test(`is removed, and the animal is ${status} again, as before`, async () => {
      const { staff, at, shop, adopt, statusOf } = await open();
      await adopt(status);
      expect((await staff.delete(`${at}/orders/1`)).status).toBe(204);
      expect(await statusOf()).toBe(status);
      expect((await shop.get("/v1/store/orders")).body).toEqual([]);
      expect((await staff.get(`${at}/orders/1`)).status).toBe(404);
      expect((await staff.delete(`${at}/orders/1`)).status).toBe(404);
    });
  }

  test("leaves later changes of the animal alone", async () => {
    const { staff, at, adopt, statusOf } = await open();
    await adopt();
    await staff.patch(`${at}/pets/1`, { name: "Bello" });
    await staff.delete(`${at}/orders/1`);
    expect((await staff.get(`${at}/pets/1`)).body).toMatchObject({
      name: "Bello",
      status: "available",
    });
    // Returned and reserved: it is no longer sold by the order.
    await staff.patch(`${at}/pets/1`, { status: "sold" });
    await staff.patch(`${at}/pets/1`, { status: "available" });
    await staff.patch(`${at}/pets/1`, { status: "pending" });
    await staff.delete(`${at}/orders/2`);
    expect(await statusOf()).toBe("pending");
    // Sold again: the later sale has its own order.
    await staff.patch(`${at}/pets/1`, { status: "sold" });
    await staff.patch(`${at}/pets/1`, { status: "available" });
    await staff.patch(`${at}/pets/1`, { status: "sold" });
    await staff.delete(`${at}/orders/3`);
    expect(await statusOf()).toBe("sold");
    expect((await staff.get<readonly Order[]>(`${at}/orders`)).body.map(({ id }) => id)).toEqual([
      4,
    ]);
  });

  test("is removed as well if its animal was deleted, or was created as adopted", async () => {
    const { staff, at, adopt, statusOf } = await open();
    await adopt();
    await staff.delete(`${at}/pets/1`);
    expect((await staff.delete(`${at}/orders/1`)).status).toBe(204);
    await staff.post(`${at}/pets`, { name: "Ada", categoryId: 1, status: "sold" });
    expect((await staff.delete(`${at}/orders/2`)).status).toBe(204);
    expect((await staff.get(`${at}/pets/2`)).body).toMatchObject({ status: "available" });
    await staff.post(`${at}/pets/1/restore`);
    expect(await statusOf()).toBe("sold");
  });

  test("that others change at the same time is removed once, and nothing is lost", async () => {
    const { staff, at, adopt, statusOf } = await open();
    await adopt("pending");
    const replies = await Promise.all([
      staff.delete(`${at}/orders/1`),
      staff.delete(`${at}/orders/1`),
      staff.patch(`${at}/pets/1`, { name: "Bello" }),
      staff.patch(`${at}/orders/1`, { status: "approved" }),
    ]);
    expect(replies.slice(0, 2).map(({ status }) => status)).toContain(204);
    expect(await statusOf()).toBe("pending");
    expect((await staff.get(`${at}/pets/1`)).body).toMatchObject({ name: "Bello" });
    expect((await staff.get(`${at}/orders`)).body).toEqual([]);
  });
});

describe("a return", () => {
  test("makes the animal available, and the order says so; repeating it changes nothing", async () => {
    const { staff, at, shop, adopt, statusOf } = await open();
    await adopt();
    const before = (await shop.get("/v1/store/orders")).text;
    const first = await staff.post<Order>(`${at}/orders/1/return`);
    expect([first.status, first.body.status]).toEqual([200, "placed"]);
    expect(first.body.returnedAt).toBeString();
    expect(await statusOf()).toBe("available");
    await staff.patch(`${at}/pets/1`, { status: "pending" });
    const again = await staff.post<Order>(`${at}/orders/1/return`);
    expect(again.body).toEqual(first.body);
    expect(await statusOf()).toBe("pending");
    expect((await shop.get("/v1/store/orders")).text).toBe(before);
    const [listed] = (await staff.get<readonly Order[]>(`${at}/orders`)).body;
    expect(listed?.returnedAt).toBe(first.body.returnedAt ?? "");
    const moved = await staff.patch(`${at}/orders/1`, { status: "delivered" });
    expect([moved.status, moved.body]).toMatchObject([409, { code: "invalid_transition" }]);
  });

  test("by a change of the animal's status is recorded in its newest order", async () => {
    const { staff, at, shop, adopt } = await open();
    await adopt();
    await staff.patch(`${at}/pets/1`, { status: "available" });
    await staff.patch(`${at}/pets/1`, { status: "sold" });
    const orders = (await staff.get<readonly Order[]>(`${at}/orders`)).body;
    expect(orders.map(({ id, returnedAt }) => [id, returnedAt !== undefined])).toEqual([
      [2, false],
      [1, true],
    ]);
    const [order] = (await shop.get<readonly Order[]>("/v1/store/orders")).body;
    expect(Object.keys(order ?? {})).toEqual(["id", "petId", "status", "createdAt"]);
  });
});

describe("an order", () => {
  test("moves through its statuses and back, guarded by its ETag", async () => {
    const { staff, at, shop, adopt } = await open();
    await adopt();
    for (const status of ["approved", "delivered", "placed", "delivered", "approved"]) {
      expect((await staff.patch<Order>(`${at}/orders/1`, { status })).body.status).toBe(status);
      expect((await shop.get<readonly Order[]>("/v1/store/orders")).body[0]?.status).toBe(status);
    }
    const etag = (await staff.get(`${at}/orders/1`)).headers.get("etag") ?? "";
    const headers = { "if-match": etag };
    const changed = await staff.patch(`${at}/orders/1`, { status: "placed" }, { headers });
    expect(changed.status).toBe(200);
    const late = [
      await staff.patch(`${at}/orders/1`, { status: "approved" }, { headers }),
      await staff.post(`${at}/orders/1/return`, undefined, { headers }),
      await staff.delete(`${at}/orders/1`, { headers }),
    ];
    expect(late.map(({ status }) => status)).toEqual([412, 412, 412]);
  });

  test("keeps the adopter for staff alone, until null or the end of the time removes it", async () => {
    const { office, staff, at, shop, adopt } = await open();
    await adopt();
    const adopter = { name: "Kim Petersen", contact: "kim@example.com", date: "2026-11-20" };
    const saved = await staff.patch<Order>(`${at}/orders/1`, { adopter });
    expect(saved.body.adopter).toEqual(adopter);
    expect(
      (await staff.patch<Order>(`${at}/orders/1`, { status: "approved" })).body.adopter,
    ).toEqual(adopter);
    const elsewhere = [
      await shop.get("/v1/store/orders"),
      await staff.get(`${at}/orders`),
      await staff.get(`/manage/v1/accounts/${office.accountId}/events`),
      await office.as("viewer").get(`${at}/orders/1`),
    ];
    expect(elsewhere.map(({ text }) => /Kim|kim@/.test(text))).toEqual(elsewhere.map(() => false));
    expect(elsewhere.at(-1)?.status).toBe(403);
    const none = await staff.patch<Order>(`${at}/orders/1`, { adopter: null });
    expect(none.body.adopter).toBeUndefined();
    await staff.patch(`${at}/orders/1`, { adopter: { name: "  Kim  ", contact: "" } }).then(
      // An empty contact is refused: null or absence removes it.
      ({ status }) => expect(status).toBe(400),
    );
    await staff.patch(`${at}/orders/1`, { adopter: { name: "  Kim  " } });
    expect((await staff.get<Order>(`${at}/orders/1`)).body.adopter).toEqual({ name: "Kim" });
    await office.clock.advance(731 * DAY_MS);
    await office.petstore.jobs.tick();
    const kept = await office.as("staff").get<Order>(`${at}/orders/1`);
    expect([kept.status, kept.body.adopter]).toEqual([200, undefined]);
  });

  test("refuses an adopter that cannot be, and says why", async () => {
    const { staff, at, adopt } = await open();
    await adopt();
    for (const [adopter, pointer] of [
      [{ name: "x".repeat(121) }, "/adopter/name"],
      [{ contact: "x".repeat(301) }, "/adopter/contact"],
      [{ name: "Kim\u0000" }, "/adopter/name"],
      [{ date: "2026-02-30" }, "/adopter/date"],
      [{ date: "20.11.2026" }, "/adopter/date"],
      [{ mail: "kim@example.com" }, "/adopter/mail"],
    ] as const) {
      const reply = await staff.patch(`${at}/orders/1`, { adopter });
      expect([reply.status, reply.body]).toMatchObject([400, { errors: [{ pointer }] }]);
    }
  });
});
