import { statfs } from "node:fs/promises";

import { faultOfRecipient } from "../../backup/age.ts";
import type { BackupJob, BackupReport } from "../../backup/job.ts";
import { backupKeys } from "../../backup/keys.ts";
import { nextBackupAt } from "../../backup/model/schedule.ts";
import type { OnProgress } from "../../backup/progress.ts";
import { objectsAt, placeOf, scheduledPlace, type Place } from "../../backup/place.ts";
import { sweep } from "../../backup/stored.ts";
import { removeUnfinished } from "../../backup/unfinished.ts";
import { isoTime, MINUTE_MS } from "../../lib/base/clock.ts";
import { createRounds, type Jobs } from "../../lib/base/rounds.ts";
import type { Clock, Log } from "../../lib/index.ts";
import type { Blobs } from "../../lib/publishing/index.ts";
import { Failure } from "../../settings/failure.ts";
import type { Settings } from "../../settings/options.ts";
import { readableBytes } from "../../lib/base/readable.ts";
import { s3AccessFor } from "../../settings/s3.ts";
import { usedBlobPlace } from "../data/blobs.ts";
import type { DataDirectory } from "../data/data-directory.ts";
import type { Runtime } from "../process/runtime.ts";
import { backUpInProcess } from "./child.ts";
import { eventLine, failedEvent, progressTo, type BackupEvent } from "./events.ts";
import { AnotherBackup, asOnlyBackup } from "./postgres.ts";
import { rememberFailure, type BackupHistory } from "./state.ts";

/** Describes the backup of an installation to a place. */
export async function jobOf(
  to: Place,
  {
    settings,
    directory,
    encryptionKey,
    version,
    rehearse,
  }: {
    readonly settings: Settings;
    readonly directory: DataDirectory;
    /** A secret. */
    readonly encryptionKey: Uint8Array;
    readonly version: string;
    readonly rehearse: boolean;
  },
): Promise<BackupJob> {
  checkElsewhere(to, directory);
  await checkRecipient(settings);
  const { databaseUrl, databaseCaFile, databaseSchema } = settings;
  const { database, caRoot, caKey, backupScratch } = directory;
  const isScheduled =
    settings.backupTo !== undefined && placeOf(settings.backupTo).path === to.path;
  return {
    to,
    s3: to.kind === "bucket" ? s3AccessFor(to.path, settings) : undefined,
    source: {
      database,
      blobs: await usedBlobPlace({ settings, directory }),
      files: [caRoot, caKey],
      scratch: backupScratch,
    },
    // Two connections: for the snapshot, which has its own, and for site files.
    postgres:
      databaseUrl === undefined
        ? undefined
        : { databaseUrl, databaseCaFile, databaseSchema, databasePoolSize: 2 },
    encryptionKey: Buffer.from(encryptionKey).toString("base64"),
    recipient: settings.backupRecipient,
    version,
    keep: isScheduled ? settings.backupKeep : undefined,
    rehearse,
  };
}

/** The disk that takes the data directory would take its backups, too. */
function checkElsewhere(to: Place, { path }: DataDirectory): void {
  if (to.kind === "bucket" || !`${to.path}/`.startsWith(`${path}/`)) return;
  throw new Failure(
    "configuration",
    `${to.path} is in the data directory, ${path}, and would be lost with it. Name another place for backups.`,
  );
}

async function checkRecipient({ backupRecipient: recipient }: Settings): Promise<void> {
  const fault = recipient === undefined ? undefined : await faultOfRecipient(recipient);
  if (fault === undefined) return;
  throw new Failure("configuration", `backup-recipient is not an age recipient: ${fault}.`);
}

/** The backups of a running server: one at a time. */
export interface Backups {
  /** Answers a command with the events of a backup to the place in the request's body. */
  answer(request: Request): Promise<Response>;
  /** Answers a command that exports: keeps every blob until the command closes the connection. */
  keepBlobs(): Response;
  /** Makes the scheduled backups. */
  readonly jobs: Jobs;
}

/** A scheduled backup that failed. */
interface BackupFailure {
  readonly at: number;
  readonly reason: string;
  readonly lastGoodAt?: number;
}

