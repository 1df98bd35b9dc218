import type { LocalClient } from "./actions/local-client.ts";
import type { Clock } from "./base/clock.ts";
import type { Digest } from "./base/digest.ts";
import type { Eventual } from "./base/eventual.ts";
import type { Random } from "./base/id.ts";
import type { Log } from "./base/log.ts";
import type { Limiter } from "./limits/limiter.ts";
import type { Environment } from "./model/account.ts";
import type { DomainEvent } from "./model/event.ts";
import type { Store } from "./storage/store.ts";

/** What the host knows of a request and a `Request` cannot say. */
export interface FetchContext {
  /** IP address of the client: failed authentication is counted by it. A function is asked only when needed. */
  readonly address?: string | (() => string | undefined);
  /** Where this service is mounted for this request, as `/shelter`; default: the `prefix` option. */
  readonly prefix?: string;
  /** `https://pets.example.org`: what the caller typed, when a proxy stands between. Default: from the request. */
  readonly origin?: string;
}

/** One answered request, for metrics and logs. Holds no secret. */
export interface Answered {
  readonly requestId: string;
  /** `listPets`; `unknown` when no operation was found. A closed set. */
  readonly operation: string;
  readonly method: string;
  readonly status: number;
  /** Error code, if it is one. */
  readonly code?: string;
  readonly keyId?: string;
  readonly durationMs: number;
}

export interface PetstoreOptions {
  readonly store: Store;
  /** Default `production`. An instance serves one; mount two for both. */
  readonly environment?: Environment;
  /** Where it is mounted: `/shelter` puts the API at `/shelter/v1`. Default: the root. */
  readonly prefix?: string;
  /**
   * At least 32 bytes from which the pepper of key hashes and the signature of cursors derive.
   * Every process over the same store needs the same. Default: made once and kept in the store,
   * which then holds both the hashes and their pepper.
   */
  readonly encryptionKey?: Uint8Array;
  /** What limits are counted by; default `catalogue`: all its keys share. */
  readonly countBy?: "catalogue" | "key";
  /** Public base addresses for the OpenAPI document. Default: relative ones. */
  readonly servers?: { readonly production: string; readonly staging: string };
  /** Default: counters in memory, kept in the store. */
  readonly limiter?: Limiter;
  readonly clock?: Clock;
  readonly random?: Random;
  /** Default: Web Crypto. A synchronous one (`petstore/node`) is faster. */
  readonly digest?: Digest;
  readonly log?: Log;
  /** Called after every answer; must not throw. */
  readonly onAnswer?: (answered: Answered) => void;
}

export interface Jobs {
  /** Begins the background work: counters to the store, notices of other processes, purging. */
  start(): void;
  /** Does what is due now, once; for hosts without timers. */
  tick(): Promise<void>;
  stop(): Promise<void>;
}

export interface Petstore {
  /** Answers a request. Never rejects and never throws: what breaks is a 500. The request is left as it was. */
  fetch(request: Request, context?: FetchContext): Eventual<Response>;
  /** True when the request's path is `/v1` or below, under `context.prefix`, else this service's own prefix. */
  match(request: { readonly url: string }, context?: Pick<FetchContext, "prefix">): boolean;
  readonly client: LocalClient;
  readonly events: {
    /** The outbox after `seq`, oldest first, at most `limit` (default 100). */
    after(seq: number, limit?: number): Promise<readonly DomainEvent[]>;
    /** Calls `listener` with every event committed from now on, by any process, while jobs run. */
    subscribe(listener: (event: DomainEvent) => void): () => void;
  };
  readonly jobs: Jobs;
  /** Stops the jobs and writes the counters. The store stays open: it is the caller's. */
  close(): Promise<void>;
}
