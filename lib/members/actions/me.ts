import { problem, type Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import type { MailSwitchView, SessionView } from "../schemas.ts";
import type { Principal, SignedInMember } from "../../accounts/principal.ts";
import { normalText } from "../../model/text.ts";
import type { MemberContext } from "../context.ts";
import type { MemberChange } from "../member-store.ts";
import { getsMails, switchedKinds } from "../model/mail-switches.ts";
import { isAlive } from "../model/member.ts";
import type { PasskeyJson } from "../passkeys.ts";
import { invalidPasskey, noSuchMember, noSuchSession } from "../refusals.ts";
import { principalOf } from "../session-ring.ts";
import { faultOfMember, refusalOfChange } from "./members.ts";
import { passkeysAt, provenPasskey } from "./passkeys.ts";
import { proveOwnPassword } from "./passwords.ts";

/** Changes the name or the language of the caller. An empty name removes the current one. */
export async function changeMe(
  { memberStore, commit, clock, forget }: MemberContext,
  me: SignedInMember,
  {
    name,
    language,
  }: { readonly name?: string | undefined; readonly language?: string | undefined },
): Promise<Result<Principal, Problem>> {
  const fault = name === undefined ? undefined : faultOfMember({ name });
  if (fault !== undefined) return refused(fault);
  const change = { memberId: me.id, at: clock.now() };
  const changes: MemberChange[] = [];
  if (name !== undefined) {
    changes.push({ kind: "member.update", ...change, name: normalText(name) });
  }
  if (language !== undefined) changes.push({ kind: "member.language", ...change, language });
  if (changes.length > 0) {
    const committed = await commit(changes);
    if (!committed.ok) return refused(refusalOfChange(committed.failure));
    forget(me.id);
  }
  const member = await memberStore.byId(me.id);
  if (member === undefined) return refused(noSuchMember);
  return done(principalOf(member, { id: me.sessionId }));
}

/** Returns the kinds of mails that the caller can turn off, and whether they get them. */
export async function mailSwitchesOf(
  { memberStore }: MemberContext,
  me: SignedInMember,
): Promise<Result<readonly MailSwitchView[], Problem>> {
  const member = await memberStore.byId(me.id);
  if (member === undefined) return refused(noSuchMember);
  const { role, mailsOff = [] } = member;
  const kinds = switchedKinds.filter((kind) => getsMails(role, kind));
  return done(kinds.map((kind) => ({ kind, on: !mailsOff.includes(kind) })));
}

/** Turns a kind of mails to the caller on or off. */
export async function switchMail(
  context: MemberContext,
  me: SignedInMember,
  { kind: mail, on }: MailSwitchView,
): Promise<Result<readonly MailSwitchView[], Problem>> {
  const committed = await context.commit([{ kind: "member.mails", memberId: me.id, mail, on }]);
  return committed.ok ? mailSwitchesOf(context, me) : refused(refusalOfChange(committed.failure));
}

/** Returns the caller's active sessions, most recently seen first. */
export async function sessionsOf(
  { memberStore, clock }: MemberContext,
  me: SignedInMember,
): Promise<readonly SessionView[]> {
  const now = clock.now();
  const sessions = await memberStore.sessions(me.id);
  return sessions
    .filter((session) => isAlive(session, now))
    .map(({ hash: _hash, memberId: _memberId, ...shown }) => ({
      ...shown,
      current: shown.id === me.sessionId,
    }));
}

/** Ends one of the caller's sessions: immediately in this process, within a second in others. */
export async function endSession(
  { commit, clock, forget }: MemberContext,
  me: SignedInMember,
  sessionId: string,
): Promise<Result<undefined, Problem>> {
  const ended = await commit([
    { kind: "session.end", sessionId, memberId: me.id, at: clock.now() },
  ]);
  forget(me.id);
  return ended.ok ? done(undefined) : refused(noSuchSession);
}

/** Ends all sessions of the caller except the current one. */
export async function endOtherSessions(
  { commit, clock, forget }: MemberContext,
  me: SignedInMember,
): Promise<undefined> {
  const { id: memberId, sessionId: except } = me;
  await commit([{ kind: "session.end_others", memberId, except, at: clock.now() }]);
  forget(memberId);
  return undefined;
}

/**
 * Returns the proof for a browser whose user enters their password again. Attempts count together with those of changing
 * it. Refused `invalid_credentials`, `rate_limited`, `unavailable`.
 */
export async function proveByPassword(
  context: MemberContext,
  me: SignedInMember,
  password: string,
): Promise<Result<string, Problem>> {
  const proven = await proveOwnPassword(context, me, password);
  return proven.ok ? done(await proofFor(context, me)) : proven;
}

/** Returns the options with which a browser requests one of the caller's passkeys, valid only in this session. */
export async function beginPasskeyProof(
  context: MemberContext,
  me: SignedInMember,
  origin: string,
): Promise<Result<PasskeyJson, Problem>> {
  const at = passkeysAt(context, origin);
  if (!at.ok) return at;
  const { passkeys, party } = at.value;
  const known = await context.memberStore.passkeys(me.id);
  // Browsers take an empty list as "any passkey".
  if (known.length === 0) return refused(noOwnPasskey);
  const challenge = await context.challenges.make(purposeOf(me));
  return done(await passkeys.requestOptions({ party, challenge, known }));
}

/** Returns the proof for a browser whose user responds with one of their passkeys. A response works once. */
export async function proveByPasskey(
  context: MemberContext,
  me: SignedInMember,
  { response, origin }: { readonly response: PasskeyJson; readonly origin: string },
): Promise<Result<string, Problem>> {
  const proven = await provenPasskey(context, { origin, purpose: purposeOf(me), response });
  if (!proven.ok) return proven;
  if (proven.value.passkey.memberId !== me.id) return refused(invalidPasskey);
  const spent = await context.commit(proven.value.spending);
  return spent.ok ? done(await proofFor(context, me)) : refused(invalidPasskey);
}

function proofFor({ presence, clock }: MemberContext, me: SignedInMember): Promise<string> {
  return presence.prove(me, clock.now());
}

function purposeOf({ id, sessionId }: SignedInMember): string {
  return `prove the presence of ${id} in ${sessionId}`;
}

const noOwnPasskey: Problem = problem(
  "not_found",
  "You have no passkey. Confirm with your password.",
);
