import { noSuchAccount } from "../../accounts/default-account.ts";
import { randomBase62, type Random } from "../../base/id.ts";
import { problem, type Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import type { MemberView, ResetLinkView } from "../schemas.ts";
import type { AccountRole, Role } from "../../accounts/principal.ts";
import { present } from "../../sql/rows.ts";
import { faultOfName, normalText } from "../../model/text.ts";
import type { MemberContext } from "../context.ts";
import type { ListedMember, MemberRefusal } from "../member-store.ts";
import { faultOfEmail, normalEmail } from "../../model/email.ts";
import { MAX_MEMBERS, type Member } from "../model/member.ts";
import { lastOperator, memberExists, noSuchMember, tooManyMembers } from "../refusals.ts";
import { offerReset } from "./passwords.ts";

interface NewMember {
  readonly email: string;
  readonly name?: string | undefined;
  readonly role: Role;
  /** Absent for an operator. */
  readonly accountId?: string | undefined;
}

/** Creates a member without a password, not stored yet. */
export function newMember(
  random: Random,
  { email, name = "", role, accountId }: NewMember,
  now: number,
): Member {
  return {
    id: `mem_${randomBase62(random, 12)}`,
    email: normalEmail(email),
    name: normalText(name),
    role,
    ...(accountId === undefined ? {} : { accountId }),
    createdAt: now,
  };
}

/** Returns why a member cannot have the email address or name; undefined if they can. */
export function faultOfMember({
  email,
  name = "",
}: Partial<Pick<NewMember, "email" | "name">>): Problem | undefined {
  const mistyped = email === undefined ? undefined : faultOfEmail(email);
  if (mistyped !== undefined) return problem("invalid_value", `The email address ${mistyped}.`);
  const misnamed = name === "" ? undefined : faultOfName(name, 120);
  return misnamed === undefined ? undefined : problem("invalid_value", `The name ${misnamed}.`);
}

/** Converts the refusal of `member.create` to a problem. */
export function refusalOfCreation(refusal: MemberRefusal): Problem {
  if (refusal === "exists") return memberExists;
  return refusal === "limit" ? tooManyMembers : noSuchAccount;
}

/** Converts the refusal of another change of a member to a problem. */
export function refusalOfChange(refusal: MemberRefusal): Problem {
  return refusal === "last" ? lastOperator : noSuchMember;
}

/** Returns a member without the password's hash. */
function viewOfMember({
  password,
  language: _language,
  mailsOff: _mailsOff,
  ...shown
}: ListedMember): MemberView {
  return { ...shown, status: password === undefined ? "pending" : "active" };
}

/** Returns the members of an account, or the operators, oldest first. */
export async function listMembers(
  { memberStore }: MemberContext,
  accountId: string | undefined,
): Promise<readonly MemberView[]> {
  return (await memberStore.list(accountId)).map(viewOfMember);
}

/** Returns the member with an email address, in any account, as a list of one or none. */
export async function findMember(
  { memberStore }: MemberContext,
  email: string,
): Promise<readonly MemberView[]> {
  const found = await memberStore.byEmail(normalEmail(email));
  return found === undefined ? [] : [viewOfMember(found)];
}

/** The mail with which a new member is invited. */
export interface Invitation {
  /** Name of the member's account; absent for an operator. */
  readonly account?: string | undefined;
  /** Who invites; absent for a program. */
  readonly inviter?: string | undefined;
  readonly language: string;
}

/**
 * Creates a member, and the link with which they set their password. Sends the link by mail, unless `invitation` is
 * undefined or no mail server is configured.
 */
export async function createMember(
  context: MemberContext,
  input: NewMember,
  invitation: Invitation | undefined,
): Promise<
  Result<
    { readonly member: MemberView; readonly link: ResetLinkView; readonly mailed: boolean },
    Problem
  >
> {
  const { commit, random, clock } = context;
  const fault = faultOfMember(input);
  if (fault !== undefined) return refused(fault);
  const at = clock.now();
  const member = newMember(random, input, at);
  const { change, link } = await offerReset(context, member.id);
  const committed = await commit([{ kind: "member.create", member, max: MAX_MEMBERS, at }, change]);
  if (!committed.ok) return refused(refusalOfCreation(committed.failure));
  const mailed = invitation !== undefined && (await invite(context, member, link, invitation));
  return done({ member: viewOfMember({ ...member, passkeys: 0 }), link, mailed });
}

/** Queues the invitation of a new member. Returns whether it is sent. */
async function invite(
  { mail }: MemberContext,
  { email, name, accountId }: Member,
  { url, expiresAt }: ResetLinkView,
  { account, inviter, language }: Invitation,
): Promise<boolean> {
  const queued = await mail.enqueue({
    kind: "invitation",
    to: email,
    language,
    data: { name, ...present({ account, inviter }), url, expiresAt },
    accountId,
    expiresAt,
  });
  return queued.ok;
}

/**
 * Creates a reset link for a member of the account, or for an operator. It replaces an earlier one. A member who has not
 * chosen a password yet also gets it by mail, like the first one; others may have lost their mailbox.
 */
export async function resetLinkOf(
  context: MemberContext,
  memberId: string,
  { accountId, invitation }: { readonly accountId?: string; readonly invitation: Invitation },
): Promise<Result<ResetLinkView & { readonly mailed: boolean }, Problem>> {
  const member = await context.memberStore.byId(memberId);
  if (member === undefined || member.accountId !== accountId) return refused(noSuchMember);
  const { change, link } = await offerReset(context, memberId);
  const committed = await context.commit([change]);
  if (!committed.ok) return refused(noSuchMember);
  const mailed = member.password === undefined && (await invite(context, member, link, invitation));
  return done({ ...link, mailed });
}

/** Changes the role of an account's member: immediately in this process, within a second in others. */
export async function changeRole(
  context: MemberContext,
  memberId: string,
  { accountId, role }: { readonly accountId: string; readonly role: AccountRole },
): Promise<Result<MemberView, Problem>> {
  const { memberStore, commit, clock, forget } = context;
  if (!(await isAmong(context, memberId, accountId))) return refused(noSuchMember);
  const committed = await commit([{ kind: "member.update", memberId, role, at: clock.now() }]);
  forget(memberId);
  const changed = committed.ok ? await memberStore.byId(memberId) : undefined;
  return changed === undefined ? refused(noSuchMember) : done(viewOfMember(changed));
}

/** Removes a member with their sessions, passkeys and links. Refused `not_found`, `last_operator`. */
export async function removeMember(
  context: MemberContext,
  memberId: string,
  accountId: string | undefined,
): Promise<Result<undefined, Problem>> {
  const { commit, clock, forget } = context;
  if (!(await isAmong(context, memberId, accountId))) return refused(noSuchMember);
  const committed = await commit([{ kind: "member.remove", memberId, at: clock.now() }]);
  forget(memberId);
  return committed.ok ? done(undefined) : refused(refusalOfChange(committed.failure));
}

/** Returns true if the member belongs to the account or, if that is undefined, is an operator. */
async function isAmong(
  { memberStore }: MemberContext,
  memberId: string,
  accountId: string | undefined,
): Promise<boolean> {
  const member = await memberStore.byId(memberId);
  return member !== undefined && member.accountId === accountId;
}
