import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

import type { Result } from "../../../../../lib/base/result.ts";
import type { ImportRequest } from "../../../../../lib/import/choices-schema.ts";
import type { ImportView } from "../../../../../lib/import/job/shapes.ts";
import type { ShownPlan } from "../../../../../lib/import/plan-shown.ts";
import { call, type Problem } from "../../../api.ts";
import { inCatalogue, type Where } from "../catalogue.tsx";
import { filesOf, sendFile, sendPhotos, type ImportFiles } from "./send-file.ts";

/** What the page shows. */
export type Stage =
  | { readonly at: "choosing"; readonly problem?: Problem }
  | { readonly at: "sending"; readonly file: File; readonly sent: number }
  /** The server reads, imports or undoes. */
  | { readonly at: "working"; readonly job: ImportView }
  /** The file cannot be read as it is; another encoding may help. */
  | { readonly at: "unreadable"; readonly job: ImportView; readonly problem: Problem }
  | { readonly at: "asking"; readonly job: ImportView; readonly plan: ShownPlan }
  | { readonly at: "ended"; readonly job: ImportView };

/** An import, from choosing a file to its result. */
export interface Import {
  readonly stage: Stage;
  readonly request: ImportRequest;
  readonly problem: Problem | undefined;
  /** Shows an import that began earlier. */
  readonly open: (job: ImportView) => void;
  /** Takes a table, an archive with photos, or both. */
  readonly choose: (files: readonly File[]) => void;
  /** Answers a question; the file is then read again. */
  readonly answer: (request: ImportRequest) => void;
  readonly start: () => void;
  readonly cancel: () => void;
  readonly undo: () => void;
  /** Returns to choosing a file. */
  readonly restart: () => void;
}

const WORKING: ReadonlySet<ImportView["state"]> = new Set(["reading", "running", "undoing"]);
const RUN = "/accounts/:account/:environment/imports/:import";
/** The first pause between two polls; each further one is twice as long. */
const FIRST_POLL_MS = 50;
const LONGEST_POLL_MS = 800;

/** Follows one import of a catalogue. */
export function useImport(where: Where, onEnded: () => void): Import {
  const stage = useSignal<Stage>({ at: "choosing" });
  const request = useSignal<ImportRequest>({});
  const problem = useSignal<Problem | undefined>(undefined);
  /** Cancels the upload, and ends what an earlier step still waits for. */
  const control = useRef(new AbortController());
  const job = useRef<string | undefined>(undefined);
  const answering = useRef<Promise<unknown>>(Promise.resolve());
  useEffect(
    () => () => {
      control.current.abort();
      abandon();
    },
    [],
  );

  const begin = (): AbortSignal => {
    control.current.abort();
    control.current = new AbortController();
    problem.value = undefined;
    return control.current.signal;
  };
  const input = (id: string) => ({ ...inCatalogue(where), import: id });

  /** A file that waits for answers would count against the limit of open imports. */
  function abandon(): void {
    const id = job.current;
    job.current = undefined;
    if (id !== undefined) void call(`POST ${RUN}/cancel`, input(id));
  }

  /** Shows an import, and follows it until the server has nothing to do. */
  const follow = async (first: ImportView, signal: AbortSignal): Promise<void> => {
    let found = first;
    let pauseMs = FIRST_POLL_MS;
    while (WORKING.has(found.state)) {
      stage.value = { at: "working", job: found };
      await new Promise((resolve) => {
        window.setTimeout(resolve, pauseMs);
      });
      pauseMs = Math.min(2 * pauseMs, LONGEST_POLL_MS);
      if (signal.aborted) return;
      const next = await call(`GET ${RUN}`, input(found.id));
      if (signal.aborted) return;
      // The connection may return.
      if (next.ok) found = next.value;
      else if (next.failure.code !== "unavailable") {
        stage.value = { at: "choosing", problem: next.failure };
        return;
      }
    }
    if (found.state !== "waiting") {
      job.current = undefined;
      stage.value = { at: "ended", job: found };
      onEnded();
      return;
    }
    const plan = await call(`GET ${RUN}/mapping`, input(found.id));
    if (signal.aborted) return;
    stage.value = plan.ok
      ? { at: "asking", job: found, plan: plan.value }
      : { at: "unreadable", job: found, problem: plan.failure };
  };
  const change = async (
    asked: Promise<Result<ImportView, Problem>>,
    signal: AbortSignal,
  ): Promise<void> => {
    const result = await asked;
    if (signal.aborted) return;
    if (result.ok) return follow(result.value, signal);
    problem.value = result.failure;
    const { value: shown } = stage;
    // It still waits for the person.
    if (shown.at === "asking") job.current = shown.job.id;
    // Such as a cancellation that comes too late.
    if (shown.at === "working") return follow(shown.job, signal);
    return undefined;
  };
  const upload = async ({ main, photos }: ImportFiles, signal: AbortSignal): Promise<void> => {
    const sending = (file: File) => {
      stage.value = { at: "sending", file, sent: 0 };
      return (sent: number): void => {
        if (!signal.aborted) stage.value = { at: "sending", file, sent };
      };
    };
    const made = await sendFile(where, main, sending(main), signal);
    if (made.ok) job.current = made.value.id;
    if (signal.aborted) return abandon();
    const result =
      made.ok && photos !== undefined
        ? await sendPhotos(where, made.value.id, photos, sending(photos), signal)
        : made;
    if (signal.aborted) return abandon();
    if (result.ok) return follow(result.value, signal);
    abandon();
    stage.value = { at: "choosing", problem: result.failure };
    return undefined;
  };
  const act = (id: string, how: "run" | "cancel" | "undo"): void => {
    void change(call(`POST ${RUN}/${how}`, input(id)), begin());
  };
  const current = (): string => ("job" in stage.value ? stage.value.job.id : "");

  return {
    stage: stage.value,
    request: request.value,
    problem: problem.value,
    open: (opened) => {
      const signal = begin();
      abandon();
      void follow(opened, signal);
    },
    choose: (chosen) => {
      const files = filesOf(chosen);
      if (files === undefined) return;
      const signal = begin();
      abandon();
      request.value = {};
      void upload(files, signal);
    },
    answer: (next) => {
      request.value = next;
      const mapping = { ...input(current()), body: next };
      // In order: an earlier answer that the server takes last would win.
      const sent = answering.current.then(() => call(`PUT ${RUN}/mapping`, mapping));
      answering.current = sent;
      void change(sent, begin());
    },
    start: () => {
      // From here on, the import continues when the page is left.
      job.current = undefined;
      act(current(), "run");
    },
    cancel: () => {
      act(current(), "cancel");
    },
    undo: () => {
      act(current(), "undo");
    },
    restart: () => {
      begin();
      abandon();
      stage.value = { at: "choosing" };
    },
  };
}
