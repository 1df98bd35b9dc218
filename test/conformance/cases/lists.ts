import { expect } from "bun:test";

import type { Pet } from "../../../lib/catalogue/model.ts";
import type { Reply } from "../../helpers/api.ts";
import { inAccount, type Case } from "../case.ts";
import {
  addCategory,
  addPet,
  addPets,
  expectProblem,
  ids,
  links,
  pathOf,
  walk,
} from "../expect.ts";

/** Returns the integers from one to the other, both included. */
const numbered = (from: number, to: number): number[] => {
  const step = from < to ? 1 : -1;
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => from + index * step);
};

export const lists: readonly Case[] = [
  {
    id: "lists.default-limit",
    source: "spec: query limits",
    sentence: "a list has at most 20 animals by default",
    run: inAccount(async ({ api }) => {
      await addPets(api, 21);
      expect((await api.get<Pet[]>("/v1/pets")).body).toHaveLength(20);
    }),
  },
  {
    id: "lists.limit",
    source: "spec: query limits",
    sentence: "limit can be 1 to 100",
    run: inAccount(async ({ api }) => {
      await addPets(api, 101);
      expect((await api.get<Pet[]>("/v1/pets?limit=1")).body).toHaveLength(1);
      expect((await api.get<Pet[]>("/v1/pets?limit=100")).body).toHaveLength(100);
    }),
  },
  {
    id: "lists.limit-refused",
    source: "spec: listPets",
    sentence: "any other limit is 400 invalid_parameter",
    run: inAccount(async ({ api }) => {
      for (const limit of [
        "0",
        "101",
        "-1",
        "1.5",
        "ten",
        "01",
        "1e1",
        " 5",
        "",
        "0x10",
        "2 ",
        "١",
      ]) {
        const reply = await api.get(`/v1/pets?limit=${encodeURIComponent(limit)}`);
        expectProblem(reply, "invalid_parameter");
      }
      expectProblem(await api.get("/v1/pets?limit"), "invalid_parameter");
      expectProblem(await api.get("/v1/categories?limit=0"), "invalid_parameter");
      expectProblem(await api.get("/v1/store/orders?limit=101"), "invalid_parameter");
    }),
  },
  {
    id: "lists.status",
    source: "spec: listPets",
    sentence: "status filters by availability",
    both: true,
    run: inAccount(async ({ api }) => {
      for (const status of ["available", "pending", "sold"] as const) await addPet(api, { status });
      for (const status of ["available", "pending", "sold"]) {
        const { body } = await api.get<Pet[]>(`/v1/pets?status=${status}`);
        expect(body.map((pet) => pet.status as string)).toEqual([status]);
      }
      for (const status of ["", "gone", "Available", "available,sold"]) {
        expectProblem(await api.get(`/v1/pets?status=${status}`), "invalid_parameter");
      }
    }),
  },
  {
    id: "lists.category",
    source: "contract: lists",
    sentence: "categoryId filters by category; an unknown category has no animals",
    both: true,
    run: inAccount(async ({ api }) => {
      await addPet(api, { categoryId: 1 });
      await addPet(api, { categoryId: 2 });
      expect(ids((await api.get<Pet[]>("/v1/pets?categoryId=2")).body)).toEqual([2]);
      expect((await api.get("/v1/pets?categoryId=99")).body).toEqual([]);
      for (const id of ["0", "x", "-1", "1,2", "9007199254740992"]) {
        expectProblem(await api.get(`/v1/pets?categoryId=${id}`), "invalid_parameter");
      }
    }),
  },
  {
    id: "lists.ids",
    source: "contract: lists",
    sentence: "id filters by up to 100 comma-separated ids; unknown ids are omitted",
    run: inAccount(async ({ api }) => {
      await addPets(api, 3);
      expect(ids((await api.get<Pet[]>("/v1/pets?id=3,1,77")).body)).toEqual([3, 1]);
      expect(ids((await api.get<Pet[]>("/v1/pets?id=1,1")).body)).toEqual([1]);
      expect(ids((await api.get<Pet[]>("/v1/pets?id=1%2C2&sort=id")).body)).toEqual([1, 2]);
      const hundred = numbered(1, 100).join(",");
      expect((await api.get<Pet[]>(`/v1/pets?id=${hundred}`)).body).toHaveLength(3);
      for (const wrong of ["", ",", "1,", "0", "x", "1,,2", "01", "1;2", `${hundred},101`]) {
        expectProblem(await api.get(`/v1/pets?id=${wrong}`), "invalid_parameter");
      }
    }),
  },
  {
    id: "lists.ids-repeated",
    source: "contract: lists",
    sentence: "id may be repeated, and its bound of 100 counts all values",
    run: inAccount(async ({ api }) => {
      await addPets(api, 3);
      expect(ids((await api.get<Pet[]>("/v1/pets?id=1&id=3")).body)).toEqual([3, 1]);
      expect(ids((await api.get<Pet[]>("/v1/pets?id=1,2&limit=9&id=3")).body)).toEqual([3, 2, 1]);
      const each = (from: number, to: number): string =>
        numbered(from, to)
          .map((id) => `id=${id}`)
          .join("&");
      expect((await api.get<Pet[]>(`/v1/pets?${each(1, 100)}`)).body).toHaveLength(3);
      for (const wrong of [each(1, 101), `${each(1, 99)}&id=100,101`, "id=1&id=", "id=1&id=x"]) {
        expectProblem(await api.get(`/v1/pets?${wrong}`), "invalid_parameter");
      }
      expectProblem(await api.get("/v1/pets?limit=1&limit=1"), "invalid_parameter");
    }),
  },
  {
    id: "lists.filters-together",
    source: "contract: lists",
    sentence: "several filters apply together",
    both: true,
    run: inAccount(async ({ api }) => {
      await addPet(api, { categoryId: 1, status: "sold" });
      await addPet(api, { categoryId: 2, status: "sold" });
      await addPet(api, { categoryId: 2 });
      const path = "/v1/pets?status=sold&categoryId=2&id=1,2,3";
      expect(ids((await api.get<Pet[]>(path)).body)).toEqual([2]);
    }),
  },
  {
    id: "lists.order",
    source: "contract: lists",
    sentence: "lists are newest first, or oldest first with sort=id",
    run: inAccount(async ({ api }) => {
      await addPets(api, 3);
      expect(ids((await api.get<Pet[]>("/v1/pets")).body)).toEqual([3, 2, 1]);
      expect(ids((await api.get<Pet[]>("/v1/pets?sort=-id")).body)).toEqual([3, 2, 1]);
      expect(ids((await api.get<Pet[]>("/v1/pets?sort=id")).body)).toEqual([1, 2, 3]);
      expect(ids((await api.get<Pet[]>("/v1/categories")).body)).toEqual([3, 2, 1]);
      expectProblem(await api.get("/v1/pets?sort=name"), "invalid_parameter");
    }),
  },
  {
    id: "lists.repeated",
    source: "contract: lists",
    sentence: "an empty parameter, or a repeated one that is no list, is 400 invalid_parameter",
    run: inAccount(async ({ api }) => {
      for (const query of [
        "limit=5&limit=5",
        "limit=5&limit=6",
        "status=sold&status=sold",
        "status=",
        "categoryId=",
        "id=",
        "sort=",
        "cursor=",
        "count=",
        "count",
        "count=1",
        "count=TRUE",
        "limit=5&%6Cimit=6",
      ]) {
        expectProblem(await api.get(`/v1/pets?${query}`), "invalid_parameter");
      }
    }),
  },
  {
    id: "lists.unknown-parameter",
    source: "contract: lists",
    sentence: "an unknown parameter is 400 unknown_parameter and suggests the nearest known one",
    both: true,
    run: inAccount(async ({ api }) => {
      const reply = await api.get("/v1/pets?limti=5");
      expect(expectProblem(reply, "unknown_parameter").message).toContain('"limit"');
      for (const query of [
        "page=2",
        "offset=1",
        "Limit=5",
        "=5",
        "limit[]=5",
        "__proto__=1",
        "%ff=1",
      ]) {
        expectProblem(await api.get(`/v1/pets?${query}`), "unknown_parameter");
      }
    }),
  },
  {
    id: "lists.many-parameters",
    source: "contract: lists",
    sentence: "a query of thousands of parameters is refused",
    both: true,
    run: inAccount(async ({ api }) => {
      const query = (count: number): string => Array.from({ length: count }, () => "a").join("&");
      expect((await api.get(`/v1/pets?${query(4_000)}`)).status).toBe(400);
      expectProblem(await api.get(`/v1/pets?${query(10_000)}`), "uri_too_long");
    }),
  },
  {
    id: "lists.links",
    source: "contract: lists",
    sentence: "Link contains first, next and prev as absolute URLs on the requested host",
    run: inAccount(async ({ api }) => {
      await addPets(api, 5);
      const first = await api.get<Pet[]>("/v1/pets?limit=2");
      expect(Object.keys(links(first)).toSorted()).toEqual(["first", "next"]);
      const second = await api.get<Pet[]>(pathOf(links(first)["next"]));
      expect(Object.keys(links(second)).toSorted()).toEqual(["first", "next", "prev"]);
      const third = await api.get<Pet[]>(pathOf(links(second)["next"]));
      expect(Object.keys(links(third)).toSorted()).toEqual(["first", "prev"]);
      expect([first, second, third].map(({ body }) => ids(body))).toEqual([[5, 4], [3, 2], [1]]);
      const location = (await api.post("/v1/pets", { name: "x", categoryId: 1 })).headers;
      const { origin } = new URL(location.get("location") ?? "");
      for (const target of Object.values(links(second))) {
        expect(new URL(target).origin).toBe(origin);
        expect(new URL(target).pathname).toBe("/v1/pets");
      }
    }),
  },
  {
    id: "lists.prev",
    source: "contract: lists",
    sentence: "prev leads back through the same pages",
    run: inAccount(async ({ api }) => {
      await addPets(api, 5);
      for (const sort of ["id", "-id"]) {
        const forward: (readonly number[])[] = [];
        const backward: (readonly number[])[] = [];
        let reply = await api.get<Pet[]>(`/v1/pets?limit=2&sort=${sort}`);
        for (;;) {
          forward.push(ids(reply.body));
          const { next } = links(reply);
          if (next === undefined) break;
          reply = await api.get<Pet[]>(pathOf(next));
        }
        for (let prev = links(reply)["prev"]; prev !== undefined; prev = links(reply)["prev"]) {
          reply = await api.get<Pet[]>(pathOf(prev));
          backward.push(ids(reply.body));
        }
        // Backwards, pages are as full as possible: 2, 2, and the rest.
        expect(forward).toHaveLength(3);
        const seen = forward.slice(0, -1).toReversed();
        expect(backward).toEqual(seen);
      }
    }),
  },
  {
    id: "lists.links-keep-filters",
    source: "contract: lists",
    sentence: "the links keep filters, order, limit and count",
    run: inAccount(async ({ api }) => {
      await addPets(api, 3, { status: "pending", categoryId: 2 });
      await addPets(api, 3);
      const query = "status=pending&categoryId=2&sort=id&limit=1&count=true";
      const pages = await walk<Pet>(api, `/v1/pets?${query}`);
      expect(pages.map(ids)).toEqual([[1], [2], [3]]);
      const first = await api.get(`/v1/pets?${query}`);
      const second = await api.get(pathOf(links(first)["next"]));
      expect(second.headers.get("x-total-count")).toBe("3");
      expect((await api.get(pathOf(links(second)["first"]))).text).toBe(first.text);
    }),
  },
  {
    id: "lists.walk",
    source: "contract: lists",
    sentence:
      "following the links returns every animal once, in either order and with any page size",
    run: inAccount(async ({ api }) => {
      await addPets(api, 23);
      for (const limit of [1, 7, 23, 24, 100]) {
        const newest = await walk<Pet>(api, `/v1/pets?limit=${limit}`);
        expect(ids(newest.flat())).toEqual(numbered(23, 1));
        const oldest = await walk<Pet>(api, `/v1/pets?limit=${limit}&sort=id`);
        expect(ids(oldest.flat())).toEqual(numbered(1, 23));
      }
    }),
  },
  {
    id: "lists.walk-while-written",
    source: "contract: lists",
    sentence:
      "animals that exist throughout a walk are returned exactly once, whatever is written in the meantime",
    run: inAccount(async ({ api }) => {
      await addPets(api, 9);
      const seen: number[] = [];
      let at: string | undefined = "/v1/pets?limit=2";
      for (let page = 0; at !== undefined; page++) {
        const reply: Reply<Pet[]> = await api.get<Pet[]>(at);
        seen.push(...ids(reply.body));
        await addPet(api, { name: "New" });
        // The last row of the page, to which the cursor refers.
        await api.delete(`/v1/pets/${seen.at(-1)}`);
        await api.patch(`/v1/pets/1`, { name: `Old ${page}` });
        const { next } = links(reply);
        at = next === undefined ? undefined : pathOf(next);
      }
      expect(seen).toEqual(numbered(9, 1));
    }),
  },
  {
    id: "lists.all-lists",
    source: "contract: lists",
    sentence: "categories and orders are paged like animals",
    run: inAccount(async ({ api }) => {
      for (let count = 1; count <= 3; count++) {
        await addCategory(api, `Category ${count}`);
        await addPet(api, { status: "sold" });
      }
      const categories = await walk<Pet>(api, "/v1/categories?limit=4");
      expect(categories.map(ids)).toEqual([
        [6, 5, 4, 3],
        [2, 1],
      ]);
      const orders = await walk<Pet>(api, "/v1/store/orders?limit=2&sort=id");
      expect(orders.map(ids)).toEqual([[1, 2], [3]]);
    }),
  },
  {
    id: "lists.count",
    source: "contract: lists",
    sentence:
      "count=true adds X-Total-Count with the number of all matches; otherwise it is absent",
    run: inAccount(async ({ api }) => {
      await addPets(api, 3);
      await addPet(api, { status: "sold" });
      const total = async (path: string): Promise<string | null> =>
        (await api.get(path)).headers.get("x-total-count");
      expect(await total("/v1/pets?count=true&limit=1")).toBe("4");
      expect(await total("/v1/pets?count=true&status=available")).toBe("3");
      expect(await total("/v1/categories?count=true")).toBe("3");
      expect(await total("/v1/store/orders?count=true")).toBe("1");
      expect(await total("/v1/pets")).toBeNull();
      expect(await total("/v1/pets?count=false")).toBeNull();
    }),
  },
  {
    id: "cursors.tampered",
    source: "contract: cursors",
    sentence: "a tampered cursor is 400 invalid_cursor",
    run: inAccount(async ({ api }) => {
      await addPets(api, 3);
      const next = new URL(links(await api.get("/v1/pets?limit=1"))["next"] ?? "");
      const cursor = next.searchParams.get("cursor") ?? "";
      for (let place = 0; place < cursor.length; place++) {
        const other = cursor[place] === "1" ? "2" : "1";
        const wrong = cursor.slice(0, place) + other + cursor.slice(place + 1);
        const reply = await api.get(`/v1/pets?limit=1&cursor=${encodeURIComponent(wrong)}`);
        expectProblem(reply, "invalid_cursor");
      }
      for (const wrong of ["x", "1", cursor.slice(1), `${cursor}A`, cursor.toUpperCase(), "%00"]) {
        expectProblem(await api.get(`/v1/pets?limit=1&cursor=${wrong}`), "invalid_cursor");
      }
    }),
  },
  {
    id: "cursors.foreign",
    source: "contract: cursors",
    sentence: "a cursor of another filter, order, list or catalogue is 400 invalid_cursor",
    run: async (env) => {
      const [one, other] = [await env.account(), await env.account()];
      await addPets(one.api, 3);
      await addPets(other.api, 3);
      const next = new URL(links(await one.api.get("/v1/pets?limit=1"))["next"] ?? "");
      const cursor = next.searchParams.get("cursor") ?? "";
      for (const path of [
        `/v1/pets?status=available&cursor=${cursor}`,
        `/v1/pets?categoryId=1&cursor=${cursor}`,
        `/v1/pets?id=1,2&cursor=${cursor}`,
        `/v1/pets?sort=id&cursor=${cursor}`,
        `/v1/categories?cursor=${cursor}`,
        `/v1/store/orders?cursor=${cursor}`,
      ]) {
        expectProblem(await one.api.get(path), "invalid_cursor");
      }
      expectProblem(await other.api.get(`/v1/pets?cursor=${cursor}`), "invalid_cursor");
      expect((await one.api.get(`/v1/pets?limit=2&cursor=${cursor}`)).status).toBe(200);
    },
  },
  {
    id: "cursors.restart",
    source: "contract: cursors",
    sentence: "cursors and ETags stay valid after a restart",
    needs: "clock",
    run: inAccount(async ({ api }, env) => {
      await addPets(api, 4);
      const first = await api.get("/v1/pets?limit=2");
      await env.inside.restart();
      const next = await api.get<Pet[]>(pathOf(links(first)["next"]));
      expect(ids(next.body)).toEqual([2, 1]);
      const extra = { headers: { "if-none-match": first.headers.get("etag") ?? "" } };
      expect((await api.get("/v1/pets?limit=2", extra)).status).toBe(304);
    }),
  },
  {
    id: "cursors.gone-row",
    source: "contract: cursors",
    sentence: "a cursor stays valid if its row is deleted",
    run: inAccount(async ({ api }) => {
      await addPets(api, 4);
      const next = pathOf(links(await api.get("/v1/pets?limit=2"))["next"]);
      await api.delete("/v1/pets/3");
      await api.delete("/v1/pets/2");
      expect(ids((await api.get<Pet[]>(next)).body)).toEqual([1]);
    }),
  },
];
