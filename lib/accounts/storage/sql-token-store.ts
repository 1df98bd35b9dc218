import type { Clock } from "../../base/clock.ts";
import { done, refused } from "../../base/result.ts";
import type { EventType } from "../../model/event.ts";
import { openTables } from "../../sql/migrate.ts";
import { IN_SLICE, none, rotationOf, type Slice } from "../../sql/rotation.ts";
import { readsOf } from "../../sql/rows.ts";
import type { Sql } from "../../sql/sql.ts";
import {
  addEvent,
  addEventOfRow,
  addNotice,
  EventScript,
  OPERATORS,
  type NewEvent,
} from "../../storage/changes/store-script.ts";
import type { ManagementToken, TokenChange, TokenRefusal, TokenStore } from "../token-store.ts";
import { setupLinkColumns, setupLinkOf, tokenColumns, tokenOf, tokenSchema } from "./rows.ts";

/** Options of a token store in a SQL database. */
export interface SqlTokenStoreOptions {
  /** A database in which `sqlStore` has created its tables. The caller closes it. */
  readonly sql: Sql;
  /** Dates the upgrade of the tables. Default: the system's. */
  readonly clock?: Clock;
}

/**
 * Opens the token store in a SQL database and migrates its tables. Rejects with `ForeignTables` or `NewerSchema` if the
 * tables cannot be used, and with a `TypeError` for invalid options.
 */
export async function sqlTokenStore(options: SqlTokenStoreOptions): Promise<TokenStore> {
  const sql = await openTables("sqlTokenStore", options, tokenSchema);
  const { all, first } = readsOf(sql);
  const rotation = rotationOf(sql);
  return {
    byId: (id) => first(TOKEN, [id], tokenOf),
    list: (accountId = OPERATORS) => all(TOKENS, [accountId], tokenOf),
    setupLink: () => first(LINK, [], setupLinkOf),
    commit: async (changes, actor) => {
      const script: TokenScript = new EventScript(actor);
      const purging = changes.find((change) => change.kind === "purge");
      const slices = await rotation.nextOf(purging === undefined ? [] : ["management_tokens"]);
      for (const change of changes) {
        if (change.kind === "purge") purge(script, change, slices.get("management_tokens"));
        else add(script, change);
      }
      const written = await script.run(sql, LANE);
      if (!written.ok) return refused(written.failure.refusal);
      if (written.value.some((rows) => rows.length === purging?.limit)) rotation.again(slices);
      return done(undefined);
    },
  };
}

/** One for all tokens: a commit counts the tokens of an account. */
const LANE = "tokens";

const TOKEN = `SELECT ${tokenColumns} FROM management_tokens WHERE id = ?`;
const TOKENS = `SELECT ${tokenColumns} FROM management_tokens
  WHERE account_id = ? ORDER BY created_at DESC, id DESC`;
const LINK = `SELECT ${setupLinkColumns} FROM setup_links`;

const HAS_ACCOUNT = "SELECT id FROM accounts WHERE id = ?";
// Yields a row if there is room for one more token.
const HAS_ROOM = `SELECT 1 AS room WHERE ? > (
  SELECT COUNT(*) FROM management_tokens
  WHERE account_id = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)
)`;
const INSERT_TOKEN = `INSERT INTO management_tokens (${tokenColumns})
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING RETURNING id`;
const END =
  "CASE WHEN revoked_at IS NULL OR expires_at < revoked_at THEN expires_at ELSE revoked_at END";
/** Bounds one commit; the next one drops the rest. */
const DROPPED_AT_ONCE = 500;
const DROP_OLDEST_ENDED = `DELETE FROM management_tokens WHERE id IN (
  SELECT id FROM management_tokens WHERE account_id = ? AND ${END} <= ?
  ORDER BY ${END} DESC, id DESC LIMIT ${DROPPED_AT_ONCE} OFFSET ?
)`;
const HAS_TOKEN = "SELECT id FROM management_tokens WHERE id = ?";
const REVOKE_TOKEN = `UPDATE management_tokens SET revoked_at = ?
  WHERE id = ? AND revoked_at IS NULL RETURNING ${tokenColumns}`;
