import { andThen, type Eventual } from "../base/eventual.ts";
import type { Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import { pathStartOf } from "../http/exchange.ts";
import { readParameters } from "../http/query.ts";
import { notAcceptable } from "../http/refusals.ts";
import type { Account } from "../model/account.ts";
import { readManagementBody } from "./body.ts";
import type {
  AnonymousCall,
  ManagementAnswer,
  ManagementCall,
  ManagementEndpoint,
} from "./endpoint.ts";
import { ROOT, type Exchange, type Target } from "./exchange.ts";
import { refuse, succeed } from "./finish.ts";
import { includes, type Principal, type Role } from "./model/principal.ts";
import { accountSuspended, lacksRole } from "./refusals.ts";
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
  const call = await readCall(exchange, target);
  if (!call.ok) return call;
  return target.endpoint.handle(call.value, exchange.stations.services);
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
      const fault = faultOfStanding(endpoint, principal, own.value);
      if (fault !== undefined) return refused(fault);
      const call = await readCall(exchange, { endpoint, params, search });
      return call.ok ? endpoint.handle({ ...call.value, ...caller }, services) : call;
    }
    case "account": {
      const seen = await visibleAccount(services, principal, params["account"] ?? "");
      if (!seen.ok) return seen;
      const account = seen.value;
      const fault = faultOfStanding(endpoint, principal, account);
      if (fault !== undefined) return refused(fault);
      const call = await readCall(exchange, { endpoint, params, search });
      return call.ok ? endpoint.handle({ ...call.value, ...caller, account }, services) : call;
    }
    case "project": {
      const seen = await visibleProject(services, principal, params["project"] ?? "");
      if (!seen.ok) return seen;
      const { project, account } = seen.value;
      const fault = faultOfStanding(endpoint, principal, account);
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

/** Why the caller, who may see what the path names, may not do this with it. */
function faultOfStanding(
  { method, role }: { readonly method: string; readonly role: Role },
  principal: Principal,
  account: Account | undefined,
): Problem | undefined {
  if (!includes(principal.role, role)) return lacksRole(role);
  const held = principal.accountId !== undefined && account?.suspendedAt !== undefined;
  return held && method !== "GET" ? accountSuspended : undefined;
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
          base: baseOf(exchange),
          now,
        })
      : read,
  );
}

function baseOf({ request: { url }, context }: Exchange): string {
  return (context.origin ?? url.slice(0, pathStartOf(url))) + ROOT;
}
