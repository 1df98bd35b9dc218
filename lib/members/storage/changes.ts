import { Script } from "../../sql/script.ts";
import { TAKE_LINK as TAKE_SETUP_LINK } from "../../management/storage/changes.ts";
import type { MemberChange } from "../member-store.ts";
import type { MemberScript, Of } from "./change-of.ts";
import {
  createMember,
  DELETE_PASSKEYS,
  removeMember,
  setPassword,
  updateMember,
} from "./member-changes.ts";
import { createSession, endOtherSessions, endSession } from "./session-changes.ts";

/** The changes of one commit as the steps of one batch. */
export function compile(changes: readonly MemberChange[]): MemberScript {
  const script: MemberScript = new Script();
  for (const change of changes) add(script, change);
  return script;
}

function add(script: MemberScript, change: MemberChange): void {
  switch (change.kind) {
    case "member.create":
      createMember(script, change);
      return;
    case "member.update":
      updateMember(script, change);
      return;
    case "member.password":
      setPassword(script, change);
      return;
    case "member.remove":
      removeMember(script, change);
      return;
    case "session.create":
      createSession(script, change);
      return;
    case "session.use":
      for (const { sessionId, at } of change.uses) {
        script.add(USE_SESSION, [at, sessionId, at]);
        script.add(SEE_MEMBER, [at, sessionId, at]);
      }
      return;
    case "session.end":
      endSession(script, change);
      return;
    case "session.end_others":
      endOtherSessions(script, change);
      return;
    case "passkey.create":
      createPasskey(script, change);
      return;
    case "passkey.use": {
      const { counter, at, passkeyId, before } = change;
      script.demand(USE_PASSKEY, [counter, at, passkeyId, before], "missing");
      return;
    }
    case "passkey.remove":
      script.demand(REMOVE_PASSKEY, [change.passkeyId, change.memberId], "missing");
      return;
    case "passkey.remove_all":
      script.add(DELETE_PASSKEYS, [change.memberId]);
      return;
    case "reset.offer": {
      const { id, memberId, hash, expiresAt } = change.link;
      script.add(DELETE_LINK_OF, [memberId]);
      script.demand(INSERT_LINK, [id, hash, expiresAt, memberId], "missing");
      return;
    }
    case "reset.take":
      script.demand(TAKE_LINK, [change.linkId, change.at], "missing");
      return;
    case "setup.take":
      script.demand(TAKE_SETUP_LINK, [change.linkId, change.at], "missing");
      return;
    case "challenge.spend":
      script.demand(SPEND, [change.challenge, change.expiresAt], "exists");
      return;
    case "purge":
      purge(script, change);
  }
}

const USE_SESSION = "UPDATE member_sessions SET last_seen_at = ? WHERE id = ? AND last_seen_at < ?";
const SEE_MEMBER = `UPDATE members SET last_seen_at = ?
  WHERE id = (SELECT member_id FROM member_sessions WHERE id = ?)
    AND (last_seen_at IS NULL OR last_seen_at < ?)`;

const HAS_ROOM_FOR_PASSKEY =
  "SELECT 1 AS room WHERE ? > (SELECT COUNT(*) FROM member_passkeys WHERE member_id = ?)";
const HAS_MEMBER = "SELECT id FROM members WHERE id = ?";
const HAS_SESSION = "SELECT id FROM member_sessions WHERE id = ? AND member_id = ?";
const INSERT_PASSKEY = `INSERT INTO member_passkeys
  (id, member_id, credential_id, public_key, counter, transports, name, created_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id`;

function createPasskey(script: MemberScript, change: Of<"passkey.create">): void {
  const { passkey, sessionId, max } = change;
  const { id, memberId, credentialId, publicKey, counter, transports, name, createdAt } = passkey;
  script.demand(HAS_MEMBER, [memberId], "missing");
  if (sessionId !== undefined) script.demand(HAS_SESSION, [sessionId, memberId], "missing");
  script.demand(HAS_ROOM_FOR_PASSKEY, [max, memberId], "limit");
  const values = [id, memberId, credentialId, publicKey, counter, transports.join(" "), name];
  script.demand(INSERT_PASSKEY, [...values, createdAt], "exists");
}

const USE_PASSKEY = `UPDATE member_passkeys SET counter = ?, last_used_at = ?
  WHERE id = ? AND counter = ? RETURNING id`;
const REMOVE_PASSKEY = "DELETE FROM member_passkeys WHERE id = ? AND member_id = ? RETURNING id";

const DELETE_LINK_OF = "DELETE FROM member_reset_links WHERE member_id = ?";
const INSERT_LINK = `INSERT INTO member_reset_links (id, hash, expires_at, member_id)
  SELECT ?, ?, ?, id FROM members WHERE id = ? RETURNING id`;
const TAKE_LINK = "DELETE FROM member_reset_links WHERE id = ? AND expires_at > ? RETURNING id";

const SPEND = `INSERT INTO member_challenges (challenge, expires_at) VALUES (?, ?)
  ON CONFLICT (challenge) DO NOTHING RETURNING challenge`;

const PURGE_SESSIONS = `DELETE FROM member_sessions WHERE id IN (
  SELECT id FROM member_sessions WHERE expires_at <= ? OR last_seen_at < ? LIMIT ?
)`;
const PURGE_LINKS = `DELETE FROM member_reset_links WHERE id IN (
  SELECT id FROM member_reset_links WHERE expires_at <= ? LIMIT ?
)`;
const PURGE_CHALLENGES = `DELETE FROM member_challenges WHERE challenge IN (
  SELECT challenge FROM member_challenges WHERE expires_at <= ? LIMIT ?
)`;
const PURGE_MEMBERS = `DELETE FROM members WHERE id IN (
  SELECT id FROM members
  WHERE account_id <> '' AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.id = account_id)
  LIMIT ?
)`;
/** What belongs to members who are gone; those were few. */
const PURGE_ORPHANS = ["member_sessions", "member_passkeys", "member_reset_links"].map(
  (table) =>
    `DELETE FROM ${table} WHERE id IN (
      SELECT id FROM ${table} WHERE NOT EXISTS (SELECT 1 FROM members WHERE members.id = member_id)
      LIMIT ?
    )`,
);

function purge(script: MemberScript, { at, seenBefore, limit }: Of<"purge">): void {
  script.add(PURGE_SESSIONS, [at, seenBefore, limit]);
  script.add(PURGE_LINKS, [at, limit]);
  script.add(PURGE_CHALLENGES, [at, limit]);
  script.add(PURGE_MEMBERS, [limit]);
  for (const text of PURGE_ORPHANS) script.add(text, [limit]);
}
