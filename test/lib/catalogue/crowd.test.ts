import { expect, test } from "bun:test";
import { createPetstore } from "../../../lib/index.ts";
import { memoryStore } from "../../../lib/storage/memory.ts";
import { must } from "../../helpers/outcome.ts";

test("a hundred simultaneous changes of one animal are all applied", async () => {
  const { client, fetch } = createPetstore({ store: memoryStore() });
  const issued = must(await client.keys.create({}));
  const send = async (method: string, path: string, body: object): Promise<Response> =>
    fetch(
      new Request(`http://pets.test/v1${path}`, {
        method,
        body: JSON.stringify(body),
        headers: {
          authorization: `Bearer ${issued.token}`,
          "content-type": "application/json",
        },
      }),
    );
  await send("POST", "/pets", { name: "Rex", categoryId: 1 });
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) => send("PATCH", "/pets/1", { name: `Rex ${index}` })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 200));
});
