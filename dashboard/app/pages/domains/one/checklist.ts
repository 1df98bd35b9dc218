import type { DomainView } from "../../../../../lib/management/domain-view.ts";

export type Verdict = "ok" | "no" | "unknown";

/** What is looked at when a certificate does not come. */
export interface Check {
  readonly point: "verifies" | "caa" | "authority";
  readonly verdict: Verdict;
}

/** Each point of the list, answered by what was seen last. */
export function checklistOf({
  dns,
  certificate,
}: Pick<DomainView, "dns" | "certificate">): readonly Check[] {
  const has = (code: string): boolean => dns.findings.some((finding) => finding.code === code);
  return [
    { point: "verifies", verdict: VERIFIES[dns.state] },
    { point: "caa", verdict: has("caa_forbids") ? "no" : has("caa_error") ? "unknown" : "ok" },
    { point: "authority", verdict: certificate.reason === null ? "ok" : "no" },
  ];
}

const VERIFIES: Readonly<Record<DomainView["dns"]["state"], Verdict>> = {
  verified: "ok",
  // The right records are there: old answers do not keep the authority from them.
  propagating: "ok",
  blocked: "no",
  unknown: "unknown",
  unchecked: "unknown",
};
