import type { ActionContext } from "../accounts/context.ts";
import type { PhotoHost } from "../catalogue/photo-address.ts";
import type { Caller } from "../accounts/keyring.ts";
import type { Verdict } from "../accounts/limiter.ts";
import type { Eventual } from "../base/eventual.ts";
import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import type { Scope } from "../model/scope.ts";
import type { Also } from "../storage/change.ts";
import type { Answer } from "./answer.ts";
import type { CursorSeal } from "./cursor.ts";
import type { Access, Call, Declared } from "./endpoint.ts";

/** An operation of the public API. */
export interface PublicEndpoint extends Declared {
  readonly access: KeyAccess;
  readonly stability?: "experimental" | "beta";
  readonly hideTryItPanel?: true;
  /** The answer depends only on the catalogue and the address, so it is cached. */
  readonly pure?: true;
  /** Accepts `Idempotency-Key`. */
  readonly retryable?: true;
  run(call: PublicCall, services: PublicServices): Eventual<Result<Answer, Problem>>;
}

/** Which API keys may call an operation. */
export interface KeyAccess {
  /** The scope that the key needs. Default: none. */
  readonly scope?: Scope;
  /** Costs nothing, is open to banned keys, and has a limit of its own. */
  readonly free?: true;
}

/** What the checks of a key add to a call. */
interface Keyed {
  readonly caller: Caller;
  /** The caller's limits. */
  readonly verdict: Verdict;
  /** The host of the photos in lists with profiles. Absent: they are below the API. */
  readonly photoHost?: PhotoHost | undefined;
  /** Records the answer together with its effect, if the caller sent an idempotency key. */
  readonly remember: Remember;
}

/** A call of a public operation. */
export type PublicCall = Call & Keyed;

/** Returns the changes that record an answer. `answer` makes it from the value of the action. */
export type Remember = <Value>(answer: (value: Value) => Answer) => Also<Value>;

/** The services that public operations use. */
export interface PublicServices {
  readonly actions: ActionContext;
  readonly cursors: CursorSeal;
}

type AnyKey = KeyAccess & Access<PublicEndpoint, Keyed, "json">;

/** Keys with this scope. */
export function keyWith(scope: Scope): AnyKey {
  return { scope };
}

/** All keys, even banned ones. Calls cost nothing and have a limit of their own. */
export const anyKey: AnyKey = { free: true };
