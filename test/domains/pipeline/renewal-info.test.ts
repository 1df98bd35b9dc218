import { describe, expect, test } from "bun:test";

import { system } from "../../../lib/model/actor.ts";
import type { Domain } from "../../../domains/model/domain.ts";
import { statusOf } from "../../../domains/model/domain-state.ts";
import { renewalPollAt } from "../../../domains/model/apply-certificate.ts";
import type { RenewalInfo } from "../../../domains/ports/authority.ts";
import { inspectChain } from "../../../domains/acme/inspect.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../lib/base/clock.ts";
import { fakeAuthority, lostAnswer } from "../../helpers/domains/fake-authority.ts";
import { saving, START } from "../../helpers/domains/rows.ts";
import { drive, type World } from "../../helpers/domains/world.ts";
import { worlds } from "../../helpers/domains/worlds.ts";

const open = worlds();

/** A live domain whose CA returns `info` for its first certificate, or for every one. */
async function live(
  info: (world: World) => RenewalInfo,
  of: "first" | "every" = "first",
): Promise<[World, string]> {
  const world = await open();
  let first: string | undefined;
  world.authority.renewal = (renewalId) => {
    first ??= renewalId;
    return of === "every" || renewalId === first ? info(world) : later;
  };
  const { id } = await world.add(1);
  await drive(world, world.pipeline(), START + MINUTE_MS);
  return [world, id];
}

const polls = ({ authority }: World): number =>
  authority.calls.filter((call) => call.startsWith("renewalInfo")).length;

const later: RenewalInfo = { window: { start: START + 45 * DAY_MS, end: START + 46 * DAY_MS } };
const far: RenewalInfo = { window: { start: START + 20 * DAY_MS, end: START + 21 * DAY_MS } };

