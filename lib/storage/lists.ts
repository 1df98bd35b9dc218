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
  /** The filters in the order in which index names list the columns. An undefined value does not filter. */
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
  const { from, values, id } = source(dialect, selection);
  // Without `after`, the start lies beyond every id, so that both cases share one prepared statement.
  const [rest, start] =
    page.order === "asc"
      ? [`AND ${id} > ? ORDER BY ${id} LIMIT ?`, 0]
      : [`AND ${id} < ? ORDER BY ${id} DESC LIMIT ?`, 2 ** 53];
  return {
    text: `SELECT ${listed[selection.table]} ${from} ${rest}`,
    values: [...values, page.after ?? start, page.limit],
  };
}

/** Counts the selected rows in one range of an index. */
export function countOf(dialect: Dialect, selection: Selection): Statement {
  const { from, values } = source(dialect, selection);
  return { text: `SELECT COUNT(*) AS count ${from}`, values };
}

/** The tables and conditions of a selection. `id` is the column that orders it. */
interface Source {
  readonly from: string;
  readonly values: readonly SqlValue[];
  readonly id: string;
}

function source(
  dialect: Dialect,
  { table, catalogueId, filters, ids, part, profile }: Selection,
): Source {
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
  if (profile?.words !== undefined) {
    where += ` AND (${dialect.contains("folded_name")} OR EXISTS (
      SELECT 1 FROM ${profilesIn(dialect)} WHERE profiles.catalogue_id = pets.catalogue_id
        AND profiles.pet_id = pets.id AND ${dialect.contains("folded_breed")}))`;
    const words = searchForm(profile.words);
    values.push(words, words);
  }
  const described = profile && profileConditions(profile);
  const isDescribed = described !== undefined && described.values.length > 0;
  if (ids !== undefined) {
    // Found one by one in the primary key, at most a hundred.
    const among = isDescribed
      ? ` AND id IN (SELECT pet_id FROM profiles WHERE catalogue_id = ?
          AND pet_id IN (${placesOf(ids)})${described.text})`
      : "";
    return {
      from: `FROM ${table} WHERE ${where} AND id IN (${placesOf(ids)})${among}`,
      values: [
        ...values,
        ...pad(ids),
        ...(isDescribed ? [catalogueId, ...pad(ids), ...described.values] : []),
      ],
      id: "id",
    };
  }
  if (isDescribed) {
    // A range of the index has all that is compared; only the animals that match are read.
    return {
      from: `FROM (SELECT pet_id FROM ${profilesIn(dialect)} WHERE catalogue_id = ?${described.text})
        AS described CROSS JOIN pets WHERE pets.id = described.pet_id AND ${where}`,
      values: [catalogueId, ...described.values, ...values],
      id: "described.pet_id",
    };
  }
  const by = index === "" ? "" : ` ${dialect.readBy(table + index)}`;
  return { from: `FROM ${table}${by} WHERE ${where}`, values, id: "id" };
}

const profilesIn = ({ readBy }: Dialect): string => `profiles ${readBy("profiles_by_filters")}`;

/** Compares what the index `profiles_by_filters` has of a profile. */
function profileConditions(filter: ProfileFilter): Statement {
  const { sex, size, goodWith = [], bornFrom, bornUntil } = filter;
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
  return { text: conditions.join(""), values };
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
