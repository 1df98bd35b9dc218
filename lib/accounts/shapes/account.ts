import { integer, named, object, oneOf, where, type Schema } from "../../base/schema.ts";
import { declared, instant, listOf, shape, text } from "../../base/shape.ts";
import { plans, type Limits, type Plan } from "../../model/account.ts";
import { nameSchema, shownName } from "../../model/name-schema.ts";

const words = { description: "For people; not unique.", examples: ["Happy Tails"] };
const name = nameSchema(120, words);

const plan = oneOf(plans, { description: "The plan, which sets the limits." });

const requests = (span: string): Schema<number> =>
  integer({ minimum: 1, maximum: 1_000_000_000, description: `Requests per ${span}.` });

const limits = named("Limits", object({ perMinute: requests("minute"), perDay: requests("day") }));

interface PlanChange {
  readonly plan?: Plan | undefined;
  readonly limits?: Limits | undefined;
}

/** Returns why limits do not fit a plan: enterprise needs them, and other plans must not have them. */
function faultOfLimits({ plan: wanted, limits: given }: PlanChange): string | undefined {
  if (wanted === "enterprise")
    return given === undefined ? "is required with enterprise" : undefined;
  return given === undefined ? undefined : "must be absent: only enterprise has limits of its own";
}

const fixed = {
  properties: { plan: { type: "string", not: { const: "enterprise" } } },
  not: { required: ["limits"] },
};
const own = {
  required: ["plan", "limits"],
  properties: { plan: { type: "string", const: "enterprise" } },
};
const ofPresentPlan = { required: ["limits"], not: { required: ["plan"] } };

/** The body of `createAccount`. */
export const NewAccountSchema = named(
  "NewAccount",
  where(object({ name }, { plan, limits }), "limits", faultOfLimits, { anyOf: [fixed, own] }),
);

/** The body of `updateAccount`. */
export const AccountPatchSchema = named(
  "AccountPatch",
  where(
    object({}, { name, plan, limits }),
    "limits",
    // Without a plan the limits are for the account's current one.
    (change) => (change.plan === undefined ? undefined : faultOfLimits(change)),
    { anyOf: [fixed, own, ofPresentPlan] },
  ),
);

export const accountShape = shape(
  "Account",
  {
    id: text("`acc_` and 12 characters."),
    name: declared<string>(shownName(120, words)),
    plan,
    limits,
    createdAt: instant("When it was created."),
  },
  { suspendedAt: instant("When the account was suspended; absent if it is active.") },
);

export const accountsShape = listOf("Accounts", accountShape);

export const plansShape = listOf("Plans", shape("PlanOffer", { plan }, { limits }));
