import type { Domains } from "../../domains/domains.ts";
import { domainEndpoints } from "../../domains/http/endpoints.ts";
import { managementEndpoints } from "../../lib/management/endpoints.ts";
import type { ManagementEndpoint } from "../../lib/management/endpoint.ts";
import { systemEndpoints } from "../../lib/management/routes/system.ts";
import type { System } from "../../lib/management/system.ts";
import type { MemberContext } from "../../lib/members/context.ts";
import { memberEndpoints } from "../../lib/members/endpoints.ts";

/** Every operation that the program serves, to be read and not to be called. */
export const everyEndpoint: readonly ManagementEndpoint[] = [
  ...managementEndpoints,
  ...domainEndpoints(uncalled()),
  ...memberEndpoints(uncalled()),
  ...systemEndpoints(uncalled()),
];

function uncalled(): Domains & System & MemberContext {
  return new Proxy({} as Domains & System & MemberContext, {
    get: () => () => {
      throw new Error("There is nothing behind this table.");
    },
  });
}
