import { done } from "../lib/base/result.ts";
import { environments, plans, scopes, type Limits, type Plan } from "../lib/index.ts";
import { Failure } from "../settings/failure.ts";
import { optional, required, repeated, withDefault } from "./flag.ts";
import type { Operand } from "./command.ts";
import { network } from "../settings/addresses.ts";
import { integer, oneOf, text, type Parse } from "../settings/values.ts";

/** Flags and operands that several commands have. */

export const accountOperand: Operand = {
  placeholder: "ACCOUNT",
  help: "Id of the account, as `accounts list` shows it.",
};

export const keyOperand: Operand = {
  placeholder: "KEY",
  help: "Id of the key, as `keys list` shows it; not the key itself.",
};

export const accountFlag = required({
  name: "account",
  placeholder: "ACCOUNT",
  help: "Id of the account.",
  parse: text,
});

export const environmentFlag = withDefault(
  {
    name: "environment",
    placeholder: "ENVIRONMENT",
    help: "production or staging. Default: production.",
    parse: oneOf(environments),
  },
  "production",
);

export const planFlag = withDefault(
  {
    name: "plan",
    placeholder: "PLAN",
    help: `${plans.join(", ")}. Default: free.`,
    parse: oneOf(plans),
  },
  "free",
);

export const scopeFlag = repeated({
  name: "scope",
  placeholder: "SCOPE",
  help: `${scopes.join(", ")}. Default: all but pets:admin.`,
  parse: oneOf(scopes),
});

/** As it was written: the service brings it into its normal form. */
const networkText: Parse<string> = (written) => {
  const read = network(written);
  return read.ok ? done(written) : read;
};

export const allowFlag = repeated({
  name: "allow",
  placeholder: "NETWORK",
  help: "Where it may be used from: 203.0.113.0/24, 2001:db8::/48. Default: from anywhere.",
  parse: networkText,
});

const LARGEST_LIMIT = 1_000_000_000;

/** What Enterprise is given. */
export const limitFlags = {
  perMinute: optional({
    name: "per-minute",
    placeholder: "N",
    help: "Requests per minute; for enterprise alone.",
    parse: integer({ min: 1, max: LARGEST_LIMIT }),
  }),
  perDay: optional({
    name: "per-day",
    placeholder: "N",
    help: "Requests per day; for enterprise alone.",
    parse: integer({ min: 1, max: LARGEST_LIMIT }),
  }),
} as const;

/** The limits that belong to the plan as it was typed. */
export function limitsGiven(
  plan: Plan,
  {
    perMinute,
    perDay,
  }: { readonly perMinute: number | undefined; readonly perDay: number | undefined },
): { readonly limits?: Limits } {
  if (plan === "enterprise") {
    if (perMinute === undefined || perDay === undefined) {
      throw new Failure("usage", "The plan enterprise needs --per-minute and --per-day.");
    }
    return { limits: { perMinute, perDay } };
  }
  if (perMinute !== undefined || perDay !== undefined) {
    throw new Failure(
      "usage",
      `The plan ${plan} has fixed limits; --per-minute and --per-day are for enterprise.`,
    );
  }
  return {};
}
