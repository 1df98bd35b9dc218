import type { Eventual } from "../base/eventual.ts";
import type { Problem, ProblemCode } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import type { JsonSchema, Schema } from "../base/schema.ts";
import type { ActionContext } from "../actions/context.ts";
import type { Also } from "../catalogue/commit.ts";
import type { Verdict } from "../accounts/limiter.ts";
import type { Scope } from "../model/scope.ts";
import type { Caller } from "../accounts/keyring.ts";
import type { CursorSeal } from "./cursor.ts";
import type { Parameter, Query } from "./query.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** What a handler says; everything that all answers share is added later. */
export interface Answer {
  readonly status: 200 | 201 | 204;
  /** JSON text; absent with 204. */
  readonly body?: string;
  /** With its quotes. Absent: made from the body. */
  readonly etag?: string;
  /** `Link`, `Location`, `X-Total-Count`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that passed all checks that come before its action. */
export interface Call<Body = unknown> {
  readonly caller: Caller;
  readonly query: Query;
  /** Checked by the endpoint's `body`. */
  readonly body: Body;
  /** The id in the path; undefined when there is none. */
  readonly id: number;
  readonly request: Request;
  /** What the limits say of the caller. */
  readonly verdict: Verdict;
  /** `https://host/prefix/v1`: where the caller reached us. */
  readonly base: string;
  /** When the request came. */
  readonly now: number;
  /** Records the answer together with its effect, if the caller sent an idempotency key. */
  readonly remember: Remember;
}

/** Turns "this is how the answer is made of the value" into what the action commits besides. */
export type Remember = <Value>(answer: (value: Value) => Answer) => Also<Value>;

/** What handlers may use. */
export interface Services {
  readonly actions: ActionContext;
  readonly cursors: CursorSeal;
}

export type HeaderName =
  | "ETag"
  | "Link"
  | "Location"
  | "X-Total-Count"
  | "Deprecation"
  | "Sunset"
  | "Idempotent-Replayed";

export interface Deprecation {
  /** Since when (RFC 9745), Unix seconds. */
  readonly since: number;
  /** Until when it answers (RFC 8594), milliseconds. */
  readonly sunset: number;
  /** Path below the version prefix of what comes in its place. */
  readonly successor: string;
}

/** One operation: routing, checks, documentation and tests are all made of this. */
export interface Endpoint<Body = unknown> {
  readonly operationId: string;
  readonly method: Method;
  /** Below the version prefix, with `:id` for the one parameter a path may have. */
  readonly path: string;
  /** What the id in the path is called in the document. */
  readonly idName?: string;
  readonly summary: string;
  readonly description: string;
  /** A key needs it; absent: any key will do. */
  readonly scope?: Scope;
  /** Costs nothing, is open to banned keys, and is limited by itself. */
  readonly free?: true;
  readonly stability?: "experimental" | "beta";
  readonly hideTryItPanel?: true;
  readonly deprecation?: Deprecation;
  readonly parameters: readonly Parameter[];
  readonly body?: Schema<Body> & { readonly name: string };
  /** The answer depends on the catalogue and the address alone, so that it can be kept. */
  readonly pure?: true;
  /** Takes `Idempotency-Key`. */
  readonly retryable?: true;
  /** Takes `If-Match`. */
  readonly conditional?: true;
  readonly success: {
    readonly status: 200 | 201 | 204;
    readonly description: string;
    readonly schema?: { readonly json: JsonSchema; readonly name: string };
    readonly example?: unknown;
    /** Names of the headers that only some operations send. */
    readonly headers?: readonly HeaderName[];
  };
  /** What it may answer besides the refusals that all operations share. */
  readonly refusals: readonly ProblemCode[];
  handle(call: Call<Body>, services: Services): Eventual<Result<Answer, Problem>>;
}

/** An operation with a body, whose handler knows what its schema lets through. */
export function withBody<Body>(
  endpoint: Endpoint<Body> & { readonly body: Schema<Body> & { readonly name: string } },
): Endpoint {
  // `handle` is a method: it is only ever called with a body that this very schema let through.
  return endpoint;
}
