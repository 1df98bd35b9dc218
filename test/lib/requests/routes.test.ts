import { beforeAll, expect, test } from "bun:test";

import { DAY_MS, isoTime, MINUTE_MS } from "../../../lib/base/clock.ts";
import type { LoggedRequestView } from "../../../lib/requests/index.ts";
import { api, type Api, type Reply } from "../../helpers/api.ts";
import { openOffice, type Office } from "../../helpers/management.ts";
import { must } from "../../helpers/outcome.ts";

let office: Office;
let viewer: Api;
let at: string;
let keyId: string;
let began: number;

beforeAll(async () => {
  office = await openOffice();
  const { accountId, clock, petstore } = office;
  began = clock.now();
  viewer = office.as("viewer");
  at = `/manage/v1/accounts/${accountId}/requests`;
  const issued = must(await petstore.client.keys.create({ accountId, name: "Website" }));
  const other = must(await petstore.client.keys.create({ accountId }));
  keyId = issued.view.id;
  const shop = api({ fetch: petstore.fetch, key: issued.token });
  const named = (id: string) => ({ headers: { "x-request-id": id } });
  await shop.get("/v1/pets", named("request-1"));
  clock.advance(MINUTE_MS);
  await shop.get("/v1/pets/7", named("request-2"));
  clock.advance(MINUTE_MS);
  await shop.as(other.token).get("/v1/categories", named("request-3"));
  await shop.as(undefined).get("/v1/pets", named("request-4"));
  await office.requests.jobs.tick();
});

const idsIn = async (query: string): Promise<readonly string[]> => {
  const { body, status } = await viewer.get<readonly LoggedRequestView[]>(`${at}${query}`);
  expect(status).toBe(200);
  return body.map(({ id }) => id);
};

test("requests are listed, newest first, without those of strangers", async () => {
  expect(await idsIn("")).toEqual(["request-3", "request-2", "request-1"]);
  const { body } = await viewer.get<readonly object[]>(at);
  expect(body[1]).toEqual({
    ...{ id: "request-2", at: isoTime(began + MINUTE_MS), environment: "production", keyId },
    ...{
      userId: null,
      method: "GET",
      operation: "getPet",
      path: "/pets/7",
      query: "",
      status: 404,
    },
    ...{ code: "not_found", durationMs: 0, rule: null, represents: 1 },
  });
});

test.each([
  ["?status=4xx", ["request-2"]],
  ["?status=404", ["request-2"]],
  ["?status=403", []],
  ["?operation=listCategories", ["request-3"]],
  ["?path=/pets/7", ["request-2"]],
  ["?environment=staging", []],
])("the list can be narrowed by %s", async (query, expected) => {
  expect(await idsIn(query)).toEqual(expected);
});

test("the list can be narrowed by key and time", async () => {
  expect(await idsIn(`?key=${keyId}`)).toEqual(["request-2", "request-1"]);
  const [from, to] = [isoTime(began + 1), isoTime(began + 2 * MINUTE_MS)];
  expect(await idsIn(`?from=${from}&to=${to}`)).toEqual(["request-2"]);
});

test.each(["?status=6xx", "?status=4", "?after=7", "?key=a-b", "?limit=0", "?path=pets"])(
  "the parameter in %s is refused",
  async (query) => {
    const { status, body } = await viewer.get(`${at}${query}`);
    expect([status, body]).toMatchObject([400, { code: "invalid_parameter" }]);
  },
);

test("pages are linked, with their filters", async () => {
  const from = isoTime(began);
  let next: string | undefined = `${at}?limit=1&key=${keyId}&from=${from}`;
  const pages: (readonly string[])[] = [];
  while (next !== undefined) {
    const reply: Reply<readonly LoggedRequestView[]> = await viewer.get(next);
    pages.push(reply.body.map(({ id }) => id));
    const [, link]: readonly string[] =
      /<([^>]+)>; rel="next"/.exec(reply.headers.get("link") ?? "") ?? [];
    next = link && new URL(link).pathname + new URL(link).search;
  }
  expect(pages).toEqual([["request-2"], ["request-1"]]);
});

test("the days say how many requests arrived and are in the log", async () => {
  const { body } = await viewer.get(`${at}/days`);
  expect(body).toEqual([{ at: isoTime(began - (began % DAY_MS)), answered: 3, logged: 3 }]);
});

test("a request is explained, by the name that its key has now", async () => {
  await office.as("owner").patch(`/manage/v1/accounts/${office.accountId}/keys/${keyId}`, {
    name: "Site",
  });
  const { body } = await viewer.get<readonly object[]>(`${at}/request-2`);
  expect(body).toMatchObject([
    { key: { id: keyId, name: "Site" }, explanation: { reason: "not_found", retry: "never" } },
  ]);
});

test("an operator finds requests of all accounts and of strangers; others do not", async () => {
  const found = "/manage/v1/system/requests";
  const operator = office.as("operator");
  const { accountId } = office;
  expect((await operator.get(`${found}/request-2`)).body).toMatchObject([
    { id: "request-2", account: { id: accountId } },
  ]);
  expect((await operator.get(`${found}/request-4`)).body).toMatchObject([
    { keyId: null, account: null, explanation: { reason: "key_missing" } },
  ]);
  expect((await operator.get(`${found}/request-9`)).status).toBe(404);
  expect((await office.as("owner").get(`${found}/request-2`)).status).toBe(403);
  expect((await viewer.get(`${at}/request-4`)).status).toBe(404);
});
