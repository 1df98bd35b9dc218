import { expect, test } from "bun:test";
import { createPetstore } from "../../../lib/index.ts";
import { memoryStore } from "../../../lib/storage/memory.ts";
import { api } from "../../helpers/api.ts";
import { must } from "../../helpers/outcome.ts";

test("two simultaneous restores of one animal both succeed", async () => {
  const petstore = createPetstore({ store: memoryStore() });
  const issued = must(await petstore.client.keys.create({}));
  const { post, delete: remove } = api({ fetch: petstore.fetch, key: issued.token });
  await post("/v1/pets", { name: "Rex", categoryId: 1 });
  await remove("/v1/pets/1");
  const restored = await Promise.all([post("/v1/pets/1/restore"), post("/v1/pets/1/restore")]);
  expect(restored.map(({ status }) => status)).toEqual([200, 200]);
  expect(restored[1]?.text).toBe(restored[0]?.text);
});
