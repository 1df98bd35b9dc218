import type { Pet } from "../lib/index.ts";
import { csvRow } from "../lib/base/csv.ts";
import { exportColumns, exportedPet, type PetFormat } from "../lib/management/index.ts";

/** How animals are written, part by part. */
export interface PetEncoder {
  readonly head: string;
  readonly row: (pet: Pet, category: string) => string;
  /** Between two rows. */
  readonly between: string;
  readonly tail: string;
}

/** `array` is one JSON document; the others can be imported. Categories go by name: their ids differ elsewhere. */
export const petEncoders: Readonly<Record<PetFormat | "array", PetEncoder>> = {
  csv: {
    head: csvRow(exportColumns),
    row: (pet, category) => csvRow(Object.values(exportedPet(pet, category))),
    between: "",
    tail: "",
  },
  ndjson: { head: "", row: (pet, category) => `${json(pet, category)}\n`, between: "", tail: "" },
  array: {
    head: "[",
    row: (pet, category) => `\n  ${json(pet, category)}`,
    between: ",",
    tail: "\n]\n",
  },
};

function json(pet: Pet, category: string): string {
  return JSON.stringify(exportedPet(pet, category));
}

/** What a spreadsheet may take for a formula. */
export function looksLikeFormula(name: string): boolean {
  return /^[=+\-@]/.test(name);
}
