import { expect, test } from "bun:test";
import { createPetstore } from "../../../lib/index.ts";
import { memoryStore } from "../../../lib/storage/memory.ts";

test("a host that breaks when it is asked for the address gets a 500, told without a word of it", async () => {
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
  expect(answer.status).toBe(500);
  expect(answer.headers.get("x-ratelimit-limit")).toBe("60");
  const text = await answer.text();
  expect(JSON.parse(text)).toMatchObject({ code: "internal_error", status: 500 });
  expect(text).not.toContain("socket");
  expect(logged).toHaveLength(1);
});

test("what came without TLS to an address that has it is refused before the key is looked at", async () => {
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
