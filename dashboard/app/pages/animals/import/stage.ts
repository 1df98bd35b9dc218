import type { HeaderFault, PetFormat } from "../../../../../lib/management/pet-rows.ts";
import type { Problem } from "../../../api.ts";
import type { Seen } from "./look.ts";

/** Why a file was not even looked at, or not to its end. */
export type FileFault =
  | { readonly code: "workbook" | "empty" | "unreadable" }
  | { readonly code: "too_large"; readonly bytes: number }
  | { readonly code: "header"; readonly header: HeaderFault }
  | { readonly code: "refused"; readonly problem: Problem };

/** A file that was chosen. */
export interface Chosen {
  readonly file: File;
  readonly format: PetFormat;
}

export interface Progress {
  readonly rows: number;
  readonly bytes: number;
}

/** Where an import has come to. */
export type Stage =
  | { readonly at: "choosing"; readonly fault?: FileFault }
  | ({ readonly at: "looking" | "adding"; readonly progress: Progress } & Chosen)
  | ({ readonly at: "looked"; readonly seen: Seen } & Chosen)
  | ({
      readonly at: "ended";
      readonly seen: Seen;
      readonly create: readonly string[];
      /** Animals that earlier attempts with the same file have added. */
      readonly before: number;
    } & Chosen);
