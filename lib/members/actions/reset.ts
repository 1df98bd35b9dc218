import { hashSecret, isHashOf } from "../../base/digest.ts";
import type { Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import { createCredential, parseCredential } from "../../model/credential.ts";
import type { ResetLinkView } from "../../management/member-view.ts";
import type { MemberContext } from "../context.ts";
import type { MemberChange } from "../member-store.ts";
import type { Member } from "../model/member.ts";
import { RESET_KIND, RESET_MS, type ResetLink } from "../model/reset-link.ts";
import { invalidResetLink } from "../refusals.ts";
import { belongs } from "./belongs.ts";
import { openSession, type Browser, type SignedIn } from "./open-session.ts";
import { hashNew, namesAround } from "./set-password.ts";

/** A link to a new password, and the change that makes it good. */
export interface OfferedReset {
  readonly change: Extract<MemberChange, { kind: "reset.offer" }>;
  readonly link: ResetLinkView;
}

/** Makes a link for a member: good for a day, and once. */
export async function offerReset(
  { random, digest, pepper, clock, resetAddress }: MemberContext,
  memberId: string,
): Promise<OfferedReset> {
  const { id, secret, token } = createCredential(random, RESET_KIND);
  const hash = await hashSecret(digest, await pepper(), secret);
  const expiresAt = clock.now() + RESET_MS;
  return {
    change: { kind: "reset.offer", link: { id, memberId, hash, expiresAt } },
    link: { url: `${resetAddress}#${token}`, expiresAt },
  };
}

/**
 * Gives the member of a link the password, ends all their sessions, removes all their passkeys, and signs them in: a
 * thief whom they want to be rid of has no way left. A password that is refused leaves the link good.
 * `invalid_reset_token`, `weak_password`, `leaked_password`, `unavailable`.
 */
export async function reset(
  context: MemberContext,
  { token, password }: { readonly token: string; readonly password: string },
  browser: Browser,
): Promise<Result<SignedIn, Problem>> {
  const found = await holderOf(context, token);
  if (found === undefined) return refused(invalidResetLink);
  const { link, member } = found;
  const names = await namesAround(context, member, browser.visitor.origin);
  const hashed = await hashNew(context, password, names);
  if (!hashed.ok) return hashed;
  const at = context.clock.now();
  const opened = await openSession(context, {
    member,
    browser,
    before: [
      { kind: "reset.take", linkId: link.id, at },
      { kind: "member.password", memberId: member.id, password: hashed.value, at },
      { kind: "passkey.remove_all", memberId: member.id },
    ],
  });
  return opened.ok ? opened : refused(invalidResetLink);
}

/** Whom a link is for and until when, for the page behind it; the link stays as good as it was. */
export async function checkReset(
  context: MemberContext,
  token: string,
): Promise<Result<ResetStanding, Problem>> {
  const found = await holderOf(context, token);
  if (found === undefined) return refused(invalidResetLink);
  const { link, member } = found;
  const { email, name, password } = member;
  return done({ email, name, first: password === undefined, expiresAt: link.expiresAt });
}

/** What the holder of a link is told of it. */
export interface ResetStanding {
  readonly email: string;
  readonly name: string;
  /** It is the member's first password. */
  readonly first: boolean;
  readonly expiresAt: number;
}

/** Whose link it is, while it is good. */
async function holderOf(
  context: MemberContext,
  token: string,
): Promise<{ readonly link: ResetLink; readonly member: Member } | undefined> {
  const { memberStore, digest, pepper, clock } = context;
  const sent = parseCredential(token);
  if (sent?.kind !== RESET_KIND) return undefined;
  const link = await memberStore.resetLink(sent.id);
  const right = await isHashOf(digest, await pepper(), sent.secret, link?.hash);
  if (link === undefined || !right || link.expiresAt <= clock.now()) return undefined;
  const member = await memberStore.byId(link.memberId);
  if (member === undefined || !(await belongs(context, member))) return undefined;
  return { link, member };
}
