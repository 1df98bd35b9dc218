import { expect, test } from "bun:test";
import { createKeyring, type Keyring } from "../../../lib/accounts/keyring.ts";
import { createPetstore, webDigest } from "../../../lib/index.ts";
import { deriveKey } from "../../../lib/base/digest.ts";
import { memoryStore } from "../../../lib/storage/memory.ts";
import type { Store } from "../../../lib/storage/store.ts";
import { parseToken } from "../../../lib/model/api-key.ts";
import { manualClock } from "../../../testing/clock.ts";
import { forged } from "../../helpers/forged.ts";
import { must } from "../../helpers/outcome.ts";

const START = 1_795_000_000_000;
const encryptionKey = new Uint8Array(32).fill(7);

/** Returns a keyring that is never drained, and a key created by another process. */
async function keyringOfAnother() {
  const store = memoryStore();
  const other = createPetstore({ store, clock: manualClock(START), encryptionKey });
  const issued = must(await other.client.keys.create({}));
  const keyring: Keyring = createKeyring({
    store,
    digest: webDigest,
    pepper: () => deriveKey(webDigest, encryptionKey, "petstore api key pepper"),
    environment: "production",
    countBy: "catalogue",
  });
  const { token, view } = issued;
  const identify = async (now: number): Promise<boolean> =>
    (await keyring.identify(`Bearer ${token}`, now)).ok;
  return { keyring, identify, revoke: () => other.client.keys.revoke(view.id), keyId: view.id };
}

test("setting the clock back does not extend the trust in a cached key", async () => {
  const { identify, revoke } = await keyringOfAnother();
  expect(await identify(START)).toBe(true);
  await revoke();
  expect(await identify(START - 86_400_000)).toBe(false);
});

test("a used key is reported once, with its last use", async () => {
  const { keyring, identify, keyId } = await keyringOfAnother();
  // The trust has expired each time, so the key is read again.
  for (let use = 0; use < 3; use++) await identify(START + use * 2_000);
  expect(keyring.drainUsed()).toEqual([{ id: keyId, at: START + 4_000 }]);
  expect(keyring.drainUsed()).toEqual([]);
});

/** Returns a store that counts reads of keys and accounts, and a keyring over it. */
async function countedKeyring() {
  const plain = memoryStore();
  const clock = manualClock(START);
  const { client } = createPetstore({ store: plain, clock, encryptionKey });
  const storeCalls: string[] = [];
  // Delayed results of `keys.byId`, so that something can happen in between.
  const gate: { wait: Promise<void> | undefined } = { wait: undefined };
  const store: Store = {
    ...plain,
    keys: {
      ...plain.keys,
      byId: (id) => {
        storeCalls.push("key");
        const found = plain.keys.byId(id);
        return gate.wait === undefined ? found : gate.wait.then(() => found);
      },
    },
    accounts: {
      ...plain.accounts,
      byId: (id) => {
        storeCalls.push("account");
        return plain.accounts.byId(id);
      },
    },
  };
  const keyring = createKeyring({
    store,
    digest: webDigest,
    pepper: () => deriveKey(webDigest, encryptionKey, "petstore api key pepper"),
    environment: "production",
    countBy: "catalogue",
  });
  const issue = async () => {
    return must(await client.keys.create({}));
  };
  return { keyring, storeCalls, gate, client, issue };
}

test("a header that cannot be a key causes no storage call", async () => {
  const { keyring, storeCalls, issue } = await countedKeyring();
  const { token } = await issue();
  for (const header of [
    null,
    "",
    "Bearer",
    "Bearer ",
    token,
    `Basic ${token}`,
    `Bearer ${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`,
    `Bearer ${token} `,
    `Bearer ${token}, Bearer ${token}`,
    `Bearer ${token.replace("live", "test")}`,
    `Bearer ${"x".repeat(100_000)}`,
  ]) {
    expect((await keyring.identify(header, START)).ok).toBe(false);
  }
  expect(storeCalls).toEqual([]);
});

test("a key is read at most once a second", async () => {
  const { keyring, storeCalls, issue } = await countedKeyring();
  const { token } = await issue();
  for (const at of [0, 1, 500, 999]) await keyring.identify(`Bearer ${token}`, START + at);
  expect(storeCalls).toEqual(["key", "account"]);
  await keyring.identify(`Bearer ${token}`, START + 1_000);
  expect(storeCalls).toEqual(["key", "account", "key", "account"]);
});

