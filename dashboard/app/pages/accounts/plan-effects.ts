import { planLimits, type Account, type Limits, type Plan } from "../../../../lib/model/account.ts";

/** What another plan changes at once. */
export interface PlanEffects {
  /** Undefined: they stay as they are. */
  readonly limits: { readonly from: Limits; readonly to: Limits } | undefined;
  readonly domains: "gains" | "loses" | "same";
}

/** True for plans whose sites may have domains of their own. */
export function hasDomains(plan: Plan): boolean {
  return plan !== "free";
}

/** Undefined when nothing would change. */
export function effectsOf(
  account: Pick<Account, "plan" | "limits">,
  next: { readonly plan: Plan; readonly limits?: Limits },
): PlanEffects | undefined {
  const to = next.plan === "enterprise" ? next.limits : planLimits[next.plan];
  const from = account.limits;
  const same = to === undefined || (to.perMinute === from.perMinute && to.perDay === from.perDay);
  if (same && next.plan === account.plan) return undefined;
  return {
    limits: same ? undefined : { from, to },
    domains: change(hasDomains(account.plan), hasDomains(next.plan)),
  };
}

function change(before: boolean, after: boolean): PlanEffects["domains"] {
  if (before === after) return "same";
  return after ? "gains" : "loses";
}
