import {
  messageForOwners,
  remedyOf,
  type AuthorityProblem,
  type AuthorityProblemCode,
} from "./acme-problem.ts";
import type { FailureClass } from "./backoff.ts";
import type { OutcomeOf } from "./domain-outcome.ts";
import { finding, type Finding } from "./finding.ts";
import { withoutUndefined } from "../../lib/base/without-undefined.ts";

/** The finding code of a problem where it is not `ca_` and the problem's code. */
const CODES: Readonly<Partial<Record<AuthorityProblemCode, string>>> = {
  caa: "caa_forbids",
  dns: "validation_failed",
  connection: "validation_failed",
  tls: "validation_failed",
  wrong_answer: "validation_failed",
  name_refused: "ca_rejected_name",
  key_refused: "ca_account_refused",
  external_account_required: "ca_account_refused",
  contact_refused: "ca_account_refused",
};

function codeOf(code: AuthorityProblemCode): string {
  return CODES[code] ?? `ca_${code}`;
}

/** What a CA said, as far as a finding repeats it. `issuer` is the CA's name for people. */
export interface CaStatement {
  readonly issuer: string;
  readonly message: string;
  readonly until?: number | undefined;
  readonly helpUrl?: string | undefined;
}

/** The finding for a CA's refusal, by its code. A code that the owner can do nothing about becomes `ca_unavailable`. */
export function caFinding(code: string, { issuer, message, until, helpUrl }: CaStatement): Finding {
  const said = { issuer, message };
  switch (code) {
    case "ca_rate_limited":
      return finding(code, { ...said, ...(until !== undefined && { until }) });
    case "ca_terms_changed":
      return finding(code, { ...said, ...(helpUrl !== undefined && { helpUrl }) });
    case "ca_paused":
    case "ca_rejected_name":
    case "caa_forbids":
    case "validation_failed":
    case "ca_account_deactivated":
    case "ca_account_refused":
      return finding(code, said);
    default:
      return finding("ca_unavailable", { ...said, ...(until !== undefined && { retryAt: until }) });
  }
}

/** The finding for a CA's refusal. `issuer` is the CA's name for people. */
export function findingOfProblem(
  issuer: string,
  { code, message, retryAt: until, helpUrl }: AuthorityProblem,
): Finding {
  return caFinding(codeOf(code), { issuer, message, until, helpUrl });
}

const VALIDATION: readonly AuthorityProblemCode[] = ["dns", "connection", "tls", "wrong_answer"];

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
    case "none":
      return "refused";
  }
}

/** Failure codes that only the operator can resolve. Earlier versions wrote the last three. */
const OPERATORS: readonly string[] = [
  "ca_account_deactivated",
  "ca_account_refused",
  "ca_terms_changed",
  "ca_key_refused",
  "ca_external_account_required",
  "ca_contact_refused",
];

/** Reports whether an order that failed with this code waits for the operator. */
export function waitsForOperator(code: string): boolean {
  return OPERATORS.includes(code);
}

/** The outcome of an order that the CA refused, in words for the owner. */
export function failureBy(problem: AuthorityProblem): OutcomeOf<"order_failed"> {
  const { code, retryAt } = problem;
  return {
    kind: "order_failed",
    failure: failureClassOf(code),
    code: codeOf(code),
    message: messageForOwners(problem),
    ...withoutUndefined({ until: retryAt }),
  };
}
