import { describe, expect, test } from "bun:test";

import { petDefaults } from "../../../lib/catalogue/model.ts";
import { api } from "../../helpers/api.ts";
import { BASE, openOffice, type Office } from "../../helpers/management.ts";

interface Failure {
  readonly code: string;
  readonly message: string;
}
interface Pet {
  readonly id: number;
  readonly name: string;
  readonly status: string;
}

/** Returns an office, its staff and the address of its catalogue. */
async function open(): Promise<{
  readonly office: Office;
  readonly staff: ReturnType<Office["as"]>;
  readonly at: string;
}> {
  const office = await openOffice();
  const at = `/manage/v1/accounts/${office.accountId}/production`;
  return { office, staff: office.as("staff"), at };
}

// test/conformance has the rules that both APIs share, as cases for both.

describe("one animal", () => {
  test("that was sold can be returned by staff, and sold again with a new order", async () => {
    const { staff, at } = await open();
    await staff.post(`${at}/pets`, { name: "Rex", categoryId: 1, status: "sold" });
    expect((await staff.patch(`${at}/pets/1`, { status: "available" })).status).toBe(200);
    await staff.patch(`${at}/pets/1`, { status: "sold" });
    const orders = await staff.get<readonly Pet[]>(`${at}/orders?petId=1`);
    expect(orders.body.map(({ id }) => id)).toEqual([2, 1]);
  });

  test("has the same ETag as in the public API, which guards its changes", async () => {
    const { office, staff, at } = await open();
    const issued = await office.petstore.client.keys.create({ accountId: office.accountId });
    if (!issued.ok) throw new Error(issued.failure.message);
    const shop = api({ fetch: office.petstore.fetch, base: BASE, key: issued.value.token });
    const added = await staff.post(`${at}/pets`, { name: "Rex", categoryId: 1 });
    const etag = (await staff.get(`${at}/pets/1`)).headers.get("etag") ?? "";
    expect([added.headers.get("etag"), etag]).toEqual([
      (await shop.get("/v1/pets/1")).headers.get("etag"),
      etag,
    ]);
    const unchanged = await staff.get(`${at}/pets/1`, { headers: { "if-none-match": etag } });
    expect([unchanged.status, unchanged.headers.get("etag")]).toEqual([304, etag]);
    await shop.patch("/v1/pets/1", { name: "Bello" });
    const headers = { "if-match": etag };
    const late = await staff.patch<Failure>(`${at}/pets/1`, { name: "Hasso" }, { headers });
    expect([late.status, late.body.code]).toEqual([412, "precondition_failed"]);
    expect((await staff.delete(`${at}/pets/1`, { headers })).status).toBe(412);
    expect((await staff.get<Pet>(`${at}/pets/1`)).body.name).toBe("Bello");
    const now = (await staff.get(`${at}/pets/1`)).headers.get("etag") ?? "";
    for (const tag of ["*", now, `W/${now}`]) {
      const none = { headers: { "if-none-match": tag } };
      expect((await staff.patch(`${at}/pets/1`, { name: "Hasso" }, none)).status).toBe(412);
      expect((await staff.delete(`${at}/pets/1`, none)).status).toBe(412);
      const twin = { name: "Rex", categoryId: 1 };
      const made = await staff.post(`${at}/pets`, twin, none);
      expect([tag, made.status]).toEqual([tag, tag === "*" ? 412 : 201]);
    }
  });
});

