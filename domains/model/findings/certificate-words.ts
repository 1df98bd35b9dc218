import { clipped, adding, instant, listed, quoted, atProvider } from "./text.ts";
import type { FactsOf, Wording } from "../finding-facts.ts";

type CertificateCode =
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
  | "plan_required"
  | "redirect_loop_at_proxy"
  | "redirect_target_removed"
  | "stalled_30m"
  | "taken"
  | "validation_failed";

/** What is said of certificates, of the look from outside and of what must be there before. */
export const certificateWords: Wording<CertificateCode> = {
  taken: ({ hostname }) => ({
    observed: `${hostname} belongs to another account here.`,
    expected: "A domain belongs to one account.",
    fix: "If it is yours, claim it: add the TXT record that is shown with it, which proves that. If a colleague has added it, ask them to remove it.",
  }),
  plan_required: ({ plan }) => ({
    observed: `The account is on the plan ${plan}.`,
    expected: "The plan Pro or above: custom domains are part of it.",
    fix: "Change the plan of the account to Pro or above.",
  }),
  deploy_required: ({ project }) => ({
    observed: `Nothing of ${project} has been published yet.`,
    expected: "A successful deploy, so that the domain has something to show.",
    fix: `Publish the project first: petstore deploy DIRECTORY --project ${project}`,
  }),
  caa_forbids: (facts) =>
    "message" in facts
      ? {
          observed: `${facts.issuer} says that CAA records forbid it to issue: ${quoted(facts.message)}`,
          expected: "CAA records that let it issue certificates for the domain, or none.",
          fix: "Look at the CAA records of the domain and of the names above it at your DNS provider: there must be one that names the certificate authority. They were changed lately, or some name servers have other ones. Then choose Re-verify.",
        }
      : {
          observed: `The CAA records at ${facts.at} (${listed(facts.records)}) ${why(facts)}.`,
          expected: `${facts.issuer} may issue certificates for the domain.`,
          fix: facts.ours
            ? `Nothing at your DNS provider: the records belong to this service, and its operator has to change them.`
            : caaFix(facts),
        },
  ca_rejected_name: ({ issuer, message }) => ({
    observed: `${issuer} does not issue certificates for this name: ${quoted(message)}`,
    expected: "A name that certificate authorities issue for.",
    fix: "Use another domain, or write to the operator of this service, who can ask the certificate authority.",
  }),
  ca_paused: ({ issuer, message, helpUrl }) => ({
    observed: `After too many failures ${issuer} issues nothing for this name: ${quoted(message)}`,
    expected: "Somebody tells it that the cause is mended.",
    fix:
      helpUrl === undefined
        ? "Mend the other findings, then write to the operator of this service."
        : `Mend the other findings, then open ${helpUrl} and follow it. Afterwards choose Re-verify.`,
  }),
  ca_account_deactivated: ({ issuer, message }) => ({
    observed: `${issuer} has closed the account of this service: ${quoted(message)}`,
    expected: "An account that may order certificates.",
    fix: "Nothing is wrong with your domain. The operator of this service has to make a new account: petstore certs account replace",
  }),
  ca_terms_changed: ({ issuer, message, helpUrl }) => ({
    observed: `${issuer} has changed its terms and issues nothing until they are accepted: ${quoted(message)}`,
    expected: "The operator of this service has accepted the terms.",
    fix: `Nothing is wrong with your domain. The operator of this service has to ${
      helpUrl === undefined ? "read the new terms" : `open ${helpUrl} and follow it`
    }. If that is not enough, a new account accepts them: petstore certs account replace`,
  }),
  ca_account_refused: ({ issuer, message }) => ({
    observed: `${issuer} refuses the account of this service: ${quoted(message)}`,
    expected: "An account, and settings, that the certificate authority accepts.",
    fix: "Nothing is wrong with your domain. The operator of this service has to run petstore certs account show, and to check acme-email, acme-eab-kid and acme-eab-hmac-key.",
  }),
  validation_failed: ({ issuer, message }) => ({
    observed: `${issuer} looked at the domain and did not find this service: ${quoted(message)}`,
    expected: "The whole world reaches this service under the domain, by IPv4 and by IPv6.",
    fix: "Mend the other findings, if there are any; then choose Re-verify. If there are none, a firewall may let through only some countries: certificate authorities look from several.",
  }),
  ca_rate_limited: ({ issuer, message, until }) => ({
    observed: `${issuer} asks to wait: ${quoted(message)}`,
    expected: "The certificate is ordered when that is over.",
    fix:
      until === undefined
        ? "Nothing to do: it is tried again by itself."
        : `Nothing to do: it is tried again by itself at ${instant(until)}.`,
  }),
  ca_unavailable: ({ issuer, message, retryAt }) => ({
    observed: `${issuer} cannot be reached or does not work: ${quoted(message)}`,
    expected: "The certificate is ordered when it works again.",
    fix: `Nothing to do: it is tried again by itself${retryAt === undefined ? "" : ` at ${instant(retryAt)}`}.`,
  }),
  stalled_30m: ({ verifiedAt, message }) => ({
    observed: `The domain was verified at ${instant(verifiedAt)}, and there is no certificate yet.${
      message === undefined ? "" : ` The certificate authority said last: ${quoted(message)}`
    }`,
    expected: "A certificate within a couple of minutes.",
    fix: "Mend the other findings, if there are any, and choose Re-verify.",
  }),
  http01_unreachable: ({ url, message }) => ({
    observed: `Seen from here, ${clipped(url)} is not answered by this service: ${clipped(message)}.`,
    expected: "This service answers on port 80 and port 443.",
    fix: "If visitors arrive, nothing: a server often cannot reach its own public address. Else open port 80 in the firewall, and switch off whatever answers in its place.",
  }),
  redirect_loop_at_proxy: ({ hostname, network = "the proxy" }) => ({
    observed: `Asked for https://${hostname}/, ${network} sends visitors back to the same address, again and again.`,
    expected: "The proxy speaks HTTPS with this service.",
    fix:
      network === "Cloudflare"
        ? `In Cloudflare, open SSL/TLS and change the mode from "Flexible" to "Full (strict)".`
        : `Let ${network} connect to this service by HTTPS, not by plain HTTP.`,
  }),
  redirect_target_removed: ({ from, to }) => ({
    observed: `${from} redirects to ${to}, which was removed.`,
    expected: "It redirects to a domain of the project.",
    fix: `Choose another domain as target: petstore domains redirect ${from} TARGET`,
  }),
};

/** Of records that we saw. */
type CaaSeen = Exclude<FactsOf<"caa_forbids">, { readonly message: string }>;

function why({ reason, issuer }: CaaSeen): string {
  switch (reason) {
    case "other_issuer":
      return `do not name ${issuer}, and so forbid it to issue`;
    case "other_account":
      return `let ${issuer} issue to another account only`;
    case "other_method":
      return `let ${issuer} issue only by a way of validation that is not used here`;
    case "critical_tag":
      return "hold one that must be understood and is not";
    case "malformed":
      return `name ${issuer} in a way that cannot be read`;
    default:
      return reason satisfies never;
  }
}

function caaFix(facts: CaaSeen): string {
  const { reason, wanted } = facts;
  if (reason === "critical_tag") {
    return `${atProvider(wanted)}, delete the CAA record of ${facts.at} that is marked as critical and neither issue nor issuewild.`;
  }
  return `${adding(wanted)} Keep those that are there.`;
}
