import {
  aCount,
  aDigest,
  aFunction,
  aLimiter,
  aPrefix,
  aRootKey,
  aStore,
  aText,
  checkOptions,
  having,
  origins,
  oneOf,
  optional,
  optionsOf,
  serviceOptions,
} from "./base/options.ts";
import type { StoredPet } from "./catalogue/model.ts";
import type { PhotoHost } from "./catalogue/photo-address.ts";
import type { Images } from "./photos/images.ts";
import type { PhotoBytes } from "./photos/photos.ts";
import type { Blobs } from "./publishing/blobs.ts";
import type { Clock } from "./base/clock.ts";
import type { Digest } from "./base/digest.ts";
import type { Eventual } from "./base/eventual.ts";
import type { Random } from "./base/id.ts";
import type { Log } from "./base/log.ts";
import { aCors, type CorsOptions } from "./http/cors.ts";
import type { Answered } from "./http/exchange.ts";
import type { RequestLog } from "./http/request-log.ts";
import type { Servers } from "./http/describe.ts";
import type { TakeTurn } from "./base/rounds.ts";
import type { Limiter, CountBy } from "./accounts/limiter.ts";
import { environments, type Environment } from "./model/account.ts";
import type { Store } from "./storage/store.ts";

/** Options of the service. */
export interface PetstoreOptions {
  /** Where everything is kept, such as `memoryStore()` or `nodeSqliteStore({ path })`. Close it after the petstore. */
  readonly store: Store;
  /** Default `production`. An instance serves one; mount two for both. */
  readonly environment?: Environment | undefined;
  /** Where it is mounted: `/shelter` puts the API at `/shelter/v1`. Default: the root. */
  readonly prefix?: string | undefined;
  /**
   * At least 32 bytes from which the pepper of key hashes and the signature of cursors derive.
   * All processes over a store need the same key. Default: created once and stored, so that the store holds both the
   * hashes and their pepper.
   */
  readonly encryptionKey?: Uint8Array | undefined;
  /** Whether limits are counted by catalogue, whose keys share them, or by key. Default `catalogue`. */
  readonly countBy?: CountBy | undefined;
  /**
   * Base addresses for the OpenAPI document, `/v1` included. Default: for the instance's own environment the mount that
   * the document was requested at; the other environment is left out.
   */
  readonly servers?: Partial<Servers> | undefined;
  /**
   * Origins such as `https://app.example.org` whose pages may send requests of the host's users (`principal`), if the host
   * itself allows them by CORS. Those that `cors` allows with credentials may as well. Default: only pages of the origin that
   * the client used.
   */
  readonly trustedOrigins?: readonly string[] | undefined;
  /**
   * Pages of which other origins may use the API: any if true; none that the host does not allow itself if false; or those
   * that are listed. Default true. An adapter never replaces CORS headers that the host has set.
   */
  readonly cors?: boolean | CorsOptions | undefined;
  /** Shared by several processes. Default: counters in the memory of this one, kept in the store. */
  readonly limiter?: Limiter | undefined;
  /** How long adopters are kept after staff last saved them, in milliseconds. Default: two years. */
  readonly adoptersKeepMs?: number | undefined;
  /**
   * Returns the last event that another reader of the store has read, such as `readThrough` of an audit log: later ones are
   * kept, however old they are. Default: events are removed after 30 days.
   */
  readonly eventsReadThrough?: (() => Eventual<number>) | undefined;
  /** Divides purging among several processes. Default: each of them purges. */
  readonly takeTurn?: TakeTurn | undefined;
  /** Default: the store's. */
  readonly clock?: Clock | undefined;
  /** Fills an array with random bytes. Default: Web Crypto. */
  readonly random?: Random | undefined;
  /** Default: Web Crypto. A synchronous one (`petstore/node`) is faster. */
  readonly digest?: Digest | undefined;
  /** Receives what an operator should know, such as failed jobs. Default: errors go to the console, each once. */
  readonly log?: Log | undefined;
  /** Decodes pictures, such as `bunImages` or `sharpImages(sharp)`. With `blobs`, animals can have photos. Default: none. */
  readonly images?: Images | undefined;
  /** Stores the files of photos: the same as those of publishing, whose jobs remove unused files. Default: none. */
  readonly blobs?: Blobs | undefined;
  /** The most bytes of photos of an account, by its plan. Default: 256 MiB, 2 GiB and 20 GiB. */
  readonly photoBytes?: PhotoBytes | undefined;
  /**
   * Returns whether everybody may see an animal of Production, and so its photos. Default: yes. `isShown` of publishing
   * knows what its sites show.
   */
  readonly isShown?: ((pet: StoredPet, catalogueId: number) => Eventual<boolean>) | undefined;
  /**
   * Finds the host of the photos in `GET /pets?include=profile`: `photoHost` of publishing. Default: the addresses of all
   * photos are below the API, where they stay valid in any case.
   */
  readonly photoHost?: ((catalogueId: number) => Eventual<PhotoHost | undefined>) | undefined;
  /**
   * Called after every answer, for metrics and traces. It is not awaited, and its failures do not affect the answer: the first
   * one is logged. Default: none.
   */
  readonly onAnswer?: ((answered: Answered) => void) | undefined;
  /** Where answered requests are recorded: `createRequests` of `petstore/requests` makes it. Default: they are not. */
  readonly requestLog?: RequestLog | undefined;
}

/** Throws a TypeError that names the first invalid option of `createPetstore`. */
export function checkPetstoreOptions(options: PetstoreOptions): void {
  checkOptions("createPetstore", options, {
    store: aStore,
    environment: optional(oneOf(environments)),
    prefix: optional(aPrefix),
    encryptionKey: optional(aRootKey),
    countBy: optional(oneOf(["catalogue", "key"])),
    servers: optional(
      optionsOf("an object of base addresses", {
        production: optional(aText),
        staging: optional(aText),
      }),
    ),
    trustedOrigins: optional(origins(0)),
    cors: optional(aCors),
    limiter: optional(aLimiter),
    adoptersKeepMs: optional(aCount(0)),
    eventsReadThrough: optional(aFunction),
    ...serviceOptions,
    digest: optional(aDigest),
    images: optional(having("images, such as bunImages", "render")),
    blobs: optional(having("a store of files, such as directoryBlobs() makes", "put", "open")),
    photoBytes: optional(
      optionsOf("an object of numbers of bytes by plan", {
        free: aCount(0),
        pro: aCount(0),
        business: aCount(0),
      }),
    ),
    isShown: optional(aFunction),
    photoHost: optional(aFunction),
    onAnswer: optional(aFunction),
    requestLog: optional(having("a request log, such as createRequests() makes", "offer")),
  });
  if ((options.images === undefined) !== (options.blobs === undefined)) {
    throw new TypeError("createPetstore: photos need both the options images and blobs.");
  }
}
