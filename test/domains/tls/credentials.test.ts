import { expect, test } from "bun:test";

import { createCredentials, credentialOf } from "../../../domains/tls/credentials.ts";
import type { CertificateFor, Presented } from "../../../domains/ports/certificates.ts";
import { manualClock } from "../../helpers/clock.ts";
import { presentedFor } from "../../helpers/presented.ts";

/** Credentials over loaded certificates: the name of each is its id until it is replaced. */
function atHand(maxContexts = 10) {
  const live = new Map<string, Presented>();
  const loaded: string[] = [];
  const certificateFor: CertificateFor = (name) => {
    const found = live.get(name);
    const load = (): Presented | undefined => {
      loaded.push(name);
      return found;
    };
    return found === undefined ? undefined : { id: found.id, load };
  };
  const credentials = createCredentials({
    certificateFor,
    clock: manualClock(1_000_000),
    maxContexts,
  });
  return { live, loaded, credentials };
}

/** Credentials over certificates that load on the test's command. */
function slow() {
  const clock = manualClock(1_000_000);
  const loads: string[] = [];
  const waiting: PromiseWithResolvers<Presented | undefined>[] = [];
  const { find } = createCredentials({
    clock,
    maxContexts: 10,
    maxLoading: 3,
    certificateFor: (id) => ({
      id,
      load: () => {
        loads.push(id);
        const answer = Promise.withResolvers<Presented | undefined>();
        waiting.push(answer);
        return answer.promise;
      },
    }),
  });
  return { clock, loads, find, waiting };
}

test("a certificate is loaded once, and a replaced one with the next handshake", async () => {
  const { live, loaded, credentials } = atHand();
  live.set("one.test", await presentedFor("1", "one.test"));
  const first = credentials.find("one.test");
  expect(first).toBeDefined();
  expect(credentials.find("one.test")).toBe(first);
  expect(loaded).toEqual(["one.test"]);
  live.set("one.test", await presentedFor("2", "one.test"));
  expect(credentials.find("one.test")).not.toBe(first);
  live.delete("one.test");
  expect(credentials.find("one.test")).toBeUndefined();
});

test("the least recently used credential is evicted", async () => {
  const { live, loaded, credentials } = atHand(2);
  for (const id of ["a", "b", "c"]) live.set(id, await presentedFor(id, `${id}.test`));
  for (const name of ["a", "b", "a", "c", "a", "b"]) expect(credentials.find(name)).toBeDefined();
  expect(credentials.size).toBe(2);
  expect(loaded).toEqual(["a", "b", "c", "b"]);
});

test("a certificate with another one's key is refused and not cached", async () => {
  const { live, credentials } = atHand();
  const { privateKeyPem } = await presentedFor("other", "one.test");
  live.set("one.test", { ...(await presentedFor("one", "one.test")), privateKeyPem });
  expect(() => credentials.find("one.test")).toThrow();
  expect(credentials.size).toBe(0);
});

test("concurrent handshakes share one load", async () => {
  const { loads, find, waiting } = slow();
  const both = [find("a.test"), find("a.test")];
  waiting[0]?.resolve(await presentedFor("a.test", "a.test"));
  const [first, second] = await Promise.all(both);
  expect(first).toBeDefined();
  expect(second).toBe(first);
  expect(loads).toEqual(["a.test"]);
});

test("a certificate that was not found is not loaded again within a second", async () => {
  const { clock, loads, find, waiting } = slow();
  const first = find("a.test");
  waiting[0]?.resolve(undefined);
  expect(await first).toBeUndefined();
  clock.advance(999);
  expect(find("a.test")).toBeUndefined();
  expect(loads).toHaveLength(1);
  clock.advance(1);
  void find("a.test");
  expect(loads).toHaveLength(2);
});

test("while too many certificates load, further names are refused", () => {
  const { loads, find } = slow();
  for (const name of ["a.test", "b.test", "c.test", "d.test"]) void find(name);
  expect(find("e.test")).toBeUndefined();
  expect(loads).toEqual(["a.test", "b.test", "c.test"]);
});

test("a failed load is reported, and tried again by the next handshake", async () => {
  const { loads, find, waiting } = slow();
  const first = find("a.test");
  waiting[0]?.reject(new Error("the database is away"));
  await expect(first).rejects.toThrow("the database is away");
  void find("a.test");
  expect(loads).toHaveLength(2);
});

test.each([
  ["one.test", true],
  ["two.test", true],
  ["a.wild.test", true],
  ["wild.test", false],
  ["a.b.wild.test", false],
  ["three.test", false],
  ["sub.one.test", false],
])("a certificate for one.test, two.test and *.wild.test covers %s: %p", async (host, covered) => {
  const presented = await presentedFor("common.test", "one.test", "two.test", "*.wild.test");
  expect(credentialOf(presented).covers(host)).toBe(covered);
});

test("the common name of a certificate is ignored", async () => {
  const presented = await presentedFor("common.test", "one.test");
  expect(credentialOf(presented).covers("common.test")).toBe(false);
});
