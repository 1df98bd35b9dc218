import { expect, test } from "bun:test";

import { createPetstore } from "../../../lib/index.ts";
import { memoryStore } from "../../../lib/storage/memory.ts";
import { must } from "../../helpers/outcome.ts";

test("a key bound to networks is refused if the client's address is unknown", async () => {
  const { client, fetch } = createPetstore({ store: memoryStore() });
  const made = must(await client.keys.create({ allowedAddresses: ["0.0.0.0/0", "::/0"] }));
  const headers = { authorization: `Bearer ${made.token}` };
  const request = (): Request => new Request("http://pets.test/v1/pets", { headers });
  const unknown = await fetch(request());
  expect(unknown.status).toBe(403);
  expect(await unknown.json()).toMatchObject({
    code: "address_not_allowed",
    message: "The API key cannot be used from an unknown address.",
  });
  expect((await fetch(request(), { address: "192.0.2.1" })).status).toBe(200);
});

test.each([
  ["none", []],
  ["more than fifty", Array.from({ length: 51 }, (_, index) => `10.0.0.${index}`)],
  ["a name", ["office.example.org"]],
])("without HTTP too no key is bound to %s", async (_, allowedAddresses) => {
  const { client } = createPetstore({ store: memoryStore() });
  const made = await client.keys.create({ allowedAddresses });
  expect(made).toMatchObject({ ok: false, failure: { code: "invalid_value" } });
});

test("a key can have fifty networks", async () => {
  const { client } = createPetstore({ store: memoryStore() });
  const allowedAddresses = Array.from({ length: 50 }, (_, index) => `10.0.${index}.0/24`);
  const made = await client.keys.create({ allowedAddresses });
  expect(made.ok && made.value.view.allowedAddresses).toEqual(allowedAddresses);
});

test("refusals of other addresses do not spend the account's limits but the address's", async () => {
  const { client, fetch } = createPetstore({ store: memoryStore() });
  const made = must(await client.keys.create({ allowedAddresses: ["198.51.100.7"] }));
  const headers = { authorization: `Bearer ${made.token}` };
  const ask = async (address: string, path = "/v1/pets"): Promise<Response> =>
    fetch(new Request(`http://pets.test${path}`, { headers }), { address });
  const left = async (): Promise<number> =>
    Number((await ask("198.51.100.7")).headers.get("x-ratelimit-remaining"));
  const before = await left();
  const refused: number[] = [];
  for (let count = 0; count < 100; count++) refused.push((await ask("203.0.113.9")).status);
  expect(refused).toEqual([...Array(60).fill(403), ...Array(40).fill(429)]);
  expect((await ask("203.0.113.9", "/v1/rate-limit")).status).toBe(429);
  expect(await left()).toBe(before - 1);
});
