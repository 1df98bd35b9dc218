import { expect } from "bun:test";

import type { Env, Case } from "../case.ts";
import { expectLimitHeaders, expectProblem } from "../expect.ts";
import { operations } from "../operations.ts";

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly deprecated?: boolean;
  readonly responses: Readonly<Record<string, unknown>>;
  readonly [extension: `x-${string}`]: unknown;
}

interface Description {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly "x-tagGroups": readonly { readonly name: string; readonly tags: readonly string[] }[];
  readonly security: readonly unknown[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, { readonly scheme: string }>>;
    readonly schemas: Readonly<
      Record<string, { readonly required?: readonly string[]; readonly properties?: object }>
    >;
  };
}

async function description(env: Env): Promise<Description> {
  const reply = await env.anyone.get<Description>("/v1/openapi.json");
  expect(reply.status).toBe(200);
  return reply.body;
}

async function described(env: Env): Promise<readonly Operation[]> {
  return Object.values((await description(env)).paths).flatMap((path) => Object.values(path));
}

export const descriptionCases: readonly Case[] = [
  {
    id: "description.without-key",
    source: "contract: without a key",
    sentence: "/openapi.json needs no key and has the limit headers and an ETag",
    run: async (env) => {
      const reply = await env.anyone.get("/v1/openapi.json");
      expect(reply.headers.get("content-type")).toBe("application/json; charset=utf-8");
      expectLimitHeaders(reply);
      const extra = { headers: { "if-none-match": reply.headers.get("etag") ?? "" } };
      expect((await env.anyone.get("/v1/openapi.json", extra)).status).toBe(304);
      const head = await env.anyone.raw("HEAD", "/v1/openapi.json");
      expect([head.status, head.text]).toEqual([200, ""]);
      const html = { headers: { accept: "text/html" } };
      expectProblem(await env.anyone.get("/v1/openapi.json", html), "not_acceptable");
    },
  },
  {
    id: "description.version",
    source: "spec: versioning 1",
    sentence: "the document is OpenAPI 3.1 and has version 1.0.0",
    run: async (env) => {
      const { openapi, info } = await description(env);
      expect(openapi).toMatch(/^3\.1\.\d$/);
      expect(info.version).toBe("1.0.0");
    },
  },
  {
    id: "description.servers",
    source: "spec: versioning 2",
    sentence: "its servers are Production and Staging, both ending in /v1",
    run: async (env) => {
      const { servers } = await description(env);
      expect(servers.map((server) => server.description)).toEqual(["Production", "Staging"]);
      for (const { url } of servers) expect(url).toEndWith("/v1");
    },
  },
  {
    id: "description.operations",
    source: "contract: description",
    sentence: "it contains exactly the existing operations",
    run: async (env) => {
      const { paths } = await description(env);
      const found = Object.entries(paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(
          ([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`,
        ),
      );
      const expected = operations.map(
        ({ operationId, method, path }) => `${operationId} ${method} ${path}`,
      );
      expect(found.toSorted()).toEqual(expected.toSorted());
    },
  },
  {
    id: "description.tags",
    source: "contract: description",
    sentence: "all operations have the tag animals; the groups Store and Pets exist and are empty",
    run: async (env) => {
      const document = await description(env);
      for (const { tags } of await described(env)) expect(tags).toEqual(["animals"]);
      expect(document.tags.map(({ name }) => name)).toContain("animals");
      for (const group of ["Store", "Pets"]) {
        expect(document.tags.map(({ name }) => name)).toContain(group);
        const declared = document["x-tagGroups"].find(({ name }) => name === group);
        expect(declared?.tags).toEqual([]);
      }
    },
  },
  {
    id: "description.security",
    source: "spec: authentication 2",
    sentence: "every operation uses HTTP bearer authentication",
    run: async (env) => {
      const { security, components } = await description(env);
      expect(components.securitySchemes).toMatchObject({
        apiKey: { type: "http", scheme: "bearer" },
      });
      expect(security).toEqual([{ apiKey: [] }]);
      for (const operation of await described(env))
        expect(operation).not.toHaveProperty("security");
    },
  },
  {
    id: "description.deprecated",
    source: "spec: versioning 3",
    sentence: "only getPet is marked deprecated, with the date of its removal",
    run: async (env) => {
      for (const operation of await described(env)) {
        const isGetPet = operation.operationId === "getPet";
        expect(operation.deprecated ?? false).toBe(isGetPet);
        const day = operation["x-deprecated-sunset"];
        expect(day).toBe(isGetPet ? "2030-12-05" : undefined);
      }
    },
  },
  {
    id: "description.stability",
    source: "spec: versioning 4",
    sentence:
      "x-stability is experimental or beta where present, and absent on the three animal operations",
    run: async (env) => {
      const marks = Object.fromEntries(
        (await described(env)).map((operation) => [
          operation.operationId,
          operation["x-stability"],
        ]),
      );
      expect(marks).toEqual({
        listPets: undefined,
        createPet: undefined,
        getPet: undefined,
        updatePet: "beta",
        deletePet: "beta",
        restorePet: "beta",
        getPetProfile: "beta",
        replacePetProfile: "beta",
        updatePetProfile: "beta",
        listCategories: "beta",
        createCategory: "beta",
        getCategory: "beta",
        updateCategory: "beta",
        deleteCategory: "beta",
        listOrders: "experimental",
        getRateLimit: "beta",
      });
    },
  },
  {
    id: "description.try-it",
    source: "spec: what the service does 4",
    sentence: "the try-it panel is disabled for GET /store/orders",
    run: async (env) => {
      for (const operation of await described(env)) {
        const hidden = operation["x-hideTryItPanel"];
        expect(hidden).toBe(operation.operationId === "listOrders" ? true : undefined);
      }
    },
  },
  {
    id: "description.schemas",
    source: "spec: NewPet",
    sentence: "the schemas NewPet, Pet, Pets, PetStatus and Error match the specification",
    run: async (env) => {
      const { schemas } = (await description(env)).components;
      expect(schemas["NewPet"]?.required).toEqual(["name", "categoryId"]);
      expect(schemas["Pet"]?.required).toEqual(
        expect.arrayContaining(["id", "name", "categoryId"]),
      );
      expect(schemas["NewPet"]?.properties).toMatchObject({
        name: { type: "string" },
        categoryId: { type: "integer", format: "int64" },
        status: { $ref: "#/components/schemas/PetStatus" },
      });
      expect(schemas["PetStatus"]).toMatchObject({ enum: ["available", "pending", "sold"] });
      expect(schemas["Pets"]).toMatchObject({ items: { $ref: "#/components/schemas/Pet" } });
      expect(schemas["Error"]).toMatchObject({
        required: ["code", "message", "status"],
        properties: {
          code: { type: "string" },
          message: { type: "string" },
          status: { type: "integer" },
        },
      });
    },
  },
  {
    id: "description.limit",
    source: "spec: query limits",
    sentence: "the parameter limit is an integer from 1 to 100, default 20",
    run: async (env) => {
      const list = (await described(env)).find(({ operationId }) => operationId === "listPets");
      expect(list).toMatchObject({
        parameters: expect.arrayContaining([
          expect.objectContaining({
            name: "limit",
            in: "query",
            required: false,
            schema: expect.objectContaining({
              type: "integer",
              minimum: 1,
              maximum: 100,
              default: 20,
            }),
          }),
        ]),
      });
    },
  },
  {
    id: "description.responses",
    source: "spec: errors",
    sentence: "every operation documents its success, 401 and 429; createPet 400 and getPet 404",
    run: async (env) => {
      const found = await described(env);
      for (const { operationId, success } of operations) {
        const documentedOf = found.find((one) => one.operationId === operationId)?.responses;
        for (const status of [success, 401, 429]) expect(documentedOf).toHaveProperty(`${status}`);
      }
      const responsesOf = (name: string): unknown =>
        found.find(({ operationId }) => operationId === name)?.responses;
      expect(responsesOf("createPet")).toHaveProperty("400");
      expect(responsesOf("getPet")).toHaveProperty("404");
    },
  },
];
