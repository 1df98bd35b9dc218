import { readableMinute, readableSecond } from "../../../lib/base/readable.ts";
import { clipped, adding, listed, quoted, atProvider } from "./text.ts";
import type { CaaSeen, Wording } from "../finding-facts.ts";

type CertificateCode =
  | "account_suspended"
  | "ca_account_deactivated"
  | "ca_account_refused"
  | "ca_paused"
  | "ca_rate_limited"
  | "ca_rejected_name"
  | "ca_terms_changed"
  | "ca_unavailable"
  | "caa_forbids"
  | "deploy_required"
  | "http01_unreachable"
  | "not_servable"
  | "overdue"
  | "plan_required"
  | "project_deleted"
  | "redirect_loop_at_proxy"
  | "redirect_target_removed"
  | "stalled_30m"
  | "taken"
  | "validation_failed";

/** Texts about certificates, their preconditions and the check from outside. */
export const certificateWords: Wording<CertificateCode> = {
  taken: ({ hostname }) => ({
    observed: `${hostname} belongs to another account on this service.`,
    expected: "A domain belongs to one account.",
    fix: "If the domain is yours, claim it with the TXT record shown for it. If a colleague added it, ask them to remove it.",
  }),
  account_suspended: ({ hostname, accountId, since, readBy }) => ({
    observed: `The account ${since === undefined ? "is suspended" : `has been suspended since ${readableMinute(since)}`}. Visitors of ${hostname} see no page.`,
    expected: "An active account.",
    fix:
      readBy === "operator"
        ? `To serve its domains again, resume the account: petstore accounts resume ${accountId}`
        : "Ask the operator of this service why the account is suspended. Leave the DNS records as they are: the domain works again as soon as the account is resumed.",
  }),
  project_deleted: ({ hostname, project, since, restorableUntil, readBy }) => ({
    observed: `The project ${project} was deleted on ${readableMinute(since)}. Visitors of ${hostname} see no page.`,
    expected: "A project that shows the site.",
    fix:
      restorableUntil === undefined
        ? `The project cannot be restored. ${readBy === "operator" ? "The owner can add the domain" : "Add the domain"} to another project.`
        : `Until ${readableMinute(restorableUntil)}, the project can be restored with its domains: petstore projects restore ${project}`,
  }),
  plan_required: ({ plan, hostname, until, readBy }) => ({
    observed: `The account is on the ${plan} plan, which does not include custom domains.${
      hostname === undefined || until === undefined
        ? ""
        : ` ${hostname} is served until ${readableMinute(until)}, and its certificate is not renewed.`
    }`,
    expected: "The Pro plan or higher, which includes custom domains.",
    fix:
      readBy === "operator"
        ? "If the account should keep its domains, change its plan: petstore accounts plan ACCOUNT pro"
        : "Upgrade the account to Pro or higher.",
  }),
  deploy_required: ({ project, hostname }) => ({
    observed:
      hostname === undefined
        ? `${project} has not been published yet.`
        : `${project} has no live deploy. Visitors of ${hostname} see no page, and its certificate is not renewed.`,
    expected: "A live deploy, so that the domain has something to show.",
    fix: `Publish the project first: petstore deploy DIRECTORY --project ${project}`,
  }),
  caa_forbids: (facts) =>
    "message" in facts
      ? {
          observed: `${facts.issuer} reports that CAA records forbid it to issue a certificate: ${quoted(facts.message)}`,
          expected:
            "CAA records that allow it to issue certificates for the domain, or no CAA records.",
          fix: "Check the CAA records of the domain and of its parent domains at your DNS provider: one of them must name the certificate authority. This service sees none that forbid it, so they may have changed recently or differ between name servers. Then choose Re-verify.",
        }
      : {
          observed: `The CAA records at ${facts.at} (${listed(facts.records)}) ${why(facts)}.`,
          expected: `CAA records that allow ${facts.issuer} to issue certificates for the domain.`,
          fix: caaFix(facts),
        },
  ca_rejected_name: ({ issuer, message }) => ({
    observed: `${issuer} does not issue certificates for this name: ${quoted(message)}`,
    expected: "A name that certificate authorities accept.",
    fix: "Use another domain, or ask the operator of this service to contact the certificate authority.",
  }),
  ca_paused: ({ issuer, message }) => ({
    observed: `${issuer} has paused certificates for this name after too many failures: ${quoted(message)}`,
    expected: "Confirmation to the certificate authority that the problem is fixed.",
    fix: "Fix the other findings, then contact the operator of this service, who has to confirm it.",
  }),
  ca_account_deactivated: ({ issuer, message }) => ({
    observed: `${issuer} reports that this service's account is deactivated: ${quoted(message)}`,
    expected: "An active account with the certificate authority.",
    fix: "Your domain is fine. The operator of this service has to create a new account: petstore certs account replace",
  }),
  ca_terms_changed: ({ issuer, message, helpUrl }) => ({
    observed: `${issuer} has new terms and issues no certificates until they are accepted: ${quoted(message)}`,
    expected: "The operator of this service has accepted the new terms.",
    fix: `Your domain is fine. The operator of this service has to ${
      helpUrl === undefined ? "read the new terms" : `open ${helpUrl} and follow the instructions`
    }. If that is not enough, a new account accepts them: petstore certs account replace`,
  }),
  ca_account_refused: ({ issuer, message }) => ({
    observed: `${issuer} refuses this service's account: ${quoted(message)}`,
    expected: "An account and settings that the certificate authority accepts.",
    fix: "Your domain is fine. The operator of this service has to run petstore certs account show and check acme-email, acme-eab-kid and acme-eab-hmac-key.",
  }),
  validation_failed: ({ issuer, message }) => ({
    observed: `${issuer} checked the domain and did not find this service: ${quoted(message)}`,
    expected: "The domain points to this service from everywhere, over IPv4 and IPv6.",
    fix: "Fix the other findings, then choose Re-verify. If there are none, check whether a firewall blocks some countries: certificate authorities check from several.",
  }),
  ca_rate_limited: ({ issuer, message, until }) => ({
    observed: `${issuer} asks this service to wait: ${quoted(message)}`,
    expected: "The certificate is ordered after the wait.",
    fix:
      until === undefined
        ? "The order is retried automatically."
        : `The order is retried automatically on ${readableSecond(until)}.`,
  }),
  ca_unavailable: ({ issuer, message, retryAt }) => ({
    observed: `${issuer} is unreachable or reports a failure: ${quoted(message)}`,
    expected: "The certificate is ordered when the certificate authority works again.",
    fix: `The order is retried automatically${retryAt === undefined ? "" : ` on ${readableSecond(retryAt)}`}.`,
  }),
  overdue: ({ hostname, since, until, expired, retryAt, message, readBy }) => ({
    observed: `${
      expired
        ? `The certificate of ${hostname} expired on ${readableMinute(until)}: browsers warn visitors, and most cannot open the site.`
        : `The certificate of ${hostname} has been due for renewal since ${readableMinute(since)}. It expires on ${readableMinute(until)}.`
    }${message === undefined ? "" : ` The last attempt failed: ${quoted(message)}`}`,
    expected: "Another certificate, a few minutes after the renewal is due.",
    fix: `Fix the other findings, if there are any. ${
      readBy === "operator"
        ? `Then order now: petstore certs renew ${hostname}. It says why, if it cannot.`
        : "Then choose Re-verify. If there are none, tell the operator of this service."
    }${retryAt === undefined ? "" : ` The next automatic attempt is on ${readableSecond(retryAt)}.`}`,
  }),
  stalled_30m: ({ verifiedAt, message }) => ({
    observed: `The domain was verified on ${readableSecond(verifiedAt)} but has no certificate yet.${
      message === undefined ? "" : ` The certificate authority last said: ${quoted(message)}`
    }`,
    expected: "A certificate within a few minutes.",
    fix: "Fix the other findings, if there are any, and choose Re-verify.",
  }),
  http01_unreachable: ({ url, message }) => ({
    observed: `A request to ${clipped(url)} did not reach this service: ${clipped(message)}.`,
    expected: "This service answers on port 80 and port 443.",
    fix: "If visitors can open the site, there is nothing to do: a server often cannot reach its own public address. Otherwise open port 80 in the firewall and stop any other server that answers there.",
  }),
  redirect_loop_at_proxy: ({ hostname, network = "the proxy" }) => ({
    observed: `Visitors of https://${hostname}/ are redirected to the same address over and over by ${network}.`,
    expected: "The proxy connects to this service over HTTPS.",
    fix:
      network === "Cloudflare"
        ? `In Cloudflare, open SSL/TLS and change the mode from "Flexible" to "Full (strict)".`
        : `Configure ${network} to connect to this service over HTTPS, not plain HTTP.`,
  }),
  not_servable: ({ hostname, message }) => ({
    observed: `This service cannot present the certificate of ${hostname}: ${quoted(message)} Visitors get no page.`,
    expected: "A complete certificate with its key.",
    fix: "Nothing to change at your DNS provider: another certificate is ordered automatically. If this persists for an hour, tell the operator of this service.",
  }),
  redirect_target_removed: ({ from, to }) => ({
    observed: `${from} redirects to ${to}, which was removed from the project. It shows the site itself instead.`,
    expected: "A redirect to a domain of the project.",
    fix: `Choose another target: petstore domains redirect ${from} TARGET`,
  }),
};

