import type { DomainFindingView } from "./shapes.ts";
import { GRACE_MS, type Domain } from "../model/domain.ts";
import { finding, inOrder, type Finding } from "../model/finding.ts";
import { caFinding } from "../model/order-failure.ts";
import { outsideFinding } from "../model/outside.ts";
import { shown, type ShownReport } from "./report.ts";

/** What is known of a domain besides its DNS, as far as findings are made of it. */
export interface Circumstances {
  /** Slug of its project. */
  readonly project: string;
  /** Where it redirects to is one of the project's domains; true when it does not redirect. */
  readonly targetThere: boolean;
}

/** Everything that is known to be wrong, and right, with a domain: what the DNS said, and what else there is. */
export function findingsOf(
  domain: Domain,
  report: ShownReport | undefined,
  circumstances: Circumstances,
): readonly DomainFindingView[] {
  const own = ownFindings(domain, circumstances).map(shown);
  const found = report?.findings ?? [];
  // What we see of CAA records ourselves says more than the CA does.
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

/** A plan that lapsed goes on being served for a while. */
function servedStill({ gates, dns }: Domain): boolean {
  return gates.lapsedAt !== undefined && (dns.checkedAt ?? 0) < gates.lapsedAt + GRACE_MS;
}

const ISSUER = "The certificate authority";

/** The last refusal by the CA. */
function failureFinding({ issuance: { failure } }: Domain): Finding | undefined {
  return failure === undefined
    ? undefined
    : caFinding(failure.code, { ...failure, issuer: ISSUER });
}
