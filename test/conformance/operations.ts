import type { Scope } from "../../lib/model/scope.ts";
import type { Api, Reply } from "../helpers/api.ts";
import { addCategory, addPet } from "./expect.ts";

/** A request that succeeds once. */
export interface Sample {
  readonly path: string;
  readonly body?: unknown;
}

/** An operation as its callers know it. */
export interface Operation {
  readonly operationId: string;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** The operation id. */
  readonly path: string;
  readonly success: 200 | 201 | 204;
  readonly scope?: Scope;
  /** Creates the fixtures of a successful request. */
  readonly prepare: (api: Api) => Promise<Sample>;
}

let made = 0;

/** Returns a unique name, as categories require. */
function freshName(): string {
  made++;
  return `Category ${made}`;
}

const fixed = (path: string, body?: unknown) => (): Promise<Sample> =>
  Promise.resolve(body === undefined ? { path } : { path, body });

/** All operations of the public API, listed by hand for comparison with the service's own description. */
export const operations: readonly [Operation, ...Operation[]] = [
  {
    operationId: "listPets",
    method: "GET",
    path: "/pets",
    success: 200,
    scope: "pets:read",
    prepare: fixed("/v1/pets"),
  },
  {
    operationId: "createPet",
    method: "POST",
    path: "/pets",
    success: 201,
    scope: "pets:write",
    prepare: fixed("/v1/pets", { name: "Rex", categoryId: 1 }),
  },
  {
    operationId: "getPet",
    method: "GET",
    path: "/pets/{petId}",
    success: 200,
    scope: "pets:read",
    prepare: async (api) => ({ path: `/v1/pets/${(await addPet(api)).id}` }),
  },
  {
    operationId: "updatePet",
    method: "PATCH",
    path: "/pets/{petId}",
    success: 200,
    scope: "pets:write",
    prepare: async (api) => ({
      path: `/v1/pets/${(await addPet(api)).id}`,
      body: { name: "Bello" },
    }),
  },
  {
    operationId: "deletePet",
    method: "DELETE",
    path: "/pets/{petId}",
    success: 204,
    scope: "pets:write",
    prepare: async (api) => ({ path: `/v1/pets/${(await addPet(api)).id}` }),
  },
  {
    operationId: "restorePet",
    method: "POST",
    path: "/pets/{petId}/restore",
    success: 200,
    scope: "pets:write",
    prepare: async (api) => {
      const { id } = await addPet(api);
      await api.delete(`/v1/pets/${id}`);
      return { path: `/v1/pets/${id}/restore` };
    },
  },
  {
    operationId: "listCategories",
    method: "GET",
    path: "/categories",
    success: 200,
    scope: "categories:read",
    prepare: fixed("/v1/categories"),
  },
  {
    operationId: "createCategory",
    method: "POST",
    path: "/categories",
    success: 201,
    scope: "categories:write",
    prepare: () => Promise.resolve({ path: "/v1/categories", body: { name: freshName() } }),
  },
  {
    operationId: "getCategory",
    method: "GET",
    path: "/categories/{categoryId}",
    success: 200,
    scope: "categories:read",
    prepare: fixed("/v1/categories/1"),
  },
  {
    operationId: "updateCategory",
    method: "PATCH",
    path: "/categories/{categoryId}",
    success: 200,
    scope: "categories:write",
    prepare: async (api) => ({
      path: `/v1/categories/${await addCategory(api, freshName())}`,
      body: { name: freshName() },
    }),
  },
  {
    operationId: "deleteCategory",
    method: "DELETE",
    path: "/categories/{categoryId}",
    success: 204,
    scope: "categories:write",
    prepare: async (api) => ({ path: `/v1/categories/${await addCategory(api, freshName())}` }),
  },
  {
    operationId: "listOrders",
    method: "GET",
    path: "/store/orders",
    success: 200,
    scope: "orders:read",
    prepare: fixed("/v1/store/orders"),
  },
  {
    operationId: "getRateLimit",
    method: "GET",
    path: "/rate-limit",
    success: 200,
    prepare: fixed("/v1/rate-limit"),
  },
];

/** Sends a prepared request with additional `headers`. */
export function send<Body = unknown>(
  api: Api,
  { method }: Operation,
  { path, body }: Sample,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply<Body>> {
  return api.raw<Body>(method, path, {
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** Returns the operation of that name. */
export function operation(operationId: string): Operation {
  const found = operations.find((one) => one.operationId === operationId);
  if (found === undefined) throw new Error(`there is no operation ${operationId}`);
  return found;
}
