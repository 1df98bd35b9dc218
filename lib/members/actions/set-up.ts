import type { Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import { invalidSetupLink, type Tokens } from "../../accounts/tokens.ts";
import type { MemberContext } from "../context.ts";
import { MAX_MEMBERS, type Member } from "../model/member.ts";
import { memberExists } from "../refusals.ts";
import { faultOfMember, newMember, refusalOfCreation } from "./members.ts";
import { openSession, type Browser, type SignedIn } from "./sign-in.ts";
import { hashNew } from "./passwords.ts";

interface NewOperator {
  readonly email: string;
  readonly password: string;
  readonly name?: string | undefined;
}

/**
 * Uses a setup link to create an operator and signs them in. The link is removed in the same commit; a refused email
 * address or password leaves it valid.
 */
export async function setUp(
  context: MemberContext,
  { token, ...operator }: NewOperator & { readonly token: string },
  { browser, tokens }: { readonly browser: Browser; readonly tokens: Pick<Tokens, "setupLinkOf"> },
): Promise<Result<SignedIn, Problem>> {
  const link = await tokens.setupLinkOf(token);
  if (!link.ok) return link;
  const made = await operatorOf(context, operator, browser.visitor.origin);
  if (!made.ok) return made;
  const member = made.value;
  const at = member.createdAt;
  const opened = await openSession(context, {
    member,
    browser,
    method: "link",
    before: [
      { kind: "setup.take", linkId: link.value.id, at },
      { kind: "member.create", member, max: MAX_MEMBERS, at },
    ],
  });
  if (opened.ok) return opened;
  // Only the link can be missing: an operator needs no account.
  return refused(
    opened.failure === "missing" ? invalidSetupLink : refusalOfCreation(opened.failure),
  );
}

/** Creates an operator without a link. Leaves an existing member unchanged. */
export async function ensureOperator(
  context: MemberContext,
  operator: NewOperator,
): Promise<Result<"created" | "exists", Problem>> {
  const made = await operatorOf(context, operator, context.resetAddress);
  if (!made.ok) return made.failure === memberExists ? done("exists") : made;
  const member = made.value;
  const { createdAt: at } = member;
  const committed = await context.commit([{ kind: "member.create", member, max: MAX_MEMBERS, at }]);
  if (committed.ok) return done("created");
  if (committed.failure === "exists") return done("exists");
  return refused(refusalOfCreation(committed.failure));
}

async function operatorOf(
  context: MemberContext,
  { email, password, name }: NewOperator,
  origin: string,
): Promise<Result<Member, Problem>> {
  const fault = faultOfMember({ email, name });
  if (fault !== undefined) return refused(fault);
  const member = newMember(context.random, { email, name, role: "operator" }, context.clock.now());
  // Checked before the slow hash; the commit checks again.
  if ((await context.memberStore.byEmail(member.email)) !== undefined) return refused(memberExists);
  const hashed = await hashNew(context, password, { member, origin });
  return hashed.ok ? done({ ...member, password: hashed.value }) : hashed;
}
