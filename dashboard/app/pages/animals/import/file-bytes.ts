import type { PetFormat } from "../../../../../lib/management/pet-rows.ts";

/** As much as a browser tab reads in a few minutes: about a million animals. */
export const MAX_FILE_BYTES: number = 64 * 1_000_000;

const PIECE = 256 * 1024;

/** A file piece by piece, as it is read; never whole. */
export async function* piecesOf(file: Blob): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.size; at += PIECE) {
    yield new Uint8Array(await file.slice(at, at + PIECE).arrayBuffer());
  }
}

/** What a file is, by its name; a workbook is none that can be read. */
export function kindOf(name: string): PetFormat | "workbook" {
  const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  if (["ndjson", "jsonl"].includes(extension)) return "ndjson";
  return ["xlsx", "xls", "ods", "numbers"].includes(extension) ? "workbook" : "csv";
}
