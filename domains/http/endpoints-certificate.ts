import { done } from "../../lib/base/result.ts";
import { endpoint, Reply } from "../../lib/management/endpoint.ts";
import { nextLink } from "../../lib/management/next-link.ts";
import { integerParameter, limitParameter, textParameter } from "../../lib/http/parameters.ts";
import { present } from "../../lib/management/present.ts";
import type { Domains } from "../domains.ts";
import { nameIn, ownerOf } from "./endpoints-domain.ts";
import { RevocationSchema } from "./schemas-body.ts";
import {
  authorityAccountExample,
  certificateExample,
  domainExample,
  exportedExample,
} from "./examples.ts";
import {
  authorityAccountShape,
  authorityAccountsShape,
  certificatesShape,
  domainShape,
  exportedShape,
} from "./schemas.ts";

const DEFAULT_LIMIT = 100;

const MAX_AUTHORITY = 2_048;

const authorityParameter = textParameter(
  "Address of the authority's directory; absent: the authority of new orders.",
  {
    maxLength: MAX_AUTHORITY,
    rule: "must be the address of a directory",
  },
);

/** Certificates of custom domains, for operators. */
export function certificateEndpoints(domains: Domains) {
  return [
    endpoint({
      tag: "certificates",
      access: "platform",
      operationId: "listCertificates",
      method: "GET",
      path: "/certificates",
      role: "operator",
      summary: "List certificates",
      description: "Those that visitors of custom domains are presented.",
      query: {
        after: integerParameter("Where the page before ended, as its `Link` has it."),
        limit: limitParameter({ maximum: 500, fallback: DEFAULT_LIMIT }),
      },
      success: {
        status: 200,
        description: "One page; where there is more, `Link` leads to it.",
        schema: certificatesShape,
        example: [certificateExample],
        headers: ["Link"],
      },
      refusals: [],
      run: async (call) => {
        const limit = call.query.limit ?? DEFAULT_LIMIT;
        const page = present({ after: call.query.after });
        const { certificates, next } = await domains.certificates({ ...page, limit });
        const headers =
          next === undefined ? {} : nextLink(call, "/certificates", { after: next, limit });
        return done(new Reply(certificates, { headers }));
      },
    }),
    endpoint({
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
      success: {
        status: 200,
        description: "The domain.",
        schema: domainShape,
        example: domainExample,
      },
      refusals: ["not_found", "domain_not_ready"],
      run: (call) => domains.renew(ownerOf(call), nameIn(call)),
    }),
    endpoint({
      tag: "certificates",
      access: "platform",
      operationId: "renewHostCertificate",
      method: "POST",
      path: "/certificates/:domain/renew",
      role: "operator",
      summary: "Renew the certificate of a host now",
      description:
        "For a host of the service itself (the base domain, Staging, projects below it) or a custom domain, by its name " +
        "alone. What has no certificate yet has its first one ordered, whatever failed before.",
      success: {
        status: 200,
        description: "The host, in the shape of a domain.",
        schema: domainShape,
        example: domainExample,
      },
      refusals: ["not_found", "domain_not_ready"],
      run: (call) => domains.renewHost(nameIn(call)),
    }),
    endpoint({
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
      success: {
        status: 200,
        description: "The certificate, and the key.",
        schema: exportedShape,
        example: exportedExample,
      },
      refusals: ["not_found", "domain_not_ready"],
      run: async (call) => {
        const exported = await domains.exportCertificate(ownerOf(call), nameIn(call));
        return exported.ok
          ? done(new Reply(exported.value, { headers: { "cache-control": "no-store" } }))
          : exported;
      },
    }),
    endpoint({
      tag: "certificates",
      access: "project",
      operationId: "revokeCertificate",
      method: "POST",
      path: "/projects/:project/domains/:domain/certificate/revoke",
      role: "operator",
      weighty: true,
      summary: "Revoke a certificate",
      description:
        "While the domain is attached, another certificate is ordered and served first; the old one is revoked then, or a " +
        "day later at the latest. Of a removed domain it is revoked at once, and does not come back with the domain. " +
        "`keyCompromise` is signed by the certificate's own key, which is never used again.",
      body: RevocationSchema,
      success: {
        status: 200,
        description: "The domain.",
        schema: domainShape,
        example: domainExample,
      },
      refusals: ["not_found", "domain_not_ready"],
      run: (call) => {
        const { reason = "unspecified" } = call.body;
        return domains.revoke(ownerOf(call), nameIn(call), reason);
      },
    }),
    endpoint({
      tag: "certificates",
      access: "platform",
      operationId: "revokeHostCertificate",
      method: "POST",
      path: "/certificates/:domain/revoke",
      role: "operator",
      weighty: true,
      summary: "Revoke the certificate of a host",
      description:
        "For a host of the service itself (the base domain, Staging, projects below it) or a custom domain, by its name " +
        "alone. Another certificate is ordered and served first.",
      body: RevocationSchema,
      success: {
        status: 200,
        description: "The host, in the shape of a domain.",
        schema: domainShape,
        example: domainExample,
      },
      refusals: ["not_found", "domain_not_ready"],
      run: (call) => {
        const { reason = "unspecified" } = call.body;
        return domains.revokeHost(nameIn(call), reason);
      },
    }),
    endpoint({
      tag: "certificates",
      access: "platform",
      operationId: "listCertificateAccounts",
      method: "GET",
      path: "/certificate-accounts",
      role: "operator",
      summary: "List the accounts with certificate authorities",
      description:
        "The account that certificates are ordered with at each authority, and how it stands there at this moment.",
      success: {
        status: 200,
        description: "The accounts, the one that takes new orders first.",
        schema: authorityAccountsShape,
        example: [authorityAccountExample],
      },
      refusals: [],
      run: async () => done(await domains.authorityAccounts()),
    }),
    endpoint({
      tag: "certificates",
      access: "platform",
      operationId: "rolloverCertificateAccount",
      method: "POST",
      path: "/certificate-accounts/rollover",
      role: "operator",
      weighty: true,
      summary: "Change the key of an account with a certificate authority",
      description:
        "The account stays the same, and so do CAA records that name it. The new key is kept before the authority hears of " +
        "it; after a crash in between, whichever the authority accepts is used.",
      query: { authority: authorityParameter },
      success: {
        status: 200,
        description: "The account.",
        schema: authorityAccountShape,
        example: authorityAccountExample,
      },
      refusals: ["not_found", "authority_refused"],
      run: (call) => domains.rolloverAccount(call.query.authority),
    }),
    endpoint({
      tag: "certificates",
      access: "platform",
      operationId: "replaceCertificateAccount",
      method: "POST",
      path: "/certificate-accounts/replace",
      role: "operator",
      weighty: true,
      summary: "Make a new account with a certificate authority",
      description:
        "For an account that was closed, or whose key is lost. It accepts the terms of the authority, takes all orders from " +
        "then on, and lets those begin that waited for it. CAA records that name the account have to be changed. The one " +
        "before is kept until the certificates that were ordered with it are replaced.",
      query: { authority: authorityParameter },
      success: {
        status: 200,
        description: "The new account.",
        schema: authorityAccountShape,
        example: authorityAccountExample,
      },
      refusals: ["not_found", "authority_refused"],
      run: (call) => domains.replaceAccount(call.query.authority),
    }),
  ];
}
