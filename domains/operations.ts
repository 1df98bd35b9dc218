import type { OperationsOf } from "../lib/http/operation.ts";
import type { managementEndpoints } from "../lib/management/endpoints.ts";
import type { systemEndpoints } from "../lib/management/routes/system.ts";
import type { memberEndpoints } from "../lib/members/endpoints.ts";
import type { domainEndpoints } from "./http/endpoints.ts";

/** The types of every operation that the program serves, by method and path. */
export type PetstoreOperations = OperationsOf<
  | typeof managementEndpoints
  // oxlint-disable-next-line typescript/no-duplicate-type-constituents -- until they keep their types
  | ReturnType<typeof systemEndpoints>
  // oxlint-disable-next-line typescript/no-duplicate-type-constituents -- until they keep their types
  | ReturnType<typeof memberEndpoints>
  // oxlint-disable-next-line typescript/no-duplicate-type-constituents -- until they keep their types
  | ReturnType<typeof domainEndpoints>
>;
