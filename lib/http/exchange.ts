import type { Buckets } from "../accounts/buckets.ts";
import type { Caller } from "../accounts/keyring.ts";
import type { Verdict } from "../accounts/limiter.ts";
import type { Clock } from "../base/clock.ts";
import type { Eventual } from "../base/eventual.ts";
import type { Log } from "../base/log.ts";
import type { ProblemCode } from "../base/problem.ts";
import type { LimitStatus } from "../model/window.ts";
import type { Wanted } from "./accept.ts";
import type { BodyReader } from "./body.ts";
import type { Declared } from "./endpoint.ts";
import type { FindRoute } from "./match.ts";
import type { KeptAnswer, Style } from "./respond.ts";

/** Facts about a request that the host knows and a `Request` cannot carry. */
export interface FetchContext {
  /** IP address of the client; failed authentication is counted by it. A function is called only when needed. */
  readonly address?: string | (() => string | undefined);
  /** Where this service is mounted for this request, such as `/shelter`. Default: the `prefix` option. */
  readonly prefix?: string;
  /**
   * `https://pets.example.org`: the origin that the caller used, when a proxy stands between. With a path, such as
   * `https://pets.example.org/shelter`, where the host removes the mount from the request's URL. Default: from the request.
   */
  readonly origin?: string;
  /** The request came over plain HTTP to an address that requires HTTPS: refused before its key is read. Default false. */
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

/** What every API needs to answer requests. Each adds what its own access policy and handlers use. */
export interface Stations<Each extends Declared = Declared> {
  readonly clock: Clock;
  readonly log: Log;
  readonly style: Style;
  readonly findRoute: FindRoute<Each>;
  /** The path of the API for a request, such as `/shelter/v1`. */
  readonly rootOf: (context: FetchContext) => string;
  /** The OpenAPI document of the API at this path: kept, because every client may ask for it at any rate. */
  readonly document: (root: string) => KeptAnswer;
  /** Failed authentication, by address. */
  readonly addresses: Buckets;
  readonly bodies: BodyReader;
  readonly requestId: (sent: string | null, now: number) => string;
  /** Completes before the first request is answered; immediate afterwards. */
  readonly ready?: () => Eventual<boolean>;
  /** Gives a spent request back after a failure of the service; resolves with the limits as they are then. */
  readonly refund?: (caller: Caller, spent: Verdict) => Eventual<LimitStatus>;
  readonly report?: (exchange: Exchange, status: number, code?: ProblemCode) => void;
}

/** A request and its state while it is answered. */
export interface Exchange<
  Own extends Stations = Stations,
  Context extends FetchContext = FetchContext,
> {
  readonly stations: Own;
  readonly request: Request;
  readonly context: Context;
  readonly now: number;
  readonly requestId: string;
  readonly wanted: Wanted;
  endpoint: Declared | undefined;
  /** The holder of the API key; undefined until the key was checked, and in APIs without keys. */
  caller: Caller | undefined;
  /** The limits that the headers report; undefined until the caller is known: the address's limits then. */
  verdict: LimitStatus | undefined;
  /** The verdict that the request was charged with, while it can still be refunded. */
  spent: Verdict | undefined;
}

/** The operation that a request calls, and its parameters. */
export interface Target<Each extends Declared = Declared> {
  readonly endpoint: Each;
  /** Below the root. */
  readonly path: string;
  /** The parameters of the path as they were sent. */
  readonly parameters: Readonly<Record<string, string>>;
  /** After the question mark. */
  readonly search: string;
}

/** Where the path of `url` begins. Bun sets no scheme or host where a client sent none, or an impossible one. */
export function pathStartOf(url: string): number {
  return url.startsWith("/") ? 0 : url.indexOf("/", "https://".length);
}

/** The path of `url` as it was sent, and the text after the question mark. `new URL` costs more than all of this. */
export function addressParts(url: string): { readonly path: string; readonly search: string } {
  const start = pathStartOf(url);
  const hash = url.indexOf("#", start);
  const end = hash === -1 ? url.length : hash;
  const question = url.indexOf("?", start);
  const pathEnd = question === -1 || question > end ? end : question;
  return { path: url.slice(start, pathEnd), search: url.slice(pathEnd + 1, end) };
}

/** `https://pets.example.org`: where the caller reached the service; empty where the request named no host. */
export function originOf({ request: { url }, context }: Exchange): string {
  return context.origin ?? url.slice(0, pathStartOf(url));
}

/** `https://host/prefix/v1`: where the caller reached the API. */
export function baseOf(exchange: Exchange): string {
  return originOf(exchange) + exchange.stations.rootOf(exchange.context);
}

export function addressOf({ address }: FetchContext): string | undefined {
  return typeof address === "function" ? address() : address;
}
