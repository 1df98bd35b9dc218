import type { Buckets } from "../accounts/buckets.ts";
import type { GivenPrincipal, PublicPrincipal } from "../accounts/host-users.ts";
import type { Caller } from "../accounts/keyring.ts";
import type { ApiKey } from "../model/api-key.ts";
import type { Verdict } from "../accounts/limiter.ts";
import type { Clock } from "../base/clock.ts";
import type { Eventual } from "../base/eventual.ts";
import { askedText } from "../base/hook.ts";
import type { Log } from "../base/log.ts";
import type { Traffic } from "../base/traffic.ts";
import type { ProblemCode } from "../base/problem.ts";
import type { LimitStatus } from "../model/window.ts";
import type { BodyReader } from "./body.ts";
import type { Declared } from "./endpoint.ts";
import type { KeptAnswer, Style } from "./answer.ts";
import { isRequestId, randomBase62, type Random } from "../base/id.ts";

/** Facts about a request that the host knows and a `Request` cannot carry. */
export interface RequestContext {
  /** IP address of the client; failed authentication is counted by it. A function is called only when needed. */
  readonly address?: string | (() => string | undefined);
  /** Where this service is mounted for this request, such as `/shelter`. Default: the `prefix` option. */
  readonly prefix?: string;
  /**
   * `https://pets.example.org`: the origin that the caller used, when a proxy stands between. With a path, such as
   * `https://pets.example.org/shelter`, where the host removes the mount from the request's URL. Default: from the request.
   */
  readonly origin?: string;
  /** Called with the fault of a wrong principal, which the log has too. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** The request came over plain HTTP to an address that requires HTTPS: refused before its key is read. Default false. */
  readonly httpsRequired?: boolean;
}

/** What the host of the public API knows about a request. */
export interface FetchContext extends RequestContext {
  /**
   * The host's own user who makes the request, which then needs no API key; a key that was sent is ignored. A request that a
   * page of another origin may have caused is refused with 403, unless it has a bearer token and no cookie. A principal that is wrong, or a
   * function that fails or takes longer than 10 seconds, is a 500.
   */
  readonly principal?: GivenPrincipal<PublicPrincipal> | undefined;
}

/** One answered request, for metrics, traces and logs. Holds no secret. */
export interface Answered {
  /** The `X-Request-Id` of the response. */
  readonly requestId: string;
  /** `listPets`; `unknown` when no operation was found. A closed set. */
  readonly operation: string;
  /**
   * The path of the operation without the mount, as in the OpenAPI document: `/v1/pets/{petId}`. Undefined when no operation was
   * found. A closed set.
   */
  readonly route?: string;
  /** The method as it was sent. Only with a `route` it is one of a closed set. */
  readonly method: string;
  /** The status code of the response. */
  readonly status: number;
  /** Error code, if it is one. */
  readonly code?: ProblemCode;
  /** The ID of the API key, once it was checked. */
  readonly keyId?: string;
  /** The id of the host's user, if one made the request. */
  readonly userId?: string;
  /** Whole milliseconds from the request to the response, without the time to send its body. */
  readonly durationMs: number;
}

/** The method and path of an operation in a table. */
export interface Located {
  readonly method: string;
  /** Its parameters as `:name`. */
  readonly path: string;
}

/** All operations of one path, by method. */
export interface Route<Endpoint extends Located> {
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  /** The methods for `Allow` (RFC 9110 §10.2.1). */
  readonly allow: string;
}

