import type { Page } from "../base/page.ts";
import type { ProfileFilter } from "../catalogue/model-profile.ts";
import { searchForm } from "../model/text.ts";
import { categoryColumns, orderColumns, petColumns, usageColumns } from "./rows.ts";
import type { Dialect, SqlValue, Statement } from "../sql/sql.ts";
import type { UsagePeriod, UsageQuery } from "../model/usage.ts";

/** The tables that lists read. */
export type ListTable = "pets" | "categories" | "orders";

/** Selects rows of a catalogue. */
export interface Selection {
  readonly table: ListTable;
  readonly catalogueId: number;
  /** In the order in which index names list the columns. An undefined value does not filter. */
  readonly filters: readonly Filter[];
  /** If present, only these ids, 1 to 100. */
  readonly ids?: readonly number[] | undefined;
  /** Pets only: a part of the name, in its searchable form. */
  readonly part?: string | undefined;
  /** Pets only. */
  readonly profile?: ProfileFilter | undefined;
}

/** The value that a column must have. */
export type Filter = readonly [column: keyof typeof nameInIndex, value: SqlValue | undefined];

const nameInIndex = { category_id: "category", pet_id: "pet", status: "status" } as const;

const listed: Readonly<Record<ListTable, string>> = {
  pets: petColumns,
  categories: categoryColumns,
  orders: orderColumns,
};

/** Selects one page by id. It is a range of one index, so deep pages cost the same as the first. */
export function pageOf(dialect: Dialect, selection: Selection, page: Page): Statement {
  const { from, values } = source(dialect, selection);
  const { rest, start } = page.order === "asc" ? ascending : descending;
  return {
    text: `SELECT ${listed[selection.table]} ${from} ${rest}`,
    values: [...values, page.after ?? start, page.limit],
  };
}

// Without `after`, `start` lies beyond every id, so that both cases share one prepared statement.
const ascending = { rest: "AND id > ? ORDER BY id LIMIT ?", start: 0 } as const;
const descending = { rest: "AND id < ? ORDER BY id DESC LIMIT ?", start: 2 ** 53 } as const;

/** Counts the selected rows in one range of an index. */
export function countOf(dialect: Dialect, selection: Selection): Statement {
  const { from, values } = source(dialect, selection);
  return { text: `SELECT COUNT(*) AS count ${from}`, values };
}

function source(
  dialect: Dialect,
  { table, catalogueId, filters, ids, part, profile }: Selection,
): { readonly from: string; readonly values: readonly SqlValue[] } {
  let where = "catalogue_id = ?";
  let index = "";
  const values: SqlValue[] = [catalogueId];
  for (const [column, value] of filters) {
    if (value === undefined) continue;
    where += ` AND ${column} = ?`;
    index += `${index === "" ? "_by_" : "_and_"}${nameInIndex[column]}`;
    values.push(value);
  }
  if (part !== undefined) {
    where += ` AND ${dialect.contains("folded_name")}`;
    values.push(part);
  }
  if (profile !== undefined) {
    const condition = profileCondition(dialect, profile);
    where += condition.text;
    values.push(...condition.values);
  }
  if (ids !== undefined) {
    // Found one by one in the primary key, at most a hundred.
    return {
      from: `FROM ${table} WHERE ${where} AND id IN (${placesOf(ids)})`,
      values: [...values, ...pad(ids)],
    };
  }
  const by = index === "" ? "" : ` ${dialect.readBy(table + index)}`;
  return { from: `FROM ${table}${by} WHERE ${where}`, values };
}

/** Compares profiles by an index that has all columns, so that none of their rows is read. */
function profileCondition(dialect: Dialect, filter: ProfileFilter): Statement {
  const { sex, size, goodWith = [], bornFrom, bornUntil, words } = filter;
  const ofPet = `SELECT 1 FROM profiles ${dialect.readBy("profiles_by_filters")}
    WHERE profiles.catalogue_id = pets.catalogue_id AND profiles.pet_id = pets.id`;
  const conditions: string[] = [];
  const values: SqlValue[] = [];
  const only = (condition: string, value: SqlValue | undefined): void => {
    if (value === undefined) return;
    conditions.push(` AND ${condition}`);
    values.push(value);
  };
  only("sex = ?", sex);
  only("size = ?", size);
  for (const companion of goodWith) only(`good_with_${companion} = ?`, "yes");
  only("birth_date >= ?", bornFrom);
  only("birth_date <= ?", bornUntil);
  let text = conditions.length === 0 ? "" : ` AND EXISTS (${ofPet}${conditions.join("")})`;
  if (words !== undefined) {
    const part = searchForm(words);
    text += ` AND (${dialect.contains("folded_name")}
      OR EXISTS (${ofPet} AND ${dialect.contains("folded_breed")}))`;
    values.push(part, part);
  }
  return { text, values };
}

const LENGTHS = [1, 10, 100, 1_000];

const paddedLength = (length: number): number => LENGTHS.find((size) => size >= length) ?? length;

/** Repeats the last value up to one of four lengths, which bounds the number of prepared statements. */
export function pad<Value extends SqlValue>(values: readonly Value[]): readonly Value[] {
  const missing = paddedLength(values.length) - values.length;
  return [...values, ...Array.from({ length: missing }, () => values.slice(-1)).flat()];
}

/** Returns the placeholders of padded values. */
export function placesOf(values: readonly SqlValue[]): string {
  return Array.from({ length: paddedLength(values.length) }, () => "?").join(", ");
}

/** The table of each usage period. */
export const usageTables: Readonly<Record<UsagePeriod, string>> = {
  minute: "usage_minutes",
  day: "usage_days",
};

/** Selects the usage in a time range: a range of one index, with or without a key. */
export function usageIn(query: UsageQuery, limit: number): Statement {
  const { accountId, by, from, to, environment, keyId } = query;
  const conditions = ["account_id = ?"];
  const values: SqlValue[] = [accountId];
  const only = (condition: string, value: SqlValue | undefined): void => {
    if (value === undefined) return;
    conditions.push(condition);
    values.push(value);
  };
  only("key_id = ?", keyId);
  only("started_at >= ?", from);
  only("started_at < ?", to);
  only("environment = ?", environment);
  return {
    text: `SELECT ${usageColumns} FROM ${usageTables[by]} WHERE ${conditions.join(" AND ")}
      ORDER BY started_at, key_id, operation LIMIT ?`,
    values: [...values, limit],
  };
}
