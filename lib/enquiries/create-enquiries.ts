import { memoryLimiter } from "../accounts/memory-limiter.ts";
import type { Limiter } from "../accounts/limiter.ts";
import { HOUR_MS, systemClock, type Clock } from "../base/clock.ts";
import { deriveKey, webDigest, type Digest } from "../base/digest.ts";
import { once } from "../base/eventual.ts";
import { isolatedLog } from "../base/hook.ts";
import { systemRandom, type Random } from "../base/id.ts";
import type { Log } from "../base/log.ts";
import {
  aCount,
  aDigest,
  aFunction,
  aLimiter,
  aRootKey,
  aStore,
  checkOptions,
  having,
  optional,
  serviceOptions,
} from "../base/options.ts";
import { createRounds, type TakeTurn } from "../base/rounds.ts";
import { trustedTurns } from "../base/store-clock.ts";
import type { Jobs } from "../jobs.ts";
import { noMail, type Mail } from "../mail/mail.ts";
import type { ManagementEndpoint } from "../management/endpoint.ts";
import { system } from "../model/actor.ts";
import type { EnquiryDesk } from "../publishing/enquiry-desk.ts";
import type { Store } from "../storage/store.ts";
import type { EnquiryStore } from "./enquiry-store.ts";
import { ENQUIRIES_KEEP_MS } from "./model.ts";
import { enquiryEndpoints } from "./routes/enquiries.ts";
import { createStamps } from "./stamps.ts";
import { createDesk, mailEnquiry, type DeskContext } from "./submit.ts";

/** Options of enquiries. */
export interface EnquiriesOptions {
  /** The store of the petstore. */
  readonly store: Store;
  /** A store in the same database as `store`. */
  readonly enquiryStore: EnquiryStore;
  /** The petstore's key, of at least 32 bytes. */
  readonly encryptionKey: Uint8Array;
  /** Returns the address of an enquiry in the dashboard, for mails. */
  readonly addressOf: (accountId: string, enquiryId: number) => string;
  /** Returns the email addresses of an account's owners, who get mails about enquiries if the site has no address. Default: none. */
  readonly ownersOf?: ((accountId: string) => Promise<readonly string[]>) | undefined;
  /** Default: no mails. */
  readonly mail?: Mail | undefined;
  /** How long enquiries are kept after they have arrived, in milliseconds. Default: a year. */
  readonly keepMs?: number | undefined;
  /** Shared by several processes. Default: counters in the memory of this one. */
  readonly limiter?: Limiter | undefined;
  /** Divides purging among several processes. Default: each of them purges. */
  readonly takeTurn?: TakeTurn | undefined;
  /** Default: the store's. */
  readonly clock?: Clock | undefined;
  /** Fills an array with random bytes. Default: Web Crypto. */
  readonly random?: Random | undefined;
  /** Default: Web Crypto. A synchronous one, such as `nodeDigest` of `petstore/node`, is faster. */
  readonly digest?: Digest | undefined;
  /** Receives what an operator should know, such as failed jobs. Default: errors go to the console, each once. */
  readonly log?: Log | undefined;
}

/** Enquiries of visitors, and their inbox. */
export interface Enquiries {
  /** Passed to `createPublishing`. */
  readonly desk: EnquiryDesk;
  /** Passed to `createManagement`. */
  readonly endpoints: readonly ManagementEndpoint[];
  /**
   * Queues the mails about an enquiry that nobody has answered, unless they were queued before: a process can be killed after
   * it has stored an enquiry. `emailOf` returns the address of a site. Rejects if they have to be queued later.
   */
  ensureMail(
    catalogueId: number,
    enquiryId: number,
    emailOf: (projectId: string) => Promise<string | undefined>,
  ): Promise<void>;
  /** Deletes enquiries after their time. */
  readonly jobs: Jobs;
  /** Stops the jobs. The caller closes the stores. */
  close(): Promise<void>;
}

const PURGE_ROWS = 500;
const PURGE_SLICES = 100;

/** Creates the enquiries over a store. Opens nothing and starts nothing. Throws a TypeError for invalid options. */
export function createEnquiries(options: EnquiriesOptions): Enquiries {
  checkOptions("createEnquiries", options, {
    store: aStore,
    enquiryStore: having("an enquiry store, such as sqlEnquiryStore() makes", "commit"),
    encryptionKey: aRootKey,
    addressOf: aFunction,
    ownersOf: optional(aFunction),
    mail: optional(having("mail with enqueue()", "enqueue")),
    keepMs: optional(aCount(0)),
    limiter: optional(aLimiter),
    ...serviceOptions,
    digest: optional(aDigest),
  });
  const {
    store,
    enquiryStore,
    encryptionKey,
    addressOf,
    ownersOf = () => Promise.resolve([]),
    mail = noMail,
    keepMs = ENQUIRIES_KEEP_MS,
    takeTurn,
    clock = store.clock ?? systemClock,
    random = systemRandom,
    digest = webDigest,
    limiter = memoryLimiter({ clock }),
  } = options;
  const log = isolatedLog(options.log);
  const key = once(() => deriveKey(digest, encryptionKey, "petstore enquiry stamps"));
  const purge = async (): Promise<void> => {
    const before = clock.now() - keepMs;
    for (let slice = 0; slice < PURGE_SLICES; slice++) {
      const change = { kind: "purge", before, limit: PURGE_ROWS } as const;
      const purged = await enquiryStore.commit([change], system);
      if (!purged.ok || (purged.value[0] ?? 0) < PURGE_ROWS) return;
    }
  };
  const jobs = createRounds({
    clock,
    log,
    errands: [
      { what: "purging enquiries", everyMs: HOUR_MS, inTurn: true, atOnce: true, run: purge },
    ],
    takeTurn: trustedTurns(store, log, takeTurn),
  });
  const context: DeskContext = {
    store,
    enquiryStore,
    stamps: createStamps({ key, digest, clock, random }),
    limiter,
    mail,
    ownersOf,
    addressOf,
    digest,
    clock,
    log,
    keepMs,
  };
  return {
    desk: createDesk(context),
    endpoints: enquiryEndpoints({ enquiryStore, clock }),
    ensureMail: async (catalogueId, enquiryId, emailOf) => {
      const enquiry = await enquiryStore.byId(catalogueId, enquiryId);
      if (enquiry?.state !== "new") return;
      await mailEnquiry(context, enquiry, await emailOf(enquiry.projectId));
    },
    jobs,
    close: () => jobs.stop(),
  };
}
