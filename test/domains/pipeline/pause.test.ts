import { afterEach, expect, test } from "bun:test";

import { statusOf } from "../../../domains/model/domain-state.ts";
import type { Domain } from "../../../domains/model/domain.ts";
import { applyOutcome } from "../../../domains/model/apply-outcome.ts";
import type { Pipeline } from "../../../domains/pipeline/pipeline.ts";
import { refused } from "../../../lib/base/result.ts";
import { HOUR_MS, MINUTE_MS } from "../../../lib/base/clock.ts";
import { START } from "../../helpers/domains/rows.ts";
import { drive, openWorld, type World } from "../../helpers/domains/world.ts";

const { signal } = new AbortController();
const opened: World[] = [];
afterEach(async () => {
  for (const world of opened.splice(0)) await world.close();
});

const orders = ({ authority }: World): number =>
  authority.calls.filter((call) => call.startsWith("newOrder")).length;

/** Advances all domains concurrently, as the keeper does. */
async function together(pipeline: Pipeline, domains: readonly Domain[]): Promise<void> {
  await Promise.all(
    domains.map(async ({ id }) => {
      for (let step = 0; step < 20; step++) {
        const { kind } = await pipeline.advance(id, signal);
        if (kind === "idle") return;
      }
    }),
  );
}

test("thirteen due orders under an account rate limit cost one request, and none before it ends", async () => {
  const world = await openWorld();
  opened.push(world);
  const until = START + 3 * HOUR_MS;
  world.authority.fault = (call) =>
    call === "newOrder" && world.clock.now() < until
      ? { code: "rate_limited", message: "too many new orders", names: [], retryAt: until }
      : undefined;
  const domains: Domain[] = [];
  for (let number = 1; number <= 13; number++) domains.push(await world.add(number));
  await together(world.pipeline(), domains);
  expect(orders(world)).toBe(1);
  for (const { id } of domains) {
    const { issuance } = await world.domain(id);
    expect(issuance).toMatchObject({
      notBefore: until,
      failure: { code: "ca_rate_limited", until, message: "too many new orders" },
    });
  }
  // Other processes know it, too, even after a restart.
  const late = await world.add(14);
  await drive(world, world.pipeline(), until - 1);
  expect(orders(world)).toBe(1);
  await drive(world, world.pipeline(), until + 10 * MINUTE_MS);
  expect(orders(world)).toBe(15);
  for (const { id } of [...domains, late]) {
    expect(statusOf(await world.domain(id), world.clock.now())).toBe("live");
  }
});

for (const outcome of [
  { kind: "replace", reason: "asked" },
  { kind: "check_requested" },
] as const) {
  test(`an order that a person asks for (${outcome.kind}) does not wait for the CA's pause`, async () => {
    const world = await openWorld();
    opened.push(world);
    let refusing = true;
    world.authority.fault = (call) =>
      call === "newOrder" && refusing
        ? { code: "rate_limited", message: "slow down", names: [], retryAt: START + 9 * HOUR_MS }
        : undefined;
    const domains = [await world.add(1), await world.add(2), await world.add(3)];
    await together(world.pipeline(), domains);
    await drive(world, world.pipeline(), START + HOUR_MS);
    expect(orders(world)).toBe(1);
    refusing = false;
    const [, asked = domains[0]] = domains;
    const from = await world.domain(asked?.id ?? "");
    const now = world.clock.now();
    const { domain: to, news } = applyOutcome(from, outcome, now);
    await world.domains.commit([{ kind: "domain.save", from, to, news, at: now }]);
    await drive(world, world.pipeline(), now + MINUTE_MS);
    expect(orders(world)).toBe(2);
    expect(statusOf(await world.domain(from.id), world.clock.now())).toBe("live");
    // It counts for this order alone: others still wait.
    for (const { id } of domains.filter((one) => one.id !== from.id)) {
      expect((await world.domain(id)).issuance.notBefore).toBe(START + 9 * HOUR_MS);
    }
  });
}

