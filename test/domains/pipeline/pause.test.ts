import { expect, test } from "bun:test";

import { system } from "../../../lib/model/actor.ts";
import { renewHostCertificate } from "../../../domains/actions/certificates.ts";
import { statusOf } from "../../../domains/model/domain-state.ts";
import { delayedUntil } from "../../../domains/model/apply-order.ts";
import type { Domain } from "../../../domains/model/domain.ts";
import type { StoredAuthorityAccount } from "../../../domains/ports/domain-change.ts";
import type { Pipeline } from "../../../domains/pipeline/pipeline.ts";
import { refused } from "../../../lib/base/result.ts";
import { HOUR_MS, MINUTE_MS } from "../../../lib/base/clock.ts";
import { openActions } from "../../helpers/domains/actions-fixture.ts";
import { START } from "../../helpers/domains/rows.ts";
import { drive, type World } from "../../helpers/domains/world.ts";
import { worlds } from "../../helpers/domains/worlds.ts";

const { signal } = new AbortController();
const open = worlds();

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
  const world = await open();
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
    expect(issuance.failure).toMatchObject({
      code: "ca_rate_limited",
      until,
      message: "too many new orders",
    });
    expect(delayedUntil(issuance, world.clock.now())).toBe(until);
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

/** Opens a world whose CA refuses all orders for six hours, with as many domains that want one. */
async function refusing(count: number): Promise<{
  readonly world: World;
  readonly ids: readonly string[];
  readonly pipeline: Pipeline;
  readonly until: number;
}> {
  const world = await open();
  const until = START + 6 * HOUR_MS;
  world.authority.fault = (call) =>
    call === "newOrder" && world.clock.now() < until
      ? { code: "rate_limited", status: 429, message: "slow down", names: [], retryAt: until }
      : undefined;
  const ids: string[] = [];
  for (let number = 1; number <= count; number++) ids.push((await world.add(number)).id);
  const pipeline = world.pipeline();
  await drive(world, pipeline, START + MINUTE_MS);
  expect(orders(world)).toBe(1);
  return { world, ids, pipeline, until };
}

/** The operator's command in this world. */
async function renewing(world: World, pipeline: Pipeline) {
  const { context } = await openActions({
    store: () => world.domains,
    clock: world.clock,
    verify: (id, aborted) => pipeline.verify(id, system, aborted),
  });
  const accounts = { ...context.accounts, authorities: [world.authority] as const };
  return async (id: string): Promise<string | undefined> => {
    const { name } = await world.domain(id);
    const renewed = await renewHostCertificate({ ...context, accounts }, name);
    return renewed.ok ? undefined : renewed.failure.code;
  };
}

test("owners who check twenty domains all the time send one order a minute at most during a pause", async () => {
  const { world, ids, pipeline, until } = await refusing(20);
  const minutes = 10;
  for (let second = 0; second < minutes * 60; second += 10) {
    for (const id of ids) await pipeline.verify(id, system, signal);
    await drive(world, pipeline, world.clock.now() + 10_000);
  }
  expect(orders(world)).toBeWithin(minutes - 1, 2 + minutes);
  expect(await world.domains.pauses.of(world.authority.id)).toMatchObject({ until });
  await drive(world, pipeline, until + 10 * MINUTE_MS);
  for (const id of ids) expect(statusOf(await world.domain(id), world.clock.now())).toBe("live");
});

test("a renewal by the operator does not wait for the pause, and ends it for all if the CA takes the order", async () => {
  const { world, ids, pipeline, until } = await refusing(3);
  const renew = await renewing(world, pipeline);
  const [id = ""] = ids;
  world.clock.advance(HOUR_MS);
  world.authority.fault = () => undefined;
  expect(await renew(id)).toBeUndefined();
  await drive(world, pipeline, world.clock.now() + MINUTE_MS / 2);
  expect(statusOf(await world.domain(id), world.clock.now())).toBe("live");
  await drive(world, pipeline, world.clock.now() + 6 * MINUTE_MS);
  expect(orders(world)).toBe(4);
  // The others need not wait until then: the pause is over.
  expect(world.clock.now()).toBeLessThan(until);
  for (const other of ids) {
    expect(statusOf(await world.domain(other), world.clock.now())).toBe("live");
  }
});

