import { signal, type ReadonlySignal } from "@preact/signals";

import type { Problem } from "../../../../../lib/base/problem.ts";
import type { Deploy } from "../../../../../lib/publishing/model/deploy.ts";
import { unreachable } from "../../../api.ts";
import {
  archiveFor,
  archiveIn,
  chosen,
  isArchive,
  lookThrough,
  parcelOfArchive,
  parcelOfFiles,
  type Parcel,
} from "./parcel.ts";
import { SiteRefused } from "./site-files.ts";
import { sendArchive } from "./send-archive.ts";

/** How far somebody has come with sending a site. */
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
  /** Looks through what was dropped. */
  drop(entries: readonly FileSystemEntry[]): Promise<void>;
  /** Looks through what was chosen. */
  choose(files: readonly File[]): Promise<void>;
  send(how: { readonly message: string; readonly activate: boolean }): Promise<void>;
  /** Breaks off whatever is under way, and begins anew. */
  readonly reset: () => void;
}

/** Takes a site from a person's hands to the service, one at a time. */
export function createSender(projectId: string, onChange: () => void): Sender {
  const state = signal<Sending>({ step: "nothing" });
  let under = new AbortController();

  /** Does something as long as nobody begins anew; what it throws is shown. */
  const attempt = async (
    act: (signal: AbortSignal) => Promise<Sending | undefined>,
  ): Promise<void> => {
    under.abort();
    under = new AbortController();
    const { signal: stopped } = under;
    const next = await act(stopped).catch(refusedBy);
    if (!stopped.aborted && next !== undefined) state.value = next;
  };
  const consider = (look: () => Promise<Parcel>): Promise<void> =>
    attempt(async () => {
      state.value = { step: "looking", found: 0 };
      return { step: "asking", parcel: await look() };
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
        return parcelOfFiles(await lookThrough(entries, onFound));
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
          message: how.message.trim() === "" ? undefined : how.message.trim(),
          activate: how.activate,
          signal: stopped,
          onSent: (done, total) => {
            if (stopped.aborted) return;
            // What has left is not yet taken in.
            state.value =
              done < total
                ? { step: "sending", done, total }
                : { step: "processing", files: 0, bytes: 0 };
          },
          onProgress: ({ files, bytes }) => {
            // The service begins while the rest is still on its way.
            if (stopped.aborted || state.peek().step !== "processing") return;
            state.value = { step: "processing", files, bytes };
          },
        });
        onChange();
        if (made === undefined) return undefined;
        return made.ok
          ? { step: "made", deploy: made.value }
          : { step: "refused", problem: made.failure };
      });
    },
    reset: () => {
      under.abort();
      state.value = { step: "nothing" };
    },
  };
}

function refusedBy(error: unknown): Sending {
  if (error instanceof SiteRefused) return { step: "refused", problem: error.problem };
  // A file that was moved or changed meanwhile: the browser, or the packing, says so.
  const message = error instanceof Error ? error.message : unreachable.message;
  return { step: "refused", problem: { ...unreachable, code: "invalid_archive", message } };
}
