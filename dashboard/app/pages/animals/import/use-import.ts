import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

import type { HeaderFault, PetFormat } from "../../../../../lib/catalogue/pet-rows.ts";
import type { Category } from "../../../../../lib/catalogue/model.ts";
import type { Problem } from "../../../api.ts";
import { useUnsaved } from "../../../components/unsaved.ts";
import type { Where } from "../catalogue.tsx";
import {
  addFile,
  checkFile,
  formatOf,
  type ImportJob,
  type ImportResult,
  MAX_FILE_BYTES,
} from "./import-file.ts";

/** Why a file was rejected before its rows could be checked. */
export type FileFault =
  | { readonly code: "workbook" | "unreadable" }
  | { readonly code: "too_large"; readonly bytes: number }
  | { readonly code: "header"; readonly header: HeaderFault }
  | { readonly code: "refused"; readonly problem: Problem };

interface ChosenFile {
  readonly file: File;
  readonly format: PetFormat;
}

type Stage =
  | { readonly at: "choosing"; readonly fault?: FileFault }
  | ({
      readonly at: "checking" | "adding";
      readonly progress: { readonly rows: number; readonly bytes: number };
    } & ChosenFile)
  | ({ readonly at: "checked"; readonly result: ImportResult } & ChosenFile)
  | ({
      readonly at: "ended";
      readonly result: ImportResult;
      readonly create: readonly string[];
      /** Number of animals added by earlier attempts with the same file. */
      readonly before: number;
    } & ChosenFile);

/** An import, from choosing a file to its result. */
export interface Import {
  readonly stage: Stage;
  readonly choose: (file: File) => void;
  /** Adds the valid rows. An earlier attempt has added `before` animals and stopped at `fromLine`. */
  readonly add: (
    chosen: ChosenFile,
    how: {
      readonly create: readonly string[];
      readonly fromLine?: number;
      readonly before?: number;
    },
  ) => void;
  /** Stops after the current batch. */
  readonly stop: () => void;
  /** Returns to choosing a file. */
  readonly restart: () => void;
}

export interface ImportOptions {
  readonly where: Where;
  readonly categories: readonly Category[];
  /** The import has created categories. */
  readonly onCreated: () => void;
}

export function useImport({ where, categories, onCreated }: ImportOptions): Import {
  const stage = useSignal<Stage>({ at: "choosing" });
  const control = useRef(new AbortController());
  useEffect(
    () => () => {
      control.current.abort();
    },
    [],
  );
  useUnsaved(stage.value.at === "adding");

  const refuse = (fault?: FileFault): void => {
    stage.value = fault === undefined ? { at: "choosing" } : { at: "choosing", fault };
  };
  /** Resolves with undefined if the file can no longer be read. */
  const run = async (
    at: "checking" | "adding",
    { file, format }: ChosenFile,
    work: (job: ImportJob) => Promise<ImportResult>,
  ): Promise<ImportResult | undefined> => {
    control.current = new AbortController();
    const { signal } = control.current;
    const onProgress = (rows: number, bytes: number): void => {
      stage.value = { at, file, format, progress: { rows, bytes } };
    };
    onProgress(0, 0);
    try {
      return await work({ file, format, where, categories, signal, onProgress });
    } catch {
      refuse({ code: "unreadable" });
      return undefined;
    }
  };
  const choose = async (file: File): Promise<void> => {
    const format = formatOf(file.name);
    if (format === "workbook") return refuse({ code: "workbook" });
    if (file.size > MAX_FILE_BYTES) return refuse({ code: "too_large", bytes: file.size });
    const result = await run("checking", { file, format }, checkFile);
    if (result === undefined) return undefined;
    const { end } = result;
    if (end.kind === "unreadable") return refuse({ code: "header", header: end.header });
    if (end.kind === "cancelled") return refuse();
    if (end.kind === "stopped") return refuse({ code: "refused", problem: end.problem });
    stage.value = { at: "checked", file, format, result };
    return undefined;
  };
  const add = async (
    { file, format }: ChosenFile,
    { create, fromLine = 1, before = 0 }: Parameters<Import["add"]>[1],
  ): Promise<void> => {
    const result = await run("adding", { file, format }, (job) =>
      addFile(job, { create, fromLine }),
    );
    if (result === undefined) return;
    stage.value = { at: "ended", file, format, result, create, before };
    if (create.length > 0) onCreated();
  };
  return {
    stage: stage.value,
    choose: (file) => void choose(file),
    add: (...job) => void add(...job),
    stop: () => {
      control.current.abort();
    },
    restart: refuse,
  };
}
