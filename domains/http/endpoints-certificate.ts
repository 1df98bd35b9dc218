import type { Problem } from "../../lib/base/problem.ts";
import { done, type Result } from "../../lib/base/result.ts";
import type { AuthorityAccountView } from "../../lib/management/domain-view.ts";
import {
  withBody,
  type ManagementAnswer,
  type ManagementEndpoint,
} from "../../lib/management/endpoint.ts";
import { nextLink } from "../../lib/management/next-link.ts";
import {
  integerParameter,
  limitParameter,
  numberIn,
  textIn,
  textParameter,
} from "../../lib/management/parameters.ts";
import { present } from "../../lib/management/present.ts";
import type { Domains } from "../domains.ts";
import { answered, nameIn, ownerOf } from "./endpoints-domain.ts";
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
      access: "platform",
      operationId: "renewHostCertificate",
      method: "POST",
      path: "/certificates/:domain/renew",
      role: "operator",
      summary: "Renew the certificate of a host now",
      description:
        "For a host of the service itself (the base domain, Staging, projects below it) or a custom domain, by its name " +
        "alone. What has no certificate yet has its first one ordered, whatever failed before.",
      parameters: [],
      success: {
        status: 200,
        description: "The host, in the shape of a domain.",
        schema: domainShape,
        example: domainExample,
      },
      refusals: ["not_found", "domain_not_ready"],
      handle: async (call) => answered(await domains.renewHost(nameIn(call))),
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
    withBody({
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
      parameters: [],
      body: RevocationSchema,
      success: {
        status: 200,
        description: "The domain.",
        schema: domainShape,
        example: domainExample,
      },
      refusals: ["not_found", "domain_not_ready"],
      handle: async (call) => {
        const { reason = "unspecified" } = call.body;
        return answered(await domains.revoke(ownerOf(call), nameIn(call), reason));
      },
    }),
    withBody({
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
      parameters: [],
      body: RevocationSchema,
      success: {
        status: 200,
        description: "The host, in the shape of a domain.",
        schema: domainShape,
        example: domainExample,
      },
      refusals: ["not_found", "domain_not_ready"],
      handle: async (call) => {
        const { reason = "unspecified" } = call.body;
        return answered(await domains.revokeHost(nameIn(call), reason));
      },
    }),
    {
      tag: "certificates",
      access: "platform",
      operationId: "listCertificateAccounts",
      method: "GET",
      path: "/certificate-accounts",
      role: "operator",
      summary: "List the accounts with certificate authorities",
      description:
        "The account that certificates are ordered with at each authority, and how it stands there at this moment.",
      parameters: [],
      success: {
        status: 200,
        description: "The accounts, the one that takes new orders first.",
        schema: authorityAccountsShape,
        example: [authorityAccountExample],
      },
      refusals: [],
      handle: async () => done({ status: 200, value: await domains.authorityAccounts() }),
    },
    {
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
      parameters: [authorityParameter],
      success: {
        status: 200,
        description: "The account.",
        schema: authorityAccountShape,
        example: authorityAccountExample,
      },
      refusals: ["not_found", "authority_refused"],
      handle: async (call) =>
        answeredAccount(await domains.rolloverAccount(textIn(call.query, "authority"))),
    },
    {
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
      parameters: [authorityParameter],
      success: {
        status: 200,
        description: "The new account.",
        schema: authorityAccountShape,
        example: authorityAccountExample,
      },
      refusals: ["not_found", "authority_refused"],
      handle: async (call) =>
        answeredAccount(await domains.replaceAccount(textIn(call.query, "authority"))),
    },
  ];
}

const MAX_AUTHORITY = 2_048;

const authorityParameter = textParameter(
  "authority",
  "Address of the authority's directory; absent: the authority of new orders.",
  {
    maxLength: MAX_AUTHORITY,
    rule: "must be the address of a directory",
  },
);

function answeredAccount(
  account: Result<AuthorityAccountView, Problem>,
): Result<ManagementAnswer, Problem> {
  return account.ok ? done({ status: 200, value: account.value }) : account;
}
