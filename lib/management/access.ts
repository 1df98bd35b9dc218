import { andThen, type Eventual } from "../base/eventual.ts";
import { problems, type Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import { refuseStranger } from "../http/api.ts";
import { addressOf, isForged, originOf } from "../http/exchange.ts";
import { refuse } from "../http/respond.ts";
import { crossSite, limitReached } from "../http/refusals.ts";
import { environments, type Account } from "../model/account.ts";
import { actorText, originFrom, visitor, type Actor, type Origin } from "../model/actor.ts";
import type { Project } from "../publishing/model/project.ts";
import { faultOfNoneMatch } from "../http/preconditions.ts";
import { EventReply, Reply, type Outcome } from "../http/endpoint.ts";
import { withFallbacks } from "../http/parameters.ts";
import type { ManagementServices } from "./management.ts";
import type { AnyCall, AnyoneAccess, ManagementCall, PrincipalAccess } from "./endpoint.ts";
import { signInOf, type ManagementExchange, type ManagementTarget } from "./exchange.ts";
import {
  actorOf,
  checkedPrincipal,
  includes,
  isPrincipal,
  type Principal,
} from "../accounts/principal.ts";
import { conclude, entityOf, readCall } from "./perform.ts";
import { accountSuspended, lacksRole, proofRequired } from "./refusals.ts";
import { faultOfSite, signInNeedsHttps } from "./sessions.ts";
import { visibleAccount, visibleProject } from "./visibility.ts";
import { wantsEvents } from "./sse.ts";

/** The caller, and how to identify it again. */
type Caller = Pick<ManagementCall, "principal" | "principalNow">;

/** Checks who may call an operation, in the order that docs/management.md fixes, and runs it. */
export function admit(exchange: ManagementExchange, target: ManagementTarget): Eventual<Response> {
  const { access } = target.endpoint;
  return access.kind === "anyone"
    ? admitAnyone(exchange, target, access)
    : admitPrincipal(exchange, target, access);
}

/** Runs an operation without a credential. A failed proof of another kind is charged to the address. */
async function admitAnyone(
  exchange: ManagementExchange,
  target: ManagementTarget,
  access: AnyoneAccess,
): Promise<Response> {
  const result = await actForAnyone(exchange, target, access);
  return !result.ok && problems[result.failure.code].status === 401
    ? refuseStranger(exchange, result.failure)
    : conclude(exchange, target.endpoint, result);
}

async function actForAnyone(
  exchange: ManagementExchange,
  target: ManagementTarget,
  { signsIn }: AnyoneAccess,
): Promise<Outcome<unknown>> {
  if (signsIn === true) {
    // The new cookie must not be readable in transit, and no page of another origin may set it.
    if (signInOf(exchange) === "refused") return refused(signInNeedsHttps);
    const fault = faultOfSite(exchange.request, originOf(exchange));
    if (fault !== undefined) return refused(fault);
  }
  const actor: Actor = { ...visitor, from: originFrom("dashboard", addressOf(exchange)) };
  const call = await readCall(exchange, target, actor);
  return call.ok ? target.endpoint.run(call.value, exchange.stations.servicesFor(actor)) : call;
}

/** Identifies the caller: the one whom the host names, else the holder of a credential. */
async function admitPrincipal(
  exchange: ManagementExchange,
  target: ManagementTarget,
  access: PrincipalAccess,
): Promise<Response> {
  const { stations, context } = exchange;
  const { principal: given } = context;
  if (given === undefined) return admitHolder(exchange, target, access);
  if (isPrincipal(given)) {
    // A program with access to the data itself is not charged.
    const principal = checkedPrincipal(given);
    exchange.verdict = await stations.requests.peek(principal);
    const caller: Caller = { principal, principalNow: () => principal };
    return conclude(exchange, target.endpoint, await act(exchange, target, access, caller));
  }
  const user = await stations.userOf(context);
  if (user === undefined) return admitHolder(exchange, target, access);
  if (isForged(exchange, stations.trustedOrigins)) return refuse(exchange, crossSite);
  const principalNow = async (): Promise<Principal | undefined> => {
    // Reported already; the host can no longer name the user.
    const again = await stations.userOf(context).catch(() => undefined);
    return again !== undefined && isSameUser(again, user) ? again : undefined;
  };
  return charge(exchange, target, access, { principal: user, principalNow });
}

/** Returns false once another user is signed in, or the same one belongs to another account. */
function isSameUser(now: Principal, before: Principal): boolean {
  return (
    now.accountId === before.accountId && actorText(actorOf(now)) === actorText(actorOf(before))
  );
}

async function admitHolder(
  exchange: ManagementExchange,
  target: ManagementTarget,
  access: PrincipalAccess,
): Promise<Response> {
  const { stations, now } = exchange;
  const credential = credentialOf(exchange);
  if (credential.fault !== undefined) return refuse(exchange, credential.fault);
  const identified = await credential.identify(now);
  if (!identified.ok) return refuseStranger(exchange, identified.failure);
  const principalNow = (): Eventual<Principal | undefined> =>
    andThen(credential.identify(stations.clock.now()), (again) =>
      again.ok ? again.value : undefined,
    );
  return charge(exchange, target, access, { principal: identified.value, principalNow });
}

/** Charges the request to the caller, and runs the operation if the limits allow it. */
async function charge(
  exchange: ManagementExchange,
  target: ManagementTarget,
  access: PrincipalAccess,
  caller: Caller,
): Promise<Response> {
  const verdict = await exchange.stations.requests.spend(caller.principal);
  exchange.verdict = verdict;
  if (!verdict.allowed) return refuse(exchange, limitReached(verdict));
  return conclude(exchange, target.endpoint, await act(exchange, target, access, caller));
}

/** The credential of a request. */
interface Credential {
  /** Refuses the credential before it is read. */
  readonly fault: Problem | undefined;
  /** Identifies the caller; at a later `now` it shows whether the credential is still valid. */
  identify(now: number): Eventual<Result<Principal, Problem>>;
}

/** Returns the bearer token, else the session's cookie. Cookies are accepted only where they cannot be read in transit. */
function credentialOf(exchange: ManagementExchange): Credential {
  const { request, stations } = exchange;
  const authorization = request.headers.get("authorization");
  const { sessions, tokens } = stations;
  if (authorization === null && sessions !== undefined && signInOf(exchange) === "allowed") {
    const cookies = request.headers.get("cookie");
    if (sessions.carries(cookies)) {
      // Streams reconnect automatically, and open pages mark requests that no person caused.
      const automatic = wantsEvents(request) || request.headers.has("x-petstore-unattended");
      return {
        fault: faultOfSite(request, originOf(exchange)),
        identify: (now) => sessions.identify(cookies, now, automatic ? "page" : "person"),
      };
    }
  }
  return { fault: undefined, identify: (now) => tokens.identify(authorization, now) };
}

async function act(
  exchange: ManagementExchange,
  target: ManagementTarget,
  access: PrincipalAccess,
  caller: Caller,
): Promise<Outcome<unknown>> {
  const actor: Actor = {
    ...actorOf(caller.principal),
    from: originFor(exchange, caller.principal),
  };
  const services = exchange.stations.servicesFor(actor);
  const seen = await resourcesOf(services, target, access, caller.principal);
  if (!seen.ok) return seen;
  const { account } = seen.value;
  const fault = await faultOfCaller(exchange, target, access, { ...caller, account });
  if (fault !== undefined) return refused(fault);
  const read = await readCall(exchange, target, actor);
  if (!read.ok) return read;
  const call = { ...read.value, ...caller, ...seen.value };
  const matched = await faultOfReading(target, call, services);
  if (matched !== undefined) return refused(matched);
  const outcome = await target.endpoint.run(call, services);
  if (outcome.ok) await record(target, call, outcome.value, services);
  return outcome;
}

/** Records a call for the audit log, if its operation wants it. */
async function record(
  { endpoint: { records } }: ManagementTarget,
  call: AnyCall,
  reply: unknown,
  { store, commit }: ManagementServices,
): Promise<void> {
  const recorded = records?.(call, reply instanceof Reply ? reply.value : reply);
  if (recorded === undefined) return;
  const accountId = call.account?.id ?? call.project?.accountId ?? "";
  const environment = environments.find((one) => one === call.params["environment"]);
  const catalogue =
    environment === undefined ? undefined : await store.catalogues.of(accountId, environment);
  const of = catalogue === undefined ? {} : { catalogueId: catalogue.id };
  await commit([{ kind: "event.write", accountId, ...of, at: call.now, ...recorded }]);
}

/** Returns where the changes of a caller come from. Commands elsewhere say in `User-Agent` that they are ones. */
function originFor(exchange: ManagementExchange, { member, actor }: Principal): Origin {
  if (actor?.kind === "command") return { channel: "command" };
  const agent = exchange.request.headers.get("user-agent") ?? "";
  const elsewhere = agent.startsWith(COMMAND_AGENT) ? "remote" : "api";
  return originFrom(member === undefined ? elsewhere : "dashboard", addressOf(exchange));
}

/** How the `User-Agent` header of commands begins that call a server elsewhere. */
export const COMMAND_AGENT = "petstore-cli";

/**
 * Returns why `If-None-Match` forbids a write: it matches what a read of the same resource returns (RFC 9110 §13.1.2).
 * Operations that are `conditional` check it themselves.
 */
async function faultOfReading(
  { endpoint, reads }: ManagementTarget,
  call: ManagementCall,
  services: ManagementServices,
): Promise<Problem | undefined> {
  const ifNoneMatch = call.request.headers.get("if-none-match");
  if (ifNoneMatch === null || reads === undefined || endpoint.conditional === true)
    return undefined;
  // Events have no version.
  if (reads.access.kind !== endpoint.access.kind || wantsEvents(call.request)) return undefined;
  const query = withFallbacks({}, reads.parameters);
  const found = await reads.run({ ...call, query, body: undefined }, services);
  if (!found.ok || found.value instanceof EventReply) return undefined;
  return faultOfNoneMatch(ifNoneMatch, entityOf(found.value).etag);
}

/** Returns the account and project that the path names, if the caller may see them; else the caller's own account. */
async function resourcesOf(
  services: ManagementServices,
  { parameters }: ManagementTarget,
  { kind }: PrincipalAccess,
  principal: Principal,
): Promise<Result<{ readonly account?: Account; readonly project?: Project }, Problem>> {
  if (kind === "project") return visibleProject(services, principal, parameters["project"] ?? "");
  const accountId = kind === "account" ? (parameters["account"] ?? "") : principal.accountId;
  if (accountId === undefined) return done({});
  const account = await visibleAccount(services, principal, accountId);
  return account.ok ? done({ account: account.value }) : account;
}

/** Returns why the caller, who may see what the path names, may not call the operation. */
function faultOfCaller(
  { stations: { sessions }, request, now }: ManagementExchange,
  { endpoint: { method } }: ManagementTarget,
  { role, evenSuspended, sensitive }: PrincipalAccess,
  { principal, account }: { readonly principal: Principal; readonly account: Account | undefined },
): Eventual<Problem | undefined> {
  if (!includes(principal.role, role)) return lacksRole(role);
  const suspended = principal.accountId !== undefined && account?.suspendedAt !== undefined;
  if (suspended && method !== "GET" && evenSuspended !== true) return accountSuspended;
  const { member } = principal;
  if (sensitive !== true || member === undefined || sessions === undefined) return undefined;
  // A stolen session alone must not suffice.
  const present = sessions.isPresent(member, request.headers.get("cookie"), now);
  return andThen(present, (proven) => (proven ? undefined : proofRequired));
}
