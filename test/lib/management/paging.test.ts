import { expect, test } from "bun:test";
import type { Reply } from "../../helpers/api.ts";
import { BASE, openOffice, type Office } from "../../helpers/management.ts";

interface Item {
  readonly id: string | number;
  /** The `seq` of an event. */
  readonly seq?: number;
}

/** Returns the ids on each page, following `Link`. */
async function pagesOf(office: Office, first: string): Promise<readonly (readonly Item["id"][])[]> {
  const pages: Item["id"][][] = [];
  for (let path: string | undefined = first; path !== undefined;) {
    const reply: Reply<readonly Item[]> = await office.as("operator").get(path);
    const { status, body, headers } = reply;
    expect(status).toBe(200);
    pages.push(body.map(({ id, seq = id }) => seq));
    path = /^<(.*)>; rel="next"$/.exec(headers.get("link") ?? "")?.[1]?.replace(BASE, "");
    // Ends if the links form a circle.
    if (pages.length > 9) break;
  }
  return pages;
}

test("accounts are paged oldest first, and the last page has no next link", async () => {
  const office = await openOffice();
  const ids = [office.accountId];
  for (const name of ["Beavers", "Cranes", "Ducks"]) {
    office.clock.advance(1);
    const { body } = await office.as("operator").post<Item>("/manage/v1/accounts", { name });
    ids.push(String(body.id));
  }
  const path = "/manage/v1/accounts";
  expect(await pagesOf(office, `${path}?limit=2`)).toEqual([ids.slice(0, 2), ids.slice(2)]);
  expect(await pagesOf(office, `${path}?limit=3`)).toEqual([ids.slice(0, 3), ids.slice(3)]);
  expect(await pagesOf(office, path)).toEqual([ids]);
});

test("a page of accounts after an unknown one is refused", async () => {
  const office = await openOffice();
  const { status, body } = await office.as("operator").get("/manage/v1/accounts?after=acc_gone");
  expect([status, body]).toMatchObject([400, { code: "invalid_cursor" }]);
});

test("animals are paged, up to the largest page size", async () => {
  const office = await openOffice();
  const path = `/manage/v1/accounts/${office.accountId}/production/pets`;
  const add = (count: number) =>
    office.as("staff").post(`${path}/import`, {
      rows: Array.from({ length: count }, () => ({ name: "Rex", categoryId: 1 })),
    });
  await add(1_000);
  await add(2);
  const sizes = async (query: string) =>
    (await pagesOf(office, path + query)).map((page) => page.length);
  expect(await sizes("?limit=1000")).toEqual([1_000, 2]);
  expect(await sizes("?limit=501")).toEqual([501, 501]);
  expect(await sizes("?limit=2&after=999")).toEqual([2, 1]);
});

test("animals can be listed newest first, page by page", async () => {
  const office = await openOffice();
  const path = `/manage/v1/accounts/${office.accountId}/production/pets`;
  const rows = Array.from({ length: 5 }, () => ({ name: "Rex", categoryId: 1 }));
  await office.as("staff").post(`${path}/import`, { rows });
  expect(await pagesOf(office, `${path}?order=newest&limit=2`)).toEqual([[5, 4], [3, 2], [1]]);
  expect(await pagesOf(office, `${path}?order=newest&after=3`)).toEqual([[2, 1]]);
});

test("animals can be listed by ids, page by page, without others", async () => {
  const office = await openOffice();
  const path = `/manage/v1/accounts/${office.accountId}/production/pets`;
  const rows = Array.from({ length: 5 }, () => ({ name: "Rex", categoryId: 1 }));
  await office.as("staff").post(`${path}/import`, { rows });
  expect(await pagesOf(office, `${path}?id=5,2,9,3&limit=2`)).toEqual([[2, 3], [5]]);
  for (const ids of ["", "0", "1,", "x", "01", Array(101).fill(1).join(",")]) {
    const { status, body } = await office.as("staff").get(`${path}?id=${ids}`);
    expect([ids, status, body]).toMatchObject([ids, 400, { code: "invalid_parameter" }]);
  }
});

test("events are paged without a type filter", async () => {
  const office = await openOffice();
  for (const name of ["A", "B", "C"]) {
    await office.as("owner").patch(`/manage/v1/accounts/${office.accountId}`, { name });
  }
  const pages = await pagesOf(office, "/manage/v1/events?limit=3");
  expect(pages.slice(0, 2).map((page) => page.length)).toEqual([3, 1]);
});
