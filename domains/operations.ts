import type { OperationsOf } from "../lib/http/operation.ts";
import type { importEndpoints } from "../lib/import/routes/imports.ts";
import type { ManagementClient } from "../lib/management/client.ts";
import type { managementEndpoints } from "../lib/management/endpoints.ts";
import type { systemEndpoints } from "../lib/management/routes/system.ts";
import type { memberEndpoints } from "../lib/members/endpoints.ts";
import type { auditEndpoints } from "../lib/audit/routes/audit.ts";
import type { enquiryEndpoints } from "../lib/enquiries/routes/enquiries.ts";
import type { webhookEndpoints } from "../lib/webhooks/routes/webhooks.ts";
import type { requestEndpoints } from "../lib/requests/routes/requests.ts";
import type { domainEndpoints } from "./http/endpoints.ts";

/** The types of every operation that the program serves, by method and path. */
export type PetstoreOperations = OperationsOf<
  | typeof managementEndpoints
  | ReturnType<typeof systemEndpoints>
  | ReturnType<typeof memberEndpoints>
  | ReturnType<typeof importEndpoints>
  | ReturnType<typeof enquiryEndpoints>
  | ReturnType<typeof webhookEndpoints>
  | ReturnType<typeof auditEndpoints>
  | ReturnType<typeof requestEndpoints>
  | ReturnType<typeof domainEndpoints>
>;

/** A client of the management API that the program serves. */
export type PetstoreClient = ManagementClient<PetstoreOperations>;
