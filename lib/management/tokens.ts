import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import type { IssuedToken, TokenView } from "./client.ts";
import type { Principal, Role } from "./model/principal.ts";

/** What can be done with management tokens and the setup link. Whoever calls has checked that it may. */
export interface Tokens {
  /** `invalid_value`, `limit_reached`. */
  create(input: {
    readonly accountId?: string | undefined;
    readonly role: Role;
    readonly name?: string | undefined;
    readonly expiresInMs?: number | undefined;
    readonly by: Principal;
  }): Promise<Result<IssuedToken, Problem>>;
  /** Newest first; an account's, or the operators'. */
  list(accountId: string | undefined): Promise<readonly TokenView[]>;
  /** Refused from now on: at once in this process, within a second in others. `not_found` also for another account's. */
  revoke(id: string, accountId: string | undefined): Promise<Result<TokenView, Problem>>;
  /** Makes the one setup link that is good: for 30 minutes, and once. */
  setupLink(): Promise<{ readonly setupToken: string; readonly expiresAt: number }>;
  /** The setup link of that token, not taken yet. `invalid_setup_token`. */
  setupLinkOf(
    setupToken: string,
  ): Promise<Result<{ readonly id: string; readonly expiresAt: number }, Problem>>;
  /** `invalid_setup_token`. */
  claim(setupToken: string, name?: string): Promise<Result<IssuedToken, Problem>>;
}
