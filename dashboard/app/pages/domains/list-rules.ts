import type { ProjectView } from "../../../../lib/publishing/shapes/projects.ts";
import type {
  DomainRecordView,
  DomainView,
  ExplanationView,
} from "../../../../domains/view/shapes.ts";
import type { Account } from "../../../../lib/model/account.ts";

/** What remains to be done for a new name. */
export type Outlook = "clear" | "changes" | "obstacles" | "unknown";

export function outlookOf({
  zone,
  obstacles,
  changes,
}: Pick<ExplanationView, "zone" | "obstacles" | "changes">): Outlook {
  if (obstacles.some(({ severity }) => severity === "blocking")) return "obstacles";
  if (zone === null) return "unknown";
  const inTheWay = changes.some(
    ({ severity, code }) => severity === "blocking" && !EXPECTED_MISSING.has(code),
  );
  return inTheWay ? "changes" : "clear";
}

/** Findings about records that the user has yet to add. */
const EXPECTED_MISSING: ReadonlySet<string> = new Set(["no_record", "ownership_missing"]);

/** Returns `www.shelter.org` for `shelter.org` and vice versa; undefined for other names. */
export function twinOf({
  name,
  fqdn,
}: Pick<DomainRecordView, "name" | "fqdn">): string | undefined {
  if (name === "@") return `www.${fqdn}`;
  return name === "www" ? fqdn.slice("www.".length) : undefined;
}

/** The prerequisites for domains that the dashboard can check. */
export interface PrerequisiteStates {
  /** Undefined while the account loads. */
  readonly account: Account | undefined;
  readonly plan: boolean;
  readonly deploy: boolean;
}

export function prerequisitesOf(
  { liveDeployId, deletedAt }: Pick<ProjectView, "liveDeployId" | "deletedAt">,
  account: Account | undefined,
): PrerequisiteStates {
  return {
    account,
    plan: account !== undefined && account.plan !== "free" && account.suspendedAt === undefined,
    deploy: liveDeployId !== undefined && deletedAt === undefined,
  };
}

export function areMet({ plan, deploy }: PrerequisiteStates): boolean {
  return plan && deploy;
}

/** Why a redirect is invalid. The service also refuses it, but in English. */
interface RedirectFault {
  readonly code: "cycle" | "chain";
  /** `from` redirects to `over`, which redirects to `to`. */
  readonly from: string;
  readonly over: string;
  readonly to: string;
}

type Attached = Pick<DomainView, "domain" | "redirectTo">;

/** Finds a loop or a chain that a redirect would create. */
export function faultOfRedirect(
  domains: readonly Attached[],
  { from, to }: { readonly from: string; readonly to: string },
): RedirectFault | undefined {
  const onwards = domains.find(({ domain }) => domain === to)?.redirectTo ?? null;
  if (onwards === from) return { code: "cycle", from, over: to, to: from };
  if (onwards !== null) return { code: "chain", from, over: to, to: onwards };
  const before = domains.find(({ domain, redirectTo }) => domain !== from && redirectTo === from);
  return before === undefined ? undefined : { code: "chain", from: before.domain, over: from, to };
}

interface RemovedDomain {
  readonly domain: string;
  readonly removedAt: number;
}

/** Returns the domains that `domain.removed` events took from a project: latest first, each once. */
export function removedDomains(
  events: readonly { readonly at: number; readonly data: Readonly<Record<string, unknown>> }[],
  { projectId, attached }: { readonly projectId: string; readonly attached: readonly string[] },
): readonly RemovedDomain[] {
  const last = new Map<string, RemovedDomain>();
  for (const { at: removedAt, data } of events) {
    const domain = data["domain"];
    if (typeof domain !== "string" || data["projectId"] !== projectId) continue;
    const before = last.get(domain)?.removedAt ?? 0;
    if (removedAt > before && !attached.includes(domain)) last.set(domain, { domain, removedAt });
  }
  return [...last.values()].toSorted((a, b) => b.removedAt - a.removedAt);
}
