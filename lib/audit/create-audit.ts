import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, systemClock, type Clock } from "../base/clock.ts";
import { webDigest, type Digest } from "../base/digest.ts";
import { isolatedLog } from "../base/hook.ts";
import type { Log } from "../base/log.ts";
import {
  aClock,
  aCount,
  aDigest,
  aFunction,
  aLog,
  aStore,
  checkOptions,
  having,
  optional,
} from "../base/options.ts";
import { createRounds, type TakeTurn } from "../base/rounds.ts";
import { nextTurn } from "../base/steps.ts";
import { trustedTurns } from "../base/store-clock.ts";
import { FEW_ROWS } from "../base/traffic.ts";
import type { Jobs } from "../jobs.ts";
import type { ManagementEndpoint } from "../management/endpoint.ts";
import type { RecordedEvent } from "../model/event.ts";
import type { Store } from "../storage/store.ts";
import { MAX_ROWS, type AuditStore } from "./audit-store.ts";
import { entryOf, hashAfter, type AuditRow } from "./model.ts";
import { auditEndpoints } from "./routes/audit.ts";

/** Options of the audit log. */
export interface AuditOptions {
  /** The store of the petstore. */
  readonly store: Store;
  /** A store in the same database as `store`. */
  readonly auditStore: AuditStore;
  /** How long rows are kept, in milliseconds. Default: 400 days. */
  readonly keepMs?: number | undefined;
  /** Divides the work among several processes. Default: each of them does it, which is as correct. */
  readonly takeTurn?: TakeTurn | undefined;
  /** Default: the store's. */
  readonly clock?: Clock | undefined;
  /** Default: Web Crypto. A synchronous one, such as `nodeDigest` of `petstore/node`, is faster. */
  readonly digest?: Digest | undefined;
  /** Receives what an operator should know, such as failed jobs. Default: errors go to the console, each once. */
  readonly log?: Log | undefined;
}

/** The state of the audit log. */
export interface AuditState {
  /** The rows so far, those that were removed after their time included. */
  readonly rows: number;
  /** How long the oldest event has waited that is not in the log yet, in milliseconds; 0 if none waits. */
  readonly behindMs: number;
}

/** The audit log of an installation. */
export interface Audit {
  /** Passed to `createManagement`. */
  readonly endpoints: readonly ManagementEndpoint[];
  /** Returns the last event in the log: for `eventsReadThrough` of a petstore. */
  readThrough(): Promise<number>;
  state(): Promise<AuditState>;
  /** Adds events to the log, and removes rows after their time. */
  readonly jobs: Jobs;
  /** Stops the jobs. The caller closes the stores. */
  close(): Promise<void>;
}

/** How long rows are kept, if the host says nothing: a year, and a month to look at it. */
export const AUDIT_KEEP_MS: number = 400 * DAY_MS;

/** How often events are added. A person who looks at the log right after a change finds it there. */
const CHAIN_EVERY_MS: number = SECOND_MS;
/** The most batches of a round while other requests arrive: the log may be late, but requests may not. */
const FEW_BATCHES = 8;
/** The same without them, or once the log is late. Bounds how long a process that stops waits for the round. */
const MANY_BATCHES = 100;
/** From then on the log is late. */
const LATE_MS: number = MINUTE_MS;
const REMOVE_SLICES = 1_000;

/** Creates the audit log over a store. Opens nothing and starts nothing. Throws a TypeError for invalid options. */
export function createAudit(options: AuditOptions): Audit {
  checkOptions("createAudit", options, {
    store: aStore,
    auditStore: having("an audit store, such as sqlAuditStore() makes", "append"),
    keepMs: optional(aCount(0)),
    takeTurn: optional(aFunction),
    clock: optional(aClock),
    digest: optional(aDigest),
    log: optional(aLog),
  });
  const {
    store,
    auditStore,
    keepMs = AUDIT_KEEP_MS,
    takeTurn,
    clock = store.clock ?? systemClock,
    digest = webDigest,
  } = options;
  const log = isolatedLog(options.log);

  /**
   * Adds the next settled events to the chain. Whatever interrupts it, the head says where to continue: it moves together with
   * the rows. Returns how many it has added.
   */
  const chainSome = async (limit: number): Promise<number> => {
    const head = await auditStore.head();
    const events = await store.events.recorded(head.event, limit);
    const rows: AuditRow[] = [];
    let before = head.hash;
    for (const event of events) {
      const entry = entryOf(event, head.seq + rows.length + 1);
      before = await hashAfter(digest, before, entry);
      rows.push({ ...entry, hash: before });
    }
    await nextTurn();
    // Refused if another process was faster: the next round begins at its head.
    return (await auditStore.append(head, rows)) ? rows.length : 0;
  };

  /** Returns the oldest event that is not in the log yet. */
  const nextEvent = async (): Promise<RecordedEvent | undefined> => {
    const [next] = await store.events.recorded((await auditStore.head()).event, 1);
    return next;
  };

  const chain = async (): Promise<void> => {
    const next = await nextEvent();
    if (next === undefined || (await takeTurn?.("chaining", CHAIN_EVERY_MS)) === false) return;
    const late = clock.now() - next.at > LATE_MS;
    for (let batch = 0; batch < MANY_BATCHES; batch++) {
      const limit = store.traffic?.rowsAtOnce(clock.now()) ?? MAX_ROWS;
      if (limit <= FEW_ROWS && batch >= FEW_BATCHES && !late) return;
      if ((await chainSome(limit)) < limit) return;
      await nextTurn();
    }
  };

  const remove = async (): Promise<void> => {
    const at = clock.now();
    for (let slice = 0; slice < REMOVE_SLICES; slice++) {
      const removed = await auditStore.remove({ before: at - keepMs, limit: MAX_ROWS, at });
      if (removed < MAX_ROWS) break;
      await nextTurn();
    }
    const { seq, hash } = await auditStore.head();
    if (seq === logged) return;
    logged = seq;
    // A log that is kept elsewhere then proves that the chain was not rewritten.
    log.info("the audit log ends here", { head: `${seq}:${hash}` });
  };
  let logged = 0;

  const jobs = createRounds({
    clock,
    log,
    errands: [
      // Not in turn: a clock that is not trusted must not stop it, because it deletes nothing.
      { what: "writing the audit log", everyMs: CHAIN_EVERY_MS, run: chain },
      { what: "shortening the audit log", everyMs: HOUR_MS, inTurn: true, run: remove },
    ],
    takeTurn: trustedTurns(store, log, takeTurn),
  });

  return {
    endpoints: auditEndpoints({ auditStore }),
    readThrough: async () => (await auditStore.head()).event,
    state: async () => {
      const next = await nextEvent();
      const behindMs = next === undefined ? 0 : Math.max(0, clock.now() - next.at);
      return { rows: (await auditStore.head()).seq, behindMs };
    },
    jobs,
    close: () => jobs.stop(),
  };
}