test("an order that was asked for and refused again waits as if nobody had asked", async () => {
  const world = await openWorld();
  opened.push(world);
  world.authority.fault = (call) =>
    call === "newOrder"
      ? { code: "rate_limited", message: "slow down", names: [], retryAt: START + 9 * HOUR_MS }
      : undefined;
  const { id } = await world.add(1);
  await drive(world, world.pipeline(), START + HOUR_MS);
  const from = await world.domain(id);
  const now = world.clock.now();
  const { domain: to } = applyOutcome(from, { kind: "replace", reason: "asked" }, now);
  await world.domains.commit([{ kind: "domain.save", from, to, news: [], at: now }]);
  await drive(world, world.pipeline(), now + 2 * HOUR_MS);
  expect(orders(world)).toBe(2);
  const { issuance } = await world.domain(id);
  expect(issuance).toMatchObject({ notBefore: START + 9 * HOUR_MS, failure: { at: now } });
  expect(issuance.askedAt).toBeUndefined();
});

test("an order of a replaced account does not delete the new account", async () => {
  const world = await openWorld();
  opened.push(world);
  const { authority, domains } = world;
  await world.add(1);
  const pipeline = world.pipeline();
  await drive(world, pipeline, START + MINUTE_MS);
  const before = await domains.accounts.of(authority.id);
  if (before === undefined) throw new Error("no account");
  const again = { ...before, url: "https://ca.test/account/again" };
  authority.newOrder = async () => {
    // Another order got the same response first.
    await domains.commit([{ kind: "account.save", account: again }]);
    return refused({ code: "account_unknown", message: "who?", names: [] });
  };
  const { id, name } = await world.add(2);
  while ((await domains.accounts.of(authority.id))?.url === before.url) {
    expect((await pipeline.advance(id, signal)).kind).toBe("did");
  }
  expect(await domains.accounts.of(authority.id)).toEqual(again);
  expect(await domains.orders.of(name)).toBeUndefined();
  expect((await world.domain(id)).issuance.notBefore).toBe(world.clock.now());
});

test("an account is not deleted during a key change", async () => {
  const world = await openWorld();
  opened.push(world);
  const { authority, domains } = world;
  await world.add(1);
  const pipeline = world.pipeline();
  await drive(world, pipeline, START + MINUTE_MS);
  const before = await domains.accounts.of(authority.id);
  if (before === undefined) throw new Error("no account");
  const going = { ...before, nextSealedKey: "the next one, sealed" };
  authority.newOrder = async () => {
    await domains.commit([{ kind: "account.save", account: going }]);
    return refused({ code: "account_unknown", message: "who?", names: [] });
  };
  const { id, name } = await world.add(2);
  do expect((await pipeline.advance(id, signal)).kind).toBe("did");
  while (
    (await domains.orders.of(name)) !== undefined ||
    (await world.domain(id)).issuance.failure === undefined
  );
  expect(await domains.accounts.of(authority.id)).toEqual(going);
});

test("a fourth project with the same name within a day waits for its certificate", async () => {
  const world = await openWorld();
  opened.push(world);
  const pipeline = world.pipeline();
  const name = "passed-on.test";
  for (let holder = 1; holder <= 3; holder++) {
    const { id } = await world.add(holder, { name });
    await drive(world, pipeline, START + holder * HOUR_MS);
    expect(statusOf(await world.domain(id), world.clock.now())).toBe("live");
    await world.remove(id);
  }
  const { id } = await world.add(4, { name });
  await drive(world, pipeline, START + 23 * HOUR_MS);
  expect(orders(world)).toBe(3);
  await drive(world, pipeline, START + 25 * HOUR_MS);
  expect(orders(world)).toBe(4);
  expect(statusOf(await world.domain(id), world.clock.now())).toBe("live");
});
