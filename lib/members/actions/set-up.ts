import type { Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import { invalidLink } from "../../management/actions/setup.ts";
import type { Tokens } from "../../management/tokens.ts";
import type { MemberContext } from "../context.ts";
import { MAX_MEMBERS, type Member } from "../model/member.ts";
import { memberExists } from "../refusals.ts";
import { faultOfMember, newMember, refusalOfCreation } from "./create-member.ts";
import { openSession, type Browser, type SignedIn } from "./open-session.ts";
import { hashNew, namesAround } from "./set-password.ts";

interface Someone {
  readonly email: string;
  readonly password: string;
  readonly name?: string | undefined;
}

/**
 * Makes an operator of whoever holds the setup link, and signs them in. The link is taken in the same commit; what is
 * refused for the address or the password leaves it good.
 */
export async function setUp(
  context: MemberContext,
  { token, ...someone }: Someone & { readonly token: string },
  { browser, tokens }: { readonly browser: Browser; readonly tokens: Pick<Tokens, "setupLinkOf"> },
): Promise<Result<SignedIn, Problem>> {
  const link = await tokens.setupLinkOf(token);
  if (!link.ok) return link;
  const made = await operatorOf(context, someone, browser.visitor.origin);
  if (!made.ok) return made;
  const member = made.value;
  const at = member.createdAt;
  const opened = await openSession(context, {
    member,
    browser,
    before: [
      { kind: "setup.take", linkId: link.value.id, at },
      { kind: "member.create", member, max: MAX_MEMBERS, at },
    ],
  });
  if (opened.ok) return opened;
  // Only the link can be missing: an operator needs no account.
  return refused(opened.failure === "missing" ? invalidLink : refusalOfCreation(opened.failure));
}

/** Makes an operator without a link: for whoever holds the installation. One who is there already stays as they are. */
export async function ensureOperator(
  context: MemberContext,
  someone: Someone,
): Promise<Result<"created" | "exists", Problem>> {
  const made = await operatorOf(context, someone, context.resetAddress);
  if (!made.ok) return made.failure === memberExists ? done("exists") : made;
  const member = made.value;
  const { createdAt: at } = member;
  const committed = await context.memberStore.commit([
    { kind: "member.create", member, max: MAX_MEMBERS, at },
  ]);
  if (committed.ok) return done("created");
  if (committed.failure === "exists") return done("exists");
  return refused(refusalOfCreation(committed.failure));
}

async function operatorOf(
  context: MemberContext,
  { email, password, name }: Someone,
  origin: string,
): Promise<Result<Member, Problem>> {
  const fault = faultOfMember({ email, name });
  if (fault !== undefined) return refused(fault);
  const member = newMember(context.random, { email, name, role: "operator" }, context.clock.now());
  // Before the slow hash; the commit looks again.
  if ((await context.memberStore.byEmail(member.email)) !== undefined) return refused(memberExists);
  const names = await namesAround(context, member, origin);
  const hashed = await hashNew(context, password, names);
  return hashed.ok ? done({ ...member, password: hashed.value }) : hashed;
}