describe("a CA's renewal information", () => {
  test("is polled four times a day, with random variation", async () => {
    const [world] = await live(() => far);
    await drive(world, world.pipeline(), START + 10 * DAY_MS);
    expect(polls(world)).toBeGreaterThanOrEqual(36);
    expect(polls(world)).toBeLessThanOrEqual(45);
  });

  test.each([
    ["in two hours", 2 * HOUR_MS, 2 * HOUR_MS],
    ["at once", 0, MINUTE_MS],
    ["in a year", 365 * DAY_MS, DAY_MS],
  ] as const)(
    "is polled at the requested time (%s), within a minute to a day",
    (_when, after, expected) => {
      expect(renewalPollAt(START, START + after, 0.5)).toBe(START + expected);
    },
  );

  test("without a time is polled in six hours, give or take a tenth", () => {
    expect([0, 0.5, 1].map((spread) => renewalPollAt(START, undefined, spread) - START)).toEqual([
      5.4 * HOUR_MS,
      6 * HOUR_MS,
      6.6 * HOUR_MS,
    ]);
  });

  test("determines one random renewal time per window", async () => {
    const [world, id] = await live(() => far);
    const pipeline = world.pipeline();
    const chosen = new Set<number>();
    for (let day = 1; day < 20; day++) {
      await drive(world, pipeline, START + day * DAY_MS);
      chosen.add((await world.domain(id)).certificate?.renewAt ?? 0);
    }
    expect(chosen.size).toBe(1);
    const [at = 0] = chosen;
    expect(at).toBeGreaterThanOrEqual(far.window.start);
    expect(at).toBeLessThan(far.window.end);
    expect(world.authority.orders).toHaveLength(1);
    await drive(world, pipeline, at + HOUR_MS);
    expect(world.authority.orders).toHaveLength(2);
  });

  test("with a changed window moves the renewal and is reported to the operator", async () => {
    let info: RenewalInfo = far;
    const [world, id] = await live(() => info);
    const pipeline = world.pipeline();
    await drive(world, pipeline, START + DAY_MS);
    info = {
      window: { start: START + 3 * DAY_MS, end: START + 4 * DAY_MS },
      explanationUrl: "https://ca.test/incident/7",
    };
    await drive(world, pipeline, START + 2 * DAY_MS);
    const { certificate } = await world.domain(id);
    expect(certificate?.renewal?.explanationUrl).toBe("https://ca.test/incident/7");
    expect(certificate?.renewAt).toBeLessThan(START + 4 * DAY_MS);
    const [news] = await world.domains.timeline.of(id, 1);
    expect(news?.message).toContain("https://ca.test/incident/7");
    await drive(world, pipeline, START + 4 * DAY_MS + HOUR_MS);
    expect(world.authority.orders).toHaveLength(2);
  });

  test("for a revoked certificate causes a replacement within seven hours, which names it", async () => {
    const [world, id] = await live(() => far);
    const before = (await world.domain(id)).certificate?.id ?? "";
    const chain = (await world.domains.certificates.byId(before))?.chainPem ?? "";
    const renewalId = inspectChain(chain)?.certificates[0].renewalId;
    world.authority.renewal = (polls) =>
      polls === renewalId ? { window: { start: START - 2 * HOUR_MS, end: START - HOUR_MS } } : far;
    await drive(world, world.pipeline(), START + 7 * HOUR_MS);
    const after = await world.domain(id);
    expect(after.certificate?.id).not.toBe(before);
    expect(statusOf(after, world.clock.now())).toBe("live");
    expect(world.authority.orders.map(({ replaces }) => replaces)).toEqual([undefined, renewalId]);
  });

  test("that always demands replacement causes at most three a day", async () => {
    const [world] = await live(
      ({ clock }) => ({
        window: { start: clock.now() - 2 * HOUR_MS, end: clock.now() - HOUR_MS },
        retryAt: clock.now() + MINUTE_MS,
      }),
      "every",
    );
    await drive(world, world.pipeline(), START + DAY_MS - HOUR_MS);
    expect(world.authority.orders.length).toBe(1 + 3);
  });

  test("that is missing leaves the renewal unchanged", async () => {
    const world = await open();
    world.authority.renewal = () => far;
    world.authority.fault = (call) => (call === "renewalInfo" ? lostAnswer : undefined);
    const { id } = await world.add(1);
    await drive(world, world.pipeline(), START + MINUTE_MS);
    const { certificate: before } = await world.domain(id);
    await drive(world, world.pipeline(), START + 3 * DAY_MS);
    expect((await world.domain(id)).certificate?.renewAt).toBe(before?.renewAt ?? 0);
    expect(polls(world)).toBeLessThanOrEqual(14);
  });

  test("is not polled if the CA does not offer it", async () => {
    const world = await open();
    await world.add(1);
    await drive(world, world.pipeline(), START + 10 * DAY_MS);
    expect(polls(world)).toBe(0);
  });

  test("cannot delay a renewal into the emergency", async () => {
    const late = { start: START + 29 * DAY_MS, end: START + 40 * DAY_MS };
    const [world, id] = await live(() => ({ window: late }));
    await drive(world, world.pipeline(), START + 2 * DAY_MS);
    const { certificate } = await world.domain(id);
    // A twentieth of thirty days is left then.
    expect(certificate?.renewAt).toBeLessThanOrEqual(START + 28.5 * DAY_MS + HOUR_MS);
  });
});

