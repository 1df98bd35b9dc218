import { inOrder, type Finding } from "./finding.ts";
import { type FindingCode, findingCodes } from "./finding-facts.ts";
import type { ProviderId } from "./provider.ts";
import { recordRows, type RecordRow } from "./records.ts";
import type { Survey } from "./survey.ts";
import { judgeCaa, type Permissions } from "./verification/caa.ts";
import { judgeOwnership, type Ownership } from "./verification/ownership.ts";
import { judgeRouting, type Routing } from "./verification/routing.ts";
import { judgeServers } from "./verification/servers.ts";
import { subjectOf, type DomainFacts } from "./verification/subject.ts";
import { leadsHere, observationsOf } from "./verification/observation.ts";

export type { DomainFacts, Issuer } from "./verification/subject.ts";

/**
 * `verified`: a certificate can be ordered. `propagating`: the records are correct, but not all servers have them
 * yet. `blocked`: something has to be changed. `unknown`: too little could be learned.
 */
export type VerificationState = "verified" | "blocked" | "unknown" | "propagating";

/** The judgement of a survey. */
export interface Verification {
  readonly state: VerificationState;
  /** Blocking findings first, then warnings, then findings that are `ok`. */
  readonly findings: readonly Finding[];
  readonly records: readonly RecordRow[];
  /** The state in one sentence. */
  readonly headline: string;
  /** The next thing to do; empty if there is nothing. */
  readonly nextAction: string;
  /** When the last cached old answer expires. */
  readonly eta?: number;
  /** The name is a zone apex: by delegation, or by registration if the zone was not found. */
  readonly apex: boolean;
  /** True if at least one server or resolver sees the name point to this service, whether or not that suffices. */
  readonly leadsHere: boolean;
  /** The state of the ownership record, and why it is required. */
  readonly ownership: Pick<Ownership, "reasons" | "state">;
  /** What CAA permits each issuer, in order of preference. */
  readonly issuers: Permissions["issuers"];
  readonly provider?: ProviderId;
}

/** Judges a survey. Missing answers are never treated as wrong records. */
export function verify(survey: Survey, facts: DomainFacts): Verification {
  const subject = subjectOf(survey, facts);
  const observations = observationsOf(subject);
  const all = [...observations.authorities, ...observations.resolvers];
  const routing = judgeRouting(subject, observations);
  const ownership = judgeOwnership(subject, observations, routing);
  const caa = judgeCaa(subject, routing);
  const servers = judgeServers(subject, observations);
  const seen = [...routing.findings, ...ownership.findings, ...caa.findings];
  const findings = inOrder([
    ...servers,
    // Missing answers with a common cause are reported once.
    ...seen.filter(
      ({ code }) =>
        !(UNASKED.has(code) && servers.some((one) => isRootCause(one.code))) &&
        !(code === "caa_error" && routing.findings.some((one) => isEndless(one.code))),
    ),
  ]);
  const state = stateOf(findings, { routing, ownership, caa });
  const { provider } = subject;
  const etas = [routing.eta, caa.eta].filter((eta) => eta !== undefined);
  return {
    state,
    findings,
    records: recordRows(subject, observations, { routing, ownership }),
    ...headlineOf(state, findings, survey),
    ...(etas.length > 0 && { eta: Math.max(...etas) }),
    apex: subject.apex,
    leadsHere: all.some((observation) => leadsHere(observation, subject)),
    ownership: { reasons: ownership.reasons, state: ownership.state },
    issuers: caa.issuers,
    ...(provider !== undefined && { provider }),
  };
}

const UNASKED: ReadonlySet<FindingCode> = new Set<FindingCode>(["caa_error", "dns_unreachable"]);

/** CNAME records that lead to no end stop the lookup of CAA records, too. */
function isEndless(code: FindingCode): boolean {
  return code === "cname_loop" || code === "cname_too_long";
}

function isRootCause(code: FindingCode): boolean {
  return code === "delegation_broken" || code === "resolver_unreachable";
}

function stateOf(
  findings: readonly Finding[],
  {
    routing,
    ownership,
    caa,
  }: { readonly routing: Routing; readonly ownership: Ownership; readonly caa: Permissions },
): VerificationState {
  const blocking = findings.filter(({ severity }) => severity === "blocking");
  // A disagreement between servers resolves itself as changes are copied.
  if (blocking.some(({ code }) => code !== "ns_disagree")) return "blocked";
  if (ownership.readiness === "unknown" || caa.readiness === "unknown") return "unknown";
  if (routing.readiness === "unknown") return "unknown";
  const settling = routing.readiness === "settling" || ownership.readiness === "settling";
  return settling || blocking.length > 0 ? "propagating" : "verified";
}

function headlineOf(
  state: "verified" | "blocked" | "unknown" | "propagating",
  findings: readonly Finding[],
  { hostname }: Survey,
): { readonly headline: string; readonly nextAction: string } {
  const first = findings.find(({ severity }) => severity !== "ok");
  switch (state) {
    case "verified":
      return {
        headline: findings.some(({ code }) => code === "dnssec_unchecked")
          ? `${hostname} points to this service. Its DNSSEC signatures were not checked.`
          : `${hostname} points to this service.`,
        nextAction: "",
      };
    case "propagating":
      return {
        headline: `The record of ${hostname} is correct but has not reached all servers yet.`,
        nextAction: "Nothing to do: checks continue automatically.",
      };
    case "unknown":
      return {
        headline: `It is not known where ${hostname} points.`,
        nextAction: "Nothing to change: checks continue automatically.",
      };
    case "blocked":
      return {
        headline: `${hostname}: ${first === undefined ? "something is wrong" : lowerFirst(findingCodes[first.code].title)}.`,
        nextAction: first?.fix ?? "",
      };
    default:
      return state satisfies never;
  }
}

function lowerFirst(text: string): string {
  // Keeps acronyms such as "CNAME".
  return /^[A-Z][a-z ]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
