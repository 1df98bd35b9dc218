import { aCount, aFunction, anything, checkOptions, oneOf, optional } from "../base/options.ts";
import type { ImportOutcome, ImportRow } from "./import.ts";
import type { Problem } from "../base/problem.ts";
import { records } from "../base/records.ts";
import type { Result } from "../base/result.ts";
import {
  petFormats,
  petReader,
  type HeaderFault,
  type IgnoredColumn,
  type PetFormat,
  type RowFault,
} from "./pet-rows.ts";

/** A fault of one row of a file: in the row, or found by the service. */
export type ImportFault =
  | { readonly line: number; readonly fault: RowFault }
  | { readonly line: number; readonly row: ImportRow; readonly problem: Problem };

/** A file of animals to import, and where its rows and faults go. */
export interface ImportPetFile {
  readonly source: AsyncIterable<Uint8Array>;
  readonly format: PetFormat;
  /** Sends a batch to the service, which adds its rows or, in a dry run, checks them. */
  readonly send: (rows: readonly ImportRow[]) => Promise<Result<ImportOutcome, Problem>>;
  /** The line to start from, if an earlier attempt added the rows before it. Default: 1. */
  readonly fromLine?: number;
  /** Receives the faults in line order. */
  readonly onFault: (fault: ImportFault) => void;
  /** Called once per unknown column or member, before the first batch that contains it; at most 20 times. */
  readonly onIgnored?: (column: IgnoredColumn) => void;
  readonly onProgress: (rows: number, bytes: number) => void;
  /** Cancels the import between two batches. */
  readonly signal?: AbortSignal;
}

interface Sums {
  readonly added: number;
  readonly failed: number;
}

/** How an import ended. */
export type ImportEnd =
  | ({ readonly kind: "done" } & Sums)
  /** The service added none of the rows from line `from` to line `to`. */
  | ({
      readonly kind: "stopped";
      readonly problem: Problem;
      readonly from: number;
      readonly to: number;
    } & Sums)
  /** A file without rows, or a CSV file without a valid header. */
  | ({ readonly kind: "unreadable"; readonly header: HeaderFault } & Sums)
  /** Cancelled. `from` is the line to continue from. */
  | ({ readonly kind: "cancelled"; readonly from: number } & Sums);

/** The rows of one call. The service adds them in one commit if nothing else waits. */
const BATCH_ROWS = 500;
const BATCH_BYTES = 1024 * 1024;

/** Imports a file of animals in batches. Holds one batch in memory. */
export async function importPetFile(options: ImportPetFile): Promise<ImportEnd> {
  checkOptions("importPetFile", options, {
    source: anything,
    format: oneOf(petFormats),
    send: aFunction,
    fromLine: optional(aCount(1)),
    onFault: aFunction,
    onIgnored: optional(aFunction),
    onProgress: aFunction,
    signal: optional(anything),
  });
  const { source, format, send, fromLine = 1, onFault, onProgress, signal } = options;
  const { onIgnored = () => undefined } = options;
  let added = 0;
  let failed = 0;
  let read = 0;
  let bytes = 0;
  let size = 0;
  /** The line of the batch's first row. */
  let first: number | undefined;
  let faults: ImportFault[] = [];
  let rows: ImportRow[] = [];
  let lines: number[] = [];

  const report = (found: readonly ImportFault[]): void => {
    failed += found.length;
    for (const fault of found.toSorted((a, b) => a.line - b.line)) onFault(fault);
  };

  /** Sends the batch. Returns undefined if the import continues. */
  const flush = async (): Promise<ImportEnd | undefined> => {
    if (first !== undefined && signal?.aborted === true) {
      return { kind: "cancelled", added, failed, from: first };
    }
    if (rows.length > 0) {
      const outcome = await send(rows);
      if (!outcome.ok) {
        const [from = 0, to = 0] = [lines[0], lines.at(-1)];
        return { kind: "stopped", added, failed, problem: outcome.failure, from, to };
      }
      added += outcome.value.added;
      for (const { index, problem } of outcome.value.failures) {
        const line = lines[index] ?? 0;
        if (problem.code === "unavailable") {
          // It added only the rows before this one. An import that continues there reports the faults after it.
          report(faults.filter((fault) => fault.line < line));
          return { kind: "stopped", added, failed, problem, from: line, to: lines.at(-1) ?? line };
        }
        faults.push({ line, row: rows[index] ?? {}, problem });
      }
    }
    report(faults);
    faults = [];
    lines = [];
    rows = [];
    size = 0;
    first = undefined;
    onProgress(read, bytes);
    return undefined;
  };

  const petOf = petReader(format, onIgnored);
  let isEmpty = true;
  let hasRows = false;
  const onBytes = (total: number): void => {
    bytes = total;
  };
  for await (const found of records(source, { quotes: format === "csv", onBytes })) {
    for (const record of found) {
      const pet = petOf(record);
      if ("fault" in record || record.bytes.length > 0) isEmpty = false;
      if (pet === undefined) continue;
      hasRows = true;
      if ("header" in pet) return { kind: "unreadable", added, failed, header: pet.header };
      if (pet.line < fromLine) continue;
      read++;
      first ??= pet.line;
      if (pet.row.ok) {
        rows.push(pet.row.value);
        lines.push(pet.line);
        size += "bytes" in record ? record.bytes.length : 0;
      } else faults.push({ line: pet.line, fault: pet.row.failure });
      if (rows.length + faults.length >= BATCH_ROWS || size >= BATCH_BYTES) {
        const ended = await flush();
        if (ended !== undefined) return ended;
      }
    }
  }
  if (!hasRows) {
    return { kind: "unreadable", added, failed, header: { code: isEmpty ? "empty" : "no_rows" } };
  }
  return (await flush()) ?? { kind: "done", added, failed };
}
