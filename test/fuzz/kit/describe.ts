import { describe, expect, test } from "bun:test";

import { groups, type Group } from "../decoders/groups.ts";
import { fuzzed } from "./run.ts";

/** Longer than any run: a decoder that freezes ends much earlier. */
const LIMIT_MS = 55 * 60_000;
/** The least share of inputs that a decoder accepts, so that its generator reaches more than its first refusal. */
const LEAST_ACCEPTED = 0.02;

/** Tests that every decoder of a group ends in time and within a bound of memory, and lets no exception escape. */
export async function fuzzGroup(group: Group): Promise<void> {
  const decoders = await groups[group]();
  const running = fuzzed(group);
  describe("ends within bounds, without an exception:", () => {
    test.each(decoders.map(({ name, file }) => [name, file]))(
      "%s (%s)",
      async (name) => {
        const report = (await running).get(name);
        expect(report?.findings).toEqual([]);
        const { accepted = 0, inputs = 1 } = report ?? {};
        expect(accepted / inputs).toBeGreaterThan(LEAST_ACCEPTED);
      },
      LIMIT_MS,
    );
  });
}
