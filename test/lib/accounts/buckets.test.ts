import { expect, test } from "bun:test";

import { DAY_MS, MINUTE_MS } from "../../../lib/base/clock.ts";
import { addressBuckets, keyBuckets, type Buckets } from "../../../lib/accounts/buckets.ts";
import type { Verdict } from "../../../lib/accounts/limiter.ts";
import { manualClock } from "../../helpers/clock.ts";

const START = Date.UTC(2026, 10, 20, 9, 30);

function left({ windows }: Verdict): number {
  return windows[0].remaining;
}

function drain(buckets: Buckets, holder: string | undefined): number {
  let passed = 0;
  while (buckets.spend(holder).allowed) passed++;
  return passed;
}

test("an address may fail sixty times a minute, and is then refused until the reset", () => {
  const clock = manualClock(START + 250);
  const buckets = addressBuckets({ clock });
  expect(drain(buckets, "192.0.2.1")).toBe(60);
  const refusal = buckets.spend("192.0.2.1");
  expect(refusal.windows).toEqual([
    { name: "minute", limit: 60, remaining: 0, resetsAt: START + MINUTE_MS, lengthSeconds: 60 },
  ]);
  clock.set(START + MINUTE_MS - 1);
  expect(buckets.spend("192.0.2.1").allowed).toBe(false);
  clock.set(START + MINUTE_MS);
  expect(left(buckets.spend("192.0.2.1"))).toBe(59);
});

test("peek creates no bucket and spends nothing", () => {
  const buckets = addressBuckets({ clock: manualClock(START) });
  expect(left(buckets.peek("192.0.2.1"))).toBe(60);
  expect(buckets.size).toBe(0);
  buckets.spend("192.0.2.1");
  expect(left(buckets.peek("192.0.2.1"))).toBe(59);
  expect(left(buckets.peek("192.0.2.1"))).toBe(59);
});

test("a /64 shares a bucket, and a mapped IPv4 address is that IPv4 address", () => {
  const buckets = addressBuckets({ clock: manualClock(START) });
  buckets.spend("2001:db8::1");
  expect(left(buckets.peek("2001:db8::ffff:2"))).toBe(59);
  expect(left(buckets.peek("2001:db8:0:1::1"))).toBe(60);
  buckets.spend("::ffff:192.0.2.1");
  expect(left(buckets.peek("192.0.2.1"))).toBe(59);
  expect(left(buckets.peek("192.0.2.2"))).toBe(60);
});

test("clients without an address share one bucket", () => {
  const buckets = addressBuckets({ clock: manualClock(START) });
  buckets.spend(undefined);
  buckets.spend("nonsense");
  expect(left(buckets.peek("unix:"))).toBe(58);
  expect(buckets.size).toBe(1);
});

test("no live bucket is evicted: further holders share one bucket", () => {
  const clock = manualClock(START);
  const buckets = addressBuckets({ clock, maxHolders: 3 });
  for (const address of ["192.0.2.1", "192.0.2.2", "192.0.2.3"]) drain(buckets, address);
  expect(left(buckets.peek("192.0.2.4"))).toBe(60);
  buckets.spend("192.0.2.4");
  buckets.spend("192.0.2.5");
  expect(left(buckets.peek("192.0.2.6"))).toBe(58);
  expect(buckets.size).toBe(3);
  for (const address of ["192.0.2.1", "192.0.2.2", "192.0.2.3"]) {
    expect(buckets.spend(address).allowed).toBe(false);
  }
});

test("an ended bucket is replaced", () => {
  const clock = manualClock(START);
  const buckets = addressBuckets({ clock, maxHolders: 2 });
  buckets.spend("192.0.2.1");
  clock.advance(1_000);
  buckets.spend("192.0.2.2");
  clock.set(START + MINUTE_MS);
  buckets.spend("192.0.2.3");
  expect(left(buckets.peek("192.0.2.3"))).toBe(59);
  expect(left(buckets.peek("192.0.2.2"))).toBe(59);
  expect(buckets.size).toBe(2);
});

test("a live bucket does not keep ended ones in memory", () => {
  const clock = manualClock(START);
  const buckets = addressBuckets({ clock });
  buckets.spend("192.0.2.1");
  clock.advance(1_000);
  buckets.spend("192.0.2.2");
  clock.set(START + MINUTE_MS);
  buckets.spend("192.0.2.1");
  clock.advance(1_000);
  buckets.peek("192.0.2.1");
  expect(buckets.size).toBe(1);
});

test("memory is proportional to the live addresses", () => {
  const clock = manualClock(START);
  const buckets = addressBuckets({ clock });
  for (let index = 0; index < 50_000; index++) {
    buckets.spend(`10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`);
  }
  expect(buckets.size).toBe(50_000);
  clock.advance(MINUTE_MS);
  for (let index = 0; index < 500; index++) buckets.spend("192.0.2.1");
  expect(buckets.size).toBe(1);
});

test("setting the clock back two days neither refills a bucket nor locks its holder out", () => {
  const clock = manualClock(START);
  const buckets = addressBuckets({ clock, maxHolders: 300 });
  for (let index = 0; index < 300; index++) drain(buckets, `192.0.${index >> 8}.${index & 255}`);
  clock.advance(-2 * DAY_MS);
  expect(buckets.spend("192.0.0.9").allowed).toBe(false);
  expect(buckets.spend("192.0.0.9").windows[0].resetsAt).toBe(clock.now() + MINUTE_MS);
  for (let index = 0; index < 4; index++) buckets.peek("192.0.2.200");
  clock.advance(MINUTE_MS);
  expect(buckets.spend("192.0.0.9").allowed).toBe(true);
  for (let index = 0; index < 4; index++) buckets.peek("192.0.2.200");
  expect(buckets.size).toBe(1);
});

test("buckets by key accept any text and their own limit", () => {
  const buckets = keyBuckets({ clock: manualClock(START), perMinute: 2 });
  expect(drain(buckets, "0123456789")).toBe(2);
  expect(left(buckets.peek("abcdefghij"))).toBe(2);
});
