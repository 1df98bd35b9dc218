import type { Finding } from "../model/finding.ts";
import { isProvider, type ProviderId } from "../model/provider.ts";
import type { RecordRow } from "../model/records.ts";
import type { Verification } from "../model/verification.ts";
import type { DomainFindingView, DomainRecordView } from "./shapes.ts";

/** What a look at the DNS found, as it is kept and shown. */
export interface ShownReport {
  /** The name is the head of a zone. */
  readonly apex: boolean;
  /** What matters most comes first. */
  readonly findings: readonly DomainFindingView[];
  readonly records: readonly DomainRecordView[];
  /** Whose the name servers are; absent when that is not known. */
  readonly provider?: ProviderId;
}

/** Of what is found at a name, so much is shown of each record: strangers' servers decide how much there is. */
const MAX_FOUND = 20;

/** A verification as it is shown. */
export function reportOf(
  { findings, records, provider }: Pick<Verification, "findings" | "records" | "provider">,
  apex: boolean,
): ShownReport {
  return {
    apex,
    findings: findings.map(shown),
    records: records.map(shownRecord),
    ...(provider === undefined ? {} : { provider }),
  };
}

export function shownRecord({ found, ...record }: RecordRow): DomainRecordView {
  return {
    ...record,
    found: found
      .slice(0, MAX_FOUND)
      .map(({ server, type, value, ttlSeconds }) => ({ server, type, value, ttl: ttlSeconds })),
  };
}

/** A finding as it is shown: its texts, and what they are made of. */
export function shown(finding: Finding): DomainFindingView {
  const { code, severity, observed, expected, fix, server = null } = finding;
  return { code, severity, observed, expected, fix, server, data: dataOf(finding) };
}

/** What was kept of the last look; undefined when there is none, or it is of a version that wrote something else. */
export function readReport(kept: string | undefined): ShownReport | undefined {
  if (kept === undefined) return undefined;
  const report: unknown = JSON.parse(kept);
  if (!isReport(report)) return undefined;
  // Versions before wrote no data.
  const findings = report.findings.map((finding) => ({ ...finding, data: finding.data ?? null }));
  const { apex, records, provider } = report;
  // Nor is what a later version knows known here.
  const known = provider !== undefined && isProvider(provider) ? { provider } : {};
  return { apex, findings, records, ...known };
}

/** Written by ourselves: enough is looked at to tell it from what another version wrote. */
function isReport(report: unknown): report is ShownReport {
  if (typeof report !== "object" || report === null) return false;
  const { apex, findings, records }: Readonly<Record<string, unknown>> = { ...report };
  return typeof apex === "boolean" && Array.isArray(findings) && Array.isArray(records);
}

/** Of a list so many are shown: strangers' servers decide how long it is. */
const MAX_ITEMS = 20;
/** Texts are names, values of records and the words of a CA: what is longer tells nobody more. */
const MAX_TEXT = 1_000;

/** What a finding is made of, as plain data: its facts, of no list more than the first few, no text without end. */
function dataOf({ facts }: Pick<Finding, "facts">): NonNullable<DomainFindingView["data"]> {
  return Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, bounded(fact)]));
}

function bounded(fact: unknown): unknown {
  if (Array.isArray(fact)) return fact.slice(0, MAX_ITEMS).map(bounded);
  if (typeof fact === "string") return fact.slice(0, MAX_TEXT);
  if (typeof fact !== "object" || fact === null) return fact;
  return Object.fromEntries(Object.entries(fact).map(([name, inner]) => [name, bounded(inner)]));
}
