import type { Mountable } from "../../lib/catalogue/routes/operation.ts";
import { catalogueOperations } from "../../lib/catalogue/routes/operations.ts";
import { endpoints } from "../../lib/endpoints.ts";
import type { PublicEndpoint } from "../../lib/http/public-endpoint.ts";
import type { Scope } from "../../lib/model/scope.ts";
import type { Api, Reply } from "../helpers/api.ts";
import { sampleOf } from "../helpers/sample-body.ts";
import { addCategory, addPet } from "./expect.ts";

/** A request that succeeds once. */
export interface Sample {
  readonly path: string;
  readonly body?: unknown;
}

/** An operation as its callers know it. */
export interface Operation {
  readonly operationId: string;
  readonly method: PublicEndpoint["method"];
  /** The operation id. */
  readonly path: string;
  readonly success: number;
  readonly scope?: Scope;
  /** The management API offers it too. */
  readonly both?: true;
  /** Creates the fixtures of a successful request. */
  readonly prepare: (api: Api) => Promise<Sample>;
}

let made = 0;

/** Returns a unique name, as categories require. */
function freshName(): string {
  made++;
  return `Category ${made}`;
}

/** Creates the resource that a parameter of a path names, and returns its id. */
const resources: Readonly<Record<string, (api: Api) => Promise<number>>> = {
  petId: async (api) => (await addPet(api)).id,
  categoryId: (api) => addCategory(api, freshName()),
};

/** The bodies that do not follow from their schema, or that would change nothing. */
const bodies: Readonly<Record<string, () => unknown>> = {
  createCategory: () => ({ name: freshName() }),
  updateCategory: () => ({ name: freshName() }),
  updatePet: () => ({ name: "Renamed" }),
  replacePetProfile: () => ({ sex: "female" }),
  updatePetProfile: () => ({ sex: "female" }),
};

/** The names of the operations that the management API offers too. */
const managed: ReadonlySet<string | undefined> = new Set(
  catalogueOperations
    .filter((one: Mountable) => one.management !== undefined)
    .map((one: Mountable) => one.public?.operationId),
);

/** What happens to a resource before the request. */
const before: Readonly<Record<string, (api: Api, path: string) => Promise<unknown>>> = {
  restorePet: (api, path) => api.delete(path.replace(/\/restore$/, "")),
};

function operationOf({
  operationId,
  method,
  path,
  success,
  access,
  body,
}: PublicEndpoint): Operation {
  return {
    operationId,
    method,
    path: path.replaceAll(/:(\w+)/g, "{$1}"),
    success: success.status,
    ...access,
    ...(managed.has(operationId) ? { both: true } : {}),
    prepare: async (api) => {
      let filled = `/v1${path}`;
      for (const [parameter, name = ""] of path.matchAll(/:(\w+)/g)) {
        filled = filled.replace(parameter, String(await resources[name]?.(api)));
      }
      await before[operationId]?.(api, filled);
      const sample = bodies[operationId]?.() ?? (body && sampleOf(body.json));
      return sample === undefined ? { path: filled } : { path: filled, body: sample };
    },
  };
}

/** All operations of the public API. docs/api.md shows what each of them declares. */
export const operations: readonly Operation[] = endpoints.map(operationOf);

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
