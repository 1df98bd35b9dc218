import { expect, test } from "bun:test";

import { DAY_MS, MINUTE_MS } from "../../../lib/base/clock.ts";
import { addressBuckets, keyBuckets, type Buckets } from "../../../lib/accounts/buckets.ts";
import { memoryLimiter } from "../../../lib/accounts/memory-limiter.ts";
import type { LimitStatus } from "../../../lib/model/window.ts";
import { manualClock, type ManualClock } from "../../helpers/clock.ts";

const START = Date.UTC(2026, 10, 20, 9, 30);

/** Buckets whose limiter decides at once. */
function open(clock: ManualClock, maxHolders?: number) {
  const limiter = memoryLimiter({ clock, ...(maxHolders === undefined ? {} : { maxHolders }) });
  return { limiter, buckets: addressBuckets({ limiter, kind: "address" }) };
}

async function left(status: LimitStatus | Promise<LimitStatus>): Promise<number> {
  return (await status).windows[0].remaining;
}

async function drain(buckets: Buckets, holder: string | undefined): Promise<number> {
  let passed = 0;
  while ((await buckets.spend(holder)).allowed) passed++;
  return passed;
}

test("an address may fail sixty times a minute, and is then refused until the reset", async () => {
  const clock = manualClock(START + 250);
  const { buckets } = open(clock);
  expect(await drain(buckets, "192.0.2.1")).toBe(60);
  const refusal = await buckets.spend("192.0.2.1");
  expect(refusal.windows).toEqual([
    { name: "minute", limit: 60, remaining: 0, resetsAt: START + MINUTE_MS, lengthSeconds: 60 },
  ]);
  clock.set(START + MINUTE_MS - 1);
  expect((await buckets.spend("192.0.2.1")).allowed).toBe(false);
  clock.set(START + MINUTE_MS);
  expect(await left(buckets.spend("192.0.2.1"))).toBe(59);
});

test("peek creates no bucket and spends nothing", async () => {
  const { buckets, limiter } = open(manualClock(START));
  expect(await left(buckets.peek("192.0.2.1"))).toBe(60);
  expect(limiter.size).toBe(0);
  await buckets.spend("192.0.2.1");
  expect(await left(buckets.peek("192.0.2.1"))).toBe(59);
  expect(await left(buckets.peek("192.0.2.1"))).toBe(59);
});

test("a /64 shares a bucket, and a mapped IPv4 address is that IPv4 address", async () => {
  const { buckets } = open(manualClock(START));
  await buckets.spend("2001:db8::1");
  expect(await left(buckets.peek("2001:db8::ffff:2"))).toBe(59);
  expect(await left(buckets.peek("2001:db8:0:1::1"))).toBe(60);
  await buckets.spend("::ffff:192.0.2.1");
  expect(await left(buckets.peek("192.0.2.1"))).toBe(59);
  expect(await left(buckets.peek("192.0.2.2"))).toBe(60);
});

test("clients without an address share one bucket", async () => {
  const { buckets, limiter } = open(manualClock(START));
  await buckets.spend(undefined);
  await buckets.spend("nonsense");
  expect(await left(buckets.peek("unix:"))).toBe(58);
  expect(limiter.size).toBe(1);
});

test("no live bucket is evicted: further holders share one bucket", async () => {
  const clock = manualClock(START);
  const { buckets, limiter } = open(clock, 3);
  for (const address of ["192.0.2.1", "192.0.2.2", "192.0.2.3"]) await drain(buckets, address);
  expect(await left(buckets.peek("192.0.2.4"))).toBe(60);
  await buckets.spend("192.0.2.4");
  await buckets.spend("192.0.2.5");
  expect(await left(buckets.peek("192.0.2.6"))).toBe(58);
  expect(limiter.size).toBe(3);
  for (const address of ["192.0.2.1", "192.0.2.2", "192.0.2.3"]) {
    expect((await buckets.spend(address)).allowed).toBe(false);
  }
});

test("an ended bucket is replaced", async () => {
  const clock = manualClock(START);
  const { buckets, limiter } = open(clock, 2);
  await buckets.spend("192.0.2.1");
  clock.advance(1_000);
  await buckets.spend("192.0.2.2");
  clock.set(START + MINUTE_MS);
  await buckets.spend("192.0.2.3");
  expect(await left(buckets.peek("192.0.2.3"))).toBe(59);
  expect(await left(buckets.peek("192.0.2.2"))).toBe(59);
  expect(limiter.size).toBe(2);
});

test("a live bucket does not keep ended ones in memory", async () => {
  const clock = manualClock(START);
  const { buckets, limiter } = open(clock);
  await buckets.spend("192.0.2.1");
  clock.advance(1_000);
  await buckets.spend("192.0.2.2");
  clock.set(START + MINUTE_MS);
  await buckets.spend("192.0.2.1");
  clock.advance(1_000);
  await buckets.peek("192.0.2.1");
  expect(limiter.size).toBe(1);
});

test("memory is proportional to the live addresses", async () => {
  const clock = manualClock(START);
  const { buckets, limiter } = open(clock);
  for (let index = 0; index < 50_000; index++) {
    await buckets.spend(`10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`);
  }
  expect(limiter.size).toBe(50_000);
  clock.advance(MINUTE_MS);
  for (let index = 0; index < 500; index++) await buckets.spend("192.0.2.1");
  expect(limiter.size).toBe(1);
});

test("setting the clock back two days neither refills a bucket nor locks its holder out", async () => {
  const clock = manualClock(START);
  const { buckets, limiter } = open(clock, 300);
  for (let index = 0; index < 300; index++)
    await drain(buckets, `192.0.${index >> 8}.${index & 255}`);
  clock.advance(-2 * DAY_MS);
  expect((await buckets.spend("192.0.0.9")).allowed).toBe(false);
  expect((await buckets.spend("192.0.0.9")).windows[0].resetsAt).toBe(clock.now() + MINUTE_MS);
  for (let index = 0; index < 4; index++) await buckets.peek("192.0.2.200");
  clock.advance(MINUTE_MS);
  expect((await buckets.spend("192.0.0.9")).allowed).toBe(true);
  for (let index = 0; index < 4; index++) await buckets.peek("192.0.2.200");
  expect(limiter.size).toBe(1);
});

test("buckets by key accept any text", async () => {
  const limiter = memoryLimiter({ clock: manualClock(START) });
  const buckets = keyBuckets({ limiter, kind: "inquiry" });
  expect(await drain(buckets, "0123456789")).toBe(60);
  expect(await left(buckets.peek("abcdefghij"))).toBe(60);
});
