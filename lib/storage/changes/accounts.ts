import { environments, seedCategories } from "../../model/account.ts";
import { foldCategoryName } from "../../model/category.ts";
import type { Change } from "../change.ts";
import { number } from "../rows.ts";
import { addNotice } from "./notes.ts";
import { nothing, rowOf, type Outcomes, type Script } from "./script.ts";

type Of<Kind extends Change["kind"]> = Extract<Change, { kind: Kind }>;

const INSERT_ACCOUNT = `INSERT INTO accounts
  (id, name, plan, per_minute, per_day, created_at, suspended_at) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO NOTHING RETURNING id`;

const INSERT_CATALOGUE = `INSERT INTO catalogues
  (account_id, environment, next_pet_id, next_category_id, next_order_id, revision)
  VALUES (?, ?, 1, ?, 1, 1) RETURNING id`;

const INSERT_SEED = `INSERT INTO categories
  (catalogue_id, id, name, folded_name, version, updated_at) VALUES (?, ?, ?, ?, 1, ?)`;

export function createAccount(script: Script, { account }: Of<"account.create">): Outcomes {
  const { id, name, plan, limits, createdAt, suspendedAt = null } = account;
  script.add(
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
  addNotice(script, { topic: "account", subject: id, at: createdAt });
  return nothing;
}

const UPDATE_PLAN =
  "UPDATE accounts SET plan = ?, per_minute = ?, per_day = ? WHERE id = ? RETURNING id";

export function changePlan(
  script: Script,
  { accountId, plan, limits, at }: Of<"account.plan">,
): Outcomes {
  script.add(UPDATE_PLAN, [plan, limits.perMinute, limits.perDay, accountId], "missing");
  addNotice(script, { topic: "account", subject: accountId, at });
  return nothing;
}

const UPDATE_SUSPENSION = "UPDATE accounts SET suspended_at = ? WHERE id = ? RETURNING id";

export function suspendAccount(
  script: Script,
  { accountId, suspendedAt, at }: Of<"account.suspend">,
): Outcomes {
  script.add(UPDATE_SUSPENSION, [suspendedAt ?? null, accountId], "missing");
  addNotice(script, { topic: "account", subject: accountId, at });
  return nothing;
}

const DELETE_ACCOUNT = "DELETE FROM accounts WHERE id = ? RETURNING id";
const DELETE_KEYS = "DELETE FROM api_keys WHERE account_id = ?";
const DEPART = `INSERT INTO departed_catalogues (catalogue_id, account_id)
  SELECT id, account_id FROM catalogues WHERE account_id = ?`;
const DELETE_CATALOGUES = "DELETE FROM catalogues WHERE account_id = ?";

/** Without its catalogues nothing can be added to what is left, so the purge comes to an end. */
export function deleteAccount(script: Script, { accountId, at }: Of<"account.delete">): Outcomes {
  script.add(DELETE_ACCOUNT, [accountId], "missing");
  script.add(DELETE_KEYS, [accountId]);
  script.add(DEPART, [accountId]);
  script.add(DELETE_CATALOGUES, [accountId]);
  addNotice(script, { topic: "account", subject: accountId, at });
  return nothing;
}
