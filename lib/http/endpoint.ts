import type { Also } from "../catalogue/commit.ts";
import type { ActionContext } from "../accounts/context.ts";
import type { Caller } from "../accounts/keyring.ts";
import type { Verdict } from "../accounts/limiter.ts";
import type { Eventual } from "../base/eventual.ts";
import type { Problem, ProblemCode } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import type { JsonSchema, Schema } from "../base/schema.ts";
import type { Named } from "../base/shape.ts";
import type { Scope } from "../model/scope.ts";
import type { CursorSeal } from "./cursor.ts";
import type { NamedParameter, Query } from "./parameters.ts";
import type { Answer } from "./answer.ts";

export type HeaderName =
  | "ETag"
  | "Link"
  | "Location"
  | "X-Total-Count"
  | "Deprecation"
  | "Sunset"
  | "Idempotent-Replayed"
  | "Set-Cookie";

export interface Deprecation {
  /** Start of the deprecation (RFC 9745), Unix seconds. */
  readonly since: number;
  /** When the operation is removed (RFC 8594), milliseconds. */
  readonly sunset: number;
  /** Path of the replacement below the root. */
  readonly successor: string;
}

/** The part of an operation's declaration that all APIs share: it routes, validates and documents. */
export interface Declared<Body = unknown> {
  readonly operationId: string;
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Below the root, with parameters as `:account`. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly NamedParameter[];
  readonly body?: Named<Schema<Body>>;
  /** Takes `If-Match`. */
  readonly conditional?: true;
  readonly deprecation?: Deprecation;
  readonly success: {
    readonly status: 200 | 201 | 202 | 204;
    readonly description: string;
    readonly schema?: { readonly json: JsonSchema; readonly name: string };
    readonly example?: unknown;
    /** Headers that not every operation sends. */
    readonly headers?: readonly HeaderName[];
  };
  /** Refusals beyond those that all operations share. */
  readonly refusals: readonly ProblemCode[];
}

/** A call of a public operation that passed all checks before its action. */
export interface Call<Body = unknown> {
  readonly caller: Caller;
  readonly query: Query;
  /** Checked by the endpoint's `body`. */
  readonly body: Body;
  /** The id in the path; 0 when the path has none, or one that cannot exist. */
  readonly id: number;
  readonly request: Request;
  /** The caller's limits. */
  readonly verdict: Verdict;
  /** `https://host/prefix/v1`: where the caller reached the API. */
  readonly base: string;
  /** When the request arrived. */
  readonly now: number;
  /** Records the answer together with its effect, if the caller sent an idempotency key. */
  readonly remember: Remember;
}

/** Makes the changes that record an answer, from the function that makes the answer of the action's value. */
export type Remember = <Value>(answer: (value: Value) => Answer) => Also<Value>;

/** What the handlers of public operations use. */
export interface Services {
  readonly actions: ActionContext;
  readonly cursors: CursorSeal;
}

/** An operation of the public API. */
export interface Endpoint<Body = unknown> extends Declared<Body> {
  /** The name in the document of the path's `:id`. */
  readonly idName?: string;
  /** The scope that the key needs. Default: none. */
  readonly scope?: Scope;
  /** Costs nothing, is open to banned keys, and has a limit of its own. */
  readonly free?: true;
  readonly stability?: "experimental" | "beta";
  readonly hideTryItPanel?: true;
  /** The answer depends on the catalogue and the address alone, so it can be kept. */
  readonly pure?: true;
  /** Takes `Idempotency-Key`. */
  readonly retryable?: true;
  handle(call: Call<Body>, services: Services): Eventual<Result<Answer, Problem>>;
}

/** An operation with a body: the handler gets the type that the schema checks. */
export function withBody<Body>(
  endpoint: Endpoint<Body> & { readonly body: Named<Schema<Body>> },
): Endpoint {
  // `handle` is a method: it is only called with a body that this schema checked.
  return endpoint;
}
