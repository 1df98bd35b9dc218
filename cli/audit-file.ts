import { isObject } from "../lib/base/field-error.ts";
import { parseJsonText } from "../lib/base/json.ts";
import {
  canonical,
  chainVerifier,
  type AuditRow,
  type ChainPlace,
  type Verified,
} from "../lib/audit/index.ts";
import { bunDigest } from "../adapters/hosts/bun.ts";
import { linesOf } from "../transfer/lines.ts";
import { Failure } from "../settings/failure.ts";

// The file that `audit export` writes: a first line that names the format and the place before the first row, a line per
// row, and a last line with the place of the last row. Without the last line, the file is cut off.

const FORMAT = "petstore-audit-1";

/** Returns the first line of a file. */
export function firstLine(from: ChainPlace, exportedAt: string): string {
  return `${JSON.stringify({ format: FORMAT, from: placeIn(from), exportedAt })}\n`;
}

/** Returns the line of a row: its canonical form, with the hash at its end. */
export function lineOf(row: AuditRow): string {
  return `${canonical(row).slice(0, -1)},"hash":${JSON.stringify(row.hash)}}\n`;
}

/** Returns the last line of a file. */
export function lastLine(head: ChainPlace): string {
  return `${JSON.stringify({ head: placeIn(head) })}\n`;
}

function placeIn({ seq, hash }: ChainPlace): ChainPlace {
  return { seq, hash };
}

/** Verifies a file, without any server. Rejects with a `Failure` if it is none that `audit export` wrote, or is cut off. */
export async function verifyFile(
  path: string,
  content: ReadableStream<Uint8Array>,
  noted: ChainPlace | undefined,
): Promise<Verified> {
  let verifier: ReturnType<typeof chainVerifier> | undefined;
  let end: ChainPlace | undefined;
  for await (const { first, lines } of linesOf(path, content)) {
    for (const [index, line] of lines.entries()) {
      const at = `Line ${first + index} of ${path}`;
      const read = parseJsonText(line, DEPTH, at);
      if (!read.ok) throw new Failure("notOk", read.failure.message);
      const { value } = read;
      if (end !== undefined) throw new Failure("notOk", `${at} follows the end of the log.`);
      if (verifier === undefined) {
        const from =
          isObject(value) && value["format"] === FORMAT ? placeOf(value["from"]) : undefined;
        if (from === undefined) {
          throw new Failure("usage", `${path} is no file that \`petstore audit export\` wrote.`);
        }
        verifier = chainVerifier(bunDigest, from, noted);
      } else if (isObject(value) && "head" in value) {
        end = placeOf(value["head"]);
        if (end === undefined) throw new Failure("notOk", `${at} names no row.`);
      } else if (!isRow(value)) {
        throw new Failure("notOk", `${at} is no row of an audit log.`);
      } else if (!(await verifier.add(value))) return verifier.end();
    }
  }
  if (verifier === undefined) throw new Failure("usage", `${path} is empty.`);
  if (end === undefined) {
    throw new Failure(
      "notOk",
      `${path} is cut off: its last line, which names the last row, is missing.`,
    );
  }
  return verifier.end(end);
}

/** Rows hold a list and an object. */
const DEPTH = 4;

function placeOf(value: unknown): ChainPlace | undefined {
  if (!isObject(value)) return undefined;
  const { seq, hash } = value;
  return Number.isSafeInteger(seq) && typeof hash === "string"
    ? { seq: Number(seq), hash }
    : undefined;
}

/** Whether a value can be a row. Its hash shows whether all of it is as it was. */
function isRow(value: unknown): value is AuditRow {
  return isObject(value) && placeOf(value) !== undefined && Number.isSafeInteger(value["event"]);
}
