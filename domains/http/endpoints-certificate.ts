import type { Actor } from "../../lib/model/actor.ts";
import { memberNamed, type AuditType, type Records } from "../../lib/model/audit-types.ts";
import { done } from "../../lib/base/result.ts";
import {
  booleanParameter,
  integerParameter,
  limitParameter,
  textParameter,
} from "../../lib/http/parameters.ts";
import { endpoint, Reply } from "../../lib/http/endpoint.ts";
import { type ProjectCall, inProject, onPlatform } from "../../lib/management/endpoint.ts";
import { nextLink } from "../../lib/management/next-link.ts";
import { withoutUndefined } from "../../lib/base/without-undefined.ts";
import {
  cancelAccountReplacement,
  replaceAuthorityAccount,
  rolloverAccount,
  showAccounts,
} from "../actions/authority-accounts.ts";
import {
  exportCertificate,
  listCertificates,
  overdueCertificates,
  rehearseHostRenewal,
  renewCertificate,
  renewHostCertificate,
  revokeCertificate,
  revokeHostCertificate,
} from "../actions/certificates.ts";
import type { DomainsContext, Owner } from "../actions/context.ts";
import {
  authorityAccountShape,
  authorityAccountsShape,
  certificatesShape,
  domainShape,
  exportedShape,
  overdueShape,
  rehearsalShape,
} from "../view/shapes.ts";
import {
  authorityAccountExample,
  certificateExample,
  domainExample,
  exportedExample,
  overdueExample,
  rehearsalExample,
} from "./examples.ts";
import { RevocationSchema } from "../view/bodies.ts";

const domain = {
  status: 200,
  description: "The domain.",
  schema: domainShape,
  example: domainExample,
} as const;
const host = { ...domain, description: "The host, as a domain resource." } as const;
const account = {
  status: 200,
  description: "The account.",
  schema: authorityAccountShape,
  example: authorityAccountExample,
} as const;

const authority = textParameter(
  "The address of the authority's directory. Default: the authority of new orders.",
  { maxLength: 2_048, rule: "must be the address of a directory" },
);

