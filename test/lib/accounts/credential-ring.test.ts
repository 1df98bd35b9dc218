import { expect, test } from "bun:test";

import { createCredentialRing, parserOf } from "../../../lib/accounts/credential-ring.ts";
import { hashSecret, webDigest } from "../../../lib/base/digest.ts";
import type { Eventual } from "../../../lib/base/eventual.ts";
import { systemRandom } from "../../../lib/base/id.ts";
import { problem } from "../../../lib/base/problem.ts";
import { done, refused } from "../../../lib/base/result.ts";
import { createCredential } from "../../../lib/model/new-credential.ts";
import type { Digest } from "../../../lib/index.ts";

interface Stored {
  readonly id: string;
  readonly hash: string;
  readonly accountId: string;
  readonly revoked?: true;
}

const PEPPER = new Uint8Array(32).fill(7);
const invalid = problem("invalid_api_key", "invalid");

/** Synchronous, like the runtimes' digests. */
const syncDigest: Digest = {
  sha256: (data) => data,
  hmac: (_key, data) => data,
};

/** Returns a ring over records in memory. `reads` lists the ids that were read. */
async function openRing({ digest = syncDigest }: { readonly digest?: Digest } = {}) {
  const records = new Map<string, Stored>();
  const reads: string[] = [];
  /** If set, reads wait for it. */
  const gate: { wait: Promise<void> | undefined } = { wait: undefined };
  const ring = createCredentialRing<Stored, Stored>({
    digest,
    pepper: () => PEPPER,
    parse: parserOf("manage", invalid),
    invalid,
    read: (id): Eventual<Stored | undefined> => {
      reads.push(id);
      const found = records.get(id);
      return gate.wait === undefined ? found : gate.wait.then(() => found);
    },
    admit: (stored) => (stored.revoked === true ? refused(invalid) : done(stored)),
    subjects: { token: ({ id }) => id, account: ({ accountId }) => accountId },
  });
  const issue = async (accountId: string) => {
    const { id, secret, token } = createCredential(systemRandom, "manage");
    const hash = await hashSecret(digest, PEPPER, secret);
    records.set(id, { id, hash, accountId });
    return { id, token };
  };
  /** Returns true if `find` answers from the cache. */
  const isCached = async (token: string, now: number): Promise<boolean> => {
    const before = reads.length;
    await ring.find(token, now);
    return reads.length === before;
  };
  return { ring, records, reads, gate, issue, isCached };
}

test("a holder is trusted for a second after it was read, and not for times before that", async () => {
  const { ring, issue, isCached } = await openRing();
  const { token } = await issue("a");
  for (const [at, cached] of [
    [5_000, false],
    [5_000, true],
    [5_999, true],
    [6_000, false],
    // The clock was set back: the age is unknown.
    [5_999, false],
  ] as const) {
    expect([at, await isCached(token, at)]).toEqual([at, cached]);
  }
  expect(ring.size()).toBe(1);
});

test("each confirmation extends the trust by a second", async () => {
  const { ring, issue, isCached } = await openRing();
  const { token } = await issue("a");
  await ring.find(token, 0);
  ring.confirm(900);
  expect(await isCached(token, 1_899)).toBe(true);
  expect(await isCached(token, 1_900)).toBe(false);
});

test("a cached holder is found without a promise", async () => {
  const { ring, issue } = await openRing({ digest: webDigest });
  const { token } = await issue("a");
  const loaded = ring.find(token, 0);
  expect(loaded).toBeInstanceOf(Promise);
  await loaded;
  expect(ring.find(token, 0)).toMatchObject({ ok: true, value: { accountId: "a" } });
});

test("a notice drops the holders it concerns, and no others", async () => {
  const { ring, issue, isCached } = await openRing();
  const [one, two] = [await issue("a"), await issue("b")];
  for (const { token } of [one, two]) await ring.find(token, 0);
  ring.forget("token", one.id);
  expect(await isCached(two.token, 0)).toBe(true);
  expect(await isCached(one.token, 0)).toBe(false);
  ring.forget("account", "b");
  expect(await isCached(one.token, 0)).toBe(true);
  expect(await isCached(two.token, 0)).toBe(false);
  ring.forget("member", one.id);
  expect(ring.size()).toBe(2);
  ring.forgetAll();
  expect(ring.size()).toBe(0);
});

test("a load that began before an invalidation is not cached after it", async () => {
  const { ring, gate, issue } = await openRing();
  const { token } = await issue("a");
  const held = Promise.withResolvers<void>();
  gate.wait = held.promise;
  const early = ring.find(token, 0);
  ring.forget("account", "another");
  held.resolve();
  expect(await early).toMatchObject({ ok: true });
  expect(ring.size()).toBe(0);
});

test("simultaneous calls with one token share a load, until something is invalidated", async () => {
  const { ring, records, reads, gate, issue } = await openRing();
  const { id, token } = await issue("a");
  const held = Promise.withResolvers<void>();
  gate.wait = held.promise;
  const early = [ring.find(token, 0), ring.find(token, 500)];
  expect(reads).toEqual([id]);
  const stored = records.get(id);
  if (stored !== undefined) records.set(id, { ...stored, revoked: true });
  ring.forget("token", id);
  const late = ring.find(token, 500);
  held.resolve();
  expect((await Promise.all(early)).map(({ ok }) => ok)).toEqual([true, true]);
  expect((await late).ok).toBe(false);
  expect(reads).toEqual([id, id]);
});

test("a load that takes longer than a second is not shared", async () => {
  const { ring, reads, gate, issue } = await openRing();
  const { token } = await issue("a");
  const held = Promise.withResolvers<void>();
  gate.wait = held.promise;
  const both = [ring.find(token, 0), ring.find(token, 1_000)];
  held.resolve();
  await Promise.all(both);
  expect(reads).toHaveLength(2);
});

test("a load that fails is tried again by the next call", async () => {
  const { ring, gate, issue } = await openRing();
  const { token } = await issue("a");
  const held = Promise.withResolvers<void>();
  gate.wait = held.promise;
  const failing = Promise.resolve(ring.find(token, 0)).catch((error: unknown) => error);
  held.reject(new Error("The store is away."));
  expect(await failing).toEqual(new Error("The store is away."));
  gate.wait = undefined;
  expect((await ring.find(token, 0)).ok).toBe(true);
});

test("a replaced holder is found at once and keeps its age", async () => {
  const { ring, issue, isCached } = await openRing();
  const { id, token } = await issue("a");
  await ring.find(token, 0);
  ring.replace("token", id, (holder) => ({ ...holder, accountId: "b" }));
  expect(ring.find(token, 999)).toMatchObject({ value: { accountId: "b" } });
  expect(await isCached(token, 1_000)).toBe(false);
});

test("at most 10,000 holders are cached: the least recently used is evicted", async () => {
  const { ring, issue, isCached } = await openRing();
  const [first, second] = [await issue("a"), await issue("a")];
  for (const { token } of [first, second]) await ring.find(token, 0);
  for (let more = 2; more < 10_000; more++) await ring.find((await issue("a")).token, 0);
  await ring.find(first.token, 0);
  await ring.find((await issue("a")).token, 0);
  expect(ring.size()).toBe(10_000);
  expect(await isCached(first.token, 0)).toBe(true);
  expect(await isCached(second.token, 0)).toBe(false);
});
