import { andThen, type Eventual } from "../base/eventual.ts";
import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import type { Limiter, Verdict } from "../accounts/limiter.ts";
import type { Buckets } from "../accounts/buckets.ts";
import type { ImposeBan } from "../accounts/bans.ts";
import type { Caller, Keyring } from "../accounts/keyring.ts";
import { faultOfContentType, readJson } from "./body.ts";
import type { Call, Endpoint, Services } from "./endpoint.ts";
import { baseOf, type Exchange, type Stations, type Target } from "./exchange.ts";
import { refuse, succeed } from "./finish.ts";
import { forgetful, readIdempotencyKey, type Idempotency } from "./idempotency.ts";
import type { Memo } from "./memo.ts";
import { readQuery } from "./query.ts";
import { lacksScope, notAcceptable, removed, suspended } from "./refusals.ts";
import { bodyEtag, type Answer } from "./respond.ts";

/** The parts that answer requests of the public API. */
export interface PublicStations extends Stations<Endpoint>, Services {
  readonly keyring: Keyring;
  readonly limiter: Limiter;
  /** Reads of the limits, by key. */
  readonly inquiries: Buckets;
  readonly idempotency: Idempotency;
  readonly memo: Memo;
  readonly ban: ImposeBan;
  /** The caller has spent this percentage of the day. */
  readonly onThreshold: (caller: Caller, verdict: Verdict, percent: 80 | 100) => void;
}

export type PublicExchange = Exchange<PublicStations>;

const PATH_ID = /^[1-9]\d{0,15}$/;

/** Runs an operation within the limits: checks account, scope and media types, then acts. */
export function perform(
  exchange: PublicExchange,
  target: Target<Endpoint>,
  caller: Caller,
  verdict: Verdict,
): Eventual<Response> {
  const { endpoint } = target;
  if (caller.account.suspendedAt !== undefined) return refuse(exchange, suspended);
  const { scope, deprecation } = endpoint;
  if (scope !== undefined && !caller.key.scopes.includes(scope)) {
    return refuse(exchange, lacksScope(scope));
  }
  if (exchange.wanted === "none") return refuse(exchange, notAcceptable);
  if (endpoint.body !== undefined) {
    const fault = faultOfContentType(exchange.request.headers);
    if (fault !== undefined) return refuse(exchange, fault);
  }
  if (deprecation !== undefined && exchange.now >= deprecation.sunset) {
    return refuse(exchange, removed);
  }
  return endpoint.pure
    ? answerFromCatalogue(exchange, target, caller, verdict)
    : act(exchange, target, caller, verdict);
}

/** Answers a read that depends on the catalogue alone; the answer is kept until the catalogue changes. */
function answerFromCatalogue(
  exchange: PublicExchange,
  target: Target<Endpoint>,
  caller: Caller,
  verdict: Verdict,
): Eventual<Response> {
  const { request, context, stations } = exchange;
  const { memo, actions } = stations;
  const { catalogueId } = caller.key;
  return andThen(actions.store.catalogues.revision(catalogueId), (revision) => {
    const address = `${catalogueId} ${context.origin ?? ""}${request.url}`;
    const kept = memo.get(address, revision);
    if (kept !== undefined) return succeed(exchange, kept);
    const query = readQuery(target.search, target.endpoint.parameters);
    if (!query.ok) return refuse(exchange, query.failure);
    const call = callOf(exchange, target, { caller, verdict, query: query.value });
    return andThen(target.endpoint.handle(call, stations), (result) => {
      if (!result.ok) return refuse(exchange, result.failure);
      const { etag = `W/"${revision.toString(36)}"` } = result.value;
      const answer: Answer = { ...result.value, etag };
      memo.set(address, revision, answer);
      return succeed(exchange, answer);
    });
  });
}

function act(
  exchange: PublicExchange,
  target: Target<Endpoint>,
  caller: Caller,
  verdict: Verdict,
): Eventual<Response> {
  const query = readQuery(target.search, target.endpoint.parameters);
  if (!query.ok) return refuse(exchange, query.failure);
  const call = callOf(exchange, target, { caller, verdict, query: query.value });
  return target.endpoint.retryable
    ? write(exchange, target, call)
    : andThen(target.endpoint.handle(call, exchange.stations), (result) =>
        conclude(exchange, result),
      );
}

/** A write that a client may repeat under an idempotency key. */
async function write(
  exchange: PublicExchange,
  { endpoint, path }: Target<Endpoint>,
  bare: Call,
): Promise<Response> {
  const { request, stations, now } = exchange;
  let data = NO_BODY;
  let call = bare;
  if (endpoint.body !== undefined) {
    const read = await stations.bodies.read(request);
    if (!read.ok) return refuse(exchange, read.failure);
    data = read.value;
    const json = readJson(data, endpoint.body);
    if (!json.ok) return refuse(exchange, json.failure);
    call = { ...bare, body: json.value };
  }
  const header = request.headers.get("idempotency-key");
  if (header === null) return conclude(exchange, await endpoint.handle(call, stations));
  const key = readIdempotencyKey(header);
  if (!key.ok) return refuse(exchange, key.failure);
  const { result, replayed } = await stations.idempotency.run(
    {
      catalogueId: call.caller.key.catalogueId,
      request: `${endpoint.method} ${path}`,
      key: key.value,
    },
    data,
    now,
    async (remember) => endpoint.handle({ ...call, remember }, stations),
  );
  return conclude(exchange, result, replayed ? REPLAYED : undefined);
}

const NO_BODY: Uint8Array = new Uint8Array();
const REPLAYED: Readonly<Record<string, string>> = { "idempotent-replayed": "true" };

function conclude(
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
  { parameters: { id = "" } }: Target<Endpoint>,
  { caller, verdict, query }: Pick<Call, "caller" | "verdict" | "query">,
): Call {
  const { request, now } = exchange;
  const base = baseOf(exchange);
  return {
    caller,
    verdict,
    query,
    id: PATH_ID.test(id) ? Number(id) : 0,
    request,
    base,
    now,
    body: undefined,
    remember: forgetful,
  };
}
