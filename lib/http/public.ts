import { andThen, type Eventual } from "../base/eventual.ts";
import type { PhotoHost } from "../catalogue/photo-address.ts";
import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import { originFrom, type Actor } from "../model/actor.ts";
import type { Store } from "../storage/store.ts";
import type { Limiter, Verdict } from "../accounts/limiter.ts";
import type { Buckets } from "../accounts/buckets.ts";
import type { ImposeBan } from "../accounts/bans.ts";
import { bannedVerdict } from "../accounts/decision.ts";
import type { HostUsers } from "../accounts/host-users.ts";
import type { Caller, Keyring, KeyHolder } from "../accounts/keyring.ts";
import type { BodyReader } from "./body.ts";
import { faultOfContentType } from "./content-type.ts";
import type { PublicCall, PublicEndpoint, PublicServices, Remember } from "./public-endpoint.ts";
import {
  baseOf,
  isForged,
  type Exchange,
  type FetchContext,
  type Stations,
  type Target,
  addressOf,
} from "./exchange.ts";
import { bodyEtag, type Answer, readyAnswer, type KeptAnswer, type Style } from "./answer.ts";
import { refuse, succeed } from "./respond.ts";
import { readParameters } from "./parameters.ts";
import {
  crossSite,
  lacksScope,
  userLacksScope,
  userSuspended,
  notAcceptable,
  removed,
  suspended,
  comesFrom,
  keyBanned,
  limitReached,
  tooManyInquiries,
} from "./refusals.ts";
import { sizedCache } from "../base/cache.ts";
import { activeUntil } from "../model/ban.ts";
import { isInNetworks } from "../model/client-address.ts";
import { refuseStranger } from "./api.ts";

/** A cache of responses that stay valid until their catalogue changes. */
interface Memo {
  /** Returns the response made at this revision of the catalogue. An address always has the same style. */
  get(address: string, revision: number, style: Style): KeptAnswer | undefined;
  set(address: string, revision: number, answer: Answer): void;
}

/** Maximum size of the cache, in characters of bodies plus `OVERHEAD` for each response: about as many bytes. */
const MAX_SIZE = 16 * 1024 * 1024;

/** Size of a cached response without its body and address; mostly its prepared headers. */
const OVERHEAD = 3_000;

export function createMemo(): Memo {
  const answers = sizedCache<{ readonly revision: number; answer: KeptAnswer }>(
    MAX_SIZE,
    ({ answer }, address) => (answer.body ?? "").length + address.length + OVERHEAD,
  );
  return {
    get: (address, revision, style) => {
      const kept = answers.get(address);
      if (kept?.revision !== revision) return undefined;
      kept.answer = readyAnswer(style, kept.answer);
      return kept.answer;
    },
    set: (address, revision, answer) => {
      answers.set(address, { revision, answer });
    },
  };
}

/** The services that the public API uses to answer requests. */
export interface PublicStations extends Stations<PublicEndpoint> {
  readonly store: Pick<Store, "catalogues">;
  /** Returns the services for a caller. */
  readonly servicesFor: (actor: Actor) => PublicServices;
  readonly keyring: Keyring;
  readonly users: HostUsers;
  /** The headers of answers to users of the host. */
  readonly userStyle: Style;
  /** The origins whose pages may send requests of users. */
  readonly trustedOrigins: readonly string[];
  readonly limiter: Limiter;
  /** Reads of the limits, by key or user. */
  readonly inquiries: Buckets;
  /** Loads what writes need. Rejects if that fails, and tries again with the next write. */
  readonly writing: () => Eventual<Writing>;
  readonly memo: Memo;
  readonly ban: ImposeBan;
  /** Finds the host of the photos of a catalogue. Default: they are below the API. */
  readonly photoHost?: ((catalogueId: number) => Eventual<PhotoHost | undefined>) | undefined;
  /** The caller has spent this percentage of the day. */
  readonly onThreshold: (caller: Caller, verdict: Verdict, percent: 80 | 100) => void;
}

export type PublicExchange = Exchange<PublicStations, FetchContext>;

/** What writes need and reads do not. It is loaded with the first write, because many processes only answer reads. */
export interface Writing {
  readonly bodies: BodyReader;
  /** Runs a write, which a client may retry with an idempotency key. */
  readonly write: (
    exchange: PublicExchange,
    target: Target<PublicEndpoint>,
    bare: PublicCall,
  ) => Promise<Response>;
}

