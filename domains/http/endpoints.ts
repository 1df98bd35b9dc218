import type { ManagementEndpoint } from "../../lib/management/endpoint.ts";
import type { Domains } from "../domains.ts";
import { certificateEndpoints } from "./endpoints-certificate.ts";
import { domainEndpointsOfMany } from "./endpoints-list.ts";
import { domainEndpointsOfOne } from "./endpoints-domain.ts";

/** Custom domains in the management API: what `createManagement` takes as `more`. */
export function domainEndpoints(domains: Domains): readonly ManagementEndpoint[] {
  return [
    ...domainEndpointsOfMany(domains),
    ...domainEndpointsOfOne(domains),
    ...certificateEndpoints(domains),
  ];
}
