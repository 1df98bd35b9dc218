import type { EventType } from "../../model/event.ts";
import { addNotice } from "../../storage/changes/notes.ts";
import { Script } from "../../sql/script.ts";
import type { ManagementToken } from "../model/token.ts";
import type { TokenChange, TokenRefusal } from "../token-store.ts";
import { tell, type News } from "./news.ts";
import { OPERATORS, tokenColumns, tokenOf } from "./rows.ts";

type Of<Kind extends TokenChange["kind"]> = Extract<TokenChange, { kind: Kind }>;

/** The steps of one commit, each with what it is refused with. */
export type TokenScript = Script<TokenRefusal>;

/** The changes of one commit as the steps of one batch. */
export function compile(changes: readonly TokenChange[]): TokenScript {
  const script: TokenScript = new Script();
  for (const change of changes) {
    switch (change.kind) {
      case "token.create":
        createToken(script, change);
        break;
      case "token.revoke":
        revokeToken(script, change);
        break;
      case "token.use":
        for (const { tokenId, at } of change.uses) script.add(USE_TOKEN, [at, tokenId, at]);
        break;
      case "setup.offer": {
        const { id, hash, expiresAt } = change.link;
        script.add(DELETE_LINKS, []);
        script.add(INSERT_LINK, [id, hash, expiresAt]);
        break;
      }
      case "setup.take":
        script.demand(TAKE_LINK, [change.linkId, change.at], "missing");
        break;
      case "purge":
        purge(script, change);
        break;
    }
  }
  return script;
}

const HAS_ACCOUNT = "SELECT id FROM accounts WHERE id = ?";

// One row when there is room for one more.
const HAS_ROOM = `SELECT 1 AS room WHERE ? > (
  SELECT COUNT(*) FROM management_tokens
  WHERE account_id = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)
)`;

const INSERT_TOKEN = `INSERT INTO management_tokens (${tokenColumns})
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING RETURNING id`;

const END =
  "CASE WHEN revoked_at IS NULL OR expires_at < revoked_at THEN expires_at ELSE revoked_at END";

/** However many there are: nobody waits long for one commit, and the next one goes on. */
const DROPPED_AT_ONCE = 500;

const DROP_OLDEST_ENDED = `DELETE FROM management_tokens WHERE id IN (
  SELECT id FROM management_tokens WHERE account_id = ? AND ${END} <= ?
  ORDER BY ${END} DESC, id DESC LIMIT ${DROPPED_AT_ONCE} OFFSET ?
)`;

function createToken(script: TokenScript, { token, max, at }: Of<"token.create">): void {
  const { accountId = OPERATORS } = token;
  if (accountId !== OPERATORS) script.demand(HAS_ACCOUNT, [accountId], "missing");
  script.demand(HAS_ROOM, [max, accountId, at], "limit");
  const { id, role, name, hash, createdAt, expiresAt, revokedAt, lastUsedAt } = token;
  const values = [id, accountId, role, name, hash, createdAt];
  const ends = [expiresAt ?? null, revokedAt ?? null, lastUsedAt ?? null];
  script.demand(INSERT_TOKEN, [...values, ...ends], "exists");
  script.add(DROP_OLDEST_ENDED, [accountId, at, max]);
  tell(script, () => tokenNews("token.created", token, at));
  addNotice(script, { topic: "token", subject: token.id, at });
}

const HAS_TOKEN = "SELECT id FROM management_tokens WHERE id = ?";

const REVOKE_TOKEN = `UPDATE management_tokens SET revoked_at = ?
  WHERE id = ? AND revoked_at IS NULL RETURNING ${tokenColumns}`;

function revokeToken(script: TokenScript, { tokenId, at }: Of<"token.revoke">): void {
  script.demand(HAS_TOKEN, [tokenId], "missing");
  const revoked = script.add(REVOKE_TOKEN, [at, tokenId]);
  tell(script, (rows) => {
    const row = rows[revoked]?.[0];
    return row === undefined ? undefined : tokenNews("token.revoked", tokenOf(row), at);
  });
  addNotice(script, { topic: "token", subject: tokenId, at }, revoked);
}

/** What events tell of a token: never its hash. */
function tokenNews(
  type: EventType,
  { id, role, name, accountId = OPERATORS }: ManagementToken,
  at: number,
): News {
  return { type, accountId, at, data: { tokenId: id, role, name } };
}

const USE_TOKEN = `UPDATE management_tokens SET last_used_at = ?
  WHERE id = ? AND (last_used_at IS NULL OR last_used_at < ?)`;

const DELETE_LINKS = "DELETE FROM setup_links";
const INSERT_LINK = "INSERT INTO setup_links (id, hash, expires_at) VALUES (?, ?, ?)";
/** Yields the id of the setup link that it takes. */
export const TAKE_LINK = "DELETE FROM setup_links WHERE id = ? AND expires_at > ? RETURNING id";

const PURGE_TOKENS = `DELETE FROM management_tokens WHERE id IN (
  SELECT id FROM management_tokens
  WHERE revoked_at < ? OR expires_at < ?
    OR (account_id <> '' AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.id = account_id))
  LIMIT ?
)`;
const PURGE_LINKS = "DELETE FROM setup_links WHERE expires_at <= ?";

function purge(script: TokenScript, { endedBefore, at, limit }: Of<"purge">): void {
  script.add(PURGE_TOKENS, [endedBefore, endedBefore, limit]);
  script.add(PURGE_LINKS, [at]);
}
