import { MINUTE_MS } from "../../base/clock.ts";
import { partReader } from "../../base/parts.ts";
import { problem, type Problem } from "../../base/problem.ts";
import { refused, type Result } from "../../base/result.ts";
import type { UnfinishedDeploy } from "../unfinished-deploys.ts";
import {
  type Deploy,
  type Manifest,
  type ManifestFile,
  MAX_UNFINISHED_MS,
  TOUCH_EVERY_MS,
} from "../model/deploy.ts";
import type { PublishingContext } from "./context.ts";

/** The failure of a deploy whose process stopped. */
export const interrupted: Problem = problem(
  "unavailable",
  "The deploy was interrupted. Send it again.",
);
const late: Problem = problem(
  "request_timeout",
  `The deploy took longer than ${MAX_UNFINISHED_MS / MINUTE_MS} minutes.`,
);
const brokenOff: Problem = problem("unavailable", "The upload was interrupted.");

/** Reads a deploy's archive within `MAX_UNFINISHED_MS`, and touches the deploy regularly. */
export async function receiveArchive(
  context: PublishingContext,
  {
    deploy,
    unfinished,
    archive,
    besides,
  }: {
    readonly deploy: Deploy;
    readonly unfinished: UnfinishedDeploy;
    readonly archive: ReadableStream<Uint8Array>;
    /** Files that the site will have in addition. */
    readonly besides: readonly ManifestFile[];
  },
): Promise<Result<Manifest, Problem>> {
  const { blobs, compress, clock, stopping } = context;
  const cut = new AbortController();
  const over = new AbortController();
  const unlisten = stopping.listen(() => cut.abort(interrupted));
  // Rejects if `over` is aborted, because the upload has ended.
  clock.sleep(MAX_UNFINISHED_MS, over.signal).then(
    () => cut.abort(late),
    () => undefined,
  );
  let state: "uploading" | "processing" = "uploading";
  const touch = async (): Promise<void> => {
    const change = { kind: "deploy.touch", deployId: deploy.id, state, at: clock.now() } as const;
    await context.commit([change]).catch((error: unknown) => {
      context.log.error("a deploy could not be touched", error, { deploy: deploy.id });
    });
  };
  const keepTouching = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(TOUCH_EVERY_MS, over.signal);
      await touch();
    }
  };
  keepTouching().catch(() => undefined);
  const upload = watchUpload(archive, cut.signal, () => {
    state = "processing";
    unfinished.report({ state });
    void touch();
  });
  try {
    const manifest = await context.ingest(upload.stream, {
      blobs,
      compress,
      besides,
      onProgress: (files, bytes) => {
        unfinished.report({ files, bytes });
      },
    });
    return cut.signal.aborted ? refused(reasonOf(cut.signal)) : manifest;
  } catch (error) {
    if (cut.signal.aborted) return refused(reasonOf(cut.signal));
    if (upload.broken()) return refused(brokenOff);
    throw error;
  } finally {
    over.abort();
    unlisten();
  }
}

function reasonOf({ reason }: AbortSignal): Problem {
  return reason === late ? late : interrupted;
}

/** An upload that is being read. */
export interface Upload {
  /** The same bytes, in few parts. Errors when the source does, or when the signal aborts. */
  readonly stream: ReadableStream<Uint8Array>;
  /** Returns whether the source itself failed. */
  readonly broken: () => boolean;
}

/** Passes `source` on until it ends or fails, or `signal` aborts. Calls `onEnd` after the last byte. */
function watchUpload(
  source: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  onEnd: () => void,
): Upload {
  const reader = source.getReader();
  const nextPart = partReader(reader);
  let broken = false;
  let cut: (() => void) | undefined;
  const release = (): void => {
    if (cut !== undefined) signal.removeEventListener("abort", cut);
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        cut = () => {
          controller.error(signal.reason);
          cancel(reader, signal.reason);
        };
        signal.addEventListener("abort", cut, { once: true });
        if (signal.aborted) cut();
      },
      pull: async (controller) => {
        try {
          const part = await nextPart();
          if (signal.aborted) return;
          if (part !== undefined) {
            controller.enqueue(part);
            return;
          }
          release();
          controller.close();
          onEnd();
        } catch (error) {
          if (signal.aborted) return;
          broken = true;
          release();
          controller.error(error);
        }
      },
      cancel: async (reason) => {
        release();
        await reader.cancel(reason);
      },
    },
    // Only what has arrived already is read ahead of the consumer.
    { highWaterMark: 0 },
  );
  return { stream, broken: () => broken };
}

function cancel(reader: ReadableStreamDefaultReader<Uint8Array>, reason: unknown): void {
  // The client may have disconnected already.
  reader.cancel(reason).catch(() => undefined);
}
