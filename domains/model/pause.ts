import type { AuthorityProblem } from "./acme-problem.ts";

/** An authority takes no new orders from us until then: it said so, for the account or the address as a whole. */
export interface AuthorityPause {
  readonly authority: string;
  readonly until: number;
  /** The CA's words. */
  readonly message: string;
}

/** Words of limits that count a name, or a set of them: other names may still be ordered. */
const OF_NAMES = /exact set|identifier|hostname|domain|failed (?:authori[sz]ation|validation)/i;

/**
 * Whether a refusal is a rate limit for all orders of the account, not for those of `name`. A CA that gives no reason at
 * all means everybody: another order would be refused too, and counted.
 */
export function pausesAuthority({ code, message, names }: AuthorityProblem, name: string): boolean {
  if (code !== "rate_limited" || names.length > 0 || OF_NAMES.test(message)) return false;
  const said = message.toLowerCase();
  const labels = name.split(".");
  return !labels.slice(0, -1).some((_, index) => said.includes(labels.slice(index).join(".")));
}
