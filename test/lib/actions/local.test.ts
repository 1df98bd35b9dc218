import { expect, test } from "bun:test";
import { createPetstore } from "../../../lib/index.ts";
import { memoryStore } from "../../../lib/storage/memory.ts";

// Not every embedder's compiler tells an absent member from an undefined one.
const nowhere = JSON.parse("{}") as { readonly environment: "staging" };
const unsaid = { environment: nowhere.environment };

test("an environment that is undefined is the one that the instance serves", async () => {
  const { client } = createPetstore({ store: memoryStore(), environment: "staging" });
  const issued = await client.keys.create(unsaid);
  expect(issued).toMatchObject({ ok: true, value: { view: { environment: "staging" } } });
  const added = await client.pets.import({ ...unsaid, rows: [{ name: "Rex", categoryId: 1 }] });
  expect(added).toMatchObject({ ok: true, value: { added: 1 } });
  expect(await client.pets.page({ environment: "staging" })).toMatchObject({
    ok: true,
    value: [{ name: "Rex" }],
  });
});
