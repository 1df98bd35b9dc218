import { isLimit, type Limits, type Plan } from "../../../../lib/model/account.ts";

/** A plan as it is being chosen; the numbers as they were typed matter for Enterprise alone. */
export interface PlanChoice {
  readonly plan: Plan;
  readonly perMinute: string;
  readonly perDay: string;
}

export const freeChoice: PlanChoice = { plan: "free", perMinute: "", perDay: "" };

/** The choice that says what an account has. */
export function choiceOf({
  plan,
  limits,
}: {
  readonly plan: Plan;
  readonly limits: Limits;
}): PlanChoice {
  return { plan, perMinute: String(limits.perMinute), perDay: String(limits.perDay) };
}

/** A number of requests as it was typed; undefined where it is none that a window can be given. */
export function limitIn(text: string): number | undefined {
  const value = /^\d{1,10}$/.test(text.trim()) ? Number(text) : Number.NaN;
  return isLimit(value) ? value : undefined;
}

/** What the service is to be sent; undefined as long as something is missing. */
export function planIn({
  plan,
  perMinute,
  perDay,
}: PlanChoice): { readonly plan: Plan; readonly limits?: Limits } | undefined {
  if (plan !== "enterprise") return { plan };
  const limits = { perMinute: limitIn(perMinute), perDay: limitIn(perDay) };
  return limits.perMinute === undefined || limits.perDay === undefined
    ? undefined
    : { plan, limits: { perMinute: limits.perMinute, perDay: limits.perDay } };
}
