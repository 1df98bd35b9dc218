import { expect, test } from "bun:test";
import { createPetstore } from "../../lib/index.ts";
import { memoryStore } from "../../lib/storage/memory.ts";

/** Returns the remaining requests of a second key of the catalogue after one request with the first. */
async function remainingOfTheOther(countBy: "catalogue" | "key"): Promise<string | null> {
  const { client, fetch } = createPetstore({ store: memoryStore(), countBy });
  const newKey = async (): Promise<(() => Promise<Response>) | undefined> => {
    const issued = await client.keys.create({});
    if (!issued.ok) return undefined;
    const headers = { authorization: `Bearer ${issued.value.token}` };
    return async () => fetch(new Request("http://pets.test/v1/pets", { headers }));
  };
  const [one, other] = [await newKey(), await newKey()];
  await one?.();
  return (await other?.())?.headers.get("x-ratelimit-remaining") ?? null;
}

test("by default all keys of a catalogue share its limits", async () => {
  expect(await remainingOfTheOther("catalogue")).toBe("998");
});

test("counted by key, each key has its own limits", async () => {
  expect(await remainingOfTheOther("key")).toBe("999");
});
