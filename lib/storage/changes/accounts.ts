import { number } from "../../sql/rows.ts";
import { environments, seedCategories } from "../../model/account.ts";
import { foldCategoryName } from "../../catalogue/model.ts";
import { accountEvent, deletedAccountEvent } from "../../model/event.ts";
import type { ChangeOf } from "../change.ts";
import { NAME, PLAN } from "../changed-fields.ts";
import { accountColumns, accountOf } from "../rows.ts";
import {
  addEvent,
  addEventOfRow,
  addEventUnchecked,
  addNotice,
  type NewEvent,
  type Outcomes,
  type StoreScript,
} from "./store-script.ts";
import { nothing, rowOf } from "../../sql/script.ts";

const INSERT_ACCOUNT = `INSERT INTO accounts
  (id, name, plan, per_minute, per_day, created_at, suspended_at) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO NOTHING RETURNING id`;

const INSERT_CATALOGUE = `INSERT INTO catalogues
  (account_id, environment, next_pet_id, next_category_id, next_order_id, revision)
  VALUES (?, ?, 1, ?, 1, 1) RETURNING id`;

const INSERT_SEED = `INSERT INTO categories
  (catalogue_id, id, name, folded_name, version, updated_at) VALUES (?, ?, ?, ?, 1, ?)`;

export function createAccount(
  script: StoreScript,
  { account }: ChangeOf<"account.create">,
): Outcomes {
  const { id, name, plan, limits, createdAt, suspendedAt = null } = account;
  script.demand(
    INSERT_ACCOUNT,
    [id, name, plan, limits.perMinute, limits.perDay, createdAt, suspendedAt],
    "exists",
  );
  for (const environment of environments) {
    const catalogue = script.add(INSERT_CATALOGUE, [id, environment, seedCategories.length + 1]);
    for (const [index, seed] of seedCategories.entries()) {
      script.add(INSERT_SEED, (rows) => [
        number(rowOf(rows, catalogue), "id"),
        index + 1,
        seed,
        foldCategoryName(seed),
        createdAt,
      ]);
    }
  }
  addEvent(script, () => ({
    type: "account.created",
    accountId: id,
    at: createdAt,
    data: accountEvent(account),
  }));
  addNotice(script, { topic: "account", subject: id, at: createdAt });
  return nothing;
}

const UPDATE_NAME = `UPDATE accounts SET name = ? WHERE id = ? RETURNING ${accountColumns}`;

export function renameAccount(
  script: StoreScript,
  { accountId, name, at }: ChangeOf<"account.rename">,
): Outcomes {
  const renamed = script.demand(UPDATE_NAME, [name, accountId], "missing");
  addAccountEvent(script, renamed, { type: "account.updated", at, changed: NAME });
  addNotice(script, { topic: "account", subject: accountId, at });
  return nothing;
}

const UPDATE_PLAN = `UPDATE accounts SET plan = ?, per_minute = ?, per_day = ? WHERE id = ?
  RETURNING ${accountColumns}`;

export function changePlan(
  script: StoreScript,
  { accountId, plan, limits, at }: ChangeOf<"account.plan">,
): Outcomes {
  const { perMinute, perDay } = limits;
  const changed = script.demand(UPDATE_PLAN, [plan, perMinute, perDay, accountId], "missing");
  addAccountEvent(script, changed, { type: "account.updated", at, changed: PLAN });
  addNotice(script, { topic: "account", subject: accountId, at });
  return nothing;
}

const HAS_ACCOUNT = "SELECT id FROM accounts WHERE id = ?";

const SUSPEND = `UPDATE accounts SET suspended_at = ? WHERE id = ? AND suspended_at IS NULL
  RETURNING ${accountColumns}`;

const RESUME = `UPDATE accounts SET suspended_at = NULL WHERE id = ? AND suspended_at IS NOT NULL
  RETURNING ${accountColumns}`;

export function suspendAccount(
  script: StoreScript,
  { accountId, suspendedAt, at }: ChangeOf<"account.suspend">,
): Outcomes {
  script.demand(HAS_ACCOUNT, [accountId], "missing");
  const changed =
    suspendedAt === undefined
      ? script.add(RESUME, [accountId])
      : script.add(SUSPEND, [suspendedAt, accountId]);
  const type = suspendedAt === undefined ? "account.resumed" : "account.suspended";
  addAccountEvent(script, changed, { type, at });
  addNotice(script, { topic: "account", subject: accountId, at }, changed);
  return nothing;
}

const DELETE_ACCOUNT = "DELETE FROM accounts WHERE id = ? RETURNING id";
// Changes nothing: waits for commits that are changing a catalogue, so that their events come before the last one.
const LOCK_CATALOGUES = "UPDATE catalogues SET revision = revision WHERE account_id = ?";
const DELETE_KEYS = "DELETE FROM api_keys WHERE account_id = ?";
// Runs after the step that writes the account's last event, whose `seq` it reads.
const MARK_CATALOGUES_FOR_PURGE = `INSERT INTO departed_catalogues (catalogue_id, account_id, events_before)
  SELECT id, account_id,
    (SELECT MAX(seq) FROM events WHERE events.account_id = catalogues.account_id)
  FROM catalogues WHERE account_id = ?`;
const DELETE_CATALOGUES = "DELETE FROM catalogues WHERE account_id = ?";

/** Deletes the catalogues, so nothing can be added to the rows that remain, and the purge terminates. */
export function deleteAccount(
  script: StoreScript,
  { accountId, at }: ChangeOf<"account.delete">,
): Outcomes {
  script.demand(DELETE_ACCOUNT, [accountId], "missing");
  script.add(LOCK_CATALOGUES, [accountId]);
  script.add(DELETE_KEYS, [accountId]);
  addEventUnchecked(script, () => ({
    type: "account.deleted",
    accountId,
    at,
    data: deletedAccountEvent(accountId),
  }));
  script.add(MARK_CATALOGUES_FOR_PURGE, [accountId]);
  script.add(DELETE_CATALOGUES, [accountId]);
  addNotice(script, { topic: "account", subject: accountId, at });
  return nothing;
}

/** Adds an event about the account that the step `cause` changed, if it changed one. */
function addAccountEvent(
  script: StoreScript,
  cause: number,
  event: Pick<NewEvent, "type" | "at" | "changed">,
): void {
  addEventOfRow(script, cause, (row) => {
    const account = accountOf(row);
    return { ...event, accountId: account.id, data: accountEvent(account) };
  });
}