/** The operations on certificates, for operators. */
export function certificateEndpoints(contextFor: (actor: Actor) => DomainsContext) {
  return [
    endpoint({
      tag: "certificates",
      access: onPlatform("operator"),
      operationId: "listCertificates",
      method: "GET",
      path: "/certificates",
      summary: "List certificates",
      description: "Lists the certificates of custom domains and of the service's own hosts.",
      query: {
        after: integerParameter("Where the previous page ended, from its `Link`."),
        limit: limitParameter({ maximum: 500, fallback: 100 }),
      },
      success: {
        status: 200,
        description: "One page. `Link` leads to the next one, if there is one.",
        schema: certificatesShape,
        example: [certificateExample],
        headers: ["Link"],
      },
      refusals: [],
      run: async (call) => {
        const { after, limit } = call.query;
        const { certificates, next } = await listCertificates(contextFor(call.actor), {
          ...withoutUndefined({ after }),
          limit,
        });
        const link = { after: next, limit };
        const headers = next === undefined ? {} : nextLink(call, "/certificates", link);
        return done(new Reply(certificates, { headers }));
      },
    }),
    endpoint({
      tag: "certificates",
      access: onPlatform("viewer"),
      operationId: "countOverdueCertificates",
      method: "GET",
      path: "/certificates/overdue",
      summary: "Count overdue certificates",
      description:
        "Certificates are overdue when a quarter of the time between their renewal and their expiry has passed. Operators " +
        "see those of all accounts and of the service's own hosts, without those that wait for a correction by their owner; " +
        "other callers see those of their account.",
      success: {
        status: 200,
        description: "Their number, and the one that expires first.",
        schema: overdueShape,
        example: overdueExample,
      },
      refusals: [],
      run: async ({ actor, principal }) =>
        done(await overdueCertificates(contextFor(actor), principal.accountId)),
    }),
    endpoint({
      tag: "certificates",
      access: inProject("operator"),
      operationId: "renewCertificate",
      records: recordOfDomain("certificate.renewal_requested"),
      method: "POST",
      path: "/projects/:project/domains/:domain/renew",
      summary: "Renew a certificate",
      description:
        "Orders the next certificate as soon as the DNS check passes. The present one stays in use until then. The order " +
        "counts towards the limits of the certificate authority. While that takes no orders from this service, one a minute is " +
        "tried, and other requests are refused with `limit_reached`.",
      success: domain,
      refusals: ["not_found", "domain_not_ready", "limit_reached"],
      run: (call) => renewCertificate(contextFor(call.actor), ownerOf(call), call.params.domain),
    }),
    endpoint({
      tag: "certificates",
      access: onPlatform("operator"),
      operationId: "renewHostCertificate",
      records: recordOfDomain("certificate.renewal_requested"),
      method: "POST",
      path: "/certificates/:domain/renew",
      summary: "Renew the certificate of a host",
      description:
        "By name, for a host of the service (the base domain, Staging, projects below it) or a custom domain. If it has no " +
        "certificate yet, the first one is ordered, whatever failed before.",
      success: host,
      refusals: ["not_found", "domain_not_ready", "limit_reached"],
      run: (call) => renewHostCertificate(contextFor(call.actor), call.params.domain),
    }),
    endpoint({
      tag: "certificates",
      access: onPlatform("operator"),
      operationId: "rehearseHostRenewal",
      method: "POST",
      path: "/certificates/:domain/rehearse",
      summary: "Rehearse the renewal of a certificate",
      description:
        "By name, for a host of the service or a custom domain. Performs a whole renewal at another certificate authority, " +
        "with an account and a key of its own, and throws the certificate away: nothing that is served changes. Takes at most " +
        "a minute.",
      query: {
        authority: textParameter(
          "The address of a configured authority's directory. Default: the authority for tests, such as Let's Encrypt's " +
            "staging environment, else one that did not issue the present certificate.",
          { maxLength: 2_048, rule: "must be the address of a directory" },
        ),
      },
      success: {
        status: 200,
        description: "What succeeded, and what failed.",
        schema: rehearsalShape,
        example: rehearsalExample,
      },
      refusals: ["not_found"],
      run: ({ params, query, actor }) =>
        rehearseHostRenewal(contextFor(actor), params.domain, query.authority),
    }),
    endpoint({
      tag: "certificates",
      access: inProject("operator", { sensitive: true }),
      operationId: "exportCertificate",
      records: recordOfDomain("certificate.exported"),
      method: "POST",
      path: "/projects/:project/domains/:domain/certificate/export",
      summary: "Export a certificate with its private key",
      description:
        "Anyone who has the key can impersonate the domain. The timeline of the domain records the export.",
      success: {
        status: 200,
        description: "The certificate and its key.",
        schema: exportedShape,
        example: exportedExample,
      },
      refusals: ["not_found", "domain_not_ready"],
      run: async (call) => {
        const exported = await exportCertificate(
          contextFor(call.actor),
          ownerOf(call),
          call.params.domain,
        );
        if (!exported.ok) return exported;
        return done(new Reply(exported.value, { headers: { "cache-control": "no-store" } }));
      },
    }),
    endpoint({
      tag: "certificates",
      access: inProject("operator", { sensitive: true }),
      operationId: "revokeCertificate",
      records: recordOfDomain("certificate.revoked"),
      method: "POST",
      path: "/projects/:project/domains/:domain/certificate/revoke",
      summary: "Revoke a certificate",
      description:
        "Another certificate is ordered and served first; the old one is revoked then, or a day later at the latest. The " +
        "certificate of a removed domain is revoked at once and not restored with the domain. `keyCompromise` is signed with " +
        "the certificate's own key, which is never used again.",
      body: RevocationSchema,
      success: domain,
      refusals: ["not_found", "domain_not_ready"],
      run: (call) =>
        revokeCertificate(
          contextFor(call.actor),
          ownerOf(call),
          call.params.domain,
          call.body.reason ?? "unspecified",
        ),
    }),
    endpoint({
      tag: "certificates",
      access: onPlatform("operator", { sensitive: true }),
      operationId: "revokeHostCertificate",
      records: recordOfDomain("certificate.revoked"),
      method: "POST",
      path: "/certificates/:domain/revoke",
      summary: "Revoke the certificate of a host",
      description:
        "By name, for a host of the service (the base domain, Staging, projects below it) or a custom domain. Another " +
        "certificate is ordered and served first.",
      body: RevocationSchema,
      success: host,
      refusals: ["not_found", "domain_not_ready"],
      run: (call) =>
        revokeHostCertificate(
          contextFor(call.actor),
          call.params.domain,
          call.body.reason ?? "unspecified",
        ),
    }),
    endpoint({
      tag: "certificates",
      access: onPlatform("operator"),
      operationId: "listCertificateAccounts",
      method: "GET",
      path: "/certificate-accounts",
      summary: "List accounts with certificate authorities",
      description:
        "The account that orders certificates at each authority, with its present state there.",
      success: {
        status: 200,
        description: "The accounts; the one for new orders first.",
        schema: authorityAccountsShape,
        example: [authorityAccountExample],
      },
      refusals: [],
      run: async ({ actor }) => done(await showAccounts(contextFor(actor))),
    }),
    endpoint({
      tag: "certificates",
      access: onPlatform("operator", { sensitive: true }),
      operationId: "rolloverCertificateAccount",
      records: recordOfAccount("certificate_account.rolled_over"),
      method: "POST",
      path: "/certificate-accounts/rollover",
      summary: "Change the key of an account with a certificate authority",
      description:
        "The account stays the same, and so do CAA records that name it. The new key is stored before the authority learns of " +
        "it; after a crash in between, the key that the authority accepts is used.",
      query: { authority },
      success: account,
      refusals: ["not_found", "authority_refused"],
      run: ({ query, actor }) => rolloverAccount(contextFor(actor), query.authority),
    }),
    endpoint({
      tag: "certificates",
      access: onPlatform("operator", { sensitive: true }),
      operationId: "replaceCertificateAccount",
      records: recordOfAccount("certificate_account.replaced"),
      method: "POST",
      path: "/certificate-accounts/replace",
      summary: "Create a new account with a certificate authority",
      description:
        "For a deactivated account, or one whose key is lost. The new account accepts the authority's terms. If CAA records " +
        "of the CNAME target or of this service's hosts name accounts, it is the `successor` of the present one until all " +
        "their name servers have allowed it for the TTL of the records. Then it takes all further orders and starts those " +
        "that waited. The old account is kept until the certificates that it ordered are replaced.",
      query: {
        authority,
        force: booleanParameter(
          "`true` switches at once, whatever CAA records say: orders fail until they allow the new account.",
        ),
      },
      success: {
        ...account,
        description: "The account for new orders, and its successor, if any.",
      },
      refusals: ["not_found", "authority_refused"],
      run: ({ query: { authority: named, force }, actor }) =>
        replaceAuthorityAccount(contextFor(actor), named, { force: force === true }),
    }),
    endpoint({
      tag: "certificates",
      access: onPlatform("operator"),
      operationId: "cancelCertificateAccountReplacement",
      records: recordOfAccount("certificate_account.replacement_cancelled"),
      method: "POST",
      path: "/certificate-accounts/cancel-replacement",
      summary: "Cancel the replacement of an account with a certificate authority",
      description:
        "The present account stays in use. The new one exists at the authority, but this service forgets it. Has no effect " +
        "if no replacement is pending.",
      query: { authority },
      success: account,
      refusals: ["not_found"],
      run: ({ query, actor }) => cancelAccountReplacement(contextFor(actor), query.authority),
    }),
  ] as const;
}

/** Records a call about the domain that its path names. */
function recordOfDomain(type: AuditType): Records {
  return ({ params, body }, value) => ({
    type,
    data: {
      domain: memberNamed(value, "domain") ?? params["domain"],
      code: memberNamed(body, "reason"),
    },
  });
}

/** Records a call about the account that it returns. */
function recordOfAccount(type: AuditType): Records {
  return (_call, value) => ({ type, data: { authority: memberNamed(value, "authority") } });
}

/** Returns the project and account of a call. */
export function ownerOf({ project: { id, accountId } }: Pick<ProjectCall, "project">): Owner {
  return { projectId: id, accountId };
}
