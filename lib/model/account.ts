/** The request limits of an account. */
export interface Limits {
  /** Requests per minute window. */
  readonly perMinute: number;
  /** Requests per day window. */
  readonly perDay: number;
}

export const plans = ["free", "pro", "business", "enterprise"] as const;
export type Plan = (typeof plans)[number];

/** Limits of the plans with fixed ones; those of Enterprise are agreed individually. */
export const planLimits: Readonly<Record<Exclude<Plan, "enterprise">, Limits>> = {
  free: { perMinute: 60, perDay: 1_000 },
  pro: { perMinute: 300, perDay: 10_000 },
  business: { perMinute: 1_000, perDay: 100_000 },
};

/** An organisation: a shelter. Owns one catalogue per environment. */
export interface Account {
  /** `acc_` and 12 characters of base 62. */
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  /** The plan's limits, or the agreed ones of Enterprise. */
  readonly limits: Limits;
  readonly createdAt: number;
  /** Its keys and sites are refused since then. */
  readonly suspendedAt?: number;
}

export const environments = ["production", "staging"] as const;
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

/** True for a valid limit of a window: an integer from 1 to a thousand million. */
export function isLimit(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1 && value <= LARGEST_LIMIT;
}
