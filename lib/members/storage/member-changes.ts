import { OPERATORS } from "../../management/storage/rows.ts";
import { tell, type News } from "../../management/storage/news.ts";
import { addNotice } from "../../storage/changes/notes.ts";
import type { Script } from "../../sql/script.ts";
import type { Member } from "../model/member.ts";
import type { MemberScript, Of } from "./change-of.ts";
import { memberColumns, memberOf } from "./rows.ts";

const HAS_ACCOUNT = "SELECT id FROM accounts WHERE id = ?";

/** An address is free again when the account of whoever had it is gone. */
const MAKE_WAY = `DELETE FROM members WHERE email = ? AND account_id <> ''
  AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.id = account_id)`;

// One row when there is room for one more.
const HAS_ROOM = "SELECT 1 AS room WHERE ? > (SELECT COUNT(*) FROM members WHERE account_id = ?)";

const INSERT_MEMBER = `INSERT INTO members (${memberColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO NOTHING RETURNING id`;

export function createMember(script: MemberScript, { member, max, at }: Of<"member.create">): void {
  const { id, email, name, role, accountId = OPERATORS, password, createdAt, lastSeenAt } = member;
  if (accountId !== OPERATORS) script.demand(HAS_ACCOUNT, [accountId], "missing");
  script.add(MAKE_WAY, [email]);
  script.demand(HAS_ROOM, [max, accountId], "limit");
  const values = [id, email, name, role, accountId, password ?? null, createdAt];
  script.demand(INSERT_MEMBER, [...values, lastSeenAt ?? null], "exists");
  tell(script, () => memberNews("member.created", member, at));
  addNotice(script, { topic: "member", subject: id, at });
}

const UPDATE_MEMBER = `UPDATE members SET name = COALESCE(?, name), role = COALESCE(?, role)
  WHERE id = ? RETURNING ${memberColumns}`;

export function updateMember(script: MemberScript, change: Of<"member.update">): void {
  const { memberId, name, role, at } = change;
  const values = [name ?? null, role ?? null, memberId];
  const updated = script.demand(UPDATE_MEMBER, values, "missing");
  tellOf(script, "member.updated", updated, at);
  addNotice(script, { topic: "member", subject: memberId, at });
}

const SET_PASSWORD = `UPDATE members SET password = ?
  WHERE id = ? AND COALESCE(password, '') = COALESCE(?, password, '') RETURNING id`;
const END_SESSIONS = "DELETE FROM member_sessions WHERE member_id = ?";
const DELETE_LINK = "DELETE FROM member_reset_links WHERE member_id = ?";
export const DELETE_PASSKEYS = "DELETE FROM member_passkeys WHERE member_id = ?";

export function setPassword(script: MemberScript, change: Of<"member.password">): void {
  const { memberId, password, before, at } = change;
  script.demand(SET_PASSWORD, [password, memberId, before ?? null], "missing");
  script.add(END_SESSIONS, [memberId]);
  script.add(DELETE_LINK, [memberId]);
  addNotice(script, { topic: "member", subject: memberId, at });
}

const HAS_MEMBER = "SELECT id FROM members WHERE id = ?";

// One row, unless nobody who could sign in would be left to run the installation.
const IS_NOT_LAST = `SELECT id FROM members WHERE id = ? AND (
  account_id <> '' OR password IS NULL OR EXISTS (
    SELECT 1 FROM members AS others
    WHERE others.account_id = '' AND others.password IS NOT NULL AND others.id <> members.id
  )
)`;

const DELETE_MEMBER = `DELETE FROM members WHERE id = ? RETURNING ${memberColumns}`;

export function removeMember(script: MemberScript, change: Of<"member.remove">): void {
  const { memberId, at } = change;
  script.demand(HAS_MEMBER, [memberId], "missing");
  script.demand(IS_NOT_LAST, [memberId], "last");
  const removed = script.add(DELETE_MEMBER, [memberId]);
  for (const text of [END_SESSIONS, DELETE_PASSKEYS, DELETE_LINK]) script.add(text, [memberId]);
  tellOf(script, "member.removed", removed, at);
  addNotice(script, { topic: "member", subject: memberId, at });
}

type MemberEvent = "member.created" | "member.updated" | "member.removed";

/** Tells of the member in the row of a step. */
function tellOf(script: Script<string>, type: MemberEvent, step: number, at: number): void {
  tell(script, (rows) => {
    const row = rows[step]?.[0];
    return row === undefined ? undefined : memberNews(type, memberOf(row), at);
  });
}

/** What events tell of a member: never their address, which is nobody's business but their account's. */
function memberNews(
  type: MemberEvent,
  { id, role, name, accountId = OPERATORS }: Member,
  at: number,
): News {
  return { type, accountId, at, data: { memberId: id, role, name } };
}
