import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import type { MemberView, ResetLinkView } from "./member-view.ts";
import type { AccountRole } from "./model/principal.ts";

type Answer<Value> = Promise<Result<Value, Problem>>;

/** A new member, and the link by which they choose their password. */
export interface Newcomer {
  readonly member: MemberView;
  readonly link: ResetLinkView;
}

/** The people who can sign in, spoken to the management API. Without an account the operators are meant. */
export interface MembersClient {
  /** Oldest first. */
  list(accountId?: string): Answer<readonly MemberView[]>;
  /** Whoever has that e-mail address, of whatever account; for operators. */
  find(email: string): Answer<MemberView | undefined>;
  create(input: {
    readonly email: string;
    readonly name?: string;
    /** Both or neither. */
    readonly in?: { readonly accountId: string; readonly role: AccountRole };
  }): Answer<Newcomer>;
  /** The newest one alone is good. */
  resetLink(memberId: string, accountId?: string): Answer<ResetLinkView>;
  remove(memberId: string, accountId?: string): Answer<undefined>;
}
