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

/** A resolver with predefined answers. */
function saying(answer: (within: Within) => Promise<Answer<never>>): Resolver {
  return { vantage: "of this test", lookup: (_name, _type, within) => answer(within) };
}

const untilGivenUp = ({ signal }: Within): Promise<never> =>
  new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });

test("an absence is known, a failure is not", async () => {
  const fails = saying(async () => unknown("servfail"));
  const knows = saying(async () => absent);
  const within = { deadlineAt: 1_000 };
  expect(await firstKnown([fails, knows], "shelter.org", "A", within)).toEqual(absent);
  expect(await firstKnown([knows, fails], "shelter.org", "A", within)).toEqual(absent);
});

test("if no resolver knows, the first one's reason is returned", async () => {
  const fails = saying(async () => unknown("servfail"));
  const refuses = saying(async () => unknown("refused"));
  const answer = await firstKnown([refuses, fails], "shelter.org", "A", { deadlineAt: 1_000 });
  expect(answer).toEqual(unknown("refused"));
});

test("slower lookups are aborted once an answer is known", async () => {
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

test("an abort rejects with its reason", async () => {
  const gaveUp = new AbortController();
  const reason = new Error("The page was left");
  const within = { deadlineAt: 1_000, signal: gaveUp.signal };
  const answer = firstKnown([saying(untilGivenUp)], "shelter.org", "A", within);
  gaveUp.abort(reason);
  await expect(answer).rejects.toBe(reason);
});

test("merging returns all servers' distinct records with the shortest TTL", () => {
  const answers = [found(["192.0.2.1", "192.0.2.2"]), unknown("timeout"), found(["192.0.2.2"], 20)];
  expect(mergeAnswers(answers)).toMatchObject({
    kind: "found",
    records: ["192.0.2.1", "192.0.2.2"],
    ttlSeconds: 20,
  });
});

test("merging prefers an absence to a failure, and no answers are a failure", () => {
  expect(mergeAnswers([unknown("refused"), absent])).toEqual(absent);
  expect(mergeAnswers([unknown("refused"), unknown("timeout")])).toEqual(unknown("refused"));
  expect(mergeAnswers([])).toEqual(unknown("timeout"));
});
