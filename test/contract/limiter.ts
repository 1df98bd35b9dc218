import { describe, test } from "bun:test";

import type { Eventual } from "../../lib/base/eventual.ts";
import { limiterContract, type LimiterUnderTest } from "../../lib/testing/limiter-contract.ts";

/** Holds a limiter to what its port promises. */
export function describeLimiter(name: string, open: () => Eventual<LimiterUnderTest>): void {
  describe(`${name} as a limiter`, () => {
    for (const promise of limiterContract(open)) test(promise.name, () => promise.run());
  });
}
