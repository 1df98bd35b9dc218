import { parseJsonText } from "../../base/json.ts";
import { wordForm } from "../../model/text.ts";
import { MAX_COLUMNS, MAX_ROWS } from "../limits.ts";
import { TableRefused, type Cell, type Table, type TableRow, type TableSource } from "../table.ts";
import { inBatches, type TextHead } from "./csv.ts";
import { decoded } from "./encoding.ts";
import { JsonPieces, outerMembers, type JsonPiece } from "./json-pieces.ts";
import { cellText, isBlankText } from "./texts.ts";

/** The deepest nesting, equal to that of API bodies. */
const MAX_DEPTH = 32;
/** The most items of a list of objects that become columns: more than an animal has photos. */
const MAX_ITEMS = 12;
/** The most members that a refusal names. */
const MAX_NAMED = 10;

/** Where the rows are in a text. */
interface Place {
  readonly member?: string;
  readonly from?: number;
}

/** Opens a JSON text as a table: a list of objects, objects on lines, or an object with one list of objects. */
export async function jsonTable(source: TableSource, head: TextHead): Promise<Table> {
  const { encoding, gzip } = head;
  const place = placeIn(head);
  const columns = new Map<string, number>();
  const rows = (): AsyncGenerator<readonly ObjectRow[]> => objects(source, head, place);
  for await (const batch of rows()) {
    for (const { line, cells } of batch) {
      for (const name of cells?.keys() ?? []) {
        if (!columns.has(name)) columns.set(name, columns.size);
      }
      if (columns.size > MAX_COLUMNS) {
        throw new TableRefused({ code: "too_many_columns", most: MAX_COLUMNS, line });
      }
    }
  }
  const { member } = place;
  const facts = { format: "json", encoding, gzip, titles: [] } as const;
  return {
    columns: [...columns.keys()],
    facts: { ...facts, ...(member !== undefined && { member }) },
    rows: () => tableRows(rows(), [...columns.keys()]),
  };
}

async function* tableRows(
  batches: AsyncIterable<readonly ObjectRow[]>,
  columns: readonly string[],
): AsyncGenerator<readonly TableRow[]> {
  for await (const batch of batches) {
    const rows = batch.map((row): TableRow => {
      if (row.cells === undefined) return row;
      return { line: row.line, cells: columns.map((name) => row.cells.get(name) ?? "") };
    });
    yield* inBatches(rows);
  }
}

/** A row with its values by name, or its fault. */
type ObjectRow =
  | { readonly line: number; readonly cells: ReadonlyMap<string, Cell> }
  | (Extract<TableRow, { readonly fault: unknown }> & { readonly cells?: undefined });

async function* objects(
  source: TableSource,
  head: TextHead,
  place: Place,
): AsyncGenerator<readonly ObjectRow[]> {
  const pieces = new JsonPieces(place.from);
  let count = 0;
  const taken = (found: readonly JsonPiece[]): readonly ObjectRow[] => {
    count += found.length;
    if (count > MAX_ROWS) throw new TableRefused({ code: "too_many_rows", most: MAX_ROWS });
    return found.map(objectRow);
  };
  for await (const text of decoded(source, head.encoding)) yield taken(pieces.push(text));
  yield taken(pieces.end());
}

function objectRow({ line, text }: JsonPiece): ObjectRow {
  const parsed = parseJsonText(text, MAX_DEPTH, "The object");
  if (!parsed.ok) return { line, fault: { code: "not_json", message: parsed.failure.message } };
  const { value } = parsed;
  if (!isObject(value)) return { line, fault: { code: "not_an_object" } };
  const cells = new Map<string, Cell>();
  for (const [name, member] of Object.entries(value)) flatten(name, member, cells);
  const nul = [...cells.values()].some((cell) => typeof cell === "string" && cell.includes("\0"));
  return nul ? { line, fault: { code: "nul" } } : { line, cells };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Adds a value by the path to it. A list of texts becomes one text; the items of other lists are numbered from 1. */
function flatten(path: string, value: unknown, cells: Map<string, Cell>): void {
  if (typeof value === "string") cells.set(path, cellText(value.replaceAll(/\r\n?/g, "\n")));
  else if (typeof value === "number" || typeof value === "boolean") cells.set(path, value);
  else if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    if (items.every((item) => typeof item !== "object" || item === null)) {
      cells.set(path, items.flatMap(textOf).join(", "));
    } else {
      for (const [index, item] of items.slice(0, MAX_ITEMS).entries()) {
        flatten(`${path}.${index + 1}`, item, cells);
      }
    }
  } else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) flatten(`${path}.${name}`, member, cells);
  } else cells.set(path, "");
}

function textOf(item: unknown): readonly string[] {
  if (typeof item === "string") return [item];
  return typeof item === "number" || typeof item === "boolean" ? [String(item)] : [];
}

/** Finds the list of rows in an object that has one, as the answers of APIs do. */
function placeIn({ text, whole }: TextHead): Place {
  const outer = outerMembers(text);
  if (outer === undefined) return {};
  const { members, end } = outer;
  const single = end === undefined || (whole && isBlankText(text.slice(end)));
  const isAnimal = members.some(({ name }) => wordForm(name) === "name");
  if (!single || isAnimal) return {};
  const lists = members.filter(({ list }) => list !== undefined);
  const named = lists.filter(({ name }) => wordForm(name) === "animals");
  const [only] = named.length === 1 ? named : lists;
  if (only?.list === undefined) {
    const empty = members.find(({ name }) => wordForm(name) === "animals");
    return empty === undefined ? {} : refuse(members);
  }
  if (lists.length > 1 && named.length !== 1) refuse(lists);
  return { member: only.name, from: only.list };
}

function refuse(members: readonly { readonly name: string }[]): never {
  const names = members.slice(0, MAX_NAMED).map(({ name }) => name.slice(0, 80));
  throw new TableRefused({ code: "no_list", members: names });
}
