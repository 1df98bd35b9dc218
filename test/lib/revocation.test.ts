import { expect, test } from "bun:test";
import { createPetstore } from "../../lib/index.ts";
import { memoryStore } from "../../lib/storage/memory.ts";
import { manualClock } from "../../lib/testing/clock.ts";

/** Two processes over one store, as far as the core can tell. */
async function twoProcesses() {
  const clock = manualClock(1_795_000_000_000);
  const store = memoryStore();
  const encryptionKey = new Uint8Array(32).fill(7);
  const [here, there] = [0, 1].map(() => createPetstore({ store, clock, encryptionKey }));
  if (here === undefined || there === undefined) throw new Error("unreachable");
  const issued = await here.client.keys.create({});
  if (!issued.ok) throw new Error(issued.failure.message);
  const { token, view } = issued.value;
  const ask = async (): Promise<number> => {
    const request = new Request("http://pets.test/v1/pets", {
      headers: { authorization: `Bearer ${token}` },
    });
    return (await here.fetch(request)).status;
  };
  return { clock, here, there, ask, keyId: view.id };
}

test("a key that another process revoked is refused after a second, without any job", async () => {
  const { clock, there, ask, keyId } = await twoProcesses();
  expect(await ask()).toBe(200);
  await there.client.keys.revoke(keyId);
  clock.advance(1_000);
  expect(await ask()).toBe(401);
});

test("a key revoked by another process before the first look at the feed is not believed for ever", async () => {
  const { clock, here, there, ask, keyId } = await twoProcesses();
  expect(await ask()).toBe(200);
  await there.client.keys.revoke(keyId);
  await here.jobs.tick();
  clock.advance(250);
  await here.jobs.tick();
  expect(await ask()).toBe(401);
});

test("the feed tells of a revocation before belief runs out", async () => {
  const { here, there, ask, keyId } = await twoProcesses();
  await here.jobs.tick();
  expect(await ask()).toBe(200);
  await there.client.keys.revoke(keyId);
  await here.jobs.tick();
  expect(await ask()).toBe(401);
});

test("a key is believed without the store while the feed is read", async () => {
  const { clock, here, ask } = await twoProcesses();
  await here.jobs.tick();
  expect(await ask()).toBe(200);
  for (let seconds = 0; seconds < 10; seconds++) {
    clock.advance(900);
    await here.jobs.tick();
    expect(await ask()).toBe(200);
  }
});
