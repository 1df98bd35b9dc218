import type { Eventual } from "../base/eventual.ts";
import { contractCase, type ContractCase } from "./contract-case.ts";
import type { LimiterCase, LimiterUnderTest } from "./limiter/case.ts";
import { planCases } from "./limiter/plans.ts";
import { refundCases } from "./limiter/refunds.ts";
import { violationCases } from "./limiter/violations.ts";
import { windowCases } from "./limiter/windows.ts";

export type { LimiterUnderTest } from "./limiter/case.ts";

const cases: readonly LimiterCase[] = [
  ...windowCases,
  ...refundCases,
  ...planCases,
  ...violationCases,
];

/** What every limiter must promise, for the makers of one: each case is run with a limiter of its own. */
export function limiterContract(open: () => Eventual<LimiterUnderTest>): readonly ContractCase[] {
  return cases.map(({ name, run }) => contractCase(name, open, run));
}