test("a confirmed key is trusted for another second", async () => {
  const { keyring, storeCalls, issue } = await countedKeyring();
  const { token } = await issue();
  for (let at = 0; at < 10_000; at += 500) {
    await keyring.identify(`Bearer ${token}`, START + at);
    keyring.confirm(START + at);
  }
  expect(storeCalls).toEqual(["key", "account"]);
});

test("a key read before an invalidation is not cached after it", async () => {
  const { keyring, storeCalls, gate, client, issue } = await countedKeyring();
  const { token, view } = await issue();
  const held = Promise.withResolvers<void>();
  gate.wait = held.promise;
  const early = keyring.identify(`Bearer ${token}`, START);
  await client.keys.revoke(view.id);
  keyring.forget("key", view.id);
  gate.wait = undefined;
  held.resolve();
  // Read before the revocation, so it is served.
  expect((await early).ok).toBe(true);
  expect(keyring.size()).toBe(0);
  storeCalls.length = 0;
  expect((await keyring.identify(`Bearer ${token}`, START)).ok).toBe(false);
  expect(storeCalls).toEqual(["key"]);
});

test("a notice about an account drops its keys and no others", async () => {
  const { keyring, client, issue } = await countedKeyring();
  const [one, two] = [await issue(), await issue()];
  const other = must(await client.accounts.create({ name: "Another" }));
  const foreign = must(await client.keys.create({ accountId: other.id }));
  for (const { token } of [one, two, foreign]) {
    await keyring.identify(`Bearer ${token}`, START);
  }
  expect(keyring.size()).toBe(3);
  keyring.forget("account", one.view.accountId);
  expect(keyring.size()).toBe(1);
});

const secretOf = (token: string): string => parseToken(token)?.secret ?? "";
const another = (character: string = ""): string => (character === "A" ? "B" : "A");

test.each([
  ["with another last character", (one: string) => one.slice(0, -1) + another(one.at(-1))],
  ["with another first character", (one: string) => another(one.at(0)) + one.slice(1)],
  ["made up whole", () => "0".repeat(32)],
])("a secret %s is refused, though its checksum is right", async (_, change) => {
  const { keyring, storeCalls, issue } = await countedKeyring();
  const { token } = await issue();
  const wrong = `Bearer ${forged(token, { secret: change(secretOf(token)) })}`;
  const refusal = await keyring.identify(wrong, START);
  expect(refusal).toMatchObject({ ok: false, failure: { code: "invalid_api_key" } });
  // Its checksum is valid, so only the hash refuses it.
  expect(storeCalls).toEqual(["key"]);
  // It is also refused while the correct one is cached.
  expect((await keyring.identify(`Bearer ${token}`, START)).ok).toBe(true);
  expect((await keyring.identify(wrong, START)).ok).toBe(false);
});

test("a secret is valid with its key only", async () => {
  const { keyring, issue } = await countedKeyring();
  const [one, two] = [await issue(), await issue()];
  const swapped = forged(one.token, { secret: secretOf(two.token) });
  expect((await keyring.identify(`Bearer ${swapped}`, START)).ok).toBe(false);
});

test("a Staging key with a Production prefix is invalid", async () => {
  const store = memoryStore();
  const clock = manualClock(START);
  const staging = createPetstore({ store, clock, encryptionKey, environment: "staging" });
  const { token } = must(await staging.client.keys.create({}));
  const live = forged(token, { secret: secretOf(token), kind: "live" });
  const production = createPetstore({ store, clock, encryptionKey });
  const headers = { authorization: `Bearer ${live}` };
  const answer = await production.fetch(new Request("http://pets.test/v1/pets", { headers }));
  expect([answer.status, await answer.json()]).toMatchObject([401, { code: "invalid_api_key" }]);
});

test("a refused key is not cached", async () => {
  const { keyring, client, issue } = await countedKeyring();
  const { token, view } = await issue();
  await client.keys.revoke(view.id);
  expect((await keyring.identify(`Bearer ${token}`, START)).ok).toBe(false);
  expect(keyring.size()).toBe(0);
});