describe("an order with a certificate to replace", () => {
  const refusals = [
    [409, "alreadyReplaced", "replaces_refused"],
    [400, "malformed: could not parse ARI id", "bad_request"],
    [403, "requester account did not request the certificate being replaced", "account_refused"],
    [400, "identifiers in this order do not match", "bad_request"],
    [404, "no such certificate", "order_gone"],
  ] as const;

  test.each(refusals)(
    "that is refused with %d (%s) is repeated once without it",
    async (status, message, code) => {
      const [world, id] = await live(() => far);
      let refused = 0;
      const { newOrder } = world.authority;
      const wishes: (string | undefined)[] = [];
      const authority = {
        ...world.authority,
        newOrder: (...[account, request, signal]: Parameters<typeof newOrder>) => {
          wishes.push(request.replaces);
          if (request.replaces === undefined) return newOrder(account, request, signal);
          refused++;
          return Promise.resolve({
            ok: false as const,
            failure: { code, status, message, names: [] },
          });
        },
      };
      const { certificate } = await world.domain(id);
      await drive(world, world.pipeline({ authorities: [authority] }), START + 22 * DAY_MS);
      expect((await world.domain(id)).certificate?.id).not.toBe(certificate?.id);
      expect(refused).toBe(1);
      expect(wishes).toEqual([expect.any(String), undefined]);
    },
  );

  test.each([429, 503])("that is refused with %d is not repeated", async (status) => {
    const [world, id] = await live(() => far);
    let asks = 0;
    const authority = {
      ...world.authority,
      newOrder: async () => {
        asks++;
        const code = status === 429 ? ("rate_limited" as const) : ("unavailable" as const);
        const retryAt = START + 25 * DAY_MS;
        return { ok: false as const, failure: { code, status, message: "", names: [], retryAt } };
      },
    };
    const { certificate } = await world.domain(id);
    const pipeline = world.pipeline({ authorities: [authority] });
    const asked = (now: number) => asks > 0 || now > START + 25 * DAY_MS;
    while (!asked(world.clock.now())) await drive(world, pipeline, world.clock.now() + HOUR_MS);
    await drive(world, pipeline, world.clock.now() + 20 * HOUR_MS);
    expect((await world.domain(id)).certificate?.id).toBe(certificate?.id ?? "");
    expect(asks).toBe(1);
  });
});

describe("a window that is open is followed at any age of a certificate of 90 days,", () => {
  test.each([
    ["an hour", HOUR_MS],
    ["two days", 2 * DAY_MS],
    ["45 days", 45 * DAY_MS],
    // The emergency of the last twentieth has begun.
    ["87 days", 87 * DAY_MS],
    ["an hour before its end", 90 * DAY_MS - 2 * HOUR_MS],
  ] as const)("here %s", async (_, ageMs) => {
    const world = await open(undefined, {
      authorityOver: (clock) => fakeAuthority(clock, { lifetimeMs: 90 * DAY_MS }),
    });
    const { authority } = world;
    const opensAt = START + ageMs;
    authority.renewal = () => {
      // Only the first certificate; the CA has no window for it before.
      if (authority.issued > 1 || world.clock.now() < opensAt) {
        return { code: "unavailable", message: "later", names: [] };
      }
      return { window: { start: opensAt - HOUR_MS, end: opensAt + 30 * MINUTE_MS } };
    };
    const { id } = await world.add(1);
    const pipeline = world.pipeline();
    await drive(world, pipeline, START + MINUTE_MS);
    const { certificate } = await world.domain(id);
    // Nothing else makes it due.
    const from = await world.domain(id);
    const renewAt = START + 200 * DAY_MS;
    const kept = { ...certificate, renewAt, renewal: { checkAt: opensAt + MINUTE_MS } };
    await world.domains.commit([saving(from, { certificate: kept } as Partial<Domain>)], system);
    await drive(world, pipeline, opensAt);
    expect((await world.domain(id)).certificate?.id).toBe(certificate?.id ?? "");
    // Eight hours after the last one at the earliest.
    await drive(
      world,
      pipeline,
      Math.max(opensAt + 40 * MINUTE_MS, START + 8 * HOUR_MS + MINUTE_MS),
    );
    expect((await world.domain(id)).certificate?.id).not.toBe(certificate?.id ?? "");
    expect(authority.orders).toHaveLength(2);
  });
});

test("a CA whose windows are always open gets three orders a day at most", async () => {
  const world = await open();
  const { authority, clock } = world;
  authority.renewal = () => ({
    window: { start: clock.now() - HOUR_MS, end: clock.now() + MINUTE_MS },
  });
  await world.add(1);
  await drive(world, world.pipeline(), START + 5 * DAY_MS);
  const at = authority.orders.map((order) => order.at);
  for (const from of at) {
    const within = at.filter((one) => one >= from && one < from + DAY_MS);
    expect(within.length).toBeLessThanOrEqual(3);
  }
});
