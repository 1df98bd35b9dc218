import { describe, expect, test } from "bun:test";

import { createPetstore } from "../../../lib/index.ts";
import { memoryStore } from "../../../lib/storage/memory.ts";
import { manualClock } from "../../../testing/clock.ts";
import { api, type Api } from "../../helpers/api.ts";
import { BASE, openOffice, START, type Office } from "../../helpers/management.ts";
import { must } from "../../helpers/outcome.ts";

interface Limits {
  readonly windows: readonly { readonly name: string; readonly resetAt: string | null }[];
  readonly keys: readonly {
    readonly id: string;
    readonly used: { readonly minute: number; readonly day: number };
    readonly ban: { readonly until: string; readonly level: number } | null;
  }[];
}

async function withKey(office: Office, name: string): Promise<{ id: string; shop: Api }> {
  const { view, token } = must(
    await office.petstore.client.keys.create({ accountId: office.accountId, name }),
  );
  return { id: view.id, shop: api({ fetch: office.petstore.fetch, base: BASE, key: token }) };
}

const look = async (office: Office, environment = "production"): Promise<Limits> =>
  (
    await office
      .as("viewer")
      .get<Limits>(`/manage/v1/accounts/${office.accountId}/${environment}/limits`)
  ).body;

describe("the limits", () => {
  test("are the public API's, and reading them costs nothing", async () => {
    const office = await openOffice();
    const { shop } = await withKey(office, "website");
    expect((await look(office)).windows).toMatchObject([
      { name: "minute", limit: 60, remaining: 60, resetAt: null },
      { name: "day", limit: 1_000, remaining: 1_000, resetAt: null },
    ]);
    await shop.get("/v1/pets");
    const { body } = await shop.get<Record<"minute" | "day", { reset: number }>>("/v1/rate-limit");
    for (let times = 0; times < 3; times++) {
      expect((await look(office)).windows).toMatchObject([
        { remaining: 59, resetAt: new Date(body.minute.reset * 1_000).toISOString() },
        { remaining: 999, resetAt: new Date(body.day.reset * 1_000).toISOString() },
      ]);
    }
    await office.clock.advance(60_000);
    expect((await look(office)).windows).toMatchObject([
      { remaining: 60, resetAt: null },
      { remaining: 999 },
    ]);
  });

  test("contain each key's requests, without refused ones and other keys' requests", async () => {
    const office = await openOffice();
    const one = await withKey(office, "one");
    const other = await withKey(office, "other");
    for (let times = 0; times < 62; times++) await one.shop.get("/v1/pets");
    await office.petstore.jobs.tick();
    const used = async () =>
      Object.fromEntries((await look(office)).keys.map((key) => [key.id, key.used]));
    expect(await used()).toEqual({
      [one.id]: { minute: 60, day: 60 },
      [other.id]: { minute: 0, day: 0 },
    });
    await office.clock.advance(60_000);
    expect((await used())[one.id]).toEqual({ minute: 0, day: 60 });
  });

  test("contain a key's ban and its level, until the ban ends", async () => {
    const office = await openOffice();
    const { id, shop } = await withKey(office, "website");
    for (let times = 0; times < 61; times++) await shop.get("/v1/pets");
    await office.clock.advance(2_001);
    for (let times = 0; times < 21; times++) await shop.get("/v1/pets");
    const until = new Date(office.clock.now() + 60_000).toISOString();
    expect((await look(office)).keys).toMatchObject([{ id, ban: { until, level: 1 } }]);
    await office.as("owner").post(`/manage/v1/accounts/${office.accountId}/keys/${id}/unban`);
    expect((await look(office)).keys).toMatchObject([{ id, ban: null }]);
  });

  test("omit ended keys and those of the other environment", async () => {
    const office = await openOffice();
    const { id } = await withKey(office, "website");
    expect((await look(office, "staging")).keys).toEqual([]);
    await office.as("owner").delete(`/manage/v1/accounts/${office.accountId}/keys/${id}`);
    expect((await look(office)).keys).toEqual([]);
  });
});

test("contain windows for each key if they are counted by key", async () => {
  const clock = manualClock(START);
  const petstore = createPetstore({ store: memoryStore(), clock, countBy: "key" });
  const created = must(await petstore.client.accounts.create({ name: "Otters" }));
  const accountId = created.id;
  const keys = await Promise.all(
    ["one", "other"].map((name) => petstore.client.keys.create({ accountId, name })),
  );
  const [one, other] = keys.map((issued) => (issued.ok ? issued.value : undefined));
  await api({ fetch: petstore.fetch, key: one?.token }).get("/v1/pets");
  const limits = must(await petstore.client.limits.read({ accountId }));
  const left = limits.keys.map(({ id, windows }) => [id, windows?.[0]?.remaining] as const);
  expect(Object.fromEntries(left)).toEqual({
    [one?.view.id ?? ""]: 59,
    [other?.view.id ?? ""]: 60,
  });
  expect(limits.windows).toMatchObject([{ remaining: 60, resetAt: null }, {}]);
});
