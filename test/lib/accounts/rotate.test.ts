import { expect, test } from "bun:test";
import { createPetstore } from "../../../lib/index.ts";
import { memoryStore } from "../../../lib/storage/memory.ts";
import { must } from "../../helpers/outcome.ts";

test("a key can be rotated once, and then only its successor can be rotated", async () => {
  const { client } = createPetstore({ store: memoryStore() });
  const first = must(await client.keys.create({}));
  const keyId = first.view.id;
  const second = must(await client.keys.rotate({ keyId }));
  const again = await client.keys.rotate({ keyId });
  expect(again).toMatchObject({ ok: false, failure: { code: "invalid_value" } });
  expect(again.ok ? "" : again.failure.message).toContain(second.view.id);
  const third = await client.keys.rotate({ keyId: second.view.id });
  expect(third.ok && third.value.view.expiresAt).toBeUndefined();
});

test("each of a hundred active keys of an environment can be rotated", async () => {
  const { client } = createPetstore({ store: memoryStore() });
  const ids: string[] = [];
  for (let count = 0; count < 100; count++) {
    const made = await client.keys.create({});
    if (made.ok) ids.push(made.value.view.id);
  }
  const full = { ok: false, failure: { code: "limit_reached" } };
  expect(await client.keys.create({})).toMatchObject(full);
  expect((await client.keys.create({ environment: "staging" })).ok).toBe(true);
  const successors: string[] = [];
  for (const keyId of ids) {
    const rotated = await client.keys.rotate({ keyId });
    if (rotated.ok) successors.push(rotated.value.view.id);
  }
  const [keyId = "", other = ""] = successors;
  expect(successors).toHaveLength(100);
  expect(await client.keys.rotate({ keyId })).toMatchObject(full);
  expect((await client.keys.rotate({ keyId, overlapMs: 0 })).ok).toBe(true);
  expect(await client.keys.create({})).toMatchObject(full);
  await client.keys.revoke(other);
  expect((await client.keys.create({})).ok).toBe(true);
});