/** Runs an operation within the limits: checks account, scope and media types, then acts. */
function perform(
  exchange: PublicExchange,
  target: Target<PublicEndpoint>,
  caller: Caller,
  verdict: Verdict,
): Eventual<Response> {
  const { endpoint } = target;
  if (caller.account.suspendedAt !== undefined) {
    return refuse(exchange, caller.key === undefined ? userSuspended : suspended);
  }
  const { access, deprecation } = endpoint;
  const { scope } = access;
  if (scope !== undefined && !caller.scopes.includes(scope)) {
    return refuse(exchange, caller.key === undefined ? userLacksScope(scope) : lacksScope(scope));
  }
  if (exchange.wanted === "none") return refuse(exchange, notAcceptable);
  if (endpoint.body !== undefined) {
    const fault = faultOfContentType(exchange.request.headers);
    if (fault !== undefined) return refuse(exchange, fault);
  }
  if (deprecation !== undefined && exchange.now >= deprecation.sunsetAt) {
    return refuse(exchange, removed);
  }
  return endpoint.pure
    ? answerFromCatalogue(exchange, target, caller, verdict)
    : act(exchange, target, caller, verdict);
}

/** Answers a read that depends only on the catalogue, from the cache until the catalogue changes. */
function answerFromCatalogue(
  exchange: PublicExchange,
  target: Target<PublicEndpoint>,
  caller: Caller,
  verdict: Verdict,
): Eventual<Response> {
  const { request, context, stations, style } = exchange;
  const { memo, store } = stations;
  const { catalogueId } = caller;
  const answer = (revision: number, host: PhotoHost | undefined): Eventual<Response> => {
    const at = host === undefined ? "" : `${host.key} `;
    const by = caller.key === undefined ? "user " : "";
    const address = `${by}${at}${catalogueId} ${context.origin ?? ""}${request.url}`;
    const kept = memo.get(address, revision, style);
    if (kept !== undefined) return succeed(exchange, kept);
    const query = readParameters(target.search, target.endpoint.parameters);
    if (!query.ok) return refuse(exchange, query.failure);
    const call = callOf(exchange, target, { caller, verdict, query: query.value });
    const asked = host === undefined ? call : { ...call, photoHost: host };
    return andThen(target.endpoint.run(asked, servicesOf(exchange, caller)), (result) => {
      if (!result.ok) return refuse(exchange, result.failure);
      const { day, fleeting } = result.value;
      const { etag = revisionTag(revision, tagOf(day, host, caller)) } = result.value;
      const found: Answer = { ...result.value, etag };
      if (fleeting !== true) memo.set(address, revision, found);
      return succeed(exchange, found);
    });
  };
  return andThen(store.catalogues.revision(catalogueId), (revision) =>
    stations.photoHost === undefined || !target.search.includes("include=")
      ? answer(revision, undefined)
      : andThen(stations.photoHost(catalogueId), (host) => answer(revision, host)),
  );
}

/**
 * Returns what an answer depends on besides the revision. A browser sends the same request for whoever is signed in, so the
 * tags of users name the catalogue.
 */
export function tagOf(
  day: string | undefined,
  host: PhotoHost | undefined,
  { key, catalogueId }: Caller,
): string | undefined {
  const own = key === undefined ? `u${catalogueId.toString(36)}` : undefined;
  if (host === undefined && own === undefined) return day;
  return [day, host?.key, own].filter((part) => part !== undefined).join("-");
}

function act(
  exchange: PublicExchange,
  target: Target<PublicEndpoint>,
  caller: Caller,
  verdict: Verdict,
): Eventual<Response> {
  const query = readParameters(target.search, target.endpoint.parameters);
  if (!query.ok) return refuse(exchange, query.failure);
  const call = callOf(exchange, target, { caller, verdict, query: query.value });
  return target.endpoint.retryable
    ? andThen(exchange.stations.writing(), ({ write }) => write(exchange, target, call))
    : andThen(target.endpoint.run(call, writingServicesOf(exchange, caller)), (result) =>
        conclude(exchange, result),
      );
}

/** Returns the services for a read by the caller. */
function servicesOf({ stations }: PublicExchange, { actor }: Caller): PublicServices {
  return stations.servicesFor(actor);
}

/** Returns the services for the caller, who makes all changes of the request from its address. */
export function writingServicesOf(exchange: PublicExchange, { actor }: Caller): PublicServices {
  const from = originFrom("api", addressOf(exchange));
  return exchange.stations.servicesFor({ ...actor, from });
}

/** Returns the ETag of every answer that depends only on the catalogue, or also on `more`. */
export function revisionTag(revision: number, more?: string): string {
  const text = revision.toString(36);
  return more === undefined ? `W/"${text}"` : `W/"${text}-${more}"`;
}

/** Records nothing: for requests without an idempotency key. */
const forgetful: Remember = () => () => [];
/** Answers with the result of an operation. */
export function conclude(
  exchange: PublicExchange,
  result: Result<Answer, Problem>,
  extra?: Readonly<Record<string, string>>,
): Eventual<Response> {
  if (!result.ok) return refuse(exchange, result.failure, extra);
  const { body, etag } = result.value;
  const untagged = exchange.endpoint?.method === "GET" && body !== undefined && etag === undefined;
  return succeed(
    exchange,
    untagged ? { ...result.value, etag: bodyEtag(body) } : result.value,
    extra,
  );
}