describe("animals", () => {
  test("can be found by part of their name, page by page", async () => {
    const { staff, at } = await open();
    const names = ["Zoë", "Rex", "zoe II", "Bello", "ZOË III"];
    const rows = names.map((name) => ({ name, categoryId: 1 }));
    await staff.post(`${at}/pets/import`, { rows });
    const first = await staff.get<readonly Pet[]>(
      `${at}/pets?name=%20zo%C3%AB%E2%80%8B%20&limit=2`,
    );
    expect(first.body.map(({ name }) => name)).toEqual(["Zoë", "zoe II"]);
    const [, next = ""] = /(\/manage[^>]*)>/.exec(first.headers.get("link") ?? "") ?? [];
    const second = await staff.get<readonly Pet[]>(next);
    expect(second.body.map(({ name }) => name)).toEqual(["ZOË III"]);
    expect(second.headers.get("link")).toBeNull();
  });

  test("can be searched by a text as long as a name, but not by an empty one", async () => {
    const { staff, at } = await open();
    const status = async (name: string) =>
      (await staff.get(`${at}/pets?name=${encodeURIComponent(name)}`)).status;
    expect(await status("x".repeat(120))).toBe(200);
    for (const name of ["", "  ", "\u200B", "\u0301", "x".repeat(121)]) {
      expect([name, await status(name)]).toEqual([name, 400]);
    }
  });

  test("cannot be searched by name in the public API, which has no such parameter", async () => {
    const { office } = await open();
    const issued = await office.petstore.client.keys.create({ accountId: office.accountId });
    if (!issued.ok) throw new Error(issued.failure.message);
    const shop = api({ fetch: office.petstore.fetch, base: BASE, key: issued.value.token });
    const reply = await shop.get<Failure>("/v1/pets?name=rex");
    expect([reply.status, reply.body.code]).toEqual([400, "unknown_parameter"]);
  });

  test("are counted by status, and by the filters of the list", async () => {
    const { staff, at } = await open();
    const rows = ["Rex", "Zoë", "Zora"].map((name) => ({ name, categoryId: 1 }));
    await staff.post(`${at}/pets/import`, { rows });
    await staff.patch(`${at}/pets/2`, { status: "pending", categoryId: 2 });
    await staff.post(`${at}/pets`, { name: "Zorro", categoryId: 1 });
    await staff.delete(`${at}/pets/4`);
    const counts = async (query = ""): Promise<readonly number[]> => {
      const { body } = await staff.get<readonly { readonly count: number }[]>(
        `${at}/pets/counts${query}`,
      );
      return body.map(({ count }) => count);
    };
    expect(await counts()).toEqual([2, 1, 0]);
    expect(await counts("?name=ZO")).toEqual([1, 1, 0]);
    expect(await counts("?name=zo&categoryId=1")).toEqual([1, 0, 0]);
    expect((await staff.get(`${at}/pets/counts?status=sold`)).status).toBe(400);
  });

  test("have a history of their own: of themselves, their profile and their adoptions", async () => {
    const { office, staff, at } = await open();
    const rows = ["Rex", "Zora"].map((name) => ({ name, categoryId: 1 }));
    await staff.post(`${at}/pets/import`, { rows });
    await staff.post(`${at.replace("production", "staging")}/pets`, {
      name: "Trial",
      categoryId: 1,
    });
    await staff.patch(`${at}/pets/1/profile`, { sex: "male" });
    await staff.patch(`${at}/pets/2`, { name: "Zoë" });
    await staff.patch(`${at}/pets/1`, { status: "sold" });
    const path = `/manage/v1/accounts/${office.accountId}/events?order=newest`;
    const { body } = await staff.get<readonly { readonly type: string }[]>(
      `${path}&environment=production&pet=1`,
    );
    expect(body.map(({ type }) => type)).toEqual([
      "order.placed",
      "pet.status_changed",
      "pet.profile_updated",
      "pet.created",
    ]);
    expect((await staff.get(`${path}&pet=1`)).status).toBe(400);
  });

  test("are listed after their deletion while they can be restored", async () => {
    const { office, staff, at } = await open();
    const rows = ["Rex", "Bello", "Hasso"].map((name) => ({ name, categoryId: 1 }));
    await staff.post(`${at}/pets/import`, { rows });
    await staff.delete(`${at}/pets/1`);
    await office.clock.advance(60_000);
    await staff.delete(`${at}/pets/3`);
    const first = await staff.get(`${at}/pets/deleted?limit=1`);
    const now = office.clock.now();
    expect(first.body).toEqual([
      {
        id: 3,
        name: "Hasso",
        categoryId: 1,
        ...petDefaults,
        deletedAt: new Date(now).toISOString(),
        restorableUntil: new Date(now + 48 * 3_600_000).toISOString(),
      },
    ]);
    const [, next = ""] = /(\/manage[^>]*)>/.exec(first.headers.get("link") ?? "") ?? [];
    expect((await staff.get(next)).body).toMatchObject([{ id: 1 }]);
    await office.clock.advance(48 * 3_600_000 - 60_000);
    expect((await staff.get(`${at}/pets/deleted`)).body).toMatchObject([{ id: 3 }]);
    expect((await staff.post(`${at}/pets/1/restore`)).status).toBe(404);
    expect((await staff.post(`${at}/pets/3/restore`)).status).toBe(200);
    expect((await staff.get(`${at}/pets/deleted`)).body).toEqual([]);
  });
});

describe("orders", () => {
  test("are listed newest first, in linked pages", async () => {
    const { staff, at } = await open();
    for (let count = 0; count < 5; count++) {
      await staff.post(`${at}/pets`, { name: "Rex", categoryId: 1, status: "sold" });
    }
    const seen: number[] = [];
    let next: string | undefined = `${at}/orders?limit=2&status=placed`;
    while (next !== undefined) {
      const page: { body: readonly Pet[]; headers: Headers } = await staff.get(next);
      seen.push(...page.body.map(({ id }) => id));
      next = /^<[^>]*?(\/manage[^>]*)>; rel="next"$/.exec(page.headers.get("link") ?? "")?.[1];
    }
    expect(seen).toEqual([5, 4, 3, 2, 1]);
    expect((await staff.get(`${at}/orders?limit=5`)).headers.get("link")).toBeNull();
  });
});

test("a summary counts the rows of its own environment only", async () => {
  const { office, staff, at } = await open();
  const pets = ["available", "available", "pending", "sold"].map((status) => ({
    name: "Rex",
    categoryId: 1,
    status,
  }));
  await staff.post(`${at}/pets/import`, { rows: pets });
  await staff.delete(`${at}/pets/1`);
  expect((await staff.get(`${at}/summary`)).body).toEqual({
    pets: { available: 1, pending: 1, sold: 1 },
    orders: 1,
    categories: 3,
  });
  const staging = await staff.get(`/manage/v1/accounts/${office.accountId}/staging/summary`);
  expect(staging.body).toEqual({
    pets: { available: 0, pending: 0, sold: 0 },
    orders: 0,
    categories: 3,
  });
  const nowhere = await staff.get(`/manage/v1/accounts/${office.accountId}/nowhere/summary`);
  expect(nowhere.status).toBe(404);
});
