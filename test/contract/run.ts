import { describe, test } from "bun:test";

import type { ContractCase } from "../../lib/testing/index.ts";

/** Runs each promise of a contract as a test of its own. */
export function describeContract(name: string, cases: readonly ContractCase[]): void {
  describe(name, () => {
    for (const { name: promise, run } of cases) test(promise, run);
  });
}
