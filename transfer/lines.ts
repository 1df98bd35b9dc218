import { createCollector } from "../backup/streams.ts";
import { isObject } from "../lib/base/field-error.ts";
import type { SqlRow, SqlValue } from "../lib/sql/sql.ts";
import type { Column, Table } from "./tables.ts";

/** The longest line of an export, in bytes: twice the largest row that the program writes, the files of a deploy. */
export const MAX_LINE_BYTES: number = 32 * 1_048_576;

export const BYTES_PER_COLLECTION = 8 * 1_048_576;

/** The file is not what an export wrote. */
export class ExportDamaged extends Error {
  override readonly name = "ExportDamaged";
}

/** Some lines of a file, in order. */
export interface Lines {
  /** The number of the first one, from 1. */
  readonly first: number;
  readonly lines: readonly string[];
}

const LINE_END = 10;

/**
 * Reads a file of lines, a part of it at a time: memory depends on the longest line. Every line ends with a line feed.
 * Rejects with `ExportDamaged`, which names the file and the line.
 */
export async function* linesOf(
  file: string,
  content: ReadableStream<Uint8Array>,
): AsyncGenerator<Lines, void, undefined> {
  const reader = content.getReader();
  const collect = createCollector(BYTES_PER_COLLECTION);
  let begun: Uint8Array[] = [];
  let bytes = 0;
  let first = 1;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const end = next.value.lastIndexOf(LINE_END);
      bytes += next.value.length;
      if (end === -1) {
        if (bytes > MAX_LINE_BYTES) throw damagedLine(file, first, "is longer than 32 MiB");
        begun.push(next.value);
        continue;
      }
      const whole = Buffer.concat([...begun, next.value.subarray(0, end)]);
      const rest = next.value.subarray(end + 1);
      begun = [rest];
      bytes = rest.length;
      const lines = decoded(file, first, whole).split("\n");
      yield { first, lines };
      collect(whole.length);
      first += lines.length;
    }
    if (bytes > 0) throw damagedLine(file, first, "is cut off");
  } finally {
    await reader.cancel();
  }
}

function decoded(file: string, first: number, whole: Uint8Array): string {
  try {
    return utf8(whole);
  } catch {
    let line = first;
    for (let start = 0; start < whole.length; line++) {
      const end = whole.indexOf(LINE_END, start);
      const part = whole.subarray(start, end === -1 ? whole.length : end);
      try {
        utf8(part);
      } catch {
        break;
      }
      start += part.length + 1;
    }
    throw damagedLine(file, line, "is not UTF-8");
  }
}

function utf8(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

/** Returns the error of a line that cannot be read. */
export function damagedLine(file: string, line: number, fault: string): ExportDamaged {
  return new ExportDamaged(`${file}: line ${line} ${fault}`);
}

/** Reads a row with the members of a table's columns, or returns its fault. */
export function readRow({ columns }: Table, line: string): SqlRow | string {
  const found = membersOf(line);
  if (typeof found === "string") return found;
  const row: Record<string, SqlValue> = {};
  for (const column of columns) {
    const value = found[column.member];
    if (!fits(column, value)) return faultOf(column, value);
    row[column.member] = value;
  }
  const members = Object.keys(found);
  if (members.length === columns.length) return row;
  return `has an unknown member ${JSON.stringify(members.find((member) => !Object.hasOwn(row, member)))}`;
}

/** Parses an object, or returns its fault. */
function membersOf(line: string): Readonly<Record<string, unknown>> | string {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : "is not an object";
  } catch {
    return "is not JSON";
  }
}

/** A name that no file can have would make every later backup fail. */
const FILE_NAME = /^[\da-f]{64}$/;

function fits({ type, maximum, nullable, namesFile }: Column, value: unknown): value is SqlValue {
  if (value === null) return nullable;
  if (type === "text") {
    return typeof value === "string" && (!namesFile || FILE_NAME.test(value));
  }
  return typeof value === "number" && Number.isSafeInteger(value) && Math.abs(value) <= maximum;
}

function faultOf({ member, type, maximum, nullable, namesFile }: Column, value: unknown): string {
  if (value === undefined) return `lacks the member ${JSON.stringify(member)}`;
  const text = namesFile ? "a SHA-256 in hex" : "a string";
  const wanted = type === "text" ? text : `an integer up to ${maximum}`;
  return `has a member ${JSON.stringify(member)} that is not ${wanted}${nullable ? " or null" : ""}`;
}
