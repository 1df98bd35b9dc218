/** The request limits of an account. */
export interface Limits {
  /** Requests per minute window. */
  readonly perMinute: number;
  /** Requests per day window. */
  readonly perDay: number;
}

/** The plans, from the smallest to the largest. */
export const plans = ["free", "pro", "business", "enterprise"] as const;
/** A plan of an account. */
export type Plan = (typeof plans)[number];

/** The limits of the plans that have fixed ones. Enterprise limits are agreed individually. */
export const planLimits: Readonly<Record<Exclude<Plan, "enterprise">, Limits>> = {
  free: { perMinute: 60, perDay: 1_000 },
  pro: { perMinute: 300, perDay: 10_000 },
  business: { perMinute: 1_000, perDay: 100_000 },
};

/**
 * An organization, such as a shelter. Owns one catalogue per environment. Instants are in milliseconds since the Unix
 * epoch.
 */
export interface Account {
  /** `acc_` and 12 characters of base 62. */
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  /** The plan's limits; for Enterprise, the agreed ones. */
  readonly limits: Limits;
  readonly createdAt: number;
  /** Since this time its keys and sites are refused, in milliseconds since the Unix epoch. */
  readonly suspendedAt?: number;
}

/** The environments, production first. */
export const environments = ["production", "staging"] as const;
/** One of the two environments, which share no animals. */
export type Environment = (typeof environments)[number];

/** The animals, categories and orders of one account in one environment: the unit of isolation. */
export interface Catalogue {
  readonly id: number;
  readonly accountId: string;
  readonly environment: Environment;
}

/** The categories of a new catalogue, with the ids 1, 2, 3. */
export const seedCategories: readonly string[] = ["Dogs", "Cats", "Other"];

const LARGEST_LIMIT = 1_000_000_000;

/** Returns true for a valid limit: an integer from 1 to 1,000,000,000. */
export function isLimit(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1 && value <= LARGEST_LIMIT;
}
