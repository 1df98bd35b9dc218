import type { Eventual } from "../base/eventual.ts";
import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import type { Principal, SignedInMember } from "./model/principal.ts";

/** Finds out who signed in, by the `Cookie` header of a request. */
export interface Sessions {
  /** Whether a session's cookie was sent, good or not. */
  carries(cookies: string | null): boolean;
  /**
   * Who it speaks for. One that is over, unknown, mistyped, sent twice or hidden in a header that is too long is
   * `invalid_session`; a wrong checksum causes no storage call. What a page asks by itself is no use of the session,
   * which ends when no person uses it.
   */
  identify(
    cookies: string | null,
    now: number,
    asker?: "person" | "page",
  ): Eventual<Result<Principal, Problem>>;
  /** Whether whoever signed in proved lately, to this very browser, who they are: by signing in, or anew. */
  isPresent(member: SignedInMember, cookies: string | null, now: number): Eventual<boolean>;
}