interface BackupsOptions {
  readonly settings: Settings;
  readonly directory: DataDirectory;
  /** A secret. */
  readonly encryptionKey: Uint8Array;
  readonly runtime: Runtime;
  /** Keeps every blob of this process until it is released. */
  readonly hold: () => Disposable;
  readonly history: BackupHistory;
  /** Called after a scheduled backup has failed. */
  readonly onFailure?: (failure: BackupFailure) => Promise<unknown>;
  /** Records for the audit log that a backup was made, by its ID, or that an export begins. Default: not recorded. */
  readonly record?: (entry: BackupEntry) => Promise<unknown>;
  /** Whether scheduled backups are left to other nodes now. Default: never. */
  readonly leaveToOthers?: () => boolean;
  readonly log: Log;
}

/** What the audit log says about copies of the installation. */
export interface BackupEntry {
  readonly type: "backup.made" | "installation.exported";
  readonly data: { readonly backup?: string };
  /** The schedule, or a command. */
  readonly by: "system" | "command";
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

/** Creates the backups of a server. Throws a `Failure` if the settings cannot work. */
export async function createBackups(options: BackupsOptions): Promise<Backups> {
  const { settings, directory, runtime, hold, history, onFailure, log, leaveToOthers } = options;
  await checkRecipient(settings);
  if (settings.backupTo !== undefined) checkElsewhere(scheduledPlace(settings.backupTo), directory);
  const { clock, version } = runtime;
  const stopping = new AbortController();
  let running = false;

  /** Records an entry. The copy is there whether or not that succeeds. */
  const record = async (entry: Omit<BackupEntry, "at">): Promise<void> => {
    try {
      await options.record?.({ ...entry, at: clock.now() });
    } catch (error) {
      log.error("a copy of the installation is missing in the audit log", error);
    }
  };

  /** Makes a backup, unless `isDue` says no. Fails if one is being made, here or by another node. */
  const run = async (
    to: Place,
    rehearse: boolean,
    onProgress: OnProgress,
    signal: AbortSignal,
    isDue: () => Promise<boolean> = async () => true,
  ): Promise<BackupReport | undefined> => {
    if (running) throw new AnotherBackup();
    running = true;
    try {
      // From before the snapshot until its last blob was read.
      using _ = hold();
      return await asOnlyBackup(options, async () =>
        (await isDue()) ? makeHere(to, rehearse, onProgress, signal) : undefined,
      );
    } finally {
      running = false;
    }
  };

  const makeHere = async (
    to: Place,
    rehearse: boolean,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<BackupReport> => {
    const shortage = new AbortController();
    // Rejects when the backup ends.
    watchRoom(directory.path, clock, shortage).catch(() => undefined);
    try {
      const job = await jobOf(to, { ...options, version, rehearse });
      const any = AbortSignal.any([signal, stopping.signal, shortage.signal]);
      const report = await backUpInProcess(job, any, onProgress);
      log.info("backup made", summaryOf(report));
      const by = rehearse ? "system" : "command";
      await record({ type: "backup.made", data: { backup: report.id }, by });
      warnOfMissing(log, report);
      return report;
    } catch (error) {
      // What a process leaves that was ended: the snapshot is not sealed, and the disk may be full.
      await removeUnfinished(directory.backupScratch);
      // A bucket may be what failed; its next backup sweeps it.
      if (to.kind === "directory") {
        const keys = backupKeys(options.encryptionKey);
        await sweep(objectsAt(to, undefined), keys).catch(() => undefined);
      }
      throw error;
    } finally {
      shortage.abort();
    }
  };

  const scheduled = async (to: Place): Promise<void> => {
    const isDue = async (): Promise<boolean> => {
      const now = clock.now();
      const everyMs = settings.backupEvery;
      return now >= nextBackupAt(await history.read(), { to: to.path, everyMs, now });
    };
    if (running || leaveToOthers?.() === true || !(await isDue())) return;
    try {
      // Again under the claim: another node may have made it meanwhile.
      await run(to, true, () => {}, stopping.signal, isDue);
    } catch (error) {
      if (stopping.signal.aborted || error instanceof AnotherBackup) return;
      const reason = error instanceof Error ? error.message : String(error);
      const at = clock.now();
      const { good } = await rememberFailure(history, at, reason);
      // Not thrown: rounds until the next attempt would count as successes.
      log.error("the scheduled backup failed and is retried", error);
      await onFailure?.({ at, reason, ...(good === undefined ? {} : { lastGoodAt: good.at }) });
    }
  };

  const errands =
    settings.backupTo === undefined
      ? []
      : [
          {
            what: "the scheduled backup",
            everyMs: MINUTE_MS,
            atOnce: true,
            run: () => scheduled(scheduledPlace(settings.backupTo ?? "")),
          },
        ];
  const rounds = createRounds({ clock, log, errands });
  return {
    answer: async (request) => {
      const { to } = await request.json();
      const ended = new AbortController();
      const body = new ReadableStream<Uint8Array>({
        start: async (controller) => {
          const write = (event: BackupEvent): void => {
            if (!ended.signal.aborted) controller.enqueue(Buffer.from(eventLine(event)));
          };
          try {
            const report = await run(to, false, progressTo(write), ended.signal);
            if (report !== undefined) write({ kind: "done", report });
          } catch (error) {
            write(failedEvent(error));
          }
          if (!ended.signal.aborted) controller.close();
        },
        cancel: () => ended.abort(),
      });
      return new Response(body);
    },
    keepBlobs: () => {
      const kept = hold();
      const gone = new AbortController();
      const ended = AbortSignal.any([gone.signal, stopping.signal]);
      ended.addEventListener("abort", () => kept[Symbol.dispose](), { once: true });
      let begun = false;
      const body = new ReadableStream<Uint8Array>({
        pull: async (controller) => {
          try {
            // Repeated, so that neither side takes the connection for idle.
            if (begun) await clock.sleep(BEAT_MS, ended);
            else await record({ type: "installation.exported", data: {}, by: "command" });
            begun = true;
            controller.enqueue(Buffer.from("kept\n"));
          } catch {
            if (!gone.signal.aborted) controller.close();
          }
        },
        cancel: () => gone.abort(),
      });
      return new Response(body);
    },
    jobs: {
      ...rounds,
      stop: async () => {
        stopping.abort();
        await rounds.stop();
      },
    },
  };
}

/** A backup may not take the last so many bytes of the disk that the server writes to. */
const LEAST_ROOM_BYTES = 32_000_000;
const LOOK_EVERY_MS = 200;

/** Aborts `shortage` when the disk of the data directory is nearly full, so that the server can write on. */
async function watchRoom(path: string, clock: Clock, shortage: AbortController): Promise<void> {
  const { signal } = shortage;
  while (!signal.aborted) {
    const { bavail, bsize } = await statfs(path);
    if (bavail * bsize < LEAST_ROOM_BYTES) {
      const message = `The disk of ${path} has less than ${readableBytes(LEAST_ROOM_BYTES)} free, so the backup was cancelled to leave room for the server. Free some space there, then try again.`;
      shortage.abort(new Failure("failed", message));
      return;
    }
    await clock.sleep(LOOK_EVERY_MS, signal);
  }
}

const BEAT_MS = 30_000;

function summaryOf({ to, bytes, writtenBytes, rows, blobs, rehearsed, removed, at }: BackupReport) {
  return { to, snapshot: isoTime(at), bytes, writtenBytes, rows, blobs, rehearsed, removed };
}

function warnOfMissing(log: Log, { missingBlobs }: BackupReport): void {
  if (missingBlobs.length === 0) return;
  log.warn("files of sites are missing or damaged, and so are they in the backup", {
    blobs: missingBlobs.length,
    first: missingBlobs[0],
  });
}

/** Wraps blobs so that none is deleted while somebody reads an older state of the database. */
export function holdable(blobs: Blobs): { readonly blobs: Blobs; readonly hold: () => Disposable } {
  let held = 0;
  return {
    blobs: {
      ...blobs,
      // The collector finds them again in its next round.
      delete: async (sha256, putBefore) => {
        if (held === 0) await blobs.delete(sha256, putBefore);
      },
    },
    hold: () => {
      held++;
      return { [Symbol.dispose]: () => void held-- };
    },
  };
}
