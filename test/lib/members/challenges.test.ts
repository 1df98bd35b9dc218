import { describe, expect, test } from "bun:test";

import { webDigest } from "../../../lib/base/digest.ts";
import { systemRandom } from "../../../lib/base/id.ts";
import { CHALLENGE_MS, createChallenges } from "../../../lib/members/challenges.ts";
import { manualClock } from "../../helpers/clock.ts";

const START = 1_794_960_000_000;

function open(key = 1) {
  const clock = manualClock(START);
  const bytes = new Uint8Array(32).fill(key);
  const challenges = createChallenges({
    key: () => bytes,
    digest: webDigest,
    clock,
    random: systemRandom,
  });
  const make = async (purpose: string) =>
    Buffer.from(await challenges.make(purpose)).toString("base64url");
  return { clock, make, endOf: challenges.endOf };
}

describe("a challenge", () => {
  test("is valid for five minutes, for its purpose only", async () => {
    const { clock, make, endOf } = open();
    const challenge = await make("sign in");
    expect(await endOf("sign in", challenge)).toBe(START + CHALLENGE_MS);
    expect(await endOf("sign out", challenge)).toBeUndefined();
    clock.advance(CHALLENGE_MS - 1);
    expect(await endOf("sign in", challenge)).toBe(START + CHALLENGE_MS);
    clock.advance(1);
    expect(await endOf("sign in", challenge)).toBeUndefined();
  });

  test("is unique", async () => {
    const { make } = open();
    expect(await make("sign in")).not.toBe(await make("sign in"));
  });

  test("is invalid from another installation, changed, cut or re-encoded", async () => {
    const { make, endOf } = open();
    const challenge = await make("sign in");
    expect(await endOf("sign in", await open(2).make("sign in"))).toBeUndefined();
    for (let at = 0; at < challenge.length; at++) {
      const other = challenge[at] === "A" ? "B" : "A";
      const changed = challenge.slice(0, at) + other + challenge.slice(at + 1);
      expect([at, await endOf("sign in", changed)]).toEqual([at, undefined]);
    }
    for (const text of ["", challenge.slice(1), `${challenge}A`, "=".repeat(challenge.length)]) {
      expect(await endOf("sign in", text)).toBeUndefined();
    }
  });
});
