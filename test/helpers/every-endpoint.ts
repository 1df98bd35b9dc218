import type { Domains } from "../../domains/domains.ts";
import { domainEndpoints } from "../../domains/http/endpoints.ts";
import { managementEndpoints } from "../../lib/management/endpoints.ts";
import type { ManagementEndpoint } from "../../lib/management/endpoint.ts";

/** Every operation that the program serves, to be read and not to be called. */
export const everyEndpoint: readonly ManagementEndpoint[] = [
  ...managementEndpoints,
  ...domainEndpoints(uncalled()),
];

function uncalled(): Domains {
  return new Proxy({} as Domains, {
    get: () => () => {
      throw new Error("There are no domains behind this table.");
    },
  });
}
