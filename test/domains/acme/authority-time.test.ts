import { describe, expect, test } from "bun:test";

import { COMPARE_EVERY_MS, createAuthorityTime } from "../../../domains/acme/authority-time.ts";
import { ownProblem } from "../../../domains/model/acme-problem.ts";
import { watchClock } from "../../../domains/keeper/clock-watch.ts";
import type { Domain } from "../../../domains/model/domain.ts";
import { clockCorrected } from "../../../domains/model/clock-correction.ts";
import type { CertificateAuthority } from "../../../domains/ports/authority.ts";
import { done, refused } from "../../../lib/base/result.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../lib/base/clock.ts";
import { silentLog } from "../../../lib/base/log.ts";
import { manualClock } from "../../helpers/clock.ts";
import { someDomain, START } from "../../helpers/domains/rows.ts";

const { signal } = new AbortController();

/** A host and a CA. `aheadMs` is how far the CA's clock is ahead; undefined if it does not respond. */
function meeting(first: number | undefined | "silent") {
  const clock = manualClock(START);
  const seen = { aheadMs: first, requests: 0, skews: [] as number[], warnings: [] as string[] };
  const directory: CertificateAuthority["directory"] = async () => {
    seen.requests++;
    const { aheadMs } = seen;
    if (aheadMs === undefined) return refused(ownProblem("unavailable", "It is away."));
    const said = {
      caaIdentities: [],
      externalAccountRequired: false,
      renewalInfo: false,
      profiles: {},
    };
    return done(aheadMs === "silent" ? said : { ...said, aheadMs });
  };
  const time = createAuthorityTime({
    clock,
    authority: { id: "https://ca.test/directory", directory },
    log: { ...silentLog, warn: (message) => void seen.warnings.push(message) },
    onSkew: async (aheadMs) => void seen.skews.push(aheadMs),
  });
  return { clock, time, seen };
}

describe("the time of the CA", () => {
  test("is ours until the clocks were compared, and while they differ by at most a minute", async () => {
    const { time, seen } = meeting(MINUTE_MS);
    expect(time.now()).toBe(START);
    await time.compare(signal);
    expect([time.now(), time.aheadMs, seen.skews]).toEqual([START, MINUTE_MS, []]);
  });

  test("is reported once when our clock is wrong, and once when it is right again", async () => {
    const { clock, time, seen } = meeting(-13 * HOUR_MS);
    await time.compare(signal);
    clock.advance(HOUR_MS);
    await time.compare(signal);
    expect(time.now()).toBe(START - 12 * HOUR_MS);
    expect(time.fromHost(START)).toBe(START - 13 * HOUR_MS);
    expect(seen.warnings).toEqual([
      "clock_skew: our clock is 46800 s ahead of the CA's; certificates follow the CA's time",
    ]);
    clock.set(clock.now() - 13 * HOUR_MS);
    seen.aheadMs = 2 * SECOND_MS;
    await time.compare(signal);
    expect(time.now()).toBe(START - 12 * HOUR_MS);
    expect(seen.skews).toEqual([-13 * HOUR_MS, 0]);
  });

  test("is unknown if the CA does not report it", async () => {
    const { time } = meeting("silent");
    await time.compare(signal);
    expect([time.now(), time.aheadMs]).toEqual([START, undefined]);
  });

  test("is requested again after a while, and at once when our clock was set back", async () => {
    const { clock, time, seen } = meeting(0);
    await time.compare(signal, COMPARE_EVERY_MS);
    clock.advance(COMPARE_EVERY_MS - 1);
    await time.compare(signal, COMPARE_EVERY_MS);
    expect(seen.requests).toBe(1);
    clock.advance(1);
    await time.compare(signal, COMPARE_EVERY_MS);
    expect(seen.requests).toBe(2);
    clock.set(START);
    await time.compare(signal, COMPARE_EVERY_MS);
    expect(seen.requests).toBe(3);
  });

  test("is kept while the CA is unavailable, which is asked once a minute", async () => {
    const { clock, time, seen } = meeting(-4 * DAY_MS);
    await time.compare(signal);
    seen.aheadMs = undefined;
    for (let second = 0; second < 3_600; second++) {
      clock.advance(SECOND_MS);
      await time.compare(signal);
    }
    expect(seen.requests).toBeLessThanOrEqual(52);
    expect(time.now()).toBe(START + HOUR_MS - 4 * DAY_MS);
  });
});

