import { andThen, type Eventual } from "../base/eventual.ts";
import type { Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import { addressOf } from "../http/exchange.ts";
import { readParameters } from "../http/query.ts";
import { notAcceptable } from "../http/refusals.ts";
import type { Account } from "../model/account.ts";
import { readManagementBody } from "./body.ts";
import type {
  AnonymousCall,
  ManagementAnswer,
  ManagementCall,
  ManagementEndpoint,
  Visitor,
} from "./endpoint.ts";
import { originOf, ROOT, signInOf, type Exchange, type Target } from "./exchange.ts";
import { refuse, succeed } from "./finish.ts";
import { includes, type Principal } from "../accounts/principal.ts";
import { accountSuspended, lacksRole, proofRequired } from "./refusals.ts";
import { faultOfSite, signInNeedsHttps } from "./sessions.ts";
import { visibleAccount, visibleProject } from "./visibility.ts";
import { wantsEvents } from "./wants-events.ts";

type Open = Extract<ManagementEndpoint, { access: "anyone" }>;
type Guarded = Exclude<ManagementEndpoint, Open>;

/** Whoever calls, and how to ask again whether they may. */
export type Known = Pick<ManagementCall, "principal" | "stillAllowed">;

/** The way of a request that no token is needed for. */
export async function performOpen(
  exchange: Exchange,
  target: Target<Open>,
): Promise<Result<ManagementAnswer, Problem>> {
  const fault = faultOfSignIn(exchange, target.endpoint);
  if (fault !== undefined) return refused(fault);
  const call = await readCall(exchange, target);
  if (!call.ok) return call;
  return target.endpoint.handle(call.value, exchange.stations.services);
}

/** A cookie is given to nobody who could lose it on the way, and to no page of others: they would choose whose it is. */
function faultOfSignIn(exchange: Exchange, { signsIn }: Open): Problem | undefined {
  if (signsIn !== true) return undefined;
  if (signInOf(exchange) === "refused") return signInNeedsHttps;
  return faultOfSite(exchange.request, originOf(exchange));
}

/** The way of a request that the limits let through: from what the caller may see to the action. */
export async function perform(
  exchange: Exchange,
  target: Target<Guarded>,
  caller: Known,
): Promise<Response> {
  const result = await act(exchange, target, caller);
  return result.ok ? succeed(exchange, result.value) : refuse(exchange, result.failure);
}

async function act(
  exchange: Exchange,
  { endpoint, params, search }: Target<Guarded>,
  caller: Known,
): Promise<Result<ManagementAnswer, Problem>> {
  const { services } = exchange.stations;
  const { principal } = caller;
  switch (endpoint.access) {
    case "platform": {
      const own = await ownAccount(exchange, principal);
      if (!own.ok) return own;
      const fault = await faultOfCaller(exchange, endpoint, principal, own.value);
      if (fault !== undefined) return refused(fault);
      const call = await readCall(exchange, { endpoint, params, search });
      return call.ok ? endpoint.handle({ ...call.value, ...caller }, services) : call;
    }
    case "account": {
      const seen = await visibleAccount(services, principal, params["account"] ?? "");
      if (!seen.ok) return seen;
      const account = seen.value;
      const fault = await faultOfCaller(exchange, endpoint, principal, account);
      if (fault !== undefined) return refused(fault);
      const call = await readCall(exchange, { endpoint, params, search });
      return call.ok ? endpoint.handle({ ...call.value, ...caller, account }, services) : call;
    }
    case "project": {
      const seen = await visibleProject(services, principal, params["project"] ?? "");
      if (!seen.ok) return seen;
      const { project, account } = seen.value;
      const fault = await faultOfCaller(exchange, endpoint, principal, account);
      if (fault !== undefined) return refused(fault);
      const call = await readCall(exchange, { endpoint, params, search });
      return call.ok ? endpoint.handle({ ...call.value, ...caller, project }, services) : call;
    }
  }
}

/** The account that the caller belongs to; undefined for an operator. */
function ownAccount(
  { stations: { services } }: Exchange,
  principal: Principal,
): Eventual<Result<Account | undefined, Problem>> {
  const { accountId } = principal;
  return accountId === undefined ? done(undefined) : visibleAccount(services, principal, accountId);
}

/** Why the caller, who may see what the path names, may not do this with it, or not yet. */
function faultOfCaller(
  exchange: Exchange,
  endpoint: Guarded,
  principal: Principal,
  account: Account | undefined,
): Eventual<Problem | undefined> {
  return (
    faultOfStanding(endpoint, principal, account) ?? faultOfPresence(exchange, endpoint, principal)
  );
}

function faultOfStanding(
  { method, role, evenSuspended }: Pick<Guarded, "method" | "role" | "evenSuspended">,
  principal: Principal,
  account: Account | undefined,
): Problem | undefined {
  if (!includes(principal.role, role)) return lacksRole(role);
  const held = principal.accountId !== undefined && account?.suspendedAt !== undefined;
  return held && method !== "GET" && evenSuspended !== true ? accountSuspended : undefined;
}

/** What weighs much is done for a person, and not for whoever has got hold of their session. */
function faultOfPresence(
  { stations: { sessions }, request, now }: Exchange,
  { weighty }: Pick<Guarded, "weighty">,
  { member }: Principal,
): Eventual<Problem | undefined> {
  if (weighty !== true || member === undefined || sessions === undefined) return undefined;
  const present = sessions.isPresent(member, request.headers.get("cookie"), now);
  return andThen(present, (there) => (there ? undefined : proofRequired));
}

/** What remains to be checked of the request itself. */
async function readCall(
  exchange: Exchange,
  { endpoint, params, search }: Target,
): Promise<Result<AnonymousCall, Problem>> {
  const { request, wanted, now } = exchange;
  const streams = endpoint.success.events !== undefined && wantsEvents(request);
  if (wanted === "none" && !streams) return refused(notAcceptable);
  const body = readManagementBody(exchange, endpoint);
  if (!body.ok) return body;
  const query = readParameters(search, endpoint.parameters);
  if (!query.ok) return query;
  return andThen(body.value(), (read) =>
    read.ok
      ? done({
          params,
          query: query.value,
          body: read.value,
          request,
          base: originOf(exchange) + ROOT,
          visitor: visitorOf(exchange),
          now,
        })
      : read,
  );
}

function visitorOf(exchange: Exchange): Visitor {
  return {
    origin: originOf(exchange),
    address: () => addressOf(exchange.context),
    signIn: signInOf(exchange),
  };
}
