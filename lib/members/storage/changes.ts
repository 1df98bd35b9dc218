import { TAKE_SETUP_LINK } from "../../accounts/storage/sql-token-store.ts";
import { IN_SLICE, none, type Slice } from "../../sql/rotation.ts";
import { withoutUndefined } from "../../base/without-undefined.ts";
import { belonging, type Actor } from "../../model/actor.ts";
import type { AuditType } from "../../model/audit-types.ts";
import {
  addEvent,
  addEventOfRow,
  addNotice,
  EventScript,
  OPERATORS,
  type NewEvent,
} from "../../storage/changes/store-script.ts";
import type { MemberChange, MemberRefusal } from "../member-store.ts";
import type { Member } from "../model/member.ts";
import { memberColumns, memberOf, passkeyColumns, sessionColumns } from "./rows.ts";

type MemberScript = EventScript<MemberRefusal>;
type Kind = MemberChange["kind"];
type ByKind = { readonly [One in Kind]: Extract<MemberChange, { kind: One }> };
type ChangeOf<One extends Kind = Kind> = { [Any in One]: ByKind[Any] & { kind: Any } }[One];

/** Compiles the changes of one commit to the steps of one batch. Only a purge needs the slices. */
export function compile(
  changes: readonly MemberChange[],
  actor: Actor,
  slices: Slices,
): MemberScript {
  const script: MemberScript = new EventScript(actor);
  for (const change of changes) add(script, change, slices);
  return script;
}

function add<One extends Kind>(script: MemberScript, change: ChangeOf<One>, slices: Slices): void {
  compilers[change.kind](script, change, slices);
}

const HAS_ACCOUNT = "SELECT id FROM accounts WHERE id = ?";
const HAS_MEMBER = `SELECT ${memberColumns} FROM members WHERE id = ?`;
const HAS_SESSION = "SELECT id FROM member_sessions WHERE id = ? AND member_id = ?";

/** Removes a member of a deleted account who still occupies the address. */
const FREE_EMAIL = `DELETE FROM members WHERE email = ? AND account_id <> ''
  AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.id = account_id)`;
// Yields a row if there is room for one more member.
const HAS_ROOM = "SELECT 1 AS room WHERE ? > (SELECT COUNT(*) FROM members WHERE account_id = ?)";
const INSERT_MEMBER = `INSERT INTO members (${memberColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO NOTHING RETURNING id`;
// One statement, so that of two changes of different kinds neither is lost.
const SWITCH_MAIL = `UPDATE members SET mails_off = REPLACE(COALESCE(mails_off, ' '), ?, ' ') || ?
  WHERE id = ? RETURNING id`;
const SET_LANGUAGE = "UPDATE members SET language = ? WHERE id = ? RETURNING id";
const UPDATE_MEMBER = `UPDATE members SET name = COALESCE(?, name), role = COALESCE(?, role)
  WHERE id = ? RETURNING ${memberColumns}`;
const SET_PASSWORD = `UPDATE members SET password = ?
  WHERE id = ? AND COALESCE(password, '') = COALESCE(?, password, '') RETURNING ${memberColumns}`;
// Yields a row unless the member is the last operator with a password.
const IS_NOT_LAST = `SELECT id FROM members WHERE id = ? AND (
  account_id <> '' OR password IS NULL OR EXISTS (
    SELECT 1 FROM members AS others
    WHERE others.account_id = '' AND others.password IS NOT NULL AND others.id <> members.id
  )
)`;
const DELETE_MEMBER = `DELETE FROM members WHERE id = ? RETURNING ${memberColumns}`;

// Yields a row if the member exists and still has the verified password.
const MAY_SIGN_IN = `SELECT ${memberColumns} FROM members
  WHERE id = ? AND password = COALESCE(?, password)`;
