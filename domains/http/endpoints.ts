import type { Domains } from "../domains.ts";
import { certificateEndpoints } from "./endpoints-certificate.ts";
import { domainsConfigEndpoints } from "./endpoints-config.ts";
import { domainEndpointsOfMany } from "./endpoints-list.ts";
import { domainEndpointsOfOne } from "./endpoints-domain.ts";
import { createLooks } from "./looks.ts";

/** Custom domains in the management API: what `createManagement` takes as `more`. */
export function domainEndpoints(domains: Domains) {
  const looks = createLooks();
  return [
    ...domainEndpointsOfMany(domains, looks),
    ...domainsConfigEndpoints(domains),
    ...domainEndpointsOfOne(domains, looks),
    ...certificateEndpoints(domains),
  ] as const;
}
