import {
  isLimit,
  planLimits,
  type Account,
  type Limits,
  type Plan,
} from "../../../../lib/model/account.ts";

/** A plan with its limits as typed; those matter for Enterprise only. */
export interface PlanChoice {
  readonly plan: Plan;
  readonly perMinute: string;
  readonly perDay: string;
}

export const freeChoice: PlanChoice = { plan: "free", perMinute: "", perDay: "" };

export function choiceOf({ plan, limits }: Pick<Account, "plan" | "limits">): PlanChoice {
  return { plan, perMinute: String(limits.perMinute), perDay: String(limits.perDay) };
}

/** Parses a number of requests; undefined if it is no valid limit. */
export function limitIn(text: string): number | undefined {
  const value = /^\d{1,10}$/.test(text.trim()) ? Number(text) : Number.NaN;
  return isLimit(value) ? value : undefined;
}

interface NewPlan {
  readonly plan: Plan;
  readonly limits?: Limits;
}

/** The plan to send; undefined while the choice is incomplete. */
export function planIn({ plan, perMinute, perDay }: PlanChoice): NewPlan | undefined {
  if (plan !== "enterprise") return { plan };
  const limits = { perMinute: limitIn(perMinute), perDay: limitIn(perDay) };
  return limits.perMinute === undefined || limits.perDay === undefined
    ? undefined
    : { plan, limits: { perMinute: limits.perMinute, perDay: limits.perDay } };
}

/** What a change of plan changes immediately. */
export interface PlanEffects {
  /** Undefined if the limits stay the same. */
  readonly limits: { readonly from: Limits; readonly to: Limits } | undefined;
  readonly domains: "gains" | "loses" | "same";
}

/** True for plans that include custom domains. */
export function hasDomains(plan: Plan): boolean {
  return plan !== "free";
}

/** Undefined if nothing would change. */
export function effectsOf(
  account: Pick<Account, "plan" | "limits">,
  next: NewPlan,
): PlanEffects | undefined {
  const to = next.plan === "enterprise" ? next.limits : planLimits[next.plan];
  const from = account.limits;
  const same = to === undefined || (to.perMinute === from.perMinute && to.perDay === from.perDay);
  if (same && next.plan === account.plan) return undefined;
  const [had, has] = [hasDomains(account.plan), hasDomains(next.plan)];
  return {
    limits: same ? undefined : { from, to },
    domains: had === has ? "same" : has ? "gains" : "loses",
  };
}
