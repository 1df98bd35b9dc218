import { MINUTE_MS } from "../../lib/base/clock.ts";
import { problem, type Problem } from "../../lib/base/problem.ts";
import { refused, type Result } from "../../lib/base/result.ts";
import type { PetstoreOperations } from "../../domains/operations.ts";
import type { InputArguments, ItemOf, ListsIn } from "../../lib/http/operation.ts";
import { operationsClient, type Asked } from "../../lib/management/http-client-call.ts";
import { isAttended } from "./state/attention.ts";
import { me, signedIn, signedOut, unknownFor, type Me } from "./state/me.ts";
import { outdated } from "./state/outdated.ts";

export { at } from "../../lib/management/http-client-call.ts";
export type { Problem } from "../../lib/base/problem.ts";
export type { Result } from "../../lib/base/result.ts";

/** The management API of the origin that this page came from. */
export const API: string = `${location.origin}/manage/v1`;

// The session's cookie belongs to this origin: it goes along by itself. A page that is left open does not keep it alive.
const management = operationsClient<PetstoreOperations>((request) => {
  if (!isAttended()) request.headers.set("x-petstore-unattended", "1");
  const patience = new AbortController();
  // On a line that is dead without a word browsers wait for many minutes.
  window.setTimeout(() => {
    patience.abort();
  }, MINUTE_MS);
  return fetch(request, { signal: patience.signal });
}, API);

/**
 * Calls an operation of the management API, such as `"GET /accounts/:account/keys"`. Instants are milliseconds. A
 * refusal is a value, and so is a broken connection. A change that needs a recent proof of identity asks for it and
 * runs again.
 */
export async function call<Name extends keyof PetstoreOperations>(
  operation: Name,
  ...input: InputArguments<PetstoreOperations[Name]>
): Promise<Result<PetstoreOperations[Name]["output"], Problem>> {
  const ask = (): Promise<Result<PetstoreOperations[Name]["output"], Problem>> =>
    tried(management.call(operation, ...input));
  const result = await ask();
  return operation.startsWith("GET ") ? result : afterChange(result, ask);
}

/** Reads all pages of a list. */
export function listAll<Name extends ListsIn<PetstoreOperations>>(
  operation: Name,
  ...input: InputArguments<PetstoreOperations[Name]>
): Promise<Result<readonly ItemOf<PetstoreOperations[Name]["output"]>[], Problem>> {
  return tried(management.all(operation, ...input));
}

/** Resolves with what there is; instants are milliseconds. Refusals and broken lines alike are values. */
export function get<Value>(path: string, query: object = {}): Promise<Result<Value, Problem>> {
  return tried(management.ask<Value>({ method: "GET", path, query }));
}

/** Resolves with the items of all pages of a list. */
export function getAll<Item>(
  path: string,
  query: object = {},
): Promise<Result<readonly Item[], Problem>> {
  return tried(management.pages<Item>({ method: "GET", path, query }));
}

/**
 * Changes something. Resolves with what there is now; undefined where that is nothing. Where the service wants to know
 * first that it is them, whoever sits there is asked, and then it is tried again.
 */
export async function send<Value = undefined>(
  method: Exclude<Asked["method"], "GET">,
  path: string,
  body?: unknown,
): Promise<Result<Value, Problem>> {
  const ask = (): Promise<Result<Value, Problem>> =>
    tried(management.ask<Value>({ method, path, body }));
  return afterChange(await ask(), ask);
}

async function afterChange<Value>(
  result: Result<Value, Problem>,
  ask: () => Promise<Result<Value, Problem>>,
): Promise<Result<Value, Problem>> {
  if (result.ok) return result;
  if (OVERTAKEN.has(result.failure.code)) outdated();
  if (result.failure.code !== "proof_required") return result;
  return (await proven()) ? ask() : result;
}

/** Asks who is signed in. */
export async function whoIsThere(): Promise<void> {
  unknownFor(undefined);
  // Of /me whoever is nobody would be refused, which browsers write into their consoles.
  const result = await get<{ readonly me: Me | null }>("/sign-in");
  if (!result.ok) unknownFor(result.failure);
  else if (result.value.me === null) signedOut();
  else signedIn(result.value.me);
}

/** The service did not answer in time, or what answered is not the service. */
export const unreachable: Problem = problem("unavailable", "The service could not be reached.");

async function tried<Value>(
  asking: Promise<Result<Value, Problem>>,
): Promise<Result<Value, Problem>> {
  try {
    const result = await asking;
    if (result.ok) return result;
    if (ENDED.has(result.failure.code)) signedOut();
    if (OUTDATED.has(result.failure.code) && me.peek() !== null) void whoIsThere();
    return result;
  } catch {
    return refused(unreachable);
  }
}

/** False also when the code and words for it cannot be had: then the refusal stands. */
function proven(): Promise<boolean> {
  return import("./proof/prove.tsx").then(({ prove }) => prove()).catch(() => false);
}

/** Codes that say: nobody is signed in, or no more. */
const ENDED: ReadonlySet<string> = new Set(["missing_token", "invalid_session"]);

/** Codes that say: what may be done here is not what the page was told. */
const OUTDATED: ReadonlySet<string> = new Set(["insufficient_role", "account_suspended"]);

/** Codes that say of a change: somebody else was faster. */
const OVERTAKEN: ReadonlySet<string> = new Set([
  "not_found",
  "revoked_api_key",
  "unknown_category",
  "invalid_transition",
]);
