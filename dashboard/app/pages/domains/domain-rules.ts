import type { DomainFindingView, DomainView } from "../../../../lib/management/domain-view.ts";

/** What lies between adding a domain and seeing the site there, in this order. */
export const stages = ["asked", "verified", "certified", "tried", "live"] as const;
export type Stage = (typeof stages)[number];

/** `stuck`: nothing goes on before somebody did something. */
export type StageState = "done" | "current" | "stuck" | "ahead";

export interface Step {
  readonly stage: Stage;
  readonly state: StageState;
}

/**
 * How far a domain has come. Undefined where it is on no way: it was removed, waits for plan, deploy or owner, or has
 * been served before.
 */
export function progressOf(
  domain: Pick<DomainView, "status" | "dns" | "certificate" | "claimUntil">,
): readonly Step[] | undefined {
  const reached = reachedBy(domain);
  if (reached === undefined) return undefined;
  const stuck = domain.status === "attention";
  return stages.map((stage, index) => ({ stage, state: stateAt(index - reached, stuck) }));
}

function stateAt(distance: number, stuck: boolean): StageState {
  if (distance < 0) return "done";
  if (distance > 0) return "ahead";
  return stuck ? "stuck" : "current";
}

/** How many stages are done. */
function reachedBy({
  status,
  dns,
  certificate,
  claimUntil,
}: Parameters<typeof progressOf>[0]): number | undefined {
  switch (status) {
    case "removed":
      return undefined;
    case "checking":
      return 0;
    case "awaiting_dns":
      return 1;
    case "verified":
      return 2;
    case "issuing":
      return certificate.state === "active" ? 3 : 2;
    case "live":
      return stages.length;
    case "attention": {
      const served = certificate.state === "active" || certificate.state === "expired";
      if (served || claimUntil !== null || dns.state === "unchecked") return undefined;
      return dns.state === "verified" ? 2 : 1;
    }
    default:
      return status satisfies never;
  }
}

/** It was verified before: looking at it again is called otherwise. */
export function wasVerified({
  dns,
  certificate,
}: Pick<DomainView, "dns" | "certificate">): boolean {
  return dns.state === "verified" || certificate.state !== "none";
}

/** Something changes by itself soon. */
export function isUnderWay({ status }: Pick<DomainView, "status">): boolean {
  return status !== "live" && status !== "removed" && status !== "attention";
}

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

/** Where what was found can be mended, when that is not at the DNS provider. */
export interface Remedy {
  readonly kind: "plan" | "deploy" | "domains" | "authority";
  readonly href: string;
}

export function remedyOf(
  { code, data }: Pick<DomainFindingView, "code" | "data">,
  { accountId, project }: { readonly accountId: string; readonly project: string },
): Remedy | undefined {
  switch (code) {
    case "plan_required":
      return { kind: "plan", href: `/accounts/${accountId}` };
    case "deploy_required":
      return { kind: "deploy", href: `/projects/${project}` };
    case "redirect_target_removed":
      return { kind: "domains", href: `/projects/${project}/domains` };
    case "ca_paused":
    case "ca_terms_changed": {
      const page = data?.["helpUrl"];
      // It comes from the certificate authority: nothing but an address of the web is opened.
      const safe = typeof page === "string" && page.startsWith("https://");
      return safe ? { kind: "authority", href: page } : undefined;
    }
    default:
      return undefined;
  }
}

/** How long browsers can be told to insist on HTTPS, in seconds: to try, for a while, and as long as lists want it. */
const CHOICES: readonly number[] = [0, 300, 2_592_000, 5_184_000, 31_536_000, 63_072_000];

/** What there is to choose from, with what was set by other means. */
export function hstsChoices(current: number): readonly number[] {
  return [...new Set([...CHOICES, current])].toSorted((a, b) => a - b);
}

const KNOWN: Readonly<Record<string, string>> = {
  "acme-v02.api.letsencrypt.org": "Let’s Encrypt",
  "acme-staging-v02.api.letsencrypt.org": "Let’s Encrypt (staging)",
  "dv.acme-v02.api.pki.goog": "Google Trust Services",
  "acme.zerossl.com": "ZeroSSL",
};

/** What people call a certificate authority, by the address of its directory; else its host. */
export function issuerOf(directory: string): string {
  if (!URL.canParse(directory)) return directory;
  const { hostname } = new URL(directory);
  return KNOWN[hostname] ?? hostname;
}