function callOf(
  exchange: PublicExchange,
  { parameters: params }: Target<PublicEndpoint>,
  { caller, verdict, query }: Pick<PublicCall, "caller" | "verdict" | "query">,
): PublicCall {
  const { request, now } = exchange;
  const base = baseOf(exchange);
  return {
    caller,
    verdict,
    query,
    params,
    request,
    base,
    now,
    body: undefined,
    remember: forgetful,
  };
}

/** Checks the caller of a public operation: the user of the host, else the key, its networks and its ban; then the limits. */
export function admit(
  exchange: PublicExchange,
  target: Target<PublicEndpoint>,
): Eventual<Response> {
  return exchange.context.principal === undefined
    ? admitKey(exchange, target)
    : admitUser(exchange, target);
}

function admitKey(exchange: PublicExchange, target: Target<PublicEndpoint>): Eventual<Response> {
  const { stations, request, now } = exchange;
  return andThen(
    stations.keyring.identify(request.headers.get("authorization"), now),
    (identified) => {
      if (identified.ok) return admitHolder(exchange, target, identified.value);
      exchange.ended = identified.failure.key;
      return refuseStranger(exchange, identified.failure);
    },
  );
}

/** Admits the user of the host, if one is signed in. Other origins may read no answer that a login caused. */
function admitUser(exchange: PublicExchange, target: Target<PublicEndpoint>): Eventual<Response> {
  const { stations, context, now } = exchange;
  exchange.style = stations.userStyle;
  return andThen(stations.users.identify(context, now), (user) => {
    if (user === undefined) {
      exchange.style = stations.style;
      return admitKey(exchange, target);
    }
    if (isForged(exchange, stations.trustedOrigins)) return refuse(exchange, crossSite);
    exchange.caller = user;
    return target.endpoint.access.free
      ? inquire(exchange, target, user)
      : spend(exchange, target, user);
  });
}

function admitHolder(
  exchange: PublicExchange,
  target: Target<PublicEndpoint>,
  holder: KeyHolder,
): Eventual<Response> {
  exchange.caller = holder;
  const misplaced = faultOfPlace(exchange, holder);
  if (misplaced !== undefined) return refuseStranger(exchange, misplaced);
  if (target.endpoint.access.free) return inquire(exchange, target, holder);
  const bannedUntil = activeUntil(holder.key.ban, exchange.now);
  if (bannedUntil !== undefined) return refuseBanned(exchange, holder, bannedUntil);
  return spend(exchange, target, holder);
}

/** Charges a request to the limits. Keys that ignore them are banned; users are the host's concern. */
function spend(
  exchange: PublicExchange,
  target: Target<PublicEndpoint>,
  caller: Caller,
): Eventual<Response> {
  const { stations, now } = exchange;
  const { key } = caller;
  return andThen(stations.limiter.spend(caller.spender, caller.account.limits), (verdict) => {
    exchange.verdict = verdict;
    if (verdict.reached !== undefined) stations.onThreshold(caller, verdict, verdict.reached);
    if (verdict.allowed) {
      exchange.spent = verdict;
      return perform(exchange, target, caller, verdict);
    }
    if (!verdict.abusive || key === undefined) return refuse(exchange, limitReached(verdict));
    // The ban is stored before it is reported.
    return stations.ban(key.id, now).then((ban) => {
      const until = activeUntil(ban, now);
      return until === undefined
        ? refuse(exchange, limitReached(verdict))
        : refuseBanned(exchange, caller, until);
    });
  });
}

/** Refuses a key outside its networks, before a thief can spend its limits or get it banned. */
function faultOfPlace(exchange: Exchange, { key }: KeyHolder): Problem | undefined {
  const { allowedAddresses } = key;
  if (allowedAddresses === undefined) return undefined;
  const address = addressOf(exchange);
  return isInNetworks(address, allowedAddresses) ? undefined : comesFrom(address);
}

/** Reading the limits costs nothing and is open to banned keys, within a limit of its own. */
function inquire(
  exchange: PublicExchange,
  target: Target<PublicEndpoint>,
  caller: Caller,
): Eventual<Response> {
  const { stations, now } = exchange;
  return andThen(stations.inquiries.spend(caller.spender.keyId), (own) => {
    if (!own.allowed) {
      exchange.verdict = own;
      exchange.met = "inquiries";
      return refuse(exchange, tooManyInquiries(own));
    }
    return andThen(stations.limiter.peek(caller.spender, caller.account.limits), (verdict) => {
      const until = activeUntil(caller.key?.ban, now);
      exchange.verdict = until === undefined ? verdict : bannedVerdict(verdict, until);
      return perform(exchange, target, caller, verdict);
    });
  });
}

function refuseBanned(exchange: PublicExchange, caller: Caller, until: number): Eventual<Response> {
  const { limiter } = exchange.stations;
  return andThen(limiter.peek(caller.spender, caller.account.limits), (verdict) => {
    const banned = bannedVerdict(verdict, until);
    exchange.verdict = banned;
    return refuse(exchange, keyBanned(banned));
  });
}
