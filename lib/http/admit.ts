import { andThen, type Eventual } from "../base/eventual.ts";
import type { Problem } from "../base/problem.ts";
import { activeUntil } from "../model/ban.ts";
import { isInNetworks } from "../model/network.ts";
import type { Caller } from "../accounts/keyring.ts";
import { bannedVerdict } from "../accounts/bans.ts";
import { addressOf, type Exchange, type Target } from "./exchange.ts";
import { refuse } from "./finish.ts";
import { perform } from "./perform.ts";
import {
  comesFrom,
  keyBanned,
  limitReached,
  tooManyFailures,
  tooManyInquiries,
} from "./refusals.ts";

/** A caller with a valid key: where it comes from, ban, then limits, then on. */
export function admit(exchange: Exchange, target: Target, caller: Caller): Eventual<Response> {
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
      exchange.spent = true;
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

/** Why the key is not to be used from there. Whoever stole it must neither spend its limits nor get it banned. */
function faultOfPlace({ context }: Exchange, { key }: Caller): Problem | undefined {
  const { allowedAddresses } = key;
  if (allowedAddresses === undefined) return undefined;
  const address = addressOf(context);
  return isInNetworks(address, allowedAddresses) ? undefined : comesFrom(address);
}

/** Whoever fails to authenticate spends from the address, and is refused otherwise when that is empty. */
export function refuseStranger(exchange: Exchange, failure: Problem): Eventual<Response> {
  const verdict = exchange.stations.addresses.spend(addressOf(exchange.context));
  exchange.verdict = verdict;
  return refuse(exchange, verdict.allowed ? failure : tooManyFailures(verdict));
}

/** A look at the limits costs nothing and is open to banned keys; too many of them are refused. */
function inquire(exchange: Exchange, target: Target, caller: Caller): Eventual<Response> {
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

function refuseBanned(exchange: Exchange, caller: Caller, until: number): Eventual<Response> {
  const { limiter } = exchange.stations;
  return andThen(limiter.look(caller.spender, caller.account.limits), (verdict) => {
    const banned = bannedVerdict(verdict, until);
    exchange.verdict = banned;
    return refuse(exchange, keyBanned(banned));
  });
}
