import type { DomainView, DomainRecordView } from "./shapes.ts";
import { destinationUntil, isAllowed, type Domain } from "../model/domain.ts";
import { driftStage } from "../model/drift-facts.ts";
import { nextLookAt } from "../model/drift.ts";
import { statusOf } from "../model/domain-state.ts";
import { registrableOf, type PublicSuffixes, lookAlikeOf } from "../model/hostname.ts";
import { ownershipName } from "../model/ownership.ts";
import { providerFacts } from "../model/provider.ts";
import { wwwCounterpart } from "../model/redirects.ts";
import { nextCheckAt, nextTask } from "../model/schedule.ts";
import { targetName } from "../model/target.ts";
import type { TimelineEntry } from "../model/timeline.ts";
import { certificateOf } from "./certificate.ts";
import { findingsOf } from "./findings.ts";
import { headlineOf, type Reader } from "./headline.ts";
import type { ShownReport } from "./report.ts";
import { RECORD_TTL_SECONDS } from "../model/findings/text.ts";

/** Everything from which a domain is shown. */
export interface Shown {
  readonly domain: Domain;
  /** Slug of its project. */
  readonly project: string;
  /** Result of the last DNS check. */
  readonly report: ShownReport | undefined;
  /** Newest first. */
  readonly timeline: readonly TimelineEntry[];
  /** The project's domains, without removed ones, including this one. */
  readonly attached: readonly Domain[];
  readonly suffixes: PublicSuffixes;
  readonly cnameTarget: string;
  readonly now: number;
  /** Who reads it. */
  readonly readBy: Reader;
}

/** Builds the resource that callers see. */
export function viewOf(shown: Shown): DomainView {
  const { domain, project, timeline, attached, suffixes, now, readBy } = shown;
  const { id, name, unicode, role, dns, claim, hstsSeconds, addedAt } = domain;
  // A report from before the domain was added again names another ownership record.
  const report = dns.state === "unchecked" ? undefined : shown.report;
  const registrable = registrableOf(name, suffixes) ?? name;
  const label = name === registrable ? "@" : name.slice(0, -registrable.length - 1);
  const twin = wwwCounterpart(registrable, label);
  const target = role.kind === "redirect" ? attached.find(isNamed(role.to)) : undefined;
  const targetThere = role.kind === "primary" || target !== undefined;
  const leads = target !== undefined && now < destinationUntil(target);
  const findings = findingsOf(domain, report, { project, targetThere, readBy, now });
  const seenAt = seenAtOf(domain);
  return {
    id,
    domain: name,
    unicode,
    project,
    role: role.kind,
    redirectTo: role.kind === "redirect" ? role.to : null,
    redirectStatus: role.kind === "redirect" ? role.status : null,
    apex: report?.apex ?? label === "@",
    status: statusOf(domain, now),
    ...headlineOf(domain, findings, { leads, now, readBy }),
    nextCheckAt: checkAt(domain, now),
    dns: {
      state: driftStage(domain) ?? dns.state,
      findings,
      checkedAt: dns.checkedAt ?? null,
      seenAt,
      eta: dns.eta ?? null,
      provider: shownProvider(report),
    },
    certificate: certificateOf(domain, now),
    records:
      report?.records.map((one) => ({ ...one, checkedAt: checkedAtOf(one, domain, seenAt) })) ??
      firstRecords(shown, label),
    timeline: timeline.map(({ at, kind, code, message }) => ({
      at,
      kind,
      code: code ?? null,
      message: message ?? null,
    })),
    hstsSeconds,
    twin: twin === undefined || attached.some(isNamed(twin)) ? null : twin,
    lookAlike: lookAlikeOf(unicode) ?? null,
    claimUntil: claim?.until ?? null,
    addedAt,
  };
}

/** Returns when the name was last seen to lead here; null: never, or it is not known since when. */
function seenAtOf({ dns, look }: Domain): number | null {
  const found = [dns.passedAt, look?.foundAt].filter((at) => at !== undefined);
  return found.length === 0 ? null : Math.max(...found);
}

/** A look confirms the record that leads here; everything else is as old as the last check. */
function checkedAtOf(
  { purpose, state }: Pick<DomainRecordView, "purpose" | "state">,
  { dns }: Domain,
  seenAt: number | null,
): number | null {
  const { checkedAt = null } = dns;
  if (checkedAt === null || seenAt === null || purpose !== "routing" || state !== "found") {
    return checkedAt;
  }
  return Math.max(checkedAt, seenAt);
}

function isNamed(name: string): (domain: Domain) => boolean {
  return (domain) => domain.name === name;
}

function shownProvider({ provider: id }: Partial<ShownReport> = {}): DomainView["dns"]["provider"] {
  if (id === undefined) return null;
  const { name, help = null } = providerFacts(id);
  return { id, name, help };
}

/** Returns the records to enter, before the first check. */
function firstRecords({ domain, cnameTarget }: Shown, label: string): readonly DomainRecordView[] {
  const { name, targetLabel, ownershipToken, attachedBefore } = domain;
  const unseen = {
    ttl: RECORD_TTL_SECONDS,
    state: "unchecked",
    checkedAt: null,
    found: [],
  } as const;
  const routing: DomainRecordView = {
    purpose: "routing",
    required: true,
    type: label === "@" ? "ALIAS" : "CNAME",
    typeText: label === "@" ? "ALIAS (or ANAME)" : "CNAME",
    name: label,
    fqdn: name,
    value: targetName(targetLabel, cnameTarget),
    ...unseen,
  };
  if (!attachedBefore) return [routing];
  const zone = label === "@" ? name : name.slice(label.length + 1);
  const fqdn = ownershipName(name);
  const ownership: DomainRecordView = {
    purpose: "ownership",
    required: true,
    type: "TXT",
    typeText: "TXT",
    name: fqdn.slice(0, -zone.length - 1),
    fqdn,
    value: ownershipToken,
    ...unseen,
  };
  return [routing, ownership];
}

/** Returns when the next automatic DNS check is; earlier tasks, such as the next step of an order, do not count. */
function checkAt(domain: Domain, now: number): number | null {
  const task = nextTask(domain, now);
  if (task?.kind === "check") return task.at;
  if (driftStage(domain) !== undefined) return nextLookAt(domain) ?? null;
  const { removal, heldSince, gates, watch, dns } = domain;
  if (removal !== undefined || heldSince !== undefined || !isAllowed(gates)) return null;
  return nextCheckAt(watch, dns) ?? null;
}
