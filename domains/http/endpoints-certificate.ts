import { done } from "../../lib/base/result.ts";
import type { ManagementEndpoint } from "../../lib/management/endpoint.ts";
import { nextLink } from "../../lib/management/next-link.ts";
import { integerParameter, limitParameter, numberIn } from "../../lib/management/parameters.ts";
import { present } from "../../lib/management/present.ts";
import type { Domains } from "../domains.ts";
import { answered, nameIn, ownerOf } from "./endpoints-domain.ts";
import { certificateExample, domainExample, exportedExample } from "./examples.ts";
import { certificatesShape, domainShape, exportedShape } from "./schemas.ts";

const DEFAULT_LIMIT = 100;

/** Certificates of custom domains, for operators. */
export function certificateEndpoints(domains: Domains): readonly ManagementEndpoint[] {
  return [
    {
      tag: "certificates",
      access: "platform",
      operationId: "listCertificates",
      method: "GET",
      path: "/certificates",
      role: "operator",
      summary: "List certificates",
      description: "Those that visitors of custom domains are presented.",
      parameters: [
        integerParameter("after", "Where the page before ended, as its `Link` has it."),
        limitParameter({ maximum: 500, fallback: DEFAULT_LIMIT }),
      ],
      success: {
        status: 200,
        description: "One page; where there is more, `Link` leads to it.",
        schema: certificatesShape,
        example: [certificateExample],
        headers: ["Link"],
      },
      refusals: [],
      handle: async (call) => {
        const limit = numberIn(call.query, "limit") ?? DEFAULT_LIMIT;
        const page = present({ after: numberIn(call.query, "after") });
        const { certificates, next } = await domains.certificates({ ...page, limit });
        return done({
          status: 200,
          value: certificates,
          headers:
            next === undefined ? {} : nextLink(call, "/certificates", { after: next, limit }),
        });
      },
    },
    {
      tag: "certificates",
      access: "project",
      operationId: "renewCertificate",
      method: "POST",
      path: "/projects/:project/domains/:domain/renew",
      role: "operator",
      summary: "Renew a certificate now",
      description:
        "The next one is ordered as soon as the DNS passes, and what there is stays until it has come. It counts towards " +
        "the limits of the certificate authority.",
      parameters: [],
      success: {
        status: 200,
        description: "The domain.",
        schema: domainShape,
        example: domainExample,
      },
      refusals: ["not_found", "domain_not_ready"],
      handle: async (call) => answered(await domains.renew(ownerOf(call), nameIn(call))),
    },
    {
      tag: "certificates",
      access: "project",
      operationId: "exportCertificate",
      method: "POST",
      path: "/projects/:project/domains/:domain/certificate/export",
      role: "operator",
      weighty: true,
      summary: "Export a certificate with its private key",
      description:
        "Whoever has the key can pretend to be the domain. That it was exported stands in the timeline from then on.",
      parameters: [],
      success: {
        status: 200,
        description: "The certificate, and the key.",
        schema: exportedShape,
        example: exportedExample,
      },
      refusals: ["not_found", "domain_not_ready"],
      handle: async (call) => {
        const exported = await domains.exportCertificate(ownerOf(call), nameIn(call));
        return exported.ok
          ? done({
              status: 200,
              value: exported.value,
              headers: { "cache-control": "no-store" },
            })
          : exported;
      },
    },
  ];
}
