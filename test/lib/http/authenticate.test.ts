import { expect, test } from "bun:test";
import { createKeyring, type Keyring } from "../../../lib/http/authenticate.ts";
import { createPetstore, webDigest } from "../../../lib/index.ts";
import { deriveKey } from "../../../lib/base/digest.ts";
import { memoryStore } from "../../../lib/storage/memory.ts";
import { manualClock } from "../../../lib/testing/clock.ts";

const START = 1_795_000_000_000;
const encryptionKey = new Uint8Array(32).fill(7);

/** A keyring that nobody drains, and a key that another process made. */
async function keyringOfAnother() {
  const store = memoryStore();
  const other = createPetstore({ store, clock: manualClock(START), encryptionKey });
  const issued = await other.client.keys.create({});
  if (!issued.ok) throw new Error(issued.failure.message);
  const keyring: Keyring = createKeyring({
    store,
    digest: webDigest,
    pepper: () => deriveKey(webDigest, encryptionKey, "petstore api key pepper"),
    environment: "production",
    countBy: "catalogue",
  });
  const { token, view } = issued.value;
  const identify = async (now: number): Promise<boolean> =>
    (await keyring.identify(`Bearer ${token}`, now)).ok;
  return { keyring, identify, revoke: () => other.client.keys.revoke(view.id), keyId: view.id };
}

test("a clock that is put back does not make a process believe in a key for longer", async () => {
  const { identify, revoke } = await keyringOfAnother();
  expect(await identify(START)).toBe(true);
  await revoke();
  expect(await identify(START - 86_400_000)).toBe(false);
});

test("what is to be told of used keys does not grow with their use", async () => {
  const { keyring, identify, keyId } = await keyringOfAnother();
  // Each time belief has run out, and the key is read anew.
  for (let use = 0; use < 3; use++) await identify(START + use * 2_000);
  expect(keyring.drainUsed()).toEqual([{ keyId, at: START + 4_000 }]);
  expect(keyring.drainUsed()).toEqual([]);
});
