import { describe, expect, test } from "bun:test";

import { ownProblem } from "../../../domains/model/acme-problem.ts";
import { system } from "../../../lib/model/actor.ts";
import { refused } from "../../../lib/base/result.ts";
import { DAY_MS, HOUR_MS } from "../../../lib/base/clock.ts";
import { torture } from "../../helpers/chance.ts";
import { saving, START } from "../../helpers/domains/rows.ts";
import { mostInADay, openHost } from "../../helpers/domains/skewed-host.ts";

const OFFSETS = [
  ["13 hours", 13 * HOUR_MS],
  ["4 days", 4 * DAY_MS],
  ["70 days", 70 * DAY_MS],
] as const;
const LIFETIMES = [
  ["24 hours", DAY_MS],
  ["6 days", 6 * DAY_MS],
  ["90 days", 90 * DAY_MS],
] as const;

/** Without TEST_TORTURE, each lifetime has two of the offsets, and each offset two of the lifetimes. */
const isLeftOut = (life: number, offset: number): boolean =>
  !torture && (life + offset) % OFFSETS.length === 0;

describe("at most three orders a day, and no expired certificate,", () => {
  for (const [number, [life, lifetimeMs]] of LIFETIMES.entries()) {
    const stepMs = lifetimeMs / 24;
    for (const [offset, [amount, offsetMs]] of OFFSETS.entries()) {
      if (isLeftOut(number, offset)) continue;
      for (const [side, wrongMs] of [
        ["ahead", offsetMs],
        ["behind", -offsetMs],
      ] as const) {
        test(`with a lifetime of ${life}, while our clock is ${amount} ${side}, is corrected and goes wrong again`, async () => {
          const host = await openHost(lifetimeMs, wrongMs);
          await host.live(1.2 * lifetimeMs, stepMs);
          host.offsetMs = 0;
          await host.live(0.9 * lifetimeMs, stepMs);
          host.offsetMs = -wrongMs;
          host.restart();
          await host.live(0.9 * lifetimeMs, stepMs);
          expect(mostInADay(host.orders())).toBeLessThanOrEqual(3);
          // Exactly as many as with a correct clock.
          expect(host.orders().length).toBeWithin(4, 8);
          await host.world.close();
        });

        test(`with a lifetime of ${life}, if the CA's time is unknown and our clock is ${amount} ${side}`, async () => {
          const host = await openHost(lifetimeMs, wrongMs, { dateMs: undefined });
          await host.live(1.2 * lifetimeMs, stepMs);
          host.restart();
          await host.live(lifetimeMs, stepMs);
          expect(mostInADay(host.orders())).toBeLessThanOrEqual(3);
          await host.world.close();
        });
      }
    }
  }
});

describe("renewal windows are followed as with a correct clock,", () => {
  const lifetimeMs = 6 * DAY_MS;
  for (const [amount, offsetMs] of OFFSETS) {
    for (const wrongMs of [offsetMs, -offsetMs]) {
      const side = wrongMs > 0 ? "ahead" : "behind";
      for (const dateMs of [0, undefined]) {
        const date = dateMs === undefined ? " and the CA's time is unknown" : "";
        test(`while our clock is ${amount} ${side}${date}`, async () => {
          const host = await openHost(lifetimeMs, wrongMs, { windows: true, dateMs });
          await host.live(3 * lifetimeMs, lifetimeMs / 24);
          expect(host.orders().length).toBeWithin(4, 7);
          await host.world.close();
        });
      }
    }
  }
});

describe("the minimum interval of automatic orders", () => {
  test("applies whatever the renewal time is, except for replacements with a reason", async () => {
    const host = await openHost(DAY_MS, 0);
    await host.live(HOUR_MS, HOUR_MS / 4);
    const { world } = host;
    const from = await world.domain("dom_000000000001");
    const { certificate } = from;
    if (certificate === undefined) throw new Error("no certificate");
    const due = { ...certificate, renewAt: START };
    await world.domains.commit(
      [saving(from, { certificate: due }, { at: host.real.now() })],
      system,
    );
    await host.live(6 * HOUR_MS, HOUR_MS / 4);
    expect(host.orders()).toHaveLength(1);
    await host.live(2 * HOUR_MS, HOUR_MS / 4);
    expect(host.orders()).toHaveLength(2);
    await host.replace("revoked");
    await host.live(HOUR_MS, HOUR_MS / 4);
    expect(host.orders()).toHaveLength(3);
    await world.close();
  });

  test("does not apply to replacements, of which three a day are allowed per reason", async () => {
    const host = await openHost(90 * DAY_MS, 0);
    await host.live(HOUR_MS, HOUR_MS / 4);
    for (let time = 0; time < 10; time++) {
      await host.replace("revoked");
      await host.live(HOUR_MS / 2, HOUR_MS / 4);
    }
    expect(host.orders()).toHaveLength(4);
    await host.live(DAY_MS, 4 * HOUR_MS);
    expect(host.orders()).toHaveLength(5);
    await host.replace("key");
    await host.live(HOUR_MS / 2, HOUR_MS / 4);
    expect(host.orders()).toHaveLength(6);
    await host.world.close();
  });
});

describe("a start with a wrong clock", () => {
  test("does not remove any name before the CA's time is known", async () => {
    const host = await openHost(90 * DAY_MS, 0);
    const { authority, dns } = host.world;
    const { id, name } = await host.world.domain("dom_000000000001");
    dns.delete(name);
    const { directory } = authority;
    authority.directory = async (signal) => {
      // Slower than the database.
      for (let turn = 0; turn < 100; turn++) await new Promise((next) => setImmediate(next));
      return directory(signal);
    };
    host.offsetMs = 70 * DAY_MS;
    host.restart();
    await host.live(HOUR_MS, HOUR_MS / 4);
    expect((await host.world.domain(id)).removal).toBeUndefined();
    // Likewise while running.
    host.offsetMs = 140 * DAY_MS;
    await host.live(HOUR_MS, HOUR_MS / 4);
    expect((await host.world.domain(id)).removal).toBeUndefined();
    await host.world.close();
  });

  test("that is behind renews nothing early, even if the CA is reached late", async () => {
    const host = await openHost(90 * DAY_MS, 0);
    await host.live(DAY_MS, HOUR_MS);
    expect(host.orders()).toHaveLength(1);
    const { authority } = host.world;
    const { directory } = authority;
    authority.directory = async () =>
      refused(ownProblem("unavailable", "There is no network yet."));
    host.offsetMs = -400 * DAY_MS;
    host.restart();
    await host.live(HOUR_MS, HOUR_MS / 4);
    authority.directory = directory;
    await host.live(DAY_MS, HOUR_MS);
    expect(host.orders()).toHaveLength(1);
    await host.world.close();
  });
});
