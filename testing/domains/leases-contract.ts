import type { Eventual } from "../../lib/base/eventual.ts";
import { manualClock, type ManualClock } from "../clock.ts";
import { contractCase, type ContractCase } from "../contract-case.ts";
import { expect } from "../contract-case.ts";
import type { Leases } from "../../domains/ports/leases.ts";
import { START } from "./rows.ts";

/** The same leases, none held, as seen by two processes. */
export interface LeasesUnderTest {
  readonly processes: readonly [Leases, Leases];
  /** Called after the case. */
  close?(): Eventual<void>;
}

/** Contract of leases. Each case runs with its own leases, which use the clock passed to `open`. */
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
    promise("a held lease cannot be acquired by either process", async (here, there) => {
      expect(await here.acquire("a", 1_000)).toMatchObject({
        name: "a",
        expiresAt: START + 1_000,
      });
      expect(await here.acquire("a", 1_000)).toBeUndefined();
      expect(await there.acquire("a", 1_000)).toBeUndefined();
    }),

    promise("leases of different names are independent", async (here, there) => {
      await here.acquire("a", 1_000);
      expect(await there.acquire("b", 1_000)).toBeDefined();
    }),

    promise("of 20 concurrent requests one succeeds", async (here, there) => {
      const asked = Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? here : there).acquire("a", 1_000),
      );
      const given = (await Promise.all(asked)).filter((lease) => lease !== undefined);
      expect(given).toHaveLength(1);
    }),

    promise(
      "after expiry another worker gets the lease, with a greater fence",
      async (here, there, clock) => {
        const first = await here.acquire("a", 1_000);
        clock.advance(999);
        expect(await there.acquire("a", 1_000)).toBeUndefined();
        clock.advance(1);
        const second = await there.acquire("a", 1_000);
        expect(second?.fence).toBeGreaterThan(first?.fence ?? Infinity);
      },
    ),

    promise(
      "a released lease can be acquired at once, with a greater fence",
      async (here, there) => {
        const first = await here.acquire("a", 1_000);
        if (first === undefined) throw new Error("the lease was not acquired");
        await here.release(first);
        const second = await there.acquire("a", 1_000);
        expect(second?.fence).toBeGreaterThan(first.fence);
      },
    ),

    promise(
      "an expired holder cannot release its successor's lease",
      async (here, there, clock) => {
        const first = await here.acquire("a", 1_000);
        if (first === undefined) throw new Error("the lease was not acquired");
        clock.advance(1_000);
        await there.acquire("a", 1_000);
        await here.release(first);
        expect(await here.acquire("a", 1_000)).toBeUndefined();
      },
    ),
  ];
}
