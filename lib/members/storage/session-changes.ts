import { addNotice } from "../../storage/changes/notes.ts";
import type { Script } from "../../sql/script.ts";
import type { MemberScript, Of } from "./change-of.ts";
import { sessionColumns } from "./rows.ts";

// One row when the member is there, and its password what it was when it was found right.
const MAY_SIGN_IN = "SELECT id FROM members WHERE id = ? AND password = COALESCE(?, password)";

const INSERT_SESSION = `INSERT INTO member_sessions (${sessionColumns})
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
const SEE_MEMBER = `UPDATE members SET last_seen_at = ?
  WHERE id = ? AND (last_seen_at IS NULL OR last_seen_at < ?)`;

/** However many there are: nobody waits long for one commit, and the next one goes on. */
const DROPPED_AT_ONCE = 500;

const DROP_OLDEST = `DELETE FROM member_sessions WHERE id IN (
  SELECT id FROM member_sessions WHERE member_id = ? AND id <> ?
  ORDER BY last_seen_at DESC, id DESC LIMIT ${DROPPED_AT_ONCE} OFFSET ?
)`;

export function createSession(
  script: MemberScript,
  { session, password, max }: Of<"session.create">,
): void {
  const { id, memberId, hash, createdAt, lastSeenAt, expiresAt, address, userAgent } = session;
  script.demand(MAY_SIGN_IN, [memberId, password ?? null], "missing");
  const values = [id, memberId, hash, createdAt, lastSeenAt, expiresAt, address, userAgent];
  script.add(INSERT_SESSION, values);
  script.add(SEE_MEMBER, [createdAt, memberId, createdAt]);
  script.add(DROP_OLDEST, [memberId, id, max - 1]);
  // Those that were dropped must not be believed elsewhere.
  addNotice(script, { topic: "member", subject: memberId, at: createdAt });
}

const END_SESSION = "DELETE FROM member_sessions WHERE id = ? AND member_id = ? RETURNING id";
const END_OTHERS = "DELETE FROM member_sessions WHERE member_id = ? AND id <> ? RETURNING id";

export function endSession(script: MemberScript, change: Of<"session.end">): void {
  const { sessionId, memberId, at } = change;
  script.demand(END_SESSION, [sessionId, memberId], "missing");
  addNotice(script, { topic: "member", subject: memberId, at });
}

export function endOtherSessions(script: Script<string>, change: Of<"session.end_others">): void {
  const { memberId, except, at } = change;
  const ended = script.add(END_OTHERS, [memberId, except]);
  addNotice(script, { topic: "member", subject: memberId, at }, ended);
}
