import { expect, test } from "bun:test";
import { bunSqliteStore } from "../../adapters/sqlite/bun.ts";
import { createPetstore } from "../../lib/index.ts";
import { memoryStore } from "../../lib/storage/memory.ts";
import { manualClock } from "../../testing/clock.ts";
import { scratch } from "../helpers/sqlite.ts";
import { must } from "../helpers/outcome.ts";

const file = scratch();

/** Two simulated processes over one store. */
async function twoProcesses() {
  const clock = manualClock(1_795_000_000_000);
  const store = memoryStore();
  const encryptionKey = new Uint8Array(32).fill(7);
  const [here, there] = [0, 1].map(() => createPetstore({ store, clock, encryptionKey }));
  if (here === undefined || there === undefined) throw new Error("unreachable");
  const { token, view } = must(await here.client.keys.create({}));
  const ask = async (): Promise<number> => {
    const request = new Request("http://pets.test/v1/pets", {
      headers: { authorization: `Bearer ${token}` },
    });
    return (await here.fetch(request)).status;
  };
  return { clock, here, there, ask, keyId: view.id };
}

test("a key revoked by another process is refused after a second, without jobs", async () => {
  const { clock, there, ask, keyId } = await twoProcesses();
  expect(await ask()).toBe(200);
  await there.client.keys.revoke(keyId);
  clock.advance(1_000);
  expect(await ask()).toBe(401);
});

test("a key revoked by another process before the first read of the feed is not trusted forever", async () => {
  const { clock, here, there, ask, keyId } = await twoProcesses();
  expect(await ask()).toBe(200);
  await there.client.keys.revoke(keyId);
  await here.jobs.tick();
  clock.advance(250);
  await here.jobs.tick();
  expect(await ask()).toBe(401);
});

test("the feed reports a revocation before the trust ends", async () => {
  const { here, there, ask, keyId } = await twoProcesses();
  await here.jobs.tick();
  expect(await ask()).toBe(200);
  await there.client.keys.revoke(keyId);
  await here.jobs.tick();
  expect(await ask()).toBe(401);
});

test("a key is trusted without the store while the feed is read", async () => {
  const { clock, here, ask } = await twoProcesses();
  await here.jobs.tick();
  expect(await ask()).toBe(200);
  for (let seconds = 0; seconds < 10; seconds++) {
    clock.advance(900);
    await here.jobs.tick();
    expect(await ask()).toBe(200);
  }
});

/** Two processes, each with a connection to one SQLite file and with running jobs. */
async function twoConnections() {
  const clock = manualClock(1_795_000_000_000);
  const path = file();
  const encryptionKey = new Uint8Array(32).fill(7);
  const stores = [await bunSqliteStore({ path, clock }), await bunSqliteStore({ path, clock })];
  const [here, there] = stores.map((store) => createPetstore({ store, clock, encryptionKey }));
  if (here === undefined || there === undefined) throw new Error("unreachable");
  const account = must(await there.client.accounts.create({ name: "Elsewhere" }));
  const accountId = account.id;
  const issued = must(await there.client.keys.create({ accountId }));
  const ask = async (): Promise<Response> =>
    here.fetch(
      new Request("http://pets.test/v1/pets", {
        headers: { authorization: `Bearer ${issued.token}` },
      }),
    );
  await here.jobs.tick();
  return {
    accountId,
    keyId: issued.view.id,
    there,
    ask,
    /** Advances the clock by a second with running jobs. */
    second: async () => {
      for (let quarter = 0; quarter < 4; quarter++) {
        clock.advance(250);
        await here.jobs.tick();
      }
    },
    [Symbol.asyncDispose]: async () => {
      for (const store of stores) await store.close();
    },
  };
}

test("a plan changed by another process applies within a second", async () => {
  await using two = await twoConnections();
  expect((await two.ask()).headers.get("x-ratelimit-limit")).toBe("60");
  await two.there.client.accounts.changePlan({ accountId: two.accountId, plan: "pro" });
  await two.second();
  expect((await two.ask()).headers.get("x-ratelimit-limit")).toBe("300");
});

test("an account suspended by another process is refused within a second, and served once resumed", async () => {
  await using two = await twoConnections();
  expect((await two.ask()).status).toBe(200);
  await two.there.client.accounts.suspend(two.accountId);
  await two.second();
  expect((await two.ask()).status).toBe(403);
  await two.there.client.accounts.resume(two.accountId);
  await two.second();
  expect((await two.ask()).status).toBe(200);
});

test("a ban lifted by another process ends within a second", async () => {
  await using two = await twoConnections();
  for (let count = 0; count < 60; count++) await two.ask();
  expect((await two.ask()).status).toBe(429);
  for (let seconds = 0; seconds < 3; seconds++) await two.second();
  for (let count = 0; count < 21; count++) await two.ask();
  const code = async (): Promise<string> => {
    const body: { code: string } = await (await two.ask()).json();
    return body.code;
  };
  expect(await code()).toBe("key_banned");
  await two.there.client.keys.unban(two.keyId);
  await two.second();
  expect(await code()).toBe("rate_limited");
});

test("an animal added by another process is listed within a second", async () => {
  await using two = await twoConnections();
  expect(await (await two.ask()).json()).toEqual([]);
  const { accountId } = two;
  const rows = [{ name: "Rex", categoryId: 1 }];
  await two.there.client.pets.import({ accountId, rows });
  await two.second();
  expect(await (await two.ask()).json()).toMatchObject([{ name: "Rex" }]);
});
