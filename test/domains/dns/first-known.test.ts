import { expect, test } from "bun:test";

import { firstKnown } from "../../../domains/dns/resolver.ts";
import { mergeAnswers } from "../../../domains/dns/survey.ts";
import { unknown, type Answer } from "../../../domains/model/answer.ts";
import type { Resolver, Within } from "../../../domains/ports/resolver.ts";

const found = (records: readonly [string, ...string[]], ttlSeconds = 60): Answer<string> => ({
  kind: "found",
  records,
  ttlSeconds,
  aliases: [],
  authenticated: false,
});
const absent: Answer<never> = {
  kind: "absent",
  reason: "nodata",
  ttlSeconds: 30,
  aliases: [],
  authenticated: false,
};

/** A resolver that says what it is told to. */
function saying(answer: (within: Within) => Promise<Answer<never>>): Resolver {
  return { vantage: "of this test", lookup: (_name, _type, within) => answer(within) };
}

const untilGivenUp = ({ signal }: Within): Promise<never> =>
  new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });

test("an absence is knowledge, a failure is none", async () => {
  const fails = saying(async () => unknown("servfail"));
  const knows = saying(async () => absent);
  const within = { deadlineAt: 1_000 };
  expect(await firstKnown([fails, knows], "shelter.org", "A", within)).toEqual(absent);
  expect(await firstKnown([knows, fails], "shelter.org", "A", within)).toEqual(absent);
});

test("when none knows, the first one's reason is told", async () => {
  const fails = saying(async () => unknown("servfail"));
  const refuses = saying(async () => unknown("refused"));
  const answer = await firstKnown([refuses, fails], "shelter.org", "A", { deadlineAt: 1_000 });
  expect(answer).toEqual(unknown("refused"));
});

test("who is slower than the first that knows is told to stop", async () => {
  let stopped = false;
  const slow = saying((within) =>
    untilGivenUp(within).catch((error: unknown) => {
      stopped = true;
      throw error;
    }),
  );
  const knows = saying(async () => absent);
  const within = { deadlineAt: 1_000 };
  expect(await firstKnown([slow, knows], "shelter.org", "A", within)).toEqual(absent);
  expect(stopped).toBe(true);
});

test("who gives up has his reason", async () => {
  const gaveUp = new AbortController();
  const reason = new Error("The page was left");
  const within = { deadlineAt: 1_000, signal: gaveUp.signal };
  const answer = firstKnown([saying(untilGivenUp)], "shelter.org", "A", within);
  gaveUp.abort(reason);
  await expect(answer).rejects.toBe(reason);
});

test("put together, records of all servers are there once, for the shortest time", () => {
  const answers = [found(["192.0.2.1", "192.0.2.2"]), unknown("timeout"), found(["192.0.2.2"], 20)];
  expect(mergeAnswers(answers)).toMatchObject({
    kind: "found",
    records: ["192.0.2.1", "192.0.2.2"],
    ttlSeconds: 20,
  });
});

test("put together, an absence counts more than a failure, and nothing is a failure", () => {
  expect(mergeAnswers([unknown("refused"), absent])).toEqual(absent);
  expect(mergeAnswers([unknown("refused"), unknown("timeout")])).toEqual(unknown("refused"));
  expect(mergeAnswers([])).toEqual(unknown("timeout"));
});
