import { expect, test } from "bun:test";
import { system } from "../../../lib/model/actor.ts";
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from "../../../lib/base/clock.ts";
import type { CountedUsage } from "../../../lib/model/usage.ts";
import { openOffice, START, type Office } from "../../helpers/management.ts";

interface Told {
  readonly keyId: string;
  readonly at: string;
  readonly operation: string;
}

async function withUsage(office: Office, ...rows: readonly Partial<CountedUsage>[]): Promise<void> {
  const row: CountedUsage = {
    accountId: office.accountId,
    keyId: "key1",
    environment: "production",
    operation: "listPets",
    at: START,
    requests: 1,
    limited: 0,
    refused: 0,
    failed: 0,
  };
  const committed = await office.store.commit(
    [{ kind: "usage.add", rows: rows.map((more) => ({ ...row, ...more })) }],
    system,
  );
  if (!committed.ok) throw new Error("The usage was refused.");
}

const pathOf = ({ accountId }: Office, query = ""): string =>
  `/manage/v1/accounts/${accountId}/usage${query}`;

test("usage has times in RFC 3339, and no account", async () => {
  const office = await openOffice();
  await withUsage(office, { requests: 3, limited: 1 });
  const reply = await office.as("viewer").get(pathOf(office, "?by=minute"));
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual([
    {
      keyId: "key1",
      environment: "production",
      operation: "listPets",
      at: isoTime(START),
      requests: 3,
      limited: 1,
      refused: 0,
      failed: 0,
    },
  ]);
});

test("the default range is thirty days, or sixty minutes", async () => {
  const office = await openOffice();
  const now = START + 12 * HOUR_MS;
  office.clock.set(now);
  await withUsage(
    office,
    { at: START - 30 * DAY_MS },
    { at: START - 29 * DAY_MS },
    { at: now - HOUR_MS },
    { at: now - HOUR_MS + MINUTE_MS },
    { at: now },
  );
  const starts = async (query: string): Promise<readonly number[]> => {
    const { body } = await office.as("viewer").get<readonly Told[]>(pathOf(office, query));
    return body.map(({ at }) => Date.parse(at));
  };
  expect(await starts("")).toEqual([START - 29 * DAY_MS, START]);
  expect(await starts("?by=minute")).toEqual([now - HOUR_MS + MINUTE_MS, now]);
  // An end at the start of a period excludes that period.
  expect(await starts(`?to=${isoTime(START)}`)).toEqual([START - 30 * DAY_MS, START - 29 * DAY_MS]);
});

test("a range includes the period of its start and excludes its end", async () => {
  const office = await openOffice();
  await withUsage(office, ...[0, 1, 2].map((minute) => ({ at: START + minute * MINUTE_MS })));
  const query = `?by=minute&from=${isoTime(START + 90_000)}&to=${isoTime(START + 120_000)}`;
  const { body } = await office.as("viewer").get<readonly Told[]>(pathOf(office, query));
  expect(body.map(({ at }) => at)).toEqual([isoTime(START + MINUTE_MS)]);
});

test("usage can be filtered by key and environment", async () => {
  const office = await openOffice();
  await withUsage(office, {}, { keyId: "key2", environment: "staging" });
  const keys = async (query: string): Promise<readonly string[]> => {
    const { body } = await office.as("viewer").get<readonly Told[]>(pathOf(office, query));
    return body.map(({ keyId }) => keyId);
  };
  expect(await keys("?key=key2")).toEqual(["key2"]);
  expect(await keys("?environment=production")).toEqual(["key1"]);
  expect(await keys("?environment=production&key=key2")).toEqual([]);
});

const wrong: readonly (readonly [query: string, says: RegExp])[] = [
  ["?by=hour", /"by" must be one of minute, day/],
  ["?from=yesterday", /"from" must be an instant/],
  ["?key=%00", /"key" must be the ID/],
  ["?environment=test", /"environment" must be one of/],
  [`?from=${isoTime(START)}&to=${isoTime(START)}`, /"from" must lie before "to"/],
  [`?by=minute&from=${isoTime(START - 3 * DAY_MS)}`, /48 hours by minute/],
  [`?from=${isoTime(START - 401 * DAY_MS)}`, /400 days by day/],
];
for (const [query, says] of wrong) {
  test(`${query} is refused with a message`, async () => {
    const office = await openOffice();
    const reply = await office.as("viewer").get<{ message: string }>(pathOf(office, query));
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ code: "invalid_parameter" });
    expect(reply.body.message).toMatch(says);
  });
}

test("all stored usage can be read at once", async () => {
  const office = await openOffice();
  for (const [by, ms] of [
    ["minute", 2 * DAY_MS],
    ["day", 400 * DAY_MS],
  ] as const) {
    const query = `?by=${by}&from=${isoTime(START - ms)}`;
    expect((await office.as("viewer").get(pathOf(office, query))).status).toBe(200);
  }
});

test("too many rows are refused, not truncated", async () => {
  const office = await openOffice();
  const rows = (count: number, from: number): readonly Partial<CountedUsage>[] =>
    Array.from({ length: count }, (_, index) => ({ keyId: `key${from + index}` }));
  await withUsage(office, ...rows(10_000, 0));
  const whole = await office.as("viewer").get<readonly Told[]>(pathOf(office));
  expect(whole.body.length).toBe(10_000);
  await withUsage(office, ...rows(1, 10_000));
  const reply = await office.as("viewer").get<{ message: string }>(pathOf(office));
  expect([reply.status, reply.body.message]).toEqual([
    400,
    "The answer has more than 10000 rows. Request a shorter range, days, or one key.",
  ]);
});

test("usage counts the requests to the public API", async () => {
  const office = await openOffice();
  const { accountId, petstore } = office;
  const issued = await petstore.client.keys.create({ accountId });
  if (!issued.ok) throw new Error(issued.failure.message);
  const headers = { authorization: `Bearer ${issued.value.token}` };
  await petstore.fetch(new Request("http://petstore.test/v1/pets", { headers }));
  await petstore.close();
  const { body } = await office.as("owner").get(pathOf(office));
  expect(body).toMatchObject([{ keyId: issued.value.view.id, operation: "listPets", requests: 1 }]);
});
