import { expect, test } from "bun:test";

import { runSeed } from "../helpers/chance.ts";
import { groups } from "./decoders/groups.ts";
import type { Finding } from "./kit/judge.ts";
import { fuzzed } from "./kit/run.ts";

const running = fuzzed("broken", { frozenMs: 1_500 });

/** One of these faults must be found in the decoder. */
const expected: Readonly<Record<string, readonly Finding["fault"][]>> = {
  freezes: ["does not end"],
  throws: ["an exception escaped"],
  "never settles": ["does not answer"],
  "rejects behind its caller's back": ["a promise was rejected without a handler"],
  // On a busy machine it may take as long as one that freezes.
  "takes quadratic time": ["too slow", "grows faster than its input", "does not end"],
  "takes too much memory": ["takes too much memory"],
  "keeps memory": ["keeps memory"],
};

test.each(Object.entries(expected))("a decoder that %s is noticed", async (name, faults) => {
  const report = (await running).get(name);
  expect(report?.findings.some(({ fault }) => faults.includes(fault))).toBeTrue();
});

test("a decoder without a fault has no finding", async () => {
  expect((await running).get("is fine")?.findings).toEqual([]);
});

test("a finding names the input, which its number makes again", async () => {
  const [finding] = (await running).get("throws")?.findings ?? [];
  const decoder = (await groups.broken()).find(({ name }) => name === "throws");
  const again = decoder?.input(runSeed, finding?.index ?? 0) ?? "";
  expect(finding?.input).toStartWith(JSON.stringify(again).slice(0, 100));
  expect(() => decoder?.decode(again)).toThrow(URIError);
});
