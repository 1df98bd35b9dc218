import { expect, test } from "bun:test";

import { clientOfBoth } from "../../server/client-of-both.ts";
import { createPetstore } from "../../lib/index.ts";
import { memoryStore } from "../../lib/storage/memory.ts";
import { manualClock } from "../../testing/clock.ts";
import { api } from "../helpers/api.ts";
import { must } from "../helpers/outcome.ts";

/** Both environments over one store, and their client. */
function both() {
  const shared = {
    store: memoryStore(),
    clock: manualClock(1_795_000_000_000),
    encryptionKey: new Uint8Array(32).fill(7),
  };
  const petstores = {
    production: createPetstore({ ...shared, environment: "production" }),
    staging: createPetstore({ ...shared, environment: "staging" }),
  };
  const client = clientOfBoth(petstores);
  return { shared, petstores, client };
}

for (const environment of ["production", "staging"] as const) {
  test(`a ${environment} key whose ban was lifted has a grace period before requests over the limit ban it again`, async () => {
    const { shared, petstores, client } = both();
    const limits = { perMinute: 1, perDay: 1_000 };
    const account = must(
      await client.accounts.create({ name: "Small", plan: "enterprise", limits }),
    );
    const { token: key, view } = must(
      await client.keys.create({ accountId: account.id, environment }),
    );
    const caller = api({ fetch: petstores[environment].fetch, key });
    const ask = async (times: number): Promise<unknown> => {
      let code: unknown;
      for (let count = 0; count < times; count++) {
        code = (await caller.get<{ code?: string }>("/v1/pets")).body.code;
      }
      return code;
    };

    await ask(2);
    shared.clock.advance(2_001);
    expect(await ask(21)).toBe("key_banned");
    expect(await client.keys.unban(view.id)).toMatchObject({
      ok: true,
      value: { status: "active" },
    });
    expect(await ask(30)).toBe("rate_limited");
    const events = await shared.store.events.after(0, 100);
    expect(events.filter(({ type }) => type === "key.unbanned")).toHaveLength(1);
  });
}

test("the client reads an environment's limits from the petstore that counts them", async () => {
  const { petstores, client } = both();
  const account = must(await client.accounts.create({ name: "Small" }));
  const where = { accountId: account.id, environment: "staging" } as const;
  const issued = must(await client.keys.create(where));
  await api({ fetch: petstores.staging.fetch, key: issued.token }).get("/v1/pets");
  expect(await client.limits.read(where)).toMatchObject({
    value: { windows: [{ remaining: 59 }, {}] },
  });
  expect(await client.limits.read({ ...where, environment: "production" })).toMatchObject({
    value: { windows: [{ remaining: 60 }, {}] },
  });
});
