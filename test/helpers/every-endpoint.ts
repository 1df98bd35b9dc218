import { domainEndpoints } from "../../domains/http/endpoints.ts";
import { importEndpoints } from "../../lib/import/routes/imports.ts";
import { auditEndpoints } from "../../lib/audit/routes/audit.ts";
import { enquiryEndpoints } from "../../lib/enquiries/routes/enquiries.ts";
import type { AuditStore } from "../../lib/audit/index.ts";
import { requestEndpoints, type RequestsContext } from "../../lib/requests/routes/requests.ts";
import type { ManageContext } from "../../lib/enquiries/manage.ts";
import { managementEndpoints } from "../../lib/management/endpoints.ts";
import type { ManagementEndpoint } from "../../lib/management/endpoint.ts";
import { systemEndpoints } from "../../lib/management/routes/system.ts";
import type { ImportContext } from "../../lib/import/job/imports.ts";
import type { System } from "../../lib/management/system.ts";
import { memberEndpoints } from "../../lib/members/endpoints.ts";
import type { WebhookContext } from "../../lib/webhooks/manage.ts";
import { webhookEndpoints } from "../../lib/webhooks/routes/webhooks.ts";

/** All operations of the program, for inspection only. */
export const everyEndpoint: readonly ManagementEndpoint[] = [
  ...managementEndpoints,
  ...domainEndpoints(uncalled()),
  ...memberEndpoints(uncalled()),
  ...importEndpoints(uncalled()),
  ...enquiryEndpoints(uncalled()),
  ...webhookEndpoints(uncalled()),
  ...auditEndpoints({ auditStore: uncalled() }),
  ...requestEndpoints(uncalled()),
  ...systemEndpoints(uncalled()),
];

function uncalled(): System &
  ImportContext &
  ManageContext &
  WebhookContext &
  AuditStore &
  RequestsContext &
  (() => never) {
  return new Proxy((() => undefined) as unknown as ReturnType<typeof uncalled>, {
    get: () => () => {
      throw new Error("There is nothing behind this table.");
    },
  });
}