export interface Match<Endpoint extends Located> {
  readonly route: Route<Endpoint>;
  /** The parameters of the path as they were sent. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** Finds the route of a normal path below the version prefix. Exact: no trailing, no double slash, no decoding. */
export type FindRoute<Endpoint extends Located> = (path: string) => Match<Endpoint> | undefined;

/** The services that every API uses to answer requests. Each API adds those of its access policy and operations. */
export interface Stations<Each extends Declared = Declared> {
  readonly clock: Clock;
  readonly log: Log;
  readonly style: Style;
  readonly findRoute: FindRoute<Each>;
  /** Returns the path of the API for a request, such as `/shelter/v1`. */
  readonly rootOf: (context: RequestContext) => string;
  /** Returns the OpenAPI document of the API at this path. Cached, because requests for it are not limited. */
  readonly document: (root: string) => Eventual<KeptAnswer>;
  /** Counts failed authentication by address. */
  readonly addresses: Buckets;
  readonly bodies: Pick<BodyReader, "dropRest">;
  readonly requestId: (sent: string | null, now: number) => string;
  /** Completes before the first request is answered; immediate afterwards. */
  readonly ready?: () => Eventual<boolean>;
  /** Gives a spent request back after a failure of the service; resolves with the limits as they are then. */
  readonly refund?: (caller: Caller, spent: Verdict) => Eventual<LimitStatus>;
  /** Where requests are recorded, if bulk work in this process can delay them. */
  readonly traffic: Traffic | undefined;
  readonly report?: (exchange: Exchange, status: number, code?: ProblemCode) => void;
}

/** A request and its state while it is answered. */
export interface Exchange<
  Own extends Stations = Stations,
  Context extends RequestContext = RequestContext,
> {
  readonly stations: Own;
  readonly request: Request;
  readonly context: Context;
  readonly now: number;
  readonly requestId: string;
  readonly wanted: Wanted;
  /** The headers of the answer. */
  style: Style;
  endpoint: Declared | undefined;
  /** The holder of the API key, or the host's user; undefined until they were checked, and in APIs without keys. */
  caller: Caller | undefined;
  /** The key of a request that was refused because its key has expired or was revoked. */
  ended: ApiKey | undefined;
  /** What `verdict` belongs to, if not to the limits of the caller's requests. */
  met: "address" | "inquiries" | undefined;
  /** The limits that the headers report; undefined until the caller is known: the address's limits then. */
  verdict: LimitStatus | undefined;
  /** The verdict that the request was charged with, while it can still be refunded. */
  spent: Verdict | undefined;
}

/** The operation that a request calls, and its parameters. */
export interface Target<Each extends Declared = Declared> {
  readonly endpoint: Each;
  /** Below the root, normal. */
  readonly path: string;
  /** The parameters of the path as they were sent. */
  readonly parameters: Readonly<Record<string, string>>;
  /** After the question mark. */
  readonly search: string;
  /** The operation that reads the resource to which the request writes, if it has one. */
  readonly reads?: Each | undefined;
}

/** Returns the index of the path in `url`. Bun omits scheme and host if the client sent none or an invalid one. */
export function pathStartOf(url: string): number {
  return url.startsWith("/") ? 0 : url.indexOf("/", "https://".length);
}

/** Returns `url` as it was sent up to its path, and the text after the question mark. Much faster than `new URL`. */
export function addressParts(url: string): { readonly address: string; readonly search: string } {
  const hash = url.indexOf("#");
  const end = hash === -1 ? url.length : hash;
  const question = url.indexOf("?");
  const pathEnd = question === -1 || question > end ? end : question;
  return { address: url.slice(0, pathEnd), search: url.slice(pathEnd + 1, end) };
}

/** Returns the origin at which the caller reached the service; empty if the request named no host. */
export function originOf({
  request: { url },
  context,
}: Pick<Exchange, "request" | "context">): string {
  return context.origin ?? url.slice(0, pathStartOf(url));
}

/**
 * Returns true if a page of another site may have caused a request (Fetch Metadata). Reads count only if the browser reports
 * another site. `unmarked` says what a write means that no browser marked: it may be forged, or no page sent it.
 */
export function isCrossSite(
  { method, headers }: Pick<Request, "method" | "headers">,
  origin: string,
  unmarked: "forged" | "own",
): boolean {
  const site = headers.get("sec-fetch-site");
  if (method === "GET" || method === "HEAD") return site === "same-site" || site === "cross-site";
  if (site !== null) return site !== "same-origin";
  const from = headers.get("origin");
  // The origin may end with the path of a mount.
  return from === null ? unmarked === "forged" : from !== origin && !origin.startsWith(`${from}/`);
}

const BEARER = /^bearer /i;

/**
 * Returns true if only a bearer token can say whose request it is: no page knows it, and no browser adds it. Beside a cookie
 * it may be any text, from a page that the host's CORS headers permit to send both.
 */
function hasTokenAlone(headers: Headers): boolean {
  return BEARER.test(headers.get("authorization") ?? "") && !headers.has("cookie");
}

/**
 * Returns true if a page of an origin that is not trusted may have caused the request of a host's user, whom the browser
 * identifies by itself, such as by a cookie.
 */
export function isForged(
  { request, context }: Pick<Exchange, "request" | "context">,
  trusted: readonly string[],
): boolean {
  const { headers } = request;
  return (
    isCrossSite(request, originOf({ request, context }), "own") &&
    !hasTokenAlone(headers) &&
    !trusted.includes(headers.get("origin") ?? "")
  );
}

/** Returns the address at which the caller reached the API: `https://host/prefix/v1`. */
export function baseOf(exchange: Exchange): string {
  return originOf(exchange) + exchange.stations.rootOf(exchange.context);
}

/** Returns the id of the host's user, if the caller is one. */
export function userOf(caller: Caller | undefined): string | undefined {
  return caller?.actor.kind === "user" ? caller.actor.id : undefined;
}

/** Returns the client's address; undefined if the host does not know it, or fails to return it. */
export function addressOf({
  context: { address },
  stations: { log },
}: Exchange): string | undefined {
  if (typeof address !== "function") return address;
  // It is asked for at any time, also after a commit: a failure must not change the response.
  return askedText(address, (error) => log.error("the host failed to return an address", error));
}

/** The media type that the client accepts: JSON, problem details (RFC 9457) for errors, or neither. */
type Wanted = "json" | "problem" | "none";

/** Reads `Accept` (RFC 9110 §12.5.1). Only a weight of zero matters, because there is one format. */
export function wantedType(accept: string | null): Wanted {
  if (accept === null || accept === "*/*" || accept === "application/json") return "json";
  // An empty list prefers nothing (RFC 9110 §5.6.1, §12.5.1).
  if (/^[\s,]*$/.test(accept)) return "json";
  // Longer headers are truncated, because parsing costs time.
  const ranges = accept.slice(0, 2_000).toLowerCase().split(",");
  let wildcard: number | undefined;
  let application: number | undefined;
  let exactJson: number | undefined;
  let exactProblem = 0;
  for (const range of ranges) {
    const [type = "", ...rest] = range.split(";").map((part) => part.trim());
    const weight = rest.find((part) => part.startsWith("q="));
    const quality = weight === undefined ? 1 : Number(weight.slice(2));
    const value = Number.isFinite(quality) ? quality : 0;
    if (type === "*/*") wildcard = value;
    else if (type === "application/*") application = value;
    else if (type === "application/json") exactJson = value;
    else if (type === "application/problem+json") exactProblem = value;
  }
  const json = exactJson ?? application ?? wildcard ?? 0;
  // An explicit refusal of JSON overrides a wildcard.
  if (json <= 0 && exactProblem <= 0) return "none";
  return exactProblem > 0 && exactProblem >= json ? "problem" : "json";
}

/** Returns the id of a request: a valid `X-Request-Id` of the caller, otherwise one that sorts by time. */
export function requestIds(random: Random): (sent: string | null, now: number) => string {
  // Drawn at the first request: some runtimes refuse random values while they load modules.
  let process: string | undefined;
  let madeAt = 0;
  let prefix = "";
  let count = 0;
  return (sent, now) => {
    if (sent !== null && isRequestId(sent)) return sent;
    if (process === undefined || now !== madeAt) {
      process ??= randomBase62(random, 8);
      madeAt = now;
      prefix = `req_${now.toString(36)}${process}`;
    }
    // The count never restarts, so a clock that is set back repeats no id.
    return prefix + count++;
  };
}
