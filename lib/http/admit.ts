import { andThen, type Eventual } from "../base/eventual.ts";
import type { Problem } from "../base/problem.ts";
import { activeUntil } from "../model/ban.ts";
import { isInNetworks } from "../model/network.ts";
import type { Caller } from "../accounts/keyring.ts";
import { bannedVerdict } from "../accounts/bans.ts";
import { refuseStranger } from "./api.ts";
import type { Endpoint } from "./endpoint.ts";
import { addressOf, type Exchange, type Target } from "./exchange.ts";
import { refuse } from "./finish.ts";
import { perform, type PublicExchange } from "./perform.ts";
import { comesFrom, keyBanned, limitReached, tooManyInquiries } from "./refusals.ts";

/** Checks who may call a public operation: the key, where it may be used from, its ban, then its limits. */
export function admit(exchange: PublicExchange, target: Target<Endpoint>): Eventual<Response> {
  const { stations, request, now } = exchange;
  return andThen(
    stations.keyring.identify(request.headers.get("authorization"), now),
    (identified) =>
      identified.ok
        ? admitCaller(exchange, target, identified.value)
        : refuseStranger(exchange, identified.failure),
  );
}

function admitCaller(
  exchange: PublicExchange,
  target: Target<Endpoint>,
  caller: Caller,
): Eventual<Response> {
  exchange.caller = caller;
  const misplaced = faultOfPlace(exchange, caller);
  if (misplaced !== undefined) return refuseStranger(exchange, misplaced);
  if (target.endpoint.free) return inquire(exchange, target, caller);
  const { stations, now } = exchange;
  const bannedUntil = activeUntil(caller.key.ban, now);
  if (bannedUntil !== undefined) return refuseBanned(exchange, caller, bannedUntil);
  return andThen(stations.limiter.spend(caller.spender, caller.account.limits), (verdict) => {
    exchange.verdict = verdict;
    if (verdict.reached !== undefined) stations.onThreshold(caller, verdict, verdict.reached);
    if (verdict.allowed) {
      exchange.spent = verdict;
      return perform(exchange, target, caller, verdict);
    }
    if (!verdict.abusive) return refuse(exchange, limitReached(verdict));
    // The ban is on disk before it is announced.
    return stations.ban(caller.key.id, now).then((ban) => {
      const until = activeUntil(ban, now);
      return until === undefined
        ? refuse(exchange, limitReached(verdict))
        : refuseBanned(exchange, caller, until);
    });
  });
}

/** Refuses a key outside its networks. A thief must neither spend its limits nor get it banned. */
function faultOfPlace({ context }: Exchange, { key }: Caller): Problem | undefined {
  const { allowedAddresses } = key;
  if (allowedAddresses === undefined) return undefined;
  const address = addressOf(context);
  return isInNetworks(address, allowedAddresses) ? undefined : comesFrom(address);
}

/** Reading the limits costs nothing and is open to banned keys, within a limit of its own. */
function inquire(
  exchange: PublicExchange,
  target: Target<Endpoint>,
  caller: Caller,
): Eventual<Response> {
  const { stations, now } = exchange;
  const own = stations.inquiries.spend(caller.key.id);
  if (!own.allowed) {
    exchange.verdict = own;
    return refuse(exchange, tooManyInquiries(own));
  }
  return andThen(stations.limiter.look(caller.spender, caller.account.limits), (verdict) => {
    const until = activeUntil(caller.key.ban, now);
    exchange.verdict = until === undefined ? verdict : bannedVerdict(verdict, until);
    return perform(exchange, target, caller, verdict);
  });
}

function refuseBanned(exchange: PublicExchange, caller: Caller, until: number): Eventual<Response> {
  const { limiter } = exchange.stations;
  return andThen(limiter.look(caller.spender, caller.account.limits), (verdict) => {
    const banned = bannedVerdict(verdict, until);
    exchange.verdict = banned;
    return refuse(exchange, keyBanned(banned));
  });
}
