import type { Finding } from "../model/finding.ts";
import { findingCodes, type FindingCode } from "../model/finding-facts.ts";
import type { ParsedHostname } from "../model/hostname.ts";
import { providerFacts, type ProviderId } from "../model/provider.ts";
import type { RecordRow } from "../model/records.ts";
import type { Survey } from "../model/survey.ts";
import { verify, type DomainFacts, type Verification } from "../model/verification.ts";

/** Shown in place of record values, which are generated when the domain is added. */
const SHOWN_WHEN_ADDED = "(shown when the domain is added)";

/** What has to be done before a name could be served, determined without adding it. */
export interface Explanation extends Omit<ParsedHostname, "lookAlike"> {
  readonly lookAlike?: ParsedHostname["lookAlike"];
  /** The zone of its records; undefined if unknown. */
  readonly zone?: string;
  /** Sorted. */
  readonly nameServers: readonly string[];
  readonly provider?: { readonly id: ProviderId; readonly name: string; readonly help?: string };
  readonly headline: string;
  /** Findings that would remain with correct records: CAA, signatures, name servers and so on. */
  readonly obstacles: readonly Finding[];
  /** Findings about the name's own records. */
  readonly changes: readonly Finding[];
  /** The records to enter. */
  readonly records: readonly RecordRow[];
}

export type ExplanationFacts = Pick<DomainFacts, "edgeAddresses" | "issuers">;

/**
 * Judges a survey of a name that has not been added, taken with any name in our target zone as its target. Reports
 * everything that verification would, before any record is changed.
 */
export function explain(
  parsed: ParsedHostname,
  survey: Survey,
  facts: ExplanationFacts,
): Explanation {
  const judged = (reasons: DomainFacts["ownership"]["reasons"]): Verification =>
    verify(survey, {
      ...facts,
      registrable: parsed.registrable,
      ownership: { value: SHOWN_WHEN_ADDED, reasons },
      shownTarget: SHOWN_WHEN_ADDED,
    });
  const first = judged([]);
  // Ownership of a name that already points here must be proven.
  const verification = first.leadsHere ? judged(["led_here_when_added"]) : first;
  const relevant = verification.findings.filter(({ severity }) => severity !== "ok");
  const obstacles = relevant.filter(({ code }) => !RECORD_FINDINGS.has(code));
  const changes = relevant.filter(({ code }) => RECORD_FINDINGS.has(code));
  const zone = survey.zone.kind === "found" ? survey.zone.zone : undefined;
  const { provider } = verification;
  return {
    ...parsed,
    ...(zone !== undefined && { zone: zone.apex }),
    nameServers: zone?.nameServers ?? [],
    ...(provider !== undefined && { provider: described(provider) }),
    headline: headlineOf(parsed, { obstacles, changes }, survey),
    obstacles,
    changes,
    records: verification.records,
  };
}

/** Findings that the wanted record resolves or replaces. */
const RECORD_FINDINGS: ReadonlySet<FindingCode> = new Set<FindingCode>([
  "no_record",
  "name_doubled",
  "cname_mismatch",
  "cname_loop",
  "cname_too_long",
  "cname_coexists",
  "conflicting_a",
  "conflicting_aaaa",
  "extra_address",
  "aaaa_elsewhere",
  "proxied",
  "wildcard_match",
  "ownership_missing",
  "ownership_mismatch",
]);

/** A problem other than a missing record. */
function isConflict({ code, severity }: Finding): boolean {
  return severity === "blocking" && code !== "no_record" && code !== "ownership_missing";
}

function described(id: ProviderId): NonNullable<Explanation["provider"]> {
  const { name, help } = providerFacts(id);
  return { id, name, ...(help !== undefined && { help }) };
}

function headlineOf(
  { hostname }: ParsedHostname,
  { obstacles, changes }: Pick<Explanation, "obstacles" | "changes">,
  { zone }: Pick<Survey, "zone">,
): string {
  const blocking = obstacles.filter(({ severity }) => severity === "blocking");
  const [first] = blocking;
  if (first === undefined && zone.kind === "unknown") {
    return `The DNS of ${hostname} could not be queried, so nothing is known about it yet.`;
  }
  if (first === undefined) {
    return changes.some(isConflict)
      ? `${hostname} will work once its records are changed as described below.`
      : `${hostname} will work with the records below.`;
  }
  const others = blocking.length === 1 ? "" : `, and ${blocking.length - 1} more`;
  return `${hostname} has a problem to fix first: ${findingCodes[first.code].title}${others}.`;
}
