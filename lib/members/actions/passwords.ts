import { hashSecret, isHashOf } from "../../base/digest.ts";
import { problem, type Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import type { ResetLinkView } from "../schemas.ts";
import type { SignedInMember } from "../../accounts/principal.ts";
import { unavailable } from "../../http/refusals.ts";
import { parseCredential } from "../../model/credential.ts";
import { createCredential } from "../../model/new-credential.ts";
import { normalEmail } from "../../model/email.ts";
import type { MemberContext } from "../context.ts";
import type { MemberChange } from "../member-store.ts";
import {
  ASKED_RESET_MS,
  RESET_KIND,
  RESET_MS,
  type Member,
  type ResetLink,
} from "../model/member.ts";
import { faultOfPassword, passwordFaults } from "../model/password-rule.ts";
import { ENOUGH_TRIES, triesFor } from "../model/tries.ts";
import {
  invalidCredentials,
  invalidResetLink,
  leakedPassword,
  noMailHere,
  noSuchMember,
} from "../refusals.ts";
import { hasAccount, openSession, type Browser, type SignedIn } from "./sign-in.ts";

/** Hashes a member's new password if it is allowed. Refused `weak_password`, `leaked_password`, `unavailable`. */
export async function hashNew(
  { store, passwords, leaked }: Pick<MemberContext, "store" | "passwords" | "leaked">,
  password: string,
  { member, origin }: { readonly member: Member; readonly origin: string },
): Promise<Result<string, Problem>> {
  const { email, name, accountId } = member;
  const account = accountId === undefined ? undefined : await store.accounts.byId(accountId);
  const host = URL.canParse(origin) ? new URL(origin).hostname : "";
  const names = [email, name, account?.name ?? "", host];
  const fault = faultOfPassword(password, names);
  if (fault !== undefined) return refused(problem("weak_password", passwordFaults[fault]));
  const ranks = await leaked?.ranks();
  if (ranks !== undefined && triesFor(password, { ranks, names }) < ENOUGH_TRIES) {
    return refused(leakedPassword);
  }
  return passwords.hash(password);
}

/**
 * Verifies the caller's own password and returns the caller and the hash. Attempts are counted by member. Refused
 * `invalid_credentials`, `rate_limited`, `unavailable`.
 */
export async function proveOwnPassword(
  { memberStore, attempts, passwords, recordRefusal }: MemberContext,
  me: SignedInMember,
  current: string,
): Promise<Result<{ readonly member: Member; readonly hash: string }, Problem>> {
  const member = await memberStore.byId(me.id);
  if (member === undefined) return refused(noSuchMember);
  // From any address: a thief of the session may use many.
  const attempt = await attempts.begin({ subject: me.id, address: undefined, familiar: true });
  if (!attempt.ok) return attempt;
  const verified = await passwords.verify(member.password, current);
  // Correct passwords count too: each costs a slow hash, and a person needs few attempts.
  if (!verified.ok) {
    await attempt.value.forgive();
    return verified;
  }
  const { password: hash } = member;
  if (hash === undefined || !verified.value) {
    recordRefusal(me.id);
    return refused(wrongCurrent);
  }
  return done({ member, hash });
}

const wrongCurrent: Problem = problem(invalidCredentials.code, "The current password is wrong.");

/**
 * Changes the password of a caller who knows the old one. Ends all their sessions and opens a new one for this browser.
 * Passkeys stay. Refused `invalid_credentials`, `rate_limited`, `weak_password`, `leaked_password`, `unavailable`.
 */
export async function changePassword(
  context: MemberContext,
  me: SignedInMember,
  {
    current,
    password,
    browser,
  }: { readonly current: string; readonly password: string; readonly browser: Browser },
): Promise<Result<SignedIn, Problem>> {
  const proven = await proveOwnPassword(context, me, current);
  if (!proven.ok) return proven;
  const { member, hash: before } = proven.value;
  const hashed = await hashNew(context, password, { member, origin: browser.visitor.origin });
  if (!hashed.ok) return hashed;
  const change = { kind: "member.password", memberId: me.id, password: hashed.value } as const;
  const opened = await openSession(context, {
    member,
    browser,
    method: "password",
    before: [{ ...change, before, at: context.clock.now() }],
    signedIn: true,
  });
  // Refused if the password was changed in the meantime, so that one set by a reset link is not overwritten.
  return opened.ok ? opened : refused(wrongCurrent);
}

/** A new reset link, and the change that stores it. */
interface OfferedReset {
  readonly change: Extract<MemberChange, { kind: "reset.offer" }>;
  readonly link: ResetLinkView;
}

/** Creates a reset link for a member. It works once, within a day by default. */
export async function offerReset(
  { random, digest, pepper, clock, resetAddress }: MemberContext,
  memberId: string,
  lifetimeMs: number = RESET_MS,
): Promise<OfferedReset> {
  const { id, secret, token } = createCredential(random, RESET_KIND);
  const hash = await hashSecret(digest, await pepper(), secret);
  const at = clock.now();
  const expiresAt = at + lifetimeMs;
  return {
    change: { kind: "reset.offer", link: { id, memberId, hash, expiresAt }, at },
    link: { url: `${resetAddress}#${token}`, expiresAt },
  };
}

/**
 * Sends a reset link to a member by mail, if the address belongs to one. Neither the response nor its timing reveals
 * whether it does: the member is looked up after the response. The link is valid for an hour, and replaces an earlier one
 * only if the mail is queued. Refused `not_found` without a mail server, `rate_limited`, `unavailable`.
 */
export async function requestReset(
  context: MemberContext,
  { email, language }: { readonly email: string; readonly language: string },
  address: string | undefined,
): Promise<Result<undefined, Problem>> {
  const { mail, attempts, inBackground } = context;
  if (!mail.enabled) return refused(noMailHere);
  const admitted = await attempts.admitRequest(address);
  if (!admitted.ok) return admitted;
  return inBackground(() => sendReset(context, normalEmail(email), language))
    ? done(undefined)
    : refused(unavailable);
}

async function sendReset(context: MemberContext, email: string, language: string): Promise<void> {
  const { memberStore, mail, commit } = context;
  const member = await memberStore.byEmail(email);
  if (member === undefined || !(await hasAccount(context, member))) return;
  const { change, link } = await offerReset(context, member.id, ASKED_RESET_MS);
  const { url, expiresAt } = link;
  const queued = await mail.enqueue({
    kind: "password_reset",
    to: member.email,
    language: member.language ?? language,
    data: { name: member.name, url, expiresAt },
    accountId: member.accountId,
    expiresAt,
  });
  if (queued.ok) await commit([change]);
}

/**
 * Sets the password of a reset link's member, ends all their sessions, removes all their passkeys and signs them in, so
 * that a thief loses all access. A refused password leaves the link valid. Refused `invalid_reset_token`,
 * `weak_password`, `leaked_password`, `unavailable`.
 */
export async function reset(
  context: MemberContext,
  { token, password }: { readonly token: string; readonly password: string },
  browser: Browser,
): Promise<Result<SignedIn, Problem>> {
  const found = await findReset(context, token);
  if (!found.ok) return found;
  const { link, member } = found.value;
  const hashed = await hashNew(context, password, { member, origin: browser.visitor.origin });
  if (!hashed.ok) return hashed;
  const at = context.clock.now();
  const opened = await openSession(context, {
    member,
    browser,
    method: "link",
    before: [
      { kind: "reset.take", linkId: link.id, at },
      { kind: "member.password", memberId: member.id, password: hashed.value, at },
      { kind: "passkey.remove_all", memberId: member.id, at },
    ],
  });
  return opened.ok ? opened : refused(invalidResetLink);
}

/** The contents of a reset link's page. */
interface ResetStatus {
  readonly email: string;
  readonly name: string;
  /** True if the member has no password yet. */
  readonly first: boolean;
  readonly expiresAt: number;
}

/** Returns the member and the expiry of a reset link without using it. */
export async function checkReset(
  context: MemberContext,
  token: string,
): Promise<Result<ResetStatus, Problem>> {
  const found = await findReset(context, token);
  if (!found.ok) return found;
  const { link, member } = found.value;
  const { email, name, password } = member;
  return done({ email, name, first: password === undefined, expiresAt: link.expiresAt });
}

/** Returns the link of a valid token, and its member. */
async function findReset(
  context: MemberContext,
  token: string,
): Promise<Result<{ readonly link: ResetLink; readonly member: Member }, Problem>> {
  const { memberStore, digest, pepper, clock } = context;
  const sent = parseCredential(token);
  if (sent?.kind !== RESET_KIND) return refused(invalidResetLink);
  const link = await memberStore.resetLink(sent.id);
  const right = await isHashOf(digest, await pepper(), sent.secret, link?.hash);
  if (link === undefined || !right || link.expiresAt <= clock.now()) {
    return refused(invalidResetLink);
  }
  const member = await memberStore.byId(link.memberId);
  return member === undefined || !(await hasAccount(context, member))
    ? refused(invalidResetLink)
    : done({ link, member });
}
