import type { Finding } from "../model/finding.ts";
import { isProvider, type ProviderId } from "../model/provider.ts";
import type { RecordRow } from "../model/records.ts";
import type { Verification } from "../model/verification.ts";
import type { DomainFindingView, DomainRecordView } from "./shapes.ts";

/** Result of a DNS check, as stored and shown. */
export interface ShownReport {
  /** The name is the root of a zone. */
  readonly apex: boolean;
  /** Most important first. */
  readonly findings: readonly DomainFindingView[];
  readonly records: readonly ReportedRecord[];
  /** Operator of the name servers; absent if unknown. */
  readonly provider?: ProviderId;
}

/** A record without the time, which the domain has. */
export type ReportedRecord = Omit<DomainRecordView, "checkedAt">;

/** The most present records that are shown per record: other servers decide how many there are. */
const MAX_FOUND = 20;

/** Builds the report of a verification. */
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

export function shownRecord({ found, ...record }: RecordRow): ReportedRecord {
  return {
    ...record,
    found: found
      .slice(0, MAX_FOUND)
      .map(({ server, type, value, ttlSeconds }) => ({ server, type, value, ttl: ttlSeconds })),
  };
}

/** Shows a finding with its texts and data. */
export function shown(finding: Finding): DomainFindingView {
  const { code, severity, observed, expected, fix, server = null } = finding;
  return { code, severity, observed, expected, fix, server, data: dataOf(finding) };
}

/** Parses the stored report; undefined if there is none, or if an incompatible version wrote it. */
export function readReport(kept: string | undefined): ShownReport | undefined {
  if (kept === undefined) return undefined;
  const report: unknown = JSON.parse(kept);
  if (!isReport(report)) return undefined;
  // Earlier versions stored no data.
  const findings = report.findings.map((finding) => ({ ...finding, data: finding.data ?? null }));
  const { apex, records, provider } = report;
  // A later version may know more providers.
  const known = provider !== undefined && isProvider(provider) ? { provider } : {};
  return { apex, findings, records, ...known };
}

/** Checks just enough to recognize the report of another version. */
function isReport(report: unknown): report is ShownReport {
  if (typeof report !== "object" || report === null) return false;
  const { apex, findings, records }: Readonly<Record<string, unknown>> = { ...report };
  return typeof apex === "boolean" && Array.isArray(findings) && Array.isArray(records);
}

/** The most items of a list in data: other servers decide its length. */
const MAX_ITEMS = 20;
/** Longest text in data, in UTF-16 code units. */
const MAX_TEXT = 1_000;

/** Returns the facts of a finding as plain data, with bounded lists and texts. */
function dataOf({ facts }: Pick<Finding, "facts">): NonNullable<DomainFindingView["data"]> {
  return Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, bounded(fact)]));
}

function bounded(fact: unknown): unknown {
  if (Array.isArray(fact)) return fact.slice(0, MAX_ITEMS).map(bounded);
  if (typeof fact === "string") return fact.slice(0, MAX_TEXT);
  if (typeof fact !== "object" || fact === null) return fact;
  return Object.fromEntries(Object.entries(fact).map(([name, inner]) => [name, bounded(inner)]));
}