test("a renewal that is refused again waits as if nobody had asked", async () => {
  const { world, ids, pipeline, until } = await refusing(1);
  const renew = await renewing(world, pipeline);
  const [id = ""] = ids;
  world.clock.advance(HOUR_MS);
  const now = world.clock.now();
  expect(await renew(id)).toBeUndefined();
  await drive(world, pipeline, now + 2 * HOUR_MS);
  expect(orders(world)).toBe(2);
  const { issuance } = await world.domain(id);
  expect(issuance).toMatchObject({ failures: 1, failure: { at: now } });
  expect(delayedUntil(issuance, world.clock.now())).toBe(until);
});

test("renewals of twenty names in a loop send at most one order a minute", async () => {
  const { world, ids, pipeline } = await refusing(20);
  const renew = await renewing(world, pipeline);
  let renewed = 0;
  const minutes = 10;
  for (let second = 0; second < minutes * 60; second += 10) {
    for (const id of ids) if ((await renew(id)) === undefined) renewed++;
    await drive(world, pipeline, world.clock.now() + 10_000);
  }
  // The first one, which began the pause, and one a minute.
  expect(orders(world)).toBeLessThanOrEqual(1 + minutes);
  expect(orders(world)).toBe(1 + renewed);
  expect(renewed).toBeGreaterThanOrEqual(minutes - 1);
});

test("renewals that were requested before a pause wait for it", async () => {
  const world = await open();
  const pipeline = world.pipeline();
  const ids: string[] = [];
  for (let number = 1; number <= 5; number++) ids.push((await world.add(number)).id);
  await drive(world, pipeline, START + MINUTE_MS);
  const before = orders(world);
  const until = START + 6 * HOUR_MS;
  world.authority.fault = (call) =>
    call === "newOrder"
      ? { code: "rate_limited", message: "slow down", names: [], retryAt: until }
      : undefined;
  const renew = await renewing(world, pipeline);
  world.clock.advance(HOUR_MS);
  for (const id of ids) expect(await renew(id)).toBeUndefined();
  await drive(world, pipeline, world.clock.now() + MINUTE_MS);
  expect(orders(world)).toBe(before + 1);
});

/** A second order, which the CA refuses as one of an unknown account after another order has changed the account. */
async function refusedAfter(change: Partial<StoredAuthorityAccount>) {
  const world = await open();
  const { authority, domains } = world;
  await world.add(1);
  const pipeline = world.pipeline();
  await drive(world, pipeline, START + MINUTE_MS);
  const before = await domains.accounts.of(authority.id);
  if (before === undefined) throw new Error("no account");
  const changed = { ...before, ...change };
  authority.newOrder = async () => {
    await domains.commit([{ kind: "account.save", account: changed }], system);
    return refused({ code: "account_unknown", message: "who?", names: [] });
  };
  const { id, name } = await world.add(2);
  const account = () => domains.accounts.of(authority.id);
  return { world, pipeline, before, changed, account, id, name };
}

test("an order of a replaced account does not delete the new account", async () => {
  const url = "https://ca.test/account/again";
  const { world, pipeline, before, changed, account, id, name } = await refusedAfter({ url });
  while ((await account())?.url === before.url) {
    expect((await pipeline.advance(id, signal)).kind).toBe("did");
  }
  expect(await account()).toEqual(changed);
  expect(await world.domains.orders.of(name)).toBeUndefined();
  expect((await world.domain(id)).issuance.notBefore).toBe(world.clock.now());
});

test("an account is not deleted during a key change", async () => {
  const nextSealedKey = "the next one, sealed";
  const { world, pipeline, changed, account, id, name } = await refusedAfter({ nextSealedKey });
  do expect((await pipeline.advance(id, signal)).kind).toBe("did");
  while (
    (await world.domains.orders.of(name)) !== undefined ||
    (await world.domain(id)).issuance.failure === undefined
  );
  expect(await account()).toEqual(changed);
});

test("a fourth project with the same name within a day waits for its certificate", async () => {
  const world = await open();
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
