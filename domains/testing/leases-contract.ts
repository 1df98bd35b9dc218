import type { Eventual } from "../../lib/base/eventual.ts";
import { manualClock, type ManualClock } from "../../lib/testing/clock.ts";
import { contractCase, type ContractCase } from "../../lib/testing/contract-case.ts";
import { expect } from "../../lib/testing/contract-case.ts";
import type { Leases } from "../ports/leases.ts";
import { START } from "./rows.ts";

/** The same leases, none held, as two processes have them. */
export interface LeasesUnderTest {
  readonly processes: readonly [Leases, Leases];
  /** Called after the case. */
  close?(): Eventual<void>;
}

/** What every adapter of leases promises: each case is run with leases of its own, which go by the clock of `open`. */
export function leasesContract(
  open: (clock: ManualClock) => Eventual<LeasesUnderTest>,
): readonly ContractCase[] {
  const promise = (
    name: string,
    body: (here: Leases, there: Leases, clock: ManualClock) => Promise<void>,
  ): ContractCase => ({
    name,
    run: () => {
      const clock = manualClock(START);
      const whole = contractCase(
        name,
        () => open(clock),
        ({ processes: [here, there] }) => body(here, there, clock),
      );
      return whole.run();
    },
  });

  return [
    promise("while one has a name, nobody else gets it, in either process", async (here, there) => {
      expect(await here.acquire("a", 1_000)).toMatchObject({
        name: "a",
        expiresAt: START + 1_000,
      });
      expect(await here.acquire("a", 1_000)).toBeUndefined();
      expect(await there.acquire("a", 1_000)).toBeUndefined();
    }),

    promise("names do not get in each other's way", async (here, there) => {
      await here.acquire("a", 1_000);
      expect(await there.acquire("b", 1_000)).toBeDefined();
    }),

    promise("of 20 who ask at the same time, one gets it", async (here, there) => {
      const asked = Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? here : there).acquire("a", 1_000),
      );
      const given = (await Promise.all(asked)).filter((lease) => lease !== undefined);
      expect(given).toHaveLength(1);
    }),

    promise(
      "its time over, somebody else gets it, with a greater fence",
      async (here, there, clock) => {
        const first = await here.acquire("a", 1_000);
        clock.advance(999);
        expect(await there.acquire("a", 1_000)).toBeUndefined();
        clock.advance(1);
        const second = await there.acquire("a", 1_000);
        expect(second?.fence).toBeGreaterThan(first?.fence ?? Infinity);
      },
    ),

    promise("released, it can be had at once, with a greater fence", async (here, there) => {
      const first = await here.acquire("a", 1_000);
      if (first === undefined) throw new Error("nobody had it");
      await here.release(first);
      const second = await there.acquire("a", 1_000);
      expect(second?.fence).toBeGreaterThan(first.fence);
    }),

    promise(
      "one whose time was over cannot release its successor's",
      async (here, there, clock) => {
        const first = await here.acquire("a", 1_000);
        if (first === undefined) throw new Error("nobody had it");
        clock.advance(1_000);
        await there.acquire("a", 1_000);
        await here.release(first);
        expect(await here.acquire("a", 1_000)).toBeUndefined();
      },
    ),
  ];
}
