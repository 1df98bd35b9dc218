import { expect, test } from "bun:test";
import { createPetstore } from "../../../lib/index.ts";
import { memoryStore } from "../../../lib/storage/memory.ts";

test("a key is rotated once, and its successor after it, so that neither ends unasked", async () => {
  const { client } = createPetstore({ store: memoryStore() });
  const first = await client.keys.create({});
  if (!first.ok) throw new Error(first.failure.message);
  const keyId = first.value.view.id;
  const second = await client.keys.rotate({ keyId });
  if (!second.ok) throw new Error(second.failure.message);
  const again = await client.keys.rotate({ keyId });
  expect(again).toMatchObject({ ok: false, failure: { code: "invalid_value" } });
  expect(again.ok ? "" : again.failure.message).toContain(second.value.view.id);
  const third = await client.keys.rotate({ keyId: second.value.view.id });
  expect(third.ok && third.value.view.expiresAt).toBeUndefined();
});
