import { expect, test } from "bun:test";

import { linesOf } from "../../../lib/base/blob-response.ts";
import { createPetstore } from "../../../lib/index.ts";
import { memoryStore } from "../../../lib/storage/memory.ts";
import { must } from "../../helpers/outcome.ts";

test("the lines of a response are its fields, unless one was added since", async () => {
  const petstore = createPetstore({ store: memoryStore() });
  const account = must(await petstore.client.accounts.create({ name: "One" }));
  const key = must(await petstore.client.keys.create({ accountId: account.id, name: "key" }));
  const headers = {
    authorization: `Bearer ${key.token}`,
    "content-type": "application/json",
  };
  const get = (path: string): Request => new Request(`http://one.test/v1${path}`, { headers });
  const post = (path: string, body: string): Request =>
    new Request(`http://one.test/v1${path}`, { headers, method: "POST", body });
  const requests = [
    post("/pets", '{"name":"Ada","categoryId":1}'),
    post("/pets", '{"name":"Bo","categoryId":1}'),
    post("/pets", "{}"),
    // The second time, its headers are prepared.
    get("/pets?limit=1"),
    get("/pets?limit=1"),
    get("/pets/1"),
    get("/pets/99"),
    get("/pats"),
    get("/openapi.json"),
    new Request("http://one.test/v1/pets"),
    new Request("http://one.test/v1/pets", { method: "OPTIONS" }),
  ];
  for (const request of requests) {
    const response = await petstore.fetch(request);
    const known = linesOf(response);
    const fields = [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`);
    const lines = `${known?.shared}${known?.own}`;
    expect(lines.split(/(?<=\n)/).toSorted()).toEqual(fields.toSorted());
    expect(known?.count).toBe(fields.length);
    response.headers.set("strict-transport-security", "max-age=1");
    expect(known?.count).not.toBe([...response.headers].length);
  }
  await petstore.close();
});
