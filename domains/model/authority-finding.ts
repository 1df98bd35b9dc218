import type { AuthorityProblem } from "./acme-problem.ts";
import { finding, type Finding } from "./finding.ts";

/** What a refusal by a certificate authority means for the owner of the domain; `issuer` is its name for people. */
export function findingOfProblem(issuer: string, problem: AuthorityProblem): Finding {
  const { code, message, retryAt, helpUrl } = problem;
  switch (code) {
    case "rate_limited":
      return finding("ca_rate_limited", {
        issuer,
        message,
        ...(retryAt !== undefined && { until: retryAt }),
      });
    case "name_refused":
      return finding("ca_rejected_name", { issuer, message });
    case "paused":
      return finding("ca_paused", { issuer, message, ...(helpUrl !== undefined && { helpUrl }) });
    case "caa":
      return finding("caa_forbids", { issuer, message });
    case "dns":
    case "connection":
    case "tls":
    case "wrong_answer":
      return finding("validation_failed", { issuer, message });
    case "account_deactivated":
      return finding("ca_account_deactivated", { issuer, message });
    case "terms_changed":
      return finding("ca_terms_changed", {
        issuer,
        message,
        ...(helpUrl !== undefined && { helpUrl }),
      });
    case "account_refused":
    case "key_refused":
    case "external_account_required":
    case "contact_refused":
      return finding("ca_account_refused", { issuer, message });
    case "unavailable":
    case "account_unknown":
    case "order_gone":
    case "order_not_ready":
    case "profile_refused":
    case "replaces_refused":
    case "already_revoked":
    case "csr_refused":
    case "certificate_unusable":
    case "bad_request":
      // Between us and the authority: nothing that the owner could mend.
      return finding("ca_unavailable", {
        issuer,
        message,
        ...(retryAt !== undefined && { retryAt }),
      });
    default:
      return code satisfies never;
  }
}