function why({ reason, issuer }: CaaSeen): string {
  switch (reason) {
    case "other_issuer":
      return `do not allow ${issuer} to issue certificates`;
    case "other_account":
      return `allow ${issuer} to issue certificates to another account only`;
    case "other_method":
      return `allow ${issuer} to issue certificates only with a validation method that this service does not use`;
    case "critical_tag":
      return "include a critical record of an unknown kind";
    case "malformed":
      return `name ${issuer} in an invalid way`;
    default:
      return reason satisfies never;
  }
}

function caaFix({ reason, wanted, at, ours, remedy, alias }: CaaSeen): string {
  if (ours) {
    return "Nothing to do at your DNS provider: the records belong to this service, and its operator has to change them.";
  }
  switch (remedy) {
    case undefined:
      return reason === "critical_tag"
        ? `${atProvider(wanted)}, delete the CAA record of ${at} that is marked critical and is neither issue nor issuewild.`
        : `${adding(wanted)} Keep the existing CAA records.`;
    case "precede":
      return `${adding(wanted)} At ${wanted.fqdn} and below, it takes precedence over the records at ${clipped(at)}, so add one for every other certificate authority that you use there, too.`;
    case "remove":
      return `${atProvider(wanted)}, delete the CAA records of ${at}: none are allowed beside the CNAME record that it needs.`;
    case "ask":
      return alias === undefined
        ? `The records at ${clipped(at)} apply, and you can enter none beside the CNAME record that the domain needs. Ask the operator of ${clipped(at)} to add the CAA record ${wanted.value}, or the operator of this service to enter CAA records at the target of your CNAME record: these take precedence.`
        : `The CNAME record of ${clipped(alias)} makes the records at ${clipped(at)} apply, and no CAA record of yours can change that. Replace that CNAME record, or ask the operator of ${clipped(at)} to add the CAA record ${wanted.value}. CAA records at the target of your own CNAME record would take precedence: the operator of this service can enter them.`;
    default:
      return remedy satisfies never;
  }
}
