import { done } from "../lib/base/result.ts";
import {
  environments,
  plans,
  scopes,
  type Environment,
  type Limits,
  type Plan,
} from "../lib/index.ts";
import { roles } from "../lib/management/index.ts";
import { network } from "../settings/addresses.ts";
import { Failure } from "../settings/failure.ts";
import { duration, integer, oneOf, text } from "../settings/values.ts";
import {
  optional,
  optionalText,
  repeated,
  required,
  withDefault,
  type Operand,
} from "./command.ts";

/** Flags and operands that several commands have. */

export const accountOperand: Operand = {
  placeholder: "ACCOUNT",
  help: "ID of the account, as `accounts list` shows it.",
};

export const petOperand: Operand = {
  placeholder: "PET",
  help: "Number of the animal, as the dashboard, the API and `pets export` show it.",
};

export const accountFlag = required({
  name: "account",
  placeholder: "ACCOUNT",
  help: "ID of the account.",
  parse: text,
});

export const accountFilter = optionalText("account", "ACCOUNT", "Only those of this account.");

export const projectOperand: Operand = {
  placeholder: "PROJECT",
  help: "Slug or ID of the project, as `projects list` shows them.",
};

export const projectFlag = required({
  name: "project",
  placeholder: "PROJECT",
  help: "Slug or ID of the project.",
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

export const scopeFlag = repeated({
  name: "scope",
  placeholder: "SCOPE",
  help: `${scopes.join(", ")}. Default: all but pets:admin.`,
  parse: oneOf(scopes),
});

export const allowFlag = repeated({
  name: "allow",
  placeholder: "NETWORK",
  help: "Network that may use the key, such as 203.0.113.0/24 or 2001:db8::/48. Default: any.",
  // As typed: the service normalizes it.
  parse: (written) => {
    const read = network(written);
    return read.ok ? done(written) : read;
  },
});

export const expiresInFlag = optional({
  name: "expires-in",
  placeholder: "DURATION",
  help: "Lifetime, such as 30s, 90m, 24h or 7d. Default: unlimited.",
  parse: duration,
});

export const planFlag = withDefault(
  {
    name: "plan",
    placeholder: "PLAN",
    help: `${plans.join(", ")}. Default: free.`,
    parse: oneOf(plans),
  },
  "free",
);

const limit = integer({ min: 1, max: 1_000_000_000 });

/** The limits of an Enterprise account. */
export const limitFlags = {
  perMinute: optional({
    name: "per-minute",
    placeholder: "N",
    help: "Requests per minute, for enterprise only.",
    parse: limit,
  }),
  perDay: optional({
    name: "per-day",
    placeholder: "N",
    help: "Requests per day, for enterprise only.",
    parse: limit,
  }),
} as const;

/** Returns the limits to send for the plan. */
export function limitsGiven(
  plan: Plan,
  { perMinute, perDay }: { readonly [Name in keyof Limits]: number | undefined },
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
      `The plan ${plan} has fixed limits. --per-minute and --per-day are for enterprise only.`,
    );
  }
  return {};
}

export type Role = (typeof roles)[number];

export const roleFlag = optional({
  name: "role",
  placeholder: "ROLE",
  help: `${roles.join(", ")}. Default without --account: operator.`,
  parse: oneOf(roles),
});

export const roleDetails =
  "Operators may do everything. Owners, staff and viewers belong to an account: viewers read, staff also publish and manage animals, owners also manage keys, tokens and members.";

/** Returns the account and role that the flags name; undefined for an operator. */
export function roleGiven(
  accountId: string | undefined,
  role: Role | undefined,
): { readonly accountId: string; readonly role: Exclude<Role, "operator"> } | undefined {
  if (accountId === undefined) {
    if (role === undefined || role === "operator") return undefined;
    throw new Failure("usage", `The role ${role} belongs to an account: add --account.`);
  }
  if (role === undefined) {
    throw new Failure("usage", "--account needs --role: owner, staff or viewer.");
  }
  if (role === "operator") {
    throw new Failure("usage", "Operators belong to no account: remove --account.");
  }
  return { accountId, role };
}

/** Drops the members that are undefined. */
export function given<Members extends object>(
  members: Members,
): { [Name in keyof Members]?: Exclude<Members[Name], undefined> } {
  // What is left has the type of its member.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Members]?: Exclude<Members[Name], undefined>;
  };
}

/** Returns the path parameters of a catalogue. */
export function placeOf({
  account,
  environment,
}: {
  readonly account: string;
  readonly environment: Environment;
}) {
  return { account, environment };
}
