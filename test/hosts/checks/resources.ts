import { deepEqual, equal, match, ok } from "node:assert/strict";

import type { Check, Place } from "../check.ts";
import { roles } from "../host.ts";

const json = { "content-type": "application/json" };

/** Creates, reads and lists through every mount, and what the responses say about it. */
export const resources: readonly Check[] = [
  {
    name: "an animal can be created, changed, deleted and restored",
    // Some compression makes ETags weak, which cannot be used in If-Match.
    at: roles.filter((role) => role !== "compressed"),
    async run({ client }) {
      const { pets } = client();
      const created = await pets.create({ name: "Ünal 🐈", categoryId: 2 });
      const updated = await pets.update(created.id, { status: "sold" }, { ifMatch: created.etag });
      equal(updated.status, "sold");
      await pets.delete(created.id);
      equal(await pets.get(created.id), undefined);
      equal((await pets.restore(created.id)).name, "Ünal 🐈");
    },
  },
  {
    name: "addresses in responses are below the mount, on the requested host",
    async run({ base, shown, api, authorized, client }) {
      const { id: categoryId } = await categoryIn(client());
      const created = await fetch(`${base}/pets`, {
        method: "POST",
        headers: { ...authorized, ...json },
        body: JSON.stringify({ name: "Ada", categoryId }),
      });
      equal(created.status, 201);
      ok(created.headers.get("location")?.startsWith(`${shown}${api}/pets/`), "Location");
      await client().pets.create({ name: "Bo", categoryId });
      const names: string[] = [];
      for await (const { name } of client().pets.all({ limit: 1, categoryId, sort: "id" })) {
        names.push(name);
      }
      deepEqual(names, ["Ada", "Bo"]);
    },
  },
  {
    name: "the OpenAPI document names the mount",
    async run({ base, api, role }) {
      const { servers } = await (await fetch(`${base}/openapi.json`)).json();
      const description = role === "staging" ? "Staging" : "Production";
      deepEqual(servers, [{ url: api, description }]);
    },
  },
  {
    name: "PUT reaches the service",
    async run({ base, authorized, client }) {
      const { id } = await client().pets.create({ name: "Pia", categoryId: 1 });
      const put = await fetch(`${base}/pets/${id}/profile`, {
        method: "PUT",
        headers: { ...authorized, ...json },
        body: '{"sex":"female"}',
      });
      deepEqual([put.status, (await put.json()).sex], [200, "female"]);
      const refused = await fetch(`${base}/pets`, { method: "PUT", headers: authorized });
      deepEqual([refused.status, refused.headers.get("allow")], [405, "GET, HEAD, POST, OPTIONS"]);
    },
  },
  {
    name: "HEAD, 304 and 204 have no body and keep their headers",
    async run({ base, authorized, role }) {
      const get = await fetch(`${base}/pets`, { headers: authorized });
      const length = String((await get.arrayBuffer()).byteLength);
      const head = await fetch(`${base}/pets`, { method: "HEAD", headers: authorized });
      deepEqual([head.status, await head.text()], [200, ""]);
      const announced = head.headers.get("content-length");
      // A compressed body has another length.
      if (get.headers.get("content-encoding") === null) ok([null, length].includes(announced));
      const etag = get.headers.get("etag") ?? "none";
      const headers = { ...authorized, "if-none-match": etag };
      const fresh = await fetch(`${base}/pets`, { headers });
      deepEqual([fresh.status, await fresh.text(), fresh.headers.get("etag")], [304, "", etag]);
      // CORS middleware of a host answers OPTIONS itself.
      if (role === "dressed") return;
      const options = await fetch(`${base}/pets`, { method: "OPTIONS" });
      deepEqual([options.status, await options.text()], [204, ""]);
      match(options.headers.get("allow") ?? "", /POST/);
    },
  },
  {
    name: "refusals come from the service, with its headers",
    async run({ base, authorized }) {
      const missing = await fetch(`${base}/pets`);
      deepEqual([missing.status, missing.headers.get("x-ratelimit-limit")], [401, "60"]);
      match(missing.headers.get("www-authenticate") ?? "", /^Bearer/);
      const gone = await fetch(`${base}/pats`, { headers: authorized });
      deepEqual([gone.status, (await gone.json()).code], [404, "route_not_found"]);
      const unlisted = await fetch(`${base}/pets`, {
        method: "POST",
        headers: { ...authorized, ...json },
        body: '{"name":"Cy","categoryId":1,"colour":"red"}',
      });
      deepEqual([unlisted.status, (await unlisted.json()).code], [400, "unknown_field"]);
    },
  },
  {
    name: "Production and Staging in one process share nothing but the account",
    at: ["staging"],
    async run({ base, client, authorized, other }) {
      const production = await other("plain");
      ok(production);
      const { id, name } = await client().pets.create({ name: "Only in Staging", categoryId: 1 });
      const found = await production.client().pets.get(id);
      ok(found?.name !== name, "Production shows an animal of Staging");
      for (const [at, headers] of [
        [base, production.authorized],
        [production.base, authorized],
      ] as const) {
        const refused = await fetch(`${at}/pets`, { headers });
        deepEqual([refused.status, (await refused.json()).code], [401, "wrong_environment"]);
      }
    },
  },
];

/** Makes a category that no other check uses. */
async function categoryIn(client: ReturnType<Place["client"]>): Promise<{ readonly id: number }> {
  return client.categories.create({ name: `Category ${crypto.randomUUID()}` });
}
