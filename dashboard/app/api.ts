import type { PetstoreOperations } from "../../domains/operations.ts";
import { MINUTE_MS, systemClock } from "../../lib/base/clock.ts";
import { problem, type Problem } from "../../lib/base/problem.ts";
import { refused, type Result } from "../../lib/base/result.ts";
import type { InputArguments, ItemOf, ListsIn } from "../../lib/http/operation.ts";
import { clientOf, type ManagementClient } from "../../lib/management/client.ts";
import { typed } from "./words/typed.ts";
import { me, signedIn, signedOut, unknownFor } from "./state/me.ts";

export { at } from "../../lib/management/client.ts";
export type { Problem } from "../../lib/base/problem.ts";
export type { Result } from "../../lib/base/result.ts";

/** Base URL of the management API: on this page's own origin. */
export const API: string = `${location.origin}/manage/v1`;

/** Without any input for this long, requests no longer extend the session. */
const ATTENDED_MS = 5 * MINUTE_MS;
let lastInputAt = systemClock.now();

// Screen readers and voice control send `click` and `input` without a pointer or key event.
for (const name of ["pointerdown", "keydown", "wheel", "click", "input"]) {
  window.addEventListener(
    name,
    () => {
      lastInputAt = systemClock.now();
    },
    { capture: true, passive: true },
  );
}

/** The service. The session cookie belongs to this origin, so the browser sends it. */
export const management: ManagementClient<PetstoreOperations> = clientOf<PetstoreOperations>({
  base: API,
  send: (request) => (request.method === "PATCH" ? sendInTurn(request) : send(request)),
});

function send(request: Request): Promise<Response> {
  const attended = systemClock.now() < lastInputAt + ATTENDED_MS;
  if (!attended) request.headers.set("x-petstore-unattended", "1");
  const timeout = new AbortController();
  // Browsers wait many minutes on a silently dead connection.
  window.setTimeout(() => {
    timeout.abort();
  }, MINUTE_MS);
  return fetch(request, { signal: timeout.signal });
}

/** The last change of each thing that has not been answered yet, by address. Never rejects. */
const changing = new Map<string, Promise<unknown>>();

/** Sends a change once the earlier ones of the same thing are answered: what the user chose last is what stays. */
function sendInTurn(request: Request): Promise<Response> {
  const { url } = request;
  const earlier = changing.get(url);
  const answer = earlier === undefined ? send(request) : earlier.then(() => send(request));
  const settled = answer
    .catch(() => undefined)
    .then(() => {
      if (changing.get(url) === settled) changing.delete(url);
    });
  changing.set(url, settled);
  return answer;
}

/**
 * Calls an operation of the management API, such as `"GET /accounts/:account/keys"`. Instants are in milliseconds.
 * Refusals and network errors are values. If a change demands a recent proof of identity, asks the user for one and
 * sends the change again.
 */
export async function call<Name extends keyof PetstoreOperations>(
  operation: Name,
  ...input: InputArguments<PetstoreOperations[Name]>
): Promise<Result<Output<Name>, Problem>> {
  const attempt = (): Promise<Result<Output<Name>, Problem>> =>
    settle(management.call(operation, ...input));
  const result = await attempt();
  if (result.ok || operation.startsWith("GET ") || READS.has(operation)) return result;
  if (STALE_DATA.has(result.failure.code)) for (const reload of staleListeners) reload();
  if (result.failure.code !== "proof_required") return result;
  return (await proveIdentity().catch(() => false)) ? attempt() : result;
}

/** What an operation answers with. */
export type Output<Name extends keyof PetstoreOperations> = PetstoreOperations[Name]["output"];

/** Reads the items of all pages of a list. */
export function listAll<Name extends ListsIn<PetstoreOperations>>(
  operation: Name,
  ...input: InputArguments<PetstoreOperations[Name]>
): Promise<Result<readonly ItemOf<Output<Name>>[], Problem>> {
  return settle(management.all(operation, ...input));
}

/** Loads who is signed in. */
export async function loadMe(): Promise<void> {
  unknownFor(undefined);
  // A refused `GET /me` would show up as an error in the browser's console.
  const result = await call("GET /sign-in");
  if (!result.ok) unknownFor(result.failure);
  else if (result.value.me === null) signedOut();
  else signedIn(result.value.me);
}

/** No response in time, or the response did not come from the service. */
export const unreachable: Problem = problem(
  "unavailable",
  "The service is unreachable. Check your connection and try again.",
);

let proveIdentity = (): Promise<boolean> => Promise.resolve(false);

/** Sets how `send` asks for a proof of identity. The dialog uses this module, so it cannot be imported here. */
export function proveIdentityBy(ask: () => Promise<boolean>): void {
  proveIdentity = ask;
}

const staleListeners = new Set<() => unknown>();

/** Calls `reload` whenever a change is refused because the data shown is stale. Returns a function that stops this. */
export function onStaleData(reload: () => unknown): () => void {
  staleListeners.add(reload);
  return () => {
    staleListeners.delete(reload);
  };
}

/** Reads whose secret must not be in an address, where it would be logged. */
const READS: ReadonlySet<string> = new Set(["POST /shared-domain"]);

/** A change refused with one of these was overtaken by another user's change. */
const STALE_DATA: ReadonlySet<string> = new Set([
  "not_found",
  "revoked_api_key",
  "unknown_category",
  "invalid_transition",
]);

const SIGNED_OUT: ReadonlySet<string> = new Set(["missing_token", "invalid_session"]);

/** The user's permissions differ from those the page was loaded with. */
const STALE_ROLE: ReadonlySet<string> = new Set(["insufficient_role", "account_suspended"]);

/** Turns failures of the network into refusals, and notes what they say about the session. */
export async function settle<Value>(
  request: Promise<Result<Value, Problem>>,
): Promise<Result<Value, Problem>> {
  try {
    const result = await request;
    if (result.ok) return result;
    if (SIGNED_OUT.has(result.failure.code)) signedOut();
    if (STALE_ROLE.has(result.failure.code) && me.peek() !== null) void loadMe();
    // The service writes commands as its documentation does.
    return refused({ ...result.failure, message: typed(result.failure.message) });
  } catch {
    return refused(unreachable);
  }
}
