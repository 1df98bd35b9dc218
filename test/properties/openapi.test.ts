import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";

import type { Pet } from "../../lib/catalogue/model.ts";
import { memoryStore } from "../../lib/storage/memory.ts";
import { addCategory, addPets } from "../conformance/expect.ts";
import { inProcess } from "../conformance/in-process.ts";
import { operations as known } from "../conformance/operations.ts";
import type { Api } from "../helpers/api.ts";
import { runSeed, torture } from "../helpers/chance.ts";
import {
  describing,
  type Description,
  type Document,
  type Schema,
} from "../helpers/description.ts";
import { fitting, requests } from "./generate.ts";

const runs = { seed: runSeed, numRuns: torture ? 5_000 : 150 };

/** Returns a new service with some animals and categories, and its OpenAPI document. */
async function fresh(): Promise<{
  readonly api: Api;
  readonly description: Description;
  readonly close: () => Promise<void>;
}> {
  const { env, close } = inProcess(memoryStore());
  const { api } = await env.account();
  const { body } = await env.anyone.get<Document>("/v1/openapi.json");
  return { api, description: describing(body), close };
}

const { description, close } = await fresh();
const { document, operations } = description;
await close();

describe("the OpenAPI document", () => {
  test("is OpenAPI 3.1, version 1.0.0, with two servers", () => {
    expect(document.openapi).toStartWith("3.1.");
    expect(document.info.version).toBe("1.0.0");
    expect(document.servers.map((server) => server.description)).toEqual(["Production", "Staging"]);
  });

  test("tags all operations only as animals, and leaves Store and Pets empty", () => {
    for (const { tags } of operations) expect(tags).toEqual(["animals"]);
    for (const { name, tags } of document["x-tagGroups"]) {
      if (name === "Store" || name === "Pets") expect(tags).toEqual([]);
    }
  });

  test("uses only the five agreed extensions", () => {
    const found = new Set<string>();
    const look = (value: unknown): void => {
      if (typeof value !== "object" || value === null) return;
      for (const [name, inner] of Object.entries(value)) {
        if (name.startsWith("x-")) found.add(name);
        look(inner);
      }
    };
    look(document);
    expect([...found].toSorted()).toEqual([
      "x-deprecated-sunset",
      "x-hideTryItPanel",
      "x-stability",
      "x-tagGroups",
    ]);
  });
});

describe("its examples", () => {
  const exampleOf = (operationId: string): unknown => {
    const operation = operations.find((one) => one.operationId === operationId);
    const success = known.find((one) => one.operationId === operationId)?.success ?? 0;
    return operation?.responses[success]?.content?.["application/json"]?.example;
  };
  const without = (value: unknown): object => {
    const { id: _id, ...rest } = value as { readonly id: number };
    return rest;
  };

  test("equal the responses of a new catalogue", async () => {
    const { api, close } = await fresh();
    const pet = await api.post("/v1/pets", without(exampleOf("createPet")));
    expect(pet.body).toEqual(exampleOf("createPet"));
    expect((await api.get("/v1/pets")).body).toEqual(exampleOf("listPets"));
    expect((await api.get("/v1/pets/1")).body).toEqual(exampleOf("getPet"));
    expect((await api.patch("/v1/pets/1", {})).body).toEqual(exampleOf("updatePet"));
    expect((await api.delete("/v1/pets/1")).body).toEqual(exampleOf("deletePet"));
    expect((await api.post("/v1/pets/1/restore")).body).toEqual(exampleOf("restorePet"));
    const category = await api.post("/v1/categories", without(exampleOf("createCategory")));
    expect(category.body).toEqual(exampleOf("createCategory"));
    expect((await api.get("/v1/categories?limit=1")).body).toEqual(exampleOf("listCategories"));
    expect((await api.get("/v1/categories/4")).body).toEqual(exampleOf("getCategory"));
    const renamed = await api.patch("/v1/categories/4", without(exampleOf("updateCategory")));
    expect(renamed.body).toEqual(exampleOf("updateCategory"));
    await close();
  });
});

describe("every response is documented, whatever is sent:", () => {
  for (const operation of operations) {
    test(operation.operationId, async () => {
      const { api, close } = await fresh();
      await addPets(api, 3);
      await addCategory(api, "Unused");
      await api.delete("/v1/pets/3");
      await fc.assert(
        fc.asyncProperty(requests(description, operation), async ({ path, headers, body }) => {
          const init = { headers, ...(body === undefined ? {} : { body }) };
          const reply = await api.raw(operation.method, path, init);
          if (reply.status >= 500) throw new Error(`${reply.status} ${reply.text}`);
          const fault = description.faultOfReply(operation, reply);
          if (fault !== undefined) throw new Error(`${fault}\n${reply.status} ${reply.text}`);
        }),
        // GET /rate-limit has its own limit.
        operation.operationId === "getRateLimit" ? { ...runs, numRuns: 50 } : runs,
      );
      await close();
    });
  }
});

describe("the service accepts what a schema accepts:", () => {
  const schemaOf = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

  test("a body that matches NewPet is 201, or 400 for an impossible category or text", async () => {
    const { api, close } = await fresh();
    await fc.assert(
      fc.asyncProperty(fitting(description, schemaOf("NewPet")), async (body) => {
        const reply = await api.post<{ readonly code?: string }>("/v1/pets", body);
        if (reply.status === 201) return;
        expect(reply.status).toBe(400);
        // JSON Schema cannot express that a text must not be empty after trimming.
        const isEmpty = Object.values(body as object).some((value) => String(value).trim() === "");
        expect(isEmpty ? "unknown_category" : reply.body.code).toBe("unknown_category");
      }),
      runs,
    );
    await close();
  });

  test("an animal can be created, listed, changed, deleted and restored", async () => {
    const { api, close } = await fresh();
    const name = fc
      .string({ minLength: 1, maxLength: 40, unit: "grapheme" })
      .filter((text) => text.trim() !== "" && !/\p{Cc}/u.test(text));
    const body = fc.record({
      name,
      categoryId: fc.constantFrom(1, 2, 3),
      status: fc.constantFrom("available", "pending", "sold"),
    });
    const patch = fc.record({ name, categoryId: fc.constantFrom(1, 2, 3) }, { requiredKeys: [] });
    const normal = (fields: object): object =>
      Object.fromEntries(
        Object.entries(fields).map(([key, value]) => [
          key,
          typeof value === "string" ? value.normalize("NFC").trim() : value,
        ]),
      );
    await fc.assert(
      fc.asyncProperty(body, patch, async (created, changes) => {
        const post = await api.post<Pet>("/v1/pets", created);
        expect(post.body).toMatchObject(normal(created));
        const path = new URL(post.headers.get("location") ?? "").pathname;
        expect((await api.get(path)).body).toEqual(post.body);
        expect((await api.get("/v1/pets?limit=1")).body).toEqual([post.body]);
        const ifMatch = { headers: { "if-match": post.headers.get("etag") ?? "" } };
        const patched = await api.patch<Pet>(path, changes, ifMatch);
        expect(patched.body).toEqual({ ...post.body, ...normal(changes) });
        expect((await api.delete(path)).status).toBe(204);
        expect((await api.get(path)).status).toBe(404);
        expect((await api.post(`${path}/restore`)).body).toEqual(patched.body);
        expect((await api.get(`/v1/pets?id=${post.body.id}`)).body).toEqual([patched.body]);
      }),
      { ...runs, numRuns: Math.ceil(runs.numRuns / 3) },
    );
    await close();
  });
});
