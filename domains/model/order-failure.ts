import { remedyOf, type AuthorityProblem, type AuthorityProblemCode } from "./acme-problem.ts";
import type { FailureClass } from "./backoff.ts";
import type { OutcomeOf } from "./domain-outcome.ts";
import { finding, type Finding } from "./finding.ts";

/** Findings that owners know, for what a CA says. Others keep the name that they have. */
const FINDINGS: Readonly<Partial<Record<AuthorityProblemCode, string>>> = {
  caa: "caa_forbids",
  dns: "validation_failed",
  connection: "validation_failed",
  tls: "validation_failed",
  wrong_answer: "validation_failed",
  name_refused: "ca_rejected_name",
  paused: "ca_paused",
  rate_limited: "ca_rate_limited",
  unavailable: "ca_unavailable",
  key_refused: "ca_account_refused",
  external_account_required: "ca_account_refused",
  contact_refused: "ca_account_refused",
};

const VALIDATION: readonly AuthorityProblemCode[] = ["dns", "connection", "tls", "wrong_answer"];

/** What a refusal of the CA means for the next order. */
function failureClassOf(code: AuthorityProblemCode): FailureClass {
  if (code === "rate_limited") return "rate_limited";
  if (code === "certificate_unusable") return "unusable";
  if (VALIDATION.includes(code) || code === "caa") return "validation";
  switch (remedyOf(code)) {
    case "wait":
      return "outage";
    case "restart":
    case "relax":
      return "restart";
    case "renew_account":
      return "account";
    case "operator":
      return "operator";
    case "owner":
    case "nobody":
      return "refused";
  }
}

/** Codes of failures that wait for the operator; the last three were written by older versions. */
const OPERATORS: readonly string[] = [
  "ca_account_deactivated",
  "ca_account_refused",
  "ca_terms_changed",
  "ca_key_refused",
  "ca_external_account_required",
  "ca_contact_refused",
];

/** Whether an order that failed with that code waits for the operator. */
export function waitsForOperator(code: string): boolean {
  return OPERATORS.includes(code);
}

/** The end of an order by what the CA said. */
export function failureBy(problem: AuthorityProblem): OutcomeOf<"order_failed"> {
  const { code, message, retryAt, helpUrl } = problem;
  return {
    kind: "order_failed",
    failure: failureClassOf(code),
    code: FINDINGS[code] ?? `ca_${code}`,
    message,
    ...(retryAt === undefined ? {} : { until: retryAt }),
    ...(helpUrl === undefined ? {} : { helpUrl }),
  };
}

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