const USE_TOKEN = `UPDATE management_tokens SET last_used_at = ?
  WHERE id = ? AND (last_used_at IS NULL OR last_used_at < ?)`;
// Yields a row if no link expires later.
const NO_LINK_AFTER = `SELECT 1 AS none
  WHERE NOT EXISTS (SELECT 1 FROM setup_links WHERE expires_at > ?)`;
const DELETE_LINKS = "DELETE FROM setup_links";
const INSERT_LINK = "INSERT INTO setup_links (id, hash, expires_at) VALUES (?, ?, ?)";
/** Removes a valid setup link and yields its id. */
export const TAKE_SETUP_LINK =
  "DELETE FROM setup_links WHERE id = ? AND expires_at > ? RETURNING id";
const PURGE_TOKENS = `DELETE FROM management_tokens WHERE id IN (
  SELECT id FROM management_tokens WHERE ${IN_SLICE} AND (revoked_at < ? OR expires_at < ?
    OR (account_id <> '' AND ${none("accounts WHERE accounts.id = management_tokens.account_id")}))
  LIMIT ?
) RETURNING id`;
const PURGE_LINKS = "DELETE FROM setup_links WHERE expires_at <= ?";

type TokenScript = EventScript<TokenRefusal>;

type Purge = Extract<TokenChange, { readonly kind: "purge" }>;

function purge(
  script: TokenScript,
  { endedBefore, at, limit }: Purge,
  { after, through }: Slice = { after: "", through: "" },
): void {
  script.add(PURGE_TOKENS, [after, through, endedBefore, endedBefore, limit]);
  script.add(PURGE_LINKS, [at]);
}

function add(script: TokenScript, change: Exclude<TokenChange, Purge>): void {
  switch (change.kind) {
    case "token.create": {
      const { token, max, at } = change;
      const { id, role, name, hash, createdAt, accountId = OPERATORS } = token;
      const { expiresAt = null, revokedAt = null, lastUsedAt = null } = token;
      if (accountId !== OPERATORS) script.demand(HAS_ACCOUNT, [accountId], "missing");
      script.demand(HAS_ROOM, [max, accountId, at], "limit");
      const values = [id, accountId, role, name, hash, createdAt];
      script.demand(INSERT_TOKEN, [...values, expiresAt, revokedAt, lastUsedAt], "exists");
      script.add(DROP_OLDEST_ENDED, [accountId, at, max]);
      addEvent(script, () => tokenEvent("token.created", token, at));
      addNotice(script, { topic: "token", subject: id, at });
      return;
    }
    case "token.revoke": {
      const { tokenId, at } = change;
      script.demand(HAS_TOKEN, [tokenId], "missing");
      const revoked = script.add(REVOKE_TOKEN, [at, tokenId]);
      addEventOfRow(script, revoked, (row) => tokenEvent("token.revoked", tokenOf(row), at));
      addNotice(script, { topic: "token", subject: tokenId, at }, revoked);
      return;
    }
    case "token.use":
      for (const { tokenId, at } of change.uses) script.add(USE_TOKEN, [at, tokenId, at]);
      return;
    case "setup.offer": {
      const { link, unlessAfter, at } = change;
      const { id, hash, expiresAt } = link;
      if (unlessAfter !== undefined) script.demand(NO_LINK_AFTER, [unlessAfter], "exists");
      script.add(DELETE_LINKS, []);
      script.add(INSERT_LINK, [id, hash, expiresAt]);
      addEvent(script, () => ({ type: "setup_link.created", accountId: OPERATORS, at, data: {} }));
      return;
    }
    case "setup.take":
      script.demand(TAKE_SETUP_LINK, [change.linkId, change.at], "missing");
      return;
  }
}

/** Creates the event of a token, without its hash. */
function tokenEvent(
  type: EventType,
  { id, role, name, accountId = OPERATORS }: ManagementToken,
  at: number,
): NewEvent {
  return { type, accountId, at, data: { tokenId: id, role, name } };
}
