import { systemClock, HOUR_MS, SECOND_MS, type Clock } from "../../base/clock.ts";
import { isolatedLog } from "../../base/hook.ts";
import { randomBase62, systemRandom, type Random } from "../../base/id.ts";
import type { Log } from "../../base/log.ts";
import {
  aBoolean,
  aFunction,
  aStore,
  checkOptions,
  having,
  optional,
  serviceOptions,
} from "../../base/options.ts";
import { createRounds, TICK_MS, type TakeTurn } from "../../base/rounds.ts";
import { trustedTurns } from "../../base/store-clock.ts";
import type { Jobs } from "../../jobs.ts";
import type { ManagementEndpoint } from "../../management/endpoint.ts";
import type { PhotoService } from "../../photos/photos.ts";
import type { Blobs } from "../../publishing/blobs.ts";
import { logFailure } from "../../storage/log-failure.ts";
import type { Store } from "../../storage/store.ts";
import type { FetchPicture } from "../pictures.ts";
import type { Workbooks } from "../reading/workbook.ts";
import { workOn } from "./advance.ts";
import { KEPT_MS, WAITING_MS, type StoredImport } from "./model.ts";
import { importEndpoints } from "../routes/imports.ts";
import type { ImportStore } from "./store.ts";
import { createSpool, freeOld } from "./spool.ts";
import { HELD_MS, type WorkContext } from "./work.ts";

/** Options of imports. */
export interface ImportsOptions {
  /** The store of the petstore. */
  readonly store: Store;
  /** A store in the same database as `store`. */
  readonly importStore: ImportStore;
  /** Where uploaded files wait. Its collector must keep `importStore.files`. */
  readonly blobs: Blobs;
  /** Default: Excel workbooks are refused. */
  readonly workbooks?: Workbooks | undefined;
  /** Where pictures that a file names become photos. Default: they are left out. */
  readonly photos?: PhotoService | undefined;
  /** Fetches pictures. Default: only those that the file itself contains become photos. */
  readonly fetchPicture?: FetchPicture | undefined;
  /**
   * True if no other process uses the store. What an earlier process was doing then goes on at once. Default false: it
   * goes on after 30 seconds.
   */
  readonly alone?: boolean | undefined;
  /** Divides the removal of old imports among several processes. Default: each of them does it. */
  readonly takeTurn?: TakeTurn | undefined;
  /** Default: the store's. */
  readonly clock?: Clock | undefined;
  /** Fills an array with random bytes. Default: Web Crypto. */
  readonly random?: Random | undefined;
  /** Receives what an operator should know, such as failed jobs. Default: errors go to the console, each once. */
  readonly log?: Log | undefined;
}

/** The imports of an installation: files of animals that are read, mapped and brought into catalogues. */
export interface Imports {
  /** Passed to `createManagement`. */
  readonly endpoints: readonly ManagementEndpoint[];
  /** Works on imports, and removes old ones. */
  readonly jobs: Jobs;
  /** Resolves when no import is worked on in this process. */
  idle(): Promise<void>;
  /** Ends the work after its present batch, and stops the jobs. The caller closes the stores. */
  close(): Promise<void>;
}

/** How many imports a process works on at the same time. */
const MOST_AT_ONCE = 4;
/** How many of them are of one account: its pictures may take hours to arrive, and other accounts do not wait for them. */
const MOST_OF_ACCOUNT = 2;
const EXPIRED_AT_ONCE = 100;

/** Creates imports over a store. Opens nothing and starts nothing. Invalid options throw a TypeError. */
export function createImports(options: ImportsOptions): Imports {
  checkOptions("createImports", options, {
    store: aStore,
    importStore: having("an import store, such as sqlImportStore() makes", "working"),
    blobs: having("a store of files, such as directoryBlobs() makes", "put", "open"),
    workbooks: optional(having("a reader of workbooks", "rows")),
    photos: optional(having("the photos of a petstore", "as")),
    fetchPicture: optional(aFunction),
    alone: optional(aBoolean),
    ...serviceOptions,
  });
  const {
    store,
    importStore,
    blobs,
    workbooks,
    photos,
    fetchPicture,
    alone = false,
    takeTurn,
    clock = store.clock ?? systemClock,
    random = systemRandom,
  } = options;
  const log = isolatedLog(options.log);
  let stopped = false;
  const holder = randomBase62(random, 12);
  const spool = createSpool(blobs, random);
  const context: WorkContext = {
    store,
    importStore,
    spool,
    workbooks,
    photos,
    fetchPicture,
    clock,
    log,
    holder,
    stopped: () => stopped,
  };
  const working = new Map<string, Promise<void>>();

  /** Returns true if the work ended as it should: then it may have something else to do at once. */
  const begin = async (row: StoredImport): Promise<boolean> => {
    const now = clock.now();
    const times = { now: alone ? Number.MAX_SAFE_INTEGER : now, until: now + HELD_MS };
    if (!(await importStore.hold(row.id, holder, times))) return false;
    try {
      await workOn(context, row);
      return true;
    } catch (error) {
      // The next round continues.
      logFailure(log, "an import stopped and is continued", error, { now, import: row.id });
      return false;
    }
  };
  const work = async (): Promise<void> => {
    if (stopped) return;
    for (const row of await importStore.working(MOST_AT_ONCE * 4, MOST_OF_ACCOUNT)) {
      if (working.size >= MOST_AT_ONCE) return;
      if (working.has(row.id)) continue;
      const ended = begin(row)
        .finally(() => working.delete(row.id))
        // It may have been mapped again while it was read.
        .then((again) => (again ? work() : undefined))
        .catch(() => undefined);
      working.set(row.id, ended);
    }
  };
  const idle = async (): Promise<void> => {
    while (working.size > 0) await Promise.all(working.values());
  };
  const purge = async (): Promise<void> => {
    const now = clock.now();
    const times = { before: now - KEPT_MS, waitingBefore: now - WAITING_MS };
    for (const row of await importStore.expired(times, EXPIRED_AT_ONCE)) {
      await importStore.remove(row);
      if ((await importStore.byId(row.catalogueId, row.id)) === undefined) {
        await freeOld(spool, row, { file: undefined });
      }
    }
  };
  const rounds = createRounds({
    clock,
    log,
    errands: [
      { what: "working on imports", everyMs: SECOND_MS, atOnce: true, run: work },
      { what: "removing old imports", everyMs: HOUR_MS, inTurn: true, run: purge },
    ],
    takeTurn: trustedTurns(store, log, takeTurn),
  });
  const jobs: Jobs = {
    ...rounds,
    tick: async () => {
      await rounds.tick();
      const ended = new AbortController();
      const enough = clock.sleep(TICK_MS, ended.signal).catch(() => undefined);
      await Promise.race([idle(), enough]);
      ended.abort();
    },
  };
  return {
    endpoints: importEndpoints({
      importStore,
      spool,
      clock,
      random,
      wake: () => {
        // Failures are met again by the next round, which reports them.
        work().catch(() => undefined);
      },
    }),
    jobs,
    idle,
    close: async () => {
      stopped = true;
      await jobs.stop();
      await idle();
    },
  };
}
