import { type ReadonlySignal, signal } from "@preact/signals";

import type { Problem } from "../../../../../lib/base/problem.ts";
import { trimText } from "../../../../../lib/model/text.ts";
import type { Deploy } from "../../../../../lib/publishing/model/deploy.ts";
import { unreachable } from "../../../api.ts";
import {
  archiveFor,
  archiveIn,
  chosen,
  collectFiles,
  isArchive,
  type Parcel,
  parcelOfArchive,
  parcelOfFiles,
} from "./parcel.ts";
import { sendArchive } from "./send-archive.ts";
import { SiteRefused } from "./site-files.ts";

/** The step of an upload. */
export type Sending =
  | { readonly step: "nothing" }
  | { readonly step: "looking"; readonly found: number }
  | { readonly step: "asking"; readonly parcel: Parcel }
  | { readonly step: "packing" | "sending"; readonly done: number; readonly total: number }
  | { readonly step: "processing"; readonly files: number; readonly bytes: number }
  | { readonly step: "made"; readonly deploy: Deploy }
  | { readonly step: "refused"; readonly problem: Problem };

export interface Sender {
  readonly state: ReadonlySignal<Sending>;
  /** Reads dropped entries. */
  drop(entries: readonly FileSystemEntry[]): Promise<void>;
  /** Reads chosen files. */
  choose(files: readonly File[]): Promise<void>;
  send(how: { readonly message: string; readonly activate: boolean }): Promise<void>;
  /** Publishes the deploy that was made. */
  publish(): Promise<void>;
  /** Cancels the upload and starts over. */
  readonly reset: () => void;
}

/** Uploads one site at a time, from the choice of files to the deploy. */
export function createSender(
  projectId: string,
  {
    onChange,
    publish,
  }: {
    readonly onChange: () => void;
    /** Publishes a deploy that is ready, unless the user does not want to. Resolves with the live one. */
    readonly publish: (deployId: string) => Promise<Deploy | undefined>;
  },
): Sender {
  const state = signal<Sending>({ step: "nothing" });
  let under = new AbortController();

  /** Runs a step and shows what it throws. A newer step replaces it. */
  const attempt = async (
    act: (signal: AbortSignal) => Promise<Sending | undefined>,
  ): Promise<void> => {
    under.abort();
    under = new AbortController();
    const { signal: stopped } = under;
    const next = await act(stopped).catch(refusedBy);
    if (!stopped.aborted && next !== undefined) state.value = next;
  };
  const consider = (read: () => Promise<Parcel>): Promise<void> =>
    attempt(async () => {
      state.value = { step: "looking", found: 0 };
      return { step: "asking", parcel: await read() };
    });

  return {
    state,
    drop: (entries) =>
      consider(async () => {
        const archive = await archiveIn(entries);
        if (archive !== undefined) return parcelOfArchive(archive);
        const onFound = (found: number): void => {
          if (state.peek().step === "looking") state.value = { step: "looking", found };
        };
        return parcelOfFiles(await collectFiles(entries, onFound));
      }),
    choose: (files) =>
      consider(async () => {
        const [only] = files;
        if (files.length === 1 && only !== undefined && isArchive(only.name)) {
          return parcelOfArchive(only);
        }
        return parcelOfFiles(chosen(files));
      }),
    send: (how) => {
      const current = state.peek();
      if (current.step !== "asking") return Promise.resolve();
      return attempt(async (stopped) => {
        const archive = await archiveFor(current.parcel, stopped, (done, total) => {
          if (!stopped.aborted) state.value = { step: "packing", done, total };
        });
        const made = await sendArchive({
          projectId,
          archive,
          message: trimText(how.message) || undefined,
          signal: stopped,
          onSent: (done, total) => {
            if (stopped.aborted) return;
            // Sent, but not processed yet.
            state.value =
              done < total
                ? { step: "sending", done, total }
                : { step: "processing", files: 0, bytes: 0 };
          },
          onProgress: ({ files, bytes }) => {
            // The service starts processing before the upload ends.
            if (stopped.aborted || state.peek().step !== "processing") return;
            state.value = { step: "processing", files, bytes };
          },
        });
        onChange();
        if (made === undefined) return undefined;
        if (!made.ok) return { step: "refused", problem: made.failure };
        // First ready, so that the user can be asked about files that would disappear.
        const live = how.activate ? await publish(made.value.id) : undefined;
        return { step: "made", deploy: live ?? made.value };
      });
    },
    publish: () =>
      attempt(async () => {
        const current = state.peek();
        if (current.step !== "made") return undefined;
        const live = await publish(current.deploy.id);
        return live === undefined ? undefined : { step: "made", deploy: live };
      }),
    reset: () => {
      under.abort();
      state.value = { step: "nothing" };
    },
  };
}

function refusedBy(error: unknown): Sending {
  if (error instanceof SiteRefused) return { step: "refused", problem: error.problem };
  // For example, a file was moved or changed in the meantime.
  const message = error instanceof Error ? error.message : unreachable.message;
  return { step: "refused", problem: { ...unreachable, code: "invalid_archive", message } };
}
