import { remedyOf, type AuthorityProblem, type AuthorityProblemCode } from "./acme-problem.ts";
import type { FailureClass } from "./backoff.ts";
import type { OutcomeOf } from "./domain-outcome.ts";

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
