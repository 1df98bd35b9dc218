import type { Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import type { SessionView } from "../../management/member-view.ts";
import type { SignedInMember } from "../../management/model/principal.ts";
import type { MemberContext } from "../context.ts";
import { isAlive } from "../model/session.ts";
import { noSuchSession } from "../refusals.ts";

/** The sessions of whoever asks that can still be used, seen last first. */
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

/** Ends one session of whoever asks: at once in this process, within a second in others. */
export async function endSession(
  { memberStore, clock, forget }: MemberContext,
  me: SignedInMember,
  sessionId: string,
): Promise<Result<undefined, Problem>> {
  const ended = await memberStore.commit([
    { kind: "session.end", sessionId, memberId: me.id, at: clock.now() },
  ]);
  forget(me.id);
  return ended.ok ? done(undefined) : refused(noSuchSession);
}

/** Ends all sessions of whoever asks but the one that asks. */
export async function endOtherSessions(
  { memberStore, clock, forget }: MemberContext,
  me: SignedInMember,
): Promise<void> {
  const { id: memberId, sessionId: except } = me;
  await memberStore.commit([{ kind: "session.end_others", memberId, except, at: clock.now() }]);
  forget(memberId);
}
