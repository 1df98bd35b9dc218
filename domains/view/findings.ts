import type { DomainFindingView } from "./shapes.ts";
import { GRACE_MS, type Domain } from "../model/domain.ts";
import { finding, inOrder, type Finding } from "../model/finding.ts";
import { caFinding } from "../model/order-failure.ts";
import { outsideFinding } from "../model/outside.ts";
import { shown, type ShownReport } from "./report.ts";

/** Facts about a domain beyond its DNS, from which findings follow. */
export interface Circumstances {
  /** Slug of its project. */
  readonly project: string;
  /** The target of its redirect is a domain of the project; true if it does not redirect. */
  readonly targetThere: boolean;
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

function ownFindings(domain: Domain, { project, targetThere }: Circumstances): readonly Finding[] {
  const { name, role, gates, claim, lostAt, issuance, heldSince, certificate } = domain;
  const found: Finding[] = [];
  if (claim !== undefined || lostAt !== undefined) found.push(finding("taken", { hostname: name }));
  if (!gates.plan) {
    const severity = servedStill(domain) ? "warning" : "blocking";
    found.push(finding("plan_required", { plan: "Free" }, { severity }));
  }
  if (!gates.deploy) found.push(finding("deploy_required", { project }));
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
  const failed = failureFinding(domain);
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

/** After a downgrade, the domain is served for some more days. */
function servedStill({ gates, dns }: Domain): boolean {
  return gates.lapsedAt !== undefined && (dns.checkedAt ?? 0) < gates.lapsedAt + GRACE_MS;
}

const ISSUER = "The certificate authority";

/** Returns the finding about the CA's last refusal. */
function failureFinding({ issuance: { failure } }: Domain): Finding | undefined {
  return failure === undefined
    ? undefined
    : caFinding(failure.code, { ...failure, issuer: ISSUER });
}
