import type { ProjectView } from "../../../../lib/management/client.ts";
import type {
  DomainRecordView,
  DomainView,
  ExplanationView,
} from "../../../../lib/management/domain-view.ts";
import type { Account } from "../../../../lib/model/account.ts";

/** What somebody who adds a name has before them. */
export type Outlook = "clear" | "changes" | "obstacles" | "unknown";

export function outlookOf({
  zone,
  obstacles,
  changes,
}: Pick<ExplanationView, "zone" | "obstacles" | "changes">): Outlook {
  if (obstacles.some(({ severity }) => severity === "blocking")) return "obstacles";
  if (zone === null) return "unknown";
  const inTheWay = changes.some(
    ({ severity, code }) => severity === "blocking" && !YET_TO_COME.has(code),
  );
  return inTheWay ? "changes" : "clear";
}

/** Not in the way: the record that is to be entered is not there yet. */
const YET_TO_COME: ReadonlySet<string> = new Set(["no_record", "ownership_missing"]);

/** The other one of `shelter.org` and `www.shelter.org`; undefined for any other name. */
export function twinOf({
  name,
  fqdn,
}: Pick<DomainRecordView, "name" | "fqdn">): string | undefined {
  if (name === "@") return `www.${fqdn}`;
  return name === "www" ? fqdn.slice("www.".length) : undefined;
}

/** What has to be there before a project may have domains, as far as this page can see it. */
export interface Gates {
  /** Undefined while the account is not known. */
  readonly account: Account | undefined;
  readonly plan: boolean;
  readonly deploy: boolean;
}

export function gatesOf(
  { liveDeployId, deletedAt }: Pick<ProjectView, "liveDeployId" | "deletedAt">,
  account: Account | undefined,
): Gates {
  return {
    account,
    plan: account !== undefined && account.plan !== "free" && account.suspendedAt === undefined,
    deploy: liveDeployId !== undefined && deletedAt === undefined,
  };
}

/** Nothing that we know of speaks against adding a domain. */
export function isOpen({ plan, deploy }: Gates): boolean {
  return plan && deploy;
}

/** Why one domain cannot lead to another: the service would refuse it, and says it in English. */
export interface RedirectFault {
  readonly code: "cycle" | "chain";
  /** `from` leads to `over`, which leads to `to`. */
  readonly from: string;
  readonly over: string;
  readonly to: string;
}

type Attached = Pick<DomainView, "domain" | "redirectTo">;

/** A redirect leads straight to where it ends: nothing leads on from there, and nothing leads to where it begins. */
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

/** What an account's event tells of a domain that was removed. */
export interface RemovalEvent {
  readonly at: number;
  readonly data: { readonly domain: string; readonly projectId: string };
}

/** A domain that a project had. */
export interface RemovedDomain {
  readonly domain: string;
  readonly removedAt: number;
}

/** Those that a project had and has no more, the last one first; each once. */
export function removedIn(
  events: readonly RemovalEvent[],
  { projectId, attached }: { readonly projectId: string; readonly attached: readonly string[] },
): readonly RemovedDomain[] {
  const last = new Map<string, RemovedDomain>();
  for (const { at: removedAt, data } of events) {
    if (data.projectId !== projectId || attached.includes(data.domain)) continue;
    const before = last.get(data.domain)?.removedAt ?? 0;
    if (removedAt > before) last.set(data.domain, { domain: data.domain, removedAt });
  }
  return [...last.values()].toSorted((a, b) => b.removedAt - a.removedAt);
}
