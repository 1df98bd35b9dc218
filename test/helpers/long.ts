import { describe, test } from "bun:test";

import { torture } from "./chance.ts";

/** Takes the place of a test that does not exist. */
const absent = Object.assign(() => undefined, {
  each: () => () => undefined,
  skipIf: (): typeof absent => absent,
});

/** `test` for long tests. Unless these are requested they do not exist: CI takes a skipped test for a failure. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const longTest = (torture ? test : absent) as typeof test;

/** The same of `describe`. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const describeLong = (torture ? describe : absent) as typeof describe;
