import { describe, test } from "bun:test";

import type { ContractCase } from "../../testing/index.ts";

/** Runs each case of a contract as a test. */
export function describeContract(name: string, cases: readonly ContractCase[]): void {
  describe(name, () => {
    for (const { name: promise, run } of cases) test(promise, run);
  });
}
