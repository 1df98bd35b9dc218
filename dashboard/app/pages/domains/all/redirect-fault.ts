import type { DomainView } from "../../../../../lib/management/domain-view.ts";

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
