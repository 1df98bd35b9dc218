import { describe, expect, test } from "bun:test";

import { DAY_MS, HOUR_MS } from "../../../lib/base/clock.ts";
import { torture } from "../../helpers/chance.ts";
import { openHost } from "../../helpers/domains/skewed-host.ts";

const DATES = [
  ["a day behind", -DAY_MS],
  ["a day ahead", DAY_MS],
  ["80 days behind", -80 * DAY_MS],
  ["80 days ahead", 80 * DAY_MS],
  ["unreadable", undefined],
] as const;

const LIVES = [
  ["6 days", 6 * DAY_MS],
  ...(torture
    ? ([
        ["45 days", 45 * DAY_MS],
        ["160 hours", 160 * HOUR_MS],
        ["64 days", 64 * DAY_MS],
        ["90 days", 90 * DAY_MS],
      ] as const)
    : []),
] as const;

/** The most orders in a period. */
function mostIn(periodMs: number, orders: readonly number[]): number {
  return Math.max(
    ...orders.map((at) => orders.filter((one) => one >= at && one < at + periodMs).length),
  );
}

describe("a Date of the CA that is wrong lets no certificate expire, and starts no storm,", () => {
  for (const [life, lifetimeMs] of LIVES) {
    const stepMs = lifetimeMs / 24;
    for (const [amount, dateMs] of DATES) {
      // Without TEST_TORTURE, windows are a matter of the two largest errors and of none that is known.
      const withWindows =
        torture || Math.abs(dateMs ?? Infinity) > DAY_MS ? [false, true] : [false];
      for (const windows of withWindows) {
        const what = windows ? ", with renewal windows" : "";
        test(`${life}: ${amount} from the start${what}`, async () => {
          const host = await openHost(lifetimeMs, 0, { dateMs, windows });
          await host.live(1.5 * lifetimeMs, stepMs);
          host.restart();
          await host.live(1.5 * lifetimeMs, stepMs);
          // As many as with a correct one.
          expect(host.orders().length).toBeWithin(4, 8);
          expect(mostIn(Math.max(DAY_MS, lifetimeMs), host.orders())).toBeLessThanOrEqual(3);
          await host.world.close();
        });

        test(`${life}: ${amount} from a fifth of a life on, for a while${what}`, async () => {
          const host = await openHost(lifetimeMs, 0, { windows });
          await host.live(lifetimeMs / 5, stepMs);
          host.dateMs = dateMs;
          await host.live(1.5 * lifetimeMs, stepMs);
          host.dateMs = 0;
          await host.live(lifetimeMs, stepMs);
          expect(mostIn(Math.max(DAY_MS, lifetimeMs), host.orders())).toBeLessThanOrEqual(3);
          await host.world.close();
        });
      }
    }
  }
});

test("with a Date that changes with each answer, orders keep a quarter of the lifetime", async () => {
  const lifetimeMs = 6 * DAY_MS;
  const host = await openHost(lifetimeMs, 0);
  for (let turn = 0; turn < 40; turn++) {
    host.dateMs = turn % 2 === 0 ? 80 * DAY_MS : 0;
    await host.live(7 * HOUR_MS, 2 * HOUR_MS);
  }
  expect(mostIn(lifetimeMs, host.orders())).toBeLessThanOrEqual(5);
  await host.world.close();
});
