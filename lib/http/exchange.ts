import type { Clock } from "../base/clock.ts";
import type { Eventual } from "../base/eventual.ts";
import type { Log } from "../base/log.ts";
import type { ProblemCode } from "../base/problem.ts";
import type { Buckets } from "../accounts/buckets.ts";
import type { Limiter, Verdict } from "../accounts/limiter.ts";
import type { Wanted } from "./accept.ts";
import type { KeptAnswer } from "./answer.ts";
import type { Caller, Keyring } from "../accounts/keyring.ts";
import type { BodyReader } from "./body.ts";
import type { Endpoint, Services } from "./endpoint.ts";
import type { Idempotency } from "./idempotency.ts";
import type { ImposeBan } from "../accounts/bans.ts";
import type { FindRoute } from "./match.ts";
import type { Memo } from "./memo.ts";
import type { UsageCounter } from "../accounts/usage-counter.ts";

/** What the host knows of a request and a `Request` cannot say. */
export interface FetchContext {
  /** IP address of the client: failed authentication is counted by it. A function is asked only when needed. */
  readonly address?: string | (() => string | undefined);
  /** Where this service is mounted for this request, as `/shelter`; default: the `prefix` option. */
  readonly prefix?: string;
  /**
   * `https://pets.example.org`: what the caller typed, when a proxy stands between. With a path, as
   * `https://pets.example.org/shelter`, where the host takes the mount out of the request's URL. Default: from the request.
   */
  readonly origin?: string;
  /** It came unprotected to an address that is served over HTTPS: refused before its key is looked at. Default false. */
  readonly httpsRequired?: boolean;
}

/** One answered request, for metrics and logs. Holds no secret. */
export interface Answered {
  readonly requestId: string;
  /** `listPets`; `unknown` when no operation was found. A closed set. */
  readonly operation: string;
  readonly method: string;
  readonly status: number;
  /** Error code, if it is one. */
  readonly code?: ProblemCode;
  readonly keyId?: string;
  readonly durationMs: number;
}

/** Everything that the way of a request leads past. */
export interface Stations extends Services {
  readonly clock: Clock;
  readonly log: Log;
  readonly prefix: string;
  readonly findRoute: FindRoute<Endpoint>;
  /** The OpenAPI document, for an API at this path: kept, because anyone may ask for it as often as they like. */
  readonly document: (path: string) => KeptAnswer;
  readonly keyring: Keyring;
  readonly limiter: Limiter;
  /** Failed authentication, by address. */
  readonly addresses: Buckets;
  /** Looks at the limits, by key. */
  readonly inquiries: Buckets;
  readonly bodies: BodyReader;
  readonly idempotency: Idempotency;
  readonly memo: Memo;
  /** What must be there before the first request; at hand afterwards. */
  readonly ready: () => Eventual<boolean>;
  readonly requestId: (sent: string | null, now: number) => string;
  readonly ban: ImposeBan;
  /** The caller has spent that many percent of the day. */
  readonly onThreshold: (caller: Caller, verdict: Verdict, percent: 80 | 100) => void;
  readonly usage: UsageCounter;
  readonly onAnswer: ((answered: Answered) => void) | undefined;
}

/** A request on its way, and what is known of it so far. */
export interface Exchange {
  readonly stations: Stations;
  readonly request: Request;
  readonly context: FetchContext;
  readonly now: number;
  readonly requestId: string;
  readonly wanted: Wanted;
  endpoint: Endpoint | undefined;
  caller: Caller | undefined;
  /** What the headers tell; undefined until the caller is known: the address's numbers then. */
  verdict: Verdict | undefined;
  /** The verdict was paid for, and can be given back. */
  spent: boolean;
}

/** Which operation a request is for, and on what. */
export interface Target {
  readonly endpoint: Endpoint;
  /** Below the version prefix. */
  readonly path: string;
  /** After the question mark. */
  readonly search: string;
  /** 0 when the path has no id, or one that cannot exist. */
  readonly id: number;
}

/** The version that is part of every path. */
export const VERSION = "/v1";

/** Where the path of `url` begins. Bun knows of no scheme or host where a client named none, or an impossible one. */
export function pathStartOf(url: string): number {
  return url.startsWith("/") ? 0 : url.indexOf("/", "https://".length);
}

/** The path of `url` as it was sent, and what stands after the question mark. `new URL` costs more than all of this. */
export function addressParts(url: string): { readonly path: string; readonly search: string } {
  const start = pathStartOf(url);
  const hash = url.indexOf("#", start);
  const end = hash === -1 ? url.length : hash;
  const question = url.indexOf("?", start);
  const pathEnd = question === -1 || question > end ? end : question;
  return { path: url.slice(start, pathEnd), search: url.slice(pathEnd + 1, end) };
}

/** `https://host/prefix/v1`: where the caller reached us; a mere path where it named no host. */
export function baseOf({ request: { url }, context, stations }: Exchange): string {
  const { origin = url.slice(0, pathStartOf(url)) } = context;
  return origin + (context.prefix ?? stations.prefix) + VERSION;
}

/** `/prefix/v1`: the path that the API has for the caller. */
export function pathOfBase(exchange: Exchange): string {
  const base = baseOf(exchange);
  return base.slice(pathStartOf(base));
}

export function addressOf({ address }: FetchContext): string | undefined {
  return typeof address === "function" ? address() : address;
}