const INSERT_SESSION = `INSERT INTO member_sessions (${sessionColumns})
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
const SEE_MEMBER = `UPDATE members SET last_seen_at = ?
  WHERE id = ? AND (last_seen_at IS NULL OR last_seen_at < ?)`;
/** Bounds one commit; the next one drops the rest. */
const DROPPED_AT_ONCE = 500;
const DROP_OLDEST = `DELETE FROM member_sessions WHERE id IN (
  SELECT id FROM member_sessions WHERE member_id = ? AND id <> ?
  ORDER BY last_seen_at DESC, id DESC LIMIT ${DROPPED_AT_ONCE} OFFSET ?
)`;
const USE_SESSION = "UPDATE member_sessions SET last_seen_at = ? WHERE id = ? AND last_seen_at < ?";
const SEE_MEMBER_OF = `UPDATE members SET last_seen_at = ?
  WHERE id = (SELECT member_id FROM member_sessions WHERE id = ?)
    AND (last_seen_at IS NULL OR last_seen_at < ?)`;
const END_SESSION = "DELETE FROM member_sessions WHERE id = ? AND member_id = ? RETURNING id";
const END_OTHERS = "DELETE FROM member_sessions WHERE member_id = ? AND id <> ? RETURNING id";
const END_SESSIONS = "DELETE FROM member_sessions WHERE member_id = ?";

const HAS_ROOM_FOR_PASSKEY =
  "SELECT 1 AS room WHERE ? > (SELECT COUNT(*) FROM member_passkeys WHERE member_id = ?)";
const INSERT_PASSKEY = `INSERT INTO member_passkeys (${passkeyColumns})
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id`;
const USE_PASSKEY = `UPDATE member_passkeys SET counter = ?, last_used_at = ?
  WHERE id = ? AND counter = ? RETURNING id`;
const DELETE_PASSKEY = "DELETE FROM member_passkeys WHERE id = ? AND member_id = ? RETURNING id";
const DELETE_PASSKEYS = "DELETE FROM member_passkeys WHERE member_id = ? RETURNING id";

const DELETE_LINK = "DELETE FROM member_reset_links WHERE member_id = ?";
const INSERT_LINK = `INSERT INTO member_reset_links (id, hash, expires_at, member_id)
  SELECT ?, ?, ?, id FROM members WHERE id = ? RETURNING id`;
const TAKE_LINK = "DELETE FROM member_reset_links WHERE id = ? AND expires_at > ? RETURNING id";

const SPEND_CHALLENGE = `INSERT INTO member_challenges (challenge, expires_at) VALUES (?, ?)
  ON CONFLICT (challenge) DO NOTHING RETURNING challenge`;

const PURGE_CHALLENGES = `DELETE FROM member_challenges WHERE challenge IN (
  SELECT challenge FROM member_challenges WHERE expires_at <= ? LIMIT ?
)`;

const purging = (table: string, isOver: string): string =>
  `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE ${IN_SLICE} AND ${isOver} LIMIT ?) RETURNING id`;
const isLeft = (table: string): string => none(`members WHERE members.id = ${table}.member_id`);
const PURGE_MEMBERS = purging(
  "members",
  `account_id <> '' AND ${none("accounts WHERE accounts.id = members.account_id")}`,
);
const PURGE_SESSIONS = purging(
  "member_sessions",
  `(expires_at <= ? OR last_seen_at < ? OR ${isLeft("member_sessions")})`,
);
const PURGE_PASSKEYS = purging("member_passkeys", isLeft("member_passkeys"));
const PURGE_LINKS = purging(
  "member_reset_links",
  `(expires_at <= ? OR ${isLeft("member_reset_links")})`,
);

/** The tables that a purge looks through a slice at a time. */
export const slicedTables = [
  "members",
  "member_sessions",
  "member_passkeys",
  "member_reset_links",
] as const;
export type Slices = ReadonlyMap<(typeof slicedTables)[number], Slice>;

const compilers: {
  readonly [One in Kind]: (script: MemberScript, change: ChangeOf<One>, slices: Slices) => void;
} = {
  "member.create": (script, { member, max, at }) => {
    const { id, email, name, role, accountId = OPERATORS } = member;
    const { password = null, createdAt, lastSeenAt = null, language = null, mailsOff } = member;
    if (accountId !== OPERATORS) script.demand(HAS_ACCOUNT, [accountId], "missing");
    script.add(FREE_EMAIL, [email]);
    script.demand(HAS_ROOM, [max, accountId], "limit");
    const times = [createdAt, lastSeenAt];
    const off = mailsOff === undefined ? null : ` ${mailsOff.join(" ")} `;
    const values = [id, email, name, role, accountId, password, ...times, language, off];
    script.demand(INSERT_MEMBER, values, "exists");
    addEvent(script, () => memberEvent("member.created", member, at));
    addNotice(script, { topic: "member", subject: id, at });
  },
  "member.update": (script, { memberId, name = null, role = null, at }) => {
    const updated = script.demand(UPDATE_MEMBER, [name, role, memberId], "missing");
    const changed = [...(name === null ? [] : ["name"]), ...(role === null ? [] : ["role"])];
    addEventOfRow(script, updated, (row) => ({
      ...memberEvent("member.updated", memberOf(row), at),
      changed,
    }));
    addNotice(script, { topic: "member", subject: memberId, at });
  },
  "member.language": (script, { memberId, language, at }) => {
    script.demand(SET_LANGUAGE, [language, memberId], "missing");
    addNotice(script, { topic: "member", subject: memberId, at });
  },
  "member.mails": (script, { memberId, mail, on }) => {
    script.demand(SWITCH_MAIL, [` ${mail} `, on ? "" : `${mail} `, memberId], "missing");
  },
  "member.password": (script, { memberId, password, before = null, at }) => {
    const set = script.demand(SET_PASSWORD, [password, memberId, before], "missing");
    addEventOfRow(script, set, (row) => entry("member.password_changed", memberOf(row), at));
    script.add(END_SESSIONS, [memberId]);
    script.add(DELETE_LINK, [memberId]);
    addNotice(script, { topic: "member", subject: memberId, at });
  },
  "member.remove": (script, { memberId, at }) => {
    script.demand(HAS_MEMBER, [memberId], "missing");
    script.demand(IS_NOT_LAST, [memberId], "last");
    const removed = script.add(DELETE_MEMBER, [memberId]);
    for (const text of [END_SESSIONS, DELETE_PASSKEYS, DELETE_LINK]) script.add(text, [memberId]);
    addEventOfRow(script, removed, (row) => memberEvent("member.removed", memberOf(row), at));
    addNotice(script, { topic: "member", subject: memberId, at });
  },
  "session.create": (script, { session, password = null, max, method, newDevice }) => {
    const { id, memberId, hash, createdAt, lastSeenAt, expiresAt, address, userAgent } = session;
    const found = script.demand(MAY_SIGN_IN, [memberId, password], "missing");
    const values = [id, memberId, hash, createdAt, lastSeenAt, expiresAt, address, userAgent];
    script.add(INSERT_SESSION, values);
    script.add(SEE_MEMBER, [createdAt, memberId, createdAt]);
    script.add(DROP_OLDEST, [memberId, id, max - 1]);
    addEventOfRow(script, found, (row) => {
      const member = memberOf(row);
      const { from } = script.by;
      // Until now a visitor.
      const actor = { kind: "member", id: memberId, ...belonging(member.accountId) } as const;
      const opened = entry("session.created", member, createdAt, withoutUndefined({ method }));
      return { ...opened, actor: from === undefined ? actor : { ...actor, from } };
    });
    if (newDevice === true) {
      addEventOfRow(script, found, (row) => {
        const member = memberOf(row);
        const { data, ...event } = memberEvent("member.device_added", member, createdAt);
        // As it is now: who signs in must not be able to stop the mail about it.
        const mailOff = member.mailsOff?.includes("new_device") === true ? { mailOff: true } : {};
        return { ...event, data: { ...data, sessionId: id, ...mailOff } };
      });
    }
    // Other processes must forget the dropped sessions.
    addNotice(script, { topic: "member", subject: memberId, at: createdAt });
  },
  "session.refuse": (script, { memberId, at }) => {
    if (memberId === undefined) {
      addEvent(script, () => ({ type: "session.refused", accountId: OPERATORS, at, data: {} }));
      return;
    }
    const found = script.add(HAS_MEMBER, [memberId]);
    addEventOfRow(script, found, (row) => entry("session.refused", memberOf(row), at));
  },
  "session.use": (script, { uses }) => {
    for (const { sessionId, at } of uses) {
      script.add(USE_SESSION, [at, sessionId, at]);
      script.add(SEE_MEMBER_OF, [at, sessionId, at]);
    }
  },
  "session.end": (script, { sessionId, memberId, at }) => {
    script.demand(END_SESSION, [sessionId, memberId], "missing");
    const found = script.add(HAS_MEMBER, [memberId]);
    addEventOfRow(script, found, (row) => entry("session.ended", memberOf(row), at));
    addNotice(script, { topic: "member", subject: memberId, at });
  },
  "session.end_others": (script, { memberId, except, at }) => {
    const ended = script.add(END_OTHERS, [memberId, except]);
    addCounted(script, ended, memberId, "session.ended", at);
    addNotice(script, { topic: "member", subject: memberId, at }, ended);
  },
  "passkey.create": (script, { passkey, sessionId, max }) => {
    const { id, memberId, credentialId, publicKey, counter, transports, name } = passkey;
    const found = script.demand(HAS_MEMBER, [memberId], "missing");
    if (sessionId !== undefined) script.demand(HAS_SESSION, [sessionId, memberId], "missing");
    script.demand(HAS_ROOM_FOR_PASSKEY, [max, memberId], "limit");
    const values = [id, memberId, credentialId, publicKey, counter, transports.join(" "), name];
    const { createdAt, lastUsedAt = null } = passkey;
    script.demand(INSERT_PASSKEY, [...values, createdAt, lastUsedAt], "exists");
    const more = { passkeyId: id };
    addEventOfRow(script, found, (row) => entry("passkey.added", memberOf(row), createdAt, more));
  },
  "passkey.use": (script, { passkeyId, before, counter, at }) => {
    script.demand(USE_PASSKEY, [counter, at, passkeyId, before], "missing");
  },
  "passkey.remove": (script, { passkeyId, memberId, at }) => {
    script.demand(DELETE_PASSKEY, [passkeyId, memberId], "missing");
    const found = script.add(HAS_MEMBER, [memberId]);
    const more = { passkeyId };
    addEventOfRow(script, found, (row) => entry("passkey.removed", memberOf(row), at, more));
  },
  "passkey.remove_all": (script, { memberId, at }) => {
    const removed = script.add(DELETE_PASSKEYS, [memberId]);
    addCounted(script, removed, memberId, "passkey.removed", at);
  },
  "reset.offer": (script, { link: { id, memberId, hash, expiresAt }, at }) => {
    script.add(DELETE_LINK, [memberId]);
    script.demand(INSERT_LINK, [id, hash, expiresAt, memberId], "missing");
    const found = script.add(HAS_MEMBER, [memberId]);
    addEventOfRow(script, found, (row) => entry("member.link_created", memberOf(row), at));
  },
  "reset.take": (script, { linkId, at }) => {
    script.demand(TAKE_LINK, [linkId, at], "missing");
  },
  "setup.take": (script, { linkId, at }) => {
    script.demand(TAKE_SETUP_LINK, [linkId, at], "missing");
  },
  "challenge.spend": (script, { challenge, expiresAt }) => {
    script.demand(SPEND_CHALLENGE, [challenge, expiresAt], "exists");
  },
  purge: (script, { at, seenBefore, limit }, slices) => {
    const within = (table: (typeof slicedTables)[number]): readonly string[] => {
      const { after = "", through = "" } = slices.get(table) ?? {};
      return [after, through];
    };
    script.add(PURGE_CHALLENGES, [at, limit]);
    script.add(PURGE_MEMBERS, [...within("members"), limit]);
    script.add(PURGE_SESSIONS, [...within("member_sessions"), at, seenBefore, limit]);
    script.add(PURGE_PASSKEYS, [...within("member_passkeys"), limit]);
    script.add(PURGE_LINKS, [...within("member_reset_links"), at, limit]);
  },
};

/** Adds an entry of the audit log with the number of the rows that the step `removed` yielded, if it yielded any. */
function addCounted(
  script: MemberScript,
  removed: number,
  memberId: string,
  type: AuditType,
  at: number,
): void {
  const found = script.add(HAS_MEMBER, [memberId]);
  addEvent(script, (rows) => {
    const [row] = rows[found] ?? [];
    const count = rows[removed]?.length ?? 0;
    return row === undefined || count === 0 ? undefined : entry(type, memberOf(row), at, { count });
  });
}

/** Creates an entry of the audit log about a member. */
function entry(
  type: AuditType,
  { id, accountId = OPERATORS }: Member,
  at: number,
  more: NewEvent["data"] = {},
): NewEvent {
  return { type, accountId, at, data: { memberId: id, ...more } };
}

type MemberEvent = "member.created" | "member.updated" | "member.device_added" | "member.removed";

/** Creates the event of a member, without the email address, which only the account may see. */
function memberEvent(
  type: MemberEvent,
  { id, role, name, accountId = OPERATORS }: Member,
  at: number,
): NewEvent {
  return { type, accountId, at, data: { memberId: id, role, name } };
}
