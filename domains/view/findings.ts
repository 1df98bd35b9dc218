import type { DomainFindingView } from "./shapes.ts";
import { GRACE_MS, type Domain } from "../model/domain.ts";
import { finding, inOrder, type Finding } from "../model/finding.ts";
import { caFinding } from "../model/order-failure.ts";
import { outsideFinding } from "../model/outside.ts";
import { isOverdue } from "../model/overdue.ts";
import { replacedAt } from "../model/renewal-due.ts";
import { PROJECT_RESTORE_MS } from "../../lib/publishing/model/project.ts";
import { withoutUndefined } from "../../lib/base/without-undefined.ts";
import { delayedUntil } from "../model/apply-order.ts";
import type { Reader } from "./headline.ts";
import { shown, type ShownReport } from "./report.ts";

/** Facts about a domain beyond its DNS, from which findings follow. */
export interface Circumstances {
  /** Slug of its project. */
  readonly project: string;
  /** The target of its redirect is a domain of the project; true if it does not redirect. */
  readonly targetThere: boolean;
  readonly readBy: Reader;
  readonly now: number;
}

/** Returns all findings about a domain: those of the DNS check and further ones. */
export function findingsOf(
  domain: Domain,
  report: ShownReport | undefined,
  circumstances: Circumstances,
): readonly DomainFindingView[] {
  const own = ownFindings(domain, circumstances).map(shown);
  const found = report?.findings ?? [];
  // Our own finding about CAA records is more precise than the CA's.
  const said = own.filter(({ code }) => code !== "caa_forbids" || !has(found, code));
  const seen = found.filter(({ code }) => !has(said, code));
  return inOrder([...said, ...seen]);
}

function has(findings: readonly DomainFindingView[], code: string): boolean {
  return findings.some((one) => one.code === code);
}

function ownFindings(domain: Domain, circumstances: Circumstances): readonly Finding[] {
  const { targetThere } = circumstances;
  const { name, role, claim, lostAt, issuance, heldSince, certificate } = domain;
  const found: Finding[] = [];
  if (claim !== undefined || lostAt !== undefined) found.push(finding("taken", { hostname: name }));
  found.push(...gateFindings(domain, circumstances), ...overdueFindings(domain, circumstances));
  if (role.kind === "redirect" && !targetThere) {
    found.push(finding("redirect_target_removed", { from: name, to: role.to }));
  }
  const { unservable } = certificate ?? {};
  if (unservable !== undefined) {
    found.push(finding("not_servable", { hostname: name, message: unservable.message }));
  }
  const { seen } = domain.outside ?? {};
  const unreached = seen === undefined ? undefined : outsideFinding(name, seen);
  if (unreached !== undefined) found.push(unreached);
  const failed = failureFinding(domain, circumstances.now);
  if (failed !== undefined) found.push(failed);
  if (issuance.stalledAt !== undefined && heldSince !== undefined && certificate === undefined) {
    const { failure } = issuance;
    found.push(
      finding("stalled_30m", {
        verifiedAt: heldSince,
        ...(failure === undefined ? {} : { message: failure.message }),
      }),
    );
  }
  return found;
}

/** Returns the findings about what the account and the project may have. */
function gateFindings(
  { name: hostname, accountId, gates, heldSince, removal }: Domain,
  { project, readBy, now }: Circumstances,
): readonly Finding[] {
  if (removal !== undefined) {
    if (removal.reason !== "project_gone") return [];
    return [finding("project_deleted", { hostname, project, since: removal.at, readBy })];
  }
  const { plan, deploy, suspended, deletedAt, lapsedAt } = gates;
  const found: Finding[] = [];
  if (suspended === true) {
    found.push(
      finding("account_suspended", {
        ...{ hostname, accountId, readBy },
        ...withoutUndefined({ since: lapsedAt }),
      }),
    );
  } else if (!plan) {
    // After a downgrade, the domain is served for some more days.
    const until = lapsedAt === undefined ? 0 : lapsedAt + GRACE_MS;
    const isServed = now < until && deploy;
    const facts = { plan: "Free", readBy, ...(isServed ? { hostname, until } : {}) };
    found.push(finding("plan_required", facts, { severity: isServed ? "warning" : "blocking" }));
  }
  if (deletedAt !== undefined) {
    const restorableUntil = deletedAt + PROJECT_RESTORE_MS;
    const facts = { hostname, project, since: deletedAt, restorableUntil, readBy };
    found.push(finding("project_deleted", facts));
  } else if (!deploy) {
    const facts = heldSince === undefined ? { project } : { project, hostname };
    found.push(finding("deploy_required", facts));
  }
  return found;
}

/** Returns the finding about a certificate that should have been replaced. */
function overdueFindings(
  domain: Domain,
  { readBy, now }: Pick<Circumstances, "readBy" | "now">,
): readonly Finding[] {
  const { name: hostname, certificate, issuance } = domain;
  if (certificate === undefined || !isOverdue(domain, now)) return [];
  const { notAfter: until } = certificate;
  const { failure } = issuance;
  return [
    finding("overdue", {
      ...{ hostname, since: replacedAt(certificate), until, expired: now >= until, readBy },
      ...withoutUndefined({
        retryAt: delayedUntil(issuance, now),
        message: failure?.message,
      }),
    }),
  ];
}

const ISSUER = "The certificate authority";

/** Returns the finding about the CA's last refusal. */
function failureFinding({ issuance: { failure } }: Domain, now: number): Finding | undefined {
  if (failure === undefined) return undefined;
  const { code, message, until = now } = failure;
  return caFinding(code, { issuer: ISSUER, message, ...(until > now && { until }) });
}
