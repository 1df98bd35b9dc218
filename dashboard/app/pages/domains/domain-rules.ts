import type { Words } from "../../../../domains/view/texts.ts";
import type { ProjectView } from "../../../../lib/publishing/shapes/projects.ts";
import type { DomainFindingView, DomainView } from "../../../../domains/view/shapes.ts";

/** Returns the address of a live domain, with the HTTPS port of the server if it has another one, as on a laptop. */
export function visitAddress(
  { domain }: Pick<DomainView, "domain">,
  { url }: Pick<ProjectView, "url">,
): string {
  const { protocol, port } = new URL(url);
  return `https://${domain}${protocol === "https:" && port !== "" ? `:${port}` : ""}`;
}

/** The stages from adding a domain to serving the site there. */
export const stages = ["asked", "verified", "certified", "tried", "live"] as const;
export type Stage = (typeof stages)[number];

/** `stuck` needs an action by the user. */
export type StageState = "done" | "current" | "stuck" | "ahead";

export interface Step {
  readonly stage: Stage;
  readonly state: StageState;
}

/**
 * Returns a domain's progress. Undefined without progress to show: it was removed or served before, or waits for a plan,
 * a deploy or its owner.
 */
export function progressOf(
  domain: Pick<DomainView, "status" | "dns" | "certificate" | "claimUntil">,
): readonly Step[] | undefined {
  const reached = stagesDone(domain);
  if (reached === undefined) return undefined;
  const stuck = domain.status === "attention";
  return stages.map((stage, index) => ({ stage, state: stateAt(index - reached, stuck) }));
}

function stateAt(distance: number, stuck: boolean): StageState {
  if (distance < 0) return "done";
  if (distance > 0) return "ahead";
  return stuck ? "stuck" : "current";
}

/** Returns the number of completed stages. */
function stagesDone({
  status,
  dns,
  certificate,
  claimUntil,
}: Parameters<typeof progressOf>[0]): number | undefined {
  const queried = dns.state === "unknown" ? 0 : 1;
  switch (status) {
    case "removed":
      return undefined;
    case "checking":
      return 0;
    case "awaiting_dns":
      return queried;
    case "verified":
      return 2;
    case "issuing":
      return certificate.state === "active" ? 3 : 2;
    case "live":
      return stages.length;
    case "attention": {
      const served = certificate.state === "active" || certificate.state === "expired";
      if (served || claimUntil !== null || dns.state === "unchecked") return undefined;
      return dns.state === "verified" ? 2 : queried;
    }
    default:
      return status satisfies never;
  }
}

/** Returns true for a domain that has been verified before. */
export function wasVerified({
  dns,
  certificate,
}: Pick<DomainView, "dns" | "certificate">): boolean {
  return dns.state === "verified" || certificate.state !== "none";
}

/** Returns true if the status will change without an action by the user. */
export function isInProgress({ status }: Pick<DomainView, "status">): boolean {
  return status !== "live" && status !== "removed" && status !== "attention";
}

export type Verdict = "ok" | "no" | "unknown";

/** A usual cause of a missing certificate. */
export interface Check {
  readonly point: "verifies" | "caa" | "authority";
  readonly verdict: Verdict;
}

/** Checks each usual cause against the latest findings. */
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
  // The records are correct; cached answers do not affect the certificate authority.
  propagating: "ok",
  blocked: "no",
  drifting: "no",
  moved: "no",
  unknown: "unknown",
  unchecked: "unknown",
};

/** Where to fix a finding outside the DNS provider. */
export interface Remedy {
  readonly kind: "plan" | "deploy" | "domains";
  readonly href: string;
}

export function remedyOf(
  { code }: Pick<DomainFindingView, "code">,
  { accountId, slug }: Pick<ProjectView, "accountId" | "slug">,
): Remedy | undefined {
  switch (code) {
    case "plan_required":
      return { kind: "plan", href: `/accounts/${accountId}` };
    case "deploy_required":
      return { kind: "deploy", href: `/projects/${slug}` };
    case "redirect_target_removed":
      return { kind: "domains", href: `/projects/${slug}/domains` };
    default:
      return undefined;
  }
}

/** HSTS durations in seconds: for a test, for a while, and long enough for preload lists. */
const CHOICES: readonly number[] = [0, 300, 2_592_000, 5_184_000, 31_536_000, 63_072_000];

/** Returns the HSTS choices, including the current value. */
export function hstsChoices(current: number): readonly number[] {
  return [...new Set([...CHOICES, current])].toSorted((a, b) => a - b);
}

const KNOWN: Readonly<Record<string, string>> = {
  "acme-v02.api.letsencrypt.org": "Let’s Encrypt",
  "acme-staging-v02.api.letsencrypt.org": "Let’s Encrypt (staging)",
  "dv.acme-v02.api.pki.goog": "Google Trust Services",
  "acme.zerossl.com": "ZeroSSL",
};

/** Returns the name of a certificate authority by its directory's address, or its host if unknown. */
export function issuerName(directory: string): string {
  if (!URL.canParse(directory)) return directory;
  const { hostname } = new URL(directory);
  return KNOWN[hostname] ?? hostname;
}

/** What was found, and which servers reported it. */
export interface Observation {
  readonly observed: string;
  readonly server: string | null;
}

/** Findings that differ only in what was observed. */
export interface FindingGroup extends Omit<Words, "observed"> {
  /** The first finding of the group. */
  readonly finding: DomainFindingView;
  /** What was seen, with at least one observation. */
  readonly seen: readonly Observation[];
}

/**
 * Groups findings, in their order. Keeps each instruction once: leaves out sentences of a fix that occur in `shown` or in
 * an earlier group.
 */
export function groupFindings(
  findings: readonly DomainFindingView[],
  textOf: (finding: DomainFindingView) => Words,
  shown = "",
): readonly FindingGroup[] {
  const all = new Map<string, FindingGroup>();
  for (const finding of findings) {
    const { observed, expected, fix } = textOf(finding);
    const key = JSON.stringify([finding.code, finding.severity, expected, fix]);
    const known = all.get(key) ?? { finding, expected, fix, seen: [] };
    all.set(key, { ...known, seen: [...known.seen, { observed, server: finding.server }] });
  }
  const present = new Set(sentencesOf(shown));
  return [...all.values()].map((one) => {
    const sentences = sentencesOf(one.fix);
    const left = sentences.filter((sentence) => !present.has(sentence));
    for (const sentence of left) present.add(sentence);
    return left.length === sentences.length ? one : { ...one, fix: left.join(" ") };
  });
}

function sentencesOf(text: string): readonly string[] {
  return text.split(/(?<=[.!?])\s+/).filter((sentence) => sentence !== "");
}
