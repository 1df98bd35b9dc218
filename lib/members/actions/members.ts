import type { Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import type { MemberView, ResetLinkView } from "../../management/member-view.ts";
import type { AccountRole } from "../../management/model/principal.ts";
import type { MemberContext } from "../context.ts";
import type { ListedMember } from "../member-store.ts";
import { normalEmail } from "../model/email.ts";
import { MAX_MEMBERS } from "../model/member.ts";
import { noSuchMember } from "../refusals.ts";
import {
  faultOfMember,
  newMember,
  refusalOfChange,
  refusalOfCreation,
  type NewMember,
} from "./create-member.ts";
import { offerReset } from "./reset.ts";

/** A member as others may see them. */
export function viewOfMember({ password, ...shown }: ListedMember): MemberView {
  return { ...shown, status: password === undefined ? "pending" : "active" };
}

/** Oldest first; an account's, or the operators. */
export async function listMembers(
  { memberStore }: MemberContext,
  accountId: string | undefined,
): Promise<readonly MemberView[]> {
  return (await memberStore.list(accountId)).map(viewOfMember);
}

/** Whoever has that e-mail address, of whatever account; nobody or one. */
export async function findMember(
  { memberStore }: MemberContext,
  email: string,
): Promise<readonly MemberView[]> {
  const found = await memberStore.byEmail(normalEmail(email));
  return found === undefined ? [] : [viewOfMember(found)];
}

/** Makes a member, and the link by which they choose their password. */
export async function createMember(
  context: MemberContext,
  input: NewMember,
): Promise<Result<{ readonly member: MemberView; readonly link: ResetLinkView }, Problem>> {
  const { memberStore, random, clock } = context;
  const fault = faultOfMember(input);
  if (fault !== undefined) return refused(fault);
  const at = clock.now();
  const member = newMember(random, input, at);
  const { change, link } = await offerReset(context, member.id);
  const committed = await memberStore.commit([
    { kind: "member.create", member, max: MAX_MEMBERS, at },
    change,
  ]);
  if (!committed.ok) return refused(refusalOfCreation(committed.failure));
  return done({ member: viewOfMember({ ...member, passkeys: 0 }), link });
}

/** Makes the one link that is good for a member of the account, or an operator. */
export async function resetLinkOf(
  context: MemberContext,
  memberId: string,
  accountId: string | undefined,
): Promise<Result<ResetLinkView, Problem>> {
  const member = await memberAmong(context, memberId, accountId);
  if (member === undefined) return refused(noSuchMember);
  const { change, link } = await offerReset(context, member.id);
  const committed = await context.memberStore.commit([change]);
  return committed.ok ? done(link) : refused(noSuchMember);
}

/** Of somebody of an account: at once in this process, within a second in others. */
export async function changeRole(
  context: MemberContext,
  memberId: string,
  { accountId, role }: { readonly accountId: string; readonly role: AccountRole },
): Promise<Result<MemberView, Problem>> {
  const { memberStore, clock, forget } = context;
  if ((await memberAmong(context, memberId, accountId)) === undefined) return refused(noSuchMember);
  const committed = await memberStore.commit([
    { kind: "member.update", memberId, role, at: clock.now() },
  ]);
  forget(memberId);
  const changed = committed.ok ? await memberStore.byId(memberId) : undefined;
  return changed === undefined ? refused(noSuchMember) : done(viewOfMember(changed));
}

/** Removes somebody with all they had to sign in by. `not_found`, `last_operator`. */
export async function removeMember(
  context: MemberContext,
  memberId: string,
  accountId: string | undefined,
): Promise<Result<undefined, Problem>> {
  const { memberStore, clock, forget } = context;
  if ((await memberAmong(context, memberId, accountId)) === undefined) return refused(noSuchMember);
  const committed = await memberStore.commit([
    { kind: "member.remove", memberId, at: clock.now() },
  ]);
  forget(memberId);
  return committed.ok ? done(undefined) : refused(refusalOfChange(committed.failure));
}

/** The member, unless they belong elsewhere. */
async function memberAmong(
  { memberStore }: MemberContext,
  memberId: string,
  accountId: string | undefined,
): Promise<ListedMember | undefined> {
  const member = await memberStore.byId(memberId);
  return member?.accountId === accountId ? member : undefined;
}
