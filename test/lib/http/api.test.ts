import { expect, test } from "bun:test";
import { createPetstore } from "../../../lib/index.ts";
import { memoryStore } from "../../../lib/storage/memory.ts";
import { must } from "../../helpers/outcome.ts";

test("a host that fails to return an address has clients without one, and the failure is logged", async () => {
  const logged: unknown[] = [];
  const log = {
    debug() {},
    info() {},
    warn() {},
    error: (...line: unknown[]) => logged.push(line),
  };
  const { fetch } = createPetstore({ store: memoryStore(), log });
  const address = (): string => {
    throw new Error("no socket here");
  };
  const answer = await fetch(new Request("http://pets.test/v1/pets"), { address });
  expect(answer.status).toBe(401);
  expect(answer.headers.get("x-ratelimit-limit")).toBe("60");
  const text = await answer.text();
  expect(JSON.parse(text)).toMatchObject({ code: "missing_api_key", status: 401 });
  expect(text).not.toContain("socket");
  expect(logged[0]).toContain("the host failed to return an address");
});

test("a request without TLS to an address with TLS is refused before the key is checked", async () => {
  const { fetch } = createPetstore({
    store: memoryStore(),
    encryptionKey: new Uint8Array(32),
    environment: "production",
  });
  const request = new Request("http://pets.test/v1/nothing", {
    headers: { authorization: "Bearer pet_live_x" },
  });
  const answer = await fetch(request, { httpsRequired: true });
  expect(answer.status).toBe(403);
  expect(answer.headers.get("x-ratelimit-limit")).not.toBeNull();
  expect(await answer.json()).toMatchObject({ code: "https_required", status: 403 });
});

test("two accounts that request the same list at the same address each get their own", async () => {
  const { fetch, client } = createPetstore({
    store: memoryStore(),
    encryptionKey: new Uint8Array(32),
  });
  const shown: unknown[] = [];
  for (const name of ["Rex", "Tom"]) {
    const account = must(await client.accounts.create({ name }));
    const accountId = account.id;
    const key = must(await client.keys.create({ accountId }));
    // Both catalogues have the same revision.
    await client.pets.create({ accountId, name, categoryId: 1 });
    const headers = { authorization: `Bearer ${key.token}` };
    // Twice, because the second response comes from the cache.
    for (let time = 0; time < 2; time++) {
      const answer = await fetch(new Request("http://pets.test/v1/pets", { headers }));
      shown.push([answer.headers.get("etag"), await answer.json()]);
    }
  }
  const pet = (name: string) => [expect.objectContaining({ id: 1, name })];
  const etag = expect.any(String);
  expect(shown).toEqual([
    [etag, pet("Rex")],
    [etag, pet("Rex")],
    [etag, pet("Tom")],
    [etag, pet("Tom")],
  ]);
});