test("a process asks a CA that does not answer ever more rarely, but at once after a jump of its clock", async () => {
  const { clock, time, seen } = meeting(0);
  const watch = watchClock(time, silentLog);
  const during = async (ms: number): Promise<number> => {
    const before = seen.requests;
    for (const until = clock.now() + ms; clock.now() < until; clock.advance(10 * SECOND_MS)) {
      watch.check(signal);
      await watch.finished();
    }
    return seen.requests - before;
  };
  expect(await during(MINUTE_MS)).toBe(1);
  seen.aheadMs = undefined;
  expect(await during(COMPARE_EVERY_MS - 2 * MINUTE_MS)).toBe(0);
  // After 0, 1, 3, 7, 15, 31 and 63 minutes, and then after an hour each.
  expect(await during(66 * MINUTE_MS)).toBe(7);
  expect(await during(10 * HOUR_MS)).toBe(10);
  clock.advance(5 * MINUTE_MS);
  expect(await during(30 * SECOND_MS)).toBe(1);
  seen.aheadMs = 0;
  expect(await during(HOUR_MS)).toBe(1);
  expect(await during(COMPARE_EVERY_MS - 2 * HOUR_MS)).toBe(0);
});

describe("a row written by a clock that was ahead", () => {
  const ahead = 4 * DAY_MS;
  const written = {
    ...someDomain(1, {}, START + ahead - HOUR_MS),
    watch: { since: START + ahead },
    heldSince: START + ahead - MINUTE_MS,
    issuance: {
      challenge: "http-01",
      attempts: 1,
      failures: 1,
      failedAt: [START + ahead - MINUTE_MS],
      notBefore: START + ahead + HOUR_MS,
    },
    certificate: {
      id: "crt_1",
      authority: "ca",
      notBefore: START - HOUR_MS,
      notAfter: START + 90 * DAY_MS,
      renewAt: START + ahead + 60 * DAY_MS,
      activeSince: START + ahead - MINUTE_MS,
    },
  } as const;

  test("moves back as a whole, except for the CA's data", () => {
    expect(clockCorrected(written, START, true)).toMatchObject({
      addedAt: START - HOUR_MS,
      watch: { since: START },
      heldSince: START - MINUTE_MS,
      issuance: { failedAt: [START - MINUTE_MS], notBefore: START + HOUR_MS },
      certificate: {
        notBefore: START - HOUR_MS,
        notAfter: START + 90 * DAY_MS,
        renewAt: START + 60 * DAY_MS,
        activeSince: START - MINUTE_MS,
      },
    });
  });

  test("keeps the renewal time of a certificate that arrived before the clock error", () => {
    const certificate = {
      ...written.certificate,
      notBefore: START - 20 * DAY_MS - HOUR_MS,
      activeSince: START - 20 * DAY_MS,
      renewAt: START + 40 * DAY_MS,
    };
    const jumped = { ...written, certificate };
    expect(clockCorrected(jumped, START, true).certificate).toMatchObject({
      activeSince: START - 20 * DAY_MS - HOUR_MS,
      renewAt: START + 40 * DAY_MS - HOUR_MS,
    });
    // Without the CA's time, its dates limit nothing.
    expect(clockCorrected(jumped, START, false).certificate).toMatchObject({
      activeSince: START - 24 * DAY_MS,
      renewAt: START + 36 * DAY_MS,
    });
  });

  const revocation = {
    certificateId: "crt_1",
    authority: "ca",
    reason: "superseded",
    since: START + ahead,
    resumeAt: START + ahead + HOUR_MS,
    chainPem: "",
    sealedKey: "",
    notAfter: START + 90 * DAY_MS,
  } as const;
  const unservable = { at: START + ahead, message: "the key is damaged" };
  const replaced = [{ at: START + ahead, reason: "damaged" }] as const;
  const ordinary = someDomain(1, {}, START - HOUR_MS);
  const past = { ...written.certificate, activeSince: START, renewAt: START + 60 * DAY_MS };

  test.each<[string, Partial<Domain>, Partial<Domain>]>([
    [
      "its revocation was requested",
      { revocation },
      { revocation: { ...revocation, since: START, resumeAt: START + HOUR_MS } },
    ],
    [
      "its certificate was found damaged",
      { certificate: { ...past, unservable } },
      { certificate: expect.objectContaining({ unservable: { ...unservable, at: START } }) },
    ],
    [
      "its certificate was replaced",
      { issuance: { ...ordinary.issuance, replaced } },
      { issuance: expect.objectContaining({ replaced: [{ at: START, reason: "damaged" }] }) },
    ],
  ])("moves back if all that is later than now is when %s", (_, later, corrected) => {
    expect(clockCorrected({ ...ordinary, ...later }, START, true)).toMatchObject(corrected);
  });

  test("is kept if all its events are in the past", () => {
    expect(clockCorrected(written, START + ahead - MINUTE_MS, true)).toBe(written);
  });
});
