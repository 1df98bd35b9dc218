import { MINUTE_MS, systemClock, type Clock } from "../base/clock.ts";
import { deriveKey, webDigest, type Digest } from "../base/digest.ts";
import { once } from "../base/eventual.ts";
import { isolatedLog } from "../base/hook.ts";
import { systemRandom, type Random } from "../base/id.ts";
import type { Log } from "../base/log.ts";
import {
  aDigest,
  aFunction,
  aRootKey,
  aStore,
  checkOptions,
  having,
  optional,
  serviceOptions,
} from "../base/options.ts";
import type { Jobs, TakeTurn } from "../base/rounds.ts";
import { createSeal } from "../base/seal.ts";
import { createSendingRounds } from "../base/sending.ts";
import { nextTurn } from "../base/steps.ts";
import { trustedTurns } from "../base/store-clock.ts";
import type { ManagementEndpoint } from "../management/endpoint.ts";
import { system } from "../model/actor.ts";
import { environmentFinder } from "../storage/environment-finder.ts";
import type { Store } from "../storage/store.ts";
import { createDispatcher } from "./dispatcher.ts";
import { createFanOut } from "./fan-out.ts";
import { DELIVERIES_KEEP_MS, MAX_ENDED } from "./model.ts";
import type { DeliveryObservation } from "./outcome.ts";
import { webhookEndpoints } from "./routes/webhooks.ts";
import type { WebhookSender } from "./sender.ts";
import { createSign } from "./sign.ts";
import type { WebhookQueueState, WebhookStore } from "./webhook-store.ts";

/** Options of webhooks. */
export interface WebhooksOptions {
  /** The store of the petstore. */
  readonly store: Store;
  /** A store in the same database as `store`. */
  readonly webhookStore: WebhookStore;
  /** Sends the requests. You write it for your runtime. */
  readonly sender: WebhookSender;
  /** The petstore's key, of at least 32 bytes. */
  readonly encryptionKey: Uint8Array;
  /** Divides purging among several processes. Default: each of them purges. Deliveries are divided without it. */
  readonly takeTurn?: TakeTurn | undefined;
  /** Default: the store's. */
  readonly clock?: Clock | undefined;
  /** Fills an array with random bytes. Default: Web Crypto. */
  readonly random?: Random | undefined;
  /** Default: Web Crypto. A synchronous one, such as `nodeDigest` of `petstore/node`, is faster. */
  readonly digest?: Digest | undefined;
  /** Receives what an operator should know, such as failed jobs. Default: errors go to the console, each once. */
  readonly log?: Log | undefined;
  /** Called after each attempt, for metrics. Default: none. */
  readonly observe?: ((observation: DeliveryObservation) => void) | undefined;
}

/** The webhooks of an installation. */
export interface Webhooks {
  /** Passed to `createManagement`. */
  readonly endpoints: readonly ManagementEndpoint[];
  state(): Promise<WebhookQueueState>;
  /** Queues events, delivers them, and purges. */
  readonly jobs: Jobs;
  /** Stops the jobs; waits a few seconds for attempts that run. The caller closes the stores. */
  close(): Promise<void>;
}

const PURGE_ROWS = 500;
/** Slices of a round: more rows a minute than a webhook gets deliveries. */
const PURGE_SLICES = 100;
const PURGE_EVERY_MS: number = MINUTE_MS;

/** Creates the webhooks over a store. Opens nothing and starts nothing. Throws a TypeError for invalid options. */
export function createWebhooks(options: WebhooksOptions): Webhooks {
  checkOptions("createWebhooks", options, {
    store: aStore,
    webhookStore: having("a webhook store, such as sqlWebhookStore() makes", "commit", "due"),
    sender: having("a sender with send() and faultOf()", "send", "faultOf"),
    encryptionKey: aRootKey,
    ...serviceOptions,
    digest: optional(aDigest),
    observe: optional(aFunction),
  });
  const {
    store,
    webhookStore,
    sender,
    encryptionKey,
    takeTurn,
    clock = store.clock ?? systemClock,
    random = systemRandom,
    digest = webDigest,
    observe = () => undefined,
  } = options;
  const log = isolatedLog(options.log);
  const key = once(() => deriveKey(digest, encryptionKey, "petstore webhook secrets"));
  const seal = createSeal(key, random);
  const sign = createSign({ seal, digest, clock });
  const environmentOf = environmentFinder(store);
  const chance = (): number => (random(new Uint8Array(1))[0] ?? 0) / 256;
  const shared = { store, webhookStore, environmentOf, digest, clock };
  const fanOut = createFanOut(shared);
  const dispatcher = createDispatcher({ ...shared, sender, sign, log, chance, observe });

  const purge = async (isLeaving: () => boolean): Promise<void> => {
    const endedBefore = clock.now() - DELIVERIES_KEEP_MS;
    const limits = { maxEnded: MAX_ENDED, limit: PURGE_ROWS };
    for (let slice = 0; slice < PURGE_SLICES && !isLeaving(); slice++) {
      const purged = await webhookStore.commit([{ kind: "purge", endedBefore, ...limits }], system);
      if (!purged.ok || purged.value < PURGE_ROWS) return;
      await nextTurn();
    }
  };
  const jobs = createSendingRounds({
    clock,
    log,
    errands: ({ isLeaving, signal }) => [
      {
        what: "queueing webhooks",
        run: async () => {
          if (await fanOut.round(isLeaving)) dispatcher.wake();
        },
      },
      { what: "delivering webhooks", run: () => dispatcher.round(signal(), isLeaving) },
      {
        what: "purging webhooks",
        everyMs: PURGE_EVERY_MS,
        inTurn: true,
        run: () => purge(isLeaving),
      },
    ],
    idle: () => dispatcher.idle(),
    takeTurn: trustedTurns(store, log, takeTurn),
  });
  return {
    endpoints: webhookEndpoints({
      ...shared,
      seal,
      sign,
      sender,
      random,
      wake: () => dispatcher.wake(),
    }),
    state: async () => webhookStore.state(),
    jobs,
    close: () => jobs.stop(),
  };
}
