import { MINUTE_MS, SECOND_MS, systemClock, type Clock } from "../base/clock.ts";
import { isolatedLog } from "../base/hook.ts";
import { systemRandom, type Random } from "../base/id.ts";
import type { Log } from "../base/log.ts";
import { aCount, aStore, checkOptions, having, optional, serviceOptions } from "../base/options.ts";
import { createRounds, type TakeTurn } from "../base/rounds.ts";
import { trustedTurns } from "../base/store-clock.ts";
import type { RequestLog } from "../http/request-log.ts";
import type { Jobs } from "../jobs.ts";
import type { ManagementEndpoint } from "../management/endpoint.ts";
import type { Store } from "../storage/store.ts";
import { REQUESTS_KEEP_MAX_MS, REQUESTS_KEEP_MS } from "./model.ts";
import type { RequestBatch, RequestStore } from "./request-store.ts";
import { requestEndpoints } from "./routes/requests.ts";
import { createSampler } from "./sampler.ts";

/** Options of the request log. */
export interface RequestsOptions {
  /** The store of the petstore. */
  readonly store: Store;
  /** A store in the same database as `store`. */
  readonly requestStore: RequestStore;
  /** How long requests are kept, in milliseconds, at most 30 days. Default: seven days. */
  readonly keepMs?: number | undefined;
  /** Divides purging among several processes. Default: each of them purges. */
  readonly takeTurn?: TakeTurn | undefined;
  /** Default: the store's. */
  readonly clock?: Clock | undefined;
  /** Fills an array with random bytes. Default: Web Crypto. */
  readonly random?: Random | undefined;
  /** Receives what an operator should know, such as failed jobs. Default: errors go to the console, each once. */
  readonly log?: Log | undefined;
}

/** The log of answered requests. */
export interface Requests {
  /** Passed to `createPetstore`, for each environment. */
  readonly requestLog: RequestLog;
  /** Passed to `createManagement`. */
  readonly endpoints: readonly ManagementEndpoint[];
  /** Stores the requests once a second, and deletes them after their time. */
  readonly jobs: Jobs;
  /** Stops the jobs and stores what waits. The caller closes the stores. */
  close(): Promise<void>;
}

const PURGE_EVERY_MS: number = 10 * MINUTE_MS;
const PURGE_ROWS = 500;
const PURGE_SLICES = 200;
/** The most parts that wait for a database that does not answer. */
const MAX_UNSAVED = 50;

/** Creates the request log over a store. Opens nothing and starts nothing. Throws a TypeError for invalid options. */
export function createRequests(options: RequestsOptions): Requests {
  checkOptions("createRequests", options, {
    store: aStore,
    requestStore: having("a request store, such as sqlRequestStore() makes", "findAll"),
    keepMs: optional(aCount(0)),
    ...serviceOptions,
  });
  const {
    store,
    requestStore,
    keepMs: asked = REQUESTS_KEEP_MS,
    takeTurn,
    clock = store.clock ?? systemClock,
    random = systemRandom,
  } = options;
  const keepMs = Math.min(asked, REQUESTS_KEEP_MAX_MS);
  const log = isolatedLog(options.log);
  const sampler = createSampler({ random });
  let unsaved: RequestBatch[] = [];

  const save = async (all: boolean): Promise<void> => {
    // While the database does not answer, the samples stand for more requests instead of taking more memory.
    if (unsaved.length < MAX_UNSAVED) unsaved.push(...sampler.drain(clock.now(), all));
    const lost = sampler.lost();
    if (lost > 0) log.warn("requests are missing from the request log", { requests: lost });
    for (;;) {
      const [batch] = unsaved;
      if (batch === undefined) return;
      await requestStore.add(batch);
      unsaved = unsaved.slice(1);
    }
  };

  const purge = async (): Promise<void> => {
    const before = clock.now() - keepMs;
    for (let slice = 0; slice < PURGE_SLICES; slice++) {
      if ((await requestStore.purge(before, PURGE_ROWS)) < PURGE_ROWS) return;
    }
  };

  const writing = { what: "writing the request log", run: () => save(false) };
  const jobs = createRounds({
    clock,
    log,
    errands: [
      { ...writing, everyMs: SECOND_MS, atOnce: true },
      {
        what: "purging the request log",
        everyMs: PURGE_EVERY_MS,
        inTurn: true,
        atOnce: true,
        run: purge,
      },
    ],
    takeTurn: trustedTurns(store, log, takeTurn),
    last: [{ ...writing, run: () => save(true) }],
  });
  return {
    requestLog: sampler,
    endpoints: requestEndpoints({ requestStore, keepMs }),
    jobs,
    close: () => jobs.stop(),
  };
}
