import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

import type { HeaderFault, PetFormat } from "../../../../../lib/management/pet-rows.ts";
import type { Category } from "../../../../../lib/model/category.ts";
import type { Problem } from "../../../api.ts";
import type { Where } from "../catalogue.tsx";
import { bring, type Job, kindOf, look, MAX_FILE_BYTES, type Seen } from "./read-file.ts";

/** An import, from the choice of a file to its end. */
export interface Import {
  readonly stage: Stage;
  readonly choose: (file: File) => void;
  /** Adds what is right; `fromLine` is where an earlier attempt stopped, which has added `before`. */
  readonly add: (
    chosen: Chosen,
    how: {
      readonly create: readonly string[];
      readonly fromLine?: number;
      readonly before?: number;
    },
  ) => void;
  /** Ends what is under way, between two batches. */
  readonly stop: () => void;
  /** Goes back to the choice of a file. */
  readonly restart: () => void;
}

export function useImport({
  where,
  categories,
  onCreated,
}: {
  readonly where: Where;
  readonly categories: readonly Category[];
  /** Categories were added. */
  readonly onCreated: () => void;
}): Import {
  const stage = useSignal<Stage>({ at: "choosing" });
  const control = useRef(new AbortController());
  useEffect(
    () => () => {
      control.current.abort();
    },
    [],
  );
  useUnloadWarning(stage.value.at === "adding");

  const refuse = (fault?: FileFault): void => {
    stage.value = fault === undefined ? { at: "choosing" } : { at: "choosing", fault };
  };
  /** Resolves with undefined where the file cannot be read to its end. */
  const work = async (
    at: "looking" | "adding",
    { file, format }: Chosen,
    run: (job: Job) => Promise<Seen>,
  ): Promise<Seen | undefined> => {
    control.current = new AbortController();
    const { signal } = control.current;
    const onProgress = (rows: number, bytes: number): void => {
      stage.value = { at, file, format, progress: { rows, bytes } };
    };
    onProgress(0, 0);
    try {
      return await run({ file, format, where, categories, signal, onProgress });
    } catch {
      refuse({ code: "unreadable" });
      return undefined;
    }
  };
  const choose = async (file: File): Promise<void> => {
    const format = kindOf(file.name);
    if (format === "workbook") return refuse({ code: "workbook" });
    if (file.size > MAX_FILE_BYTES) return refuse({ code: "too_large", bytes: file.size });
    const seen = await work("looking", { file, format }, look);
    if (seen === undefined) return undefined;
    const { end, report } = seen;
    if (end.kind === "unreadable") return refuse({ code: "header", header: end.header });
    if (end.kind === "cancelled") return refuse();
    if (end.kind === "stopped") return refuse({ code: "refused", problem: end.problem });
    if (report.right + report.waiting + report.wrong === 0) return refuse({ code: "empty" });
    stage.value = { at: "looked", file, format, seen };
    return undefined;
  };
  const add = async (
    { file, format }: Chosen,
    { create, fromLine = 1, before = 0 }: Parameters<Import["add"]>[1],
  ): Promise<void> => {
    const seen = await work("adding", { file, format }, (job) => bring(job, { create, fromLine }));
    if (seen === undefined) return;
    stage.value = { at: "ended", file, format, seen, create, before };
    if (create.length > 0) onCreated();
  };

  return {
    stage: stage.value,
    choose: (file) => void choose(file),
    add: (...job) => void add(...job),
    stop: () => {
      control.current.abort();
    },
    restart: () => {
      refuse();
    },
  };
}

/** Has the browser ask before the page is left. */
function useUnloadWarning(needed: boolean): void {
  useEffect(() => {
    if (!needed) return undefined;
    const warn = (event: BeforeUnloadEvent): void => {
      event.preventDefault();
    };
    window.addEventListener("beforeunload", warn);
    return () => {
      window.removeEventListener("beforeunload", warn);
    };
  }, [needed]);
}

/** Why a file was not even looked at, or not to its end. */
export type FileFault =
  | { readonly code: "workbook" | "empty" | "unreadable" }
  | { readonly code: "too_large"; readonly bytes: number }
  | { readonly code: "header"; readonly header: HeaderFault }
  | { readonly code: "refused"; readonly problem: Problem };

/** A file that was chosen. */
interface Chosen {
  readonly file: File;
  readonly format: PetFormat;
}

export interface Progress {
  readonly rows: number;
  readonly bytes: number;
}

/** Where an import has come to. */
type Stage =
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
