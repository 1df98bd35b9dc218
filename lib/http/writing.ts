import type { Caller } from "../accounts/keyring.ts";
import type { Clock } from "../base/clock.ts";
import type { Closing } from "../base/closing.ts";
import type { Digest } from "../base/digest.ts";
import { andThen, type Eventual } from "../base/eventual.ts";
import type { Problem } from "../base/problem.ts";
import type { StoreReads } from "../storage/store.ts";
import { bodyReader, readJson } from "./body.ts";
import { createIdempotency, readIdempotencyKey } from "./idempotency.ts";
import { faultOfNoneMatch } from "./preconditions.ts";
import type { PublicEndpoint } from "./public-endpoint.ts";
import {
  conclude,
  revisionTag,
  tagOf,
  writingServicesOf,
  type PublicExchange,
  type Writing,
} from "./public.ts";
import { refuse } from "./respond.ts";

export function createWriting({
  store,
  digest,
  clock,
  closing,
}: {
  readonly store: StoreReads;
  readonly digest: Digest;
  readonly clock: Clock;
  readonly closing: Closing;
}): Writing {
  const bodies = bodyReader(clock, closing);
  const idempotency = createIdempotency(store, digest);
  return {
    bodies,
    write: async (exchange, { endpoint, path, reads }, bare) => {
      const { request, now } = exchange;
      let data = NO_BODY;
      let call = bare;
      if (endpoint.body !== undefined) {
        const read = await bodies.read(request);
        if (!read.ok) return refuse(exchange, read.failure);
        data = read.value;
        const json = readJson(data, endpoint.body);
        if (!json.ok) return refuse(exchange, json.failure);
        call = { ...bare, body: json.value };
      }
      const list = endpoint.conditional ? undefined : reads;
      const fault = await faultOfList(exchange, bare.caller, list);
      if (fault !== undefined) return refuse(exchange, fault);
      const services = writingServicesOf(exchange, bare.caller);
      const header = request.headers.get("idempotency-key");
      if (header === null) return conclude(exchange, await endpoint.run(call, services));
      const key = readIdempotencyKey(header);
      if (!key.ok) return refuse(exchange, key.failure);
      const { result, replayed } = await idempotency.run(
        {
          id: {
            catalogueId: call.caller.catalogueId,
            request: `${endpoint.method} ${path}`,
            key: keptUnder(key.value, call.caller),
          },
          body: data,
          now,
          commit: services.actions.commit,
        },
        async (remember) => endpoint.run({ ...call, remember }, services),
      );
      return conclude(exchange, result, replayed ? REPLAYED : undefined);
    },
  };
}

/** Returns the name of an idempotency key in its catalogue. Keys have no spaces, so those of users have names of their own. */
function keptUnder(key: string, { actor }: Caller): string {
  return actor.kind === "user" ? `user:${actor.id} ${key}` : key;
}

/** Returns why `If-None-Match` forbids a write to a list, whose version is the catalogue's (RFC 9110 §13.1.2). */
function faultOfList(
  { request, stations }: PublicExchange,
  caller: Caller,
  list: PublicEndpoint | undefined,
): Eventual<Problem | undefined> {
  const ifNoneMatch = request.headers.get("if-none-match");
  if (ifNoneMatch === null || list?.pure !== true) return undefined;
  const revision = stations.store.catalogues.revision(caller.catalogueId);
  return andThen(revision, (current) =>
    faultOfNoneMatch(ifNoneMatch, revisionTag(current, tagOf(undefined, undefined, caller))),
  );
}

const NO_BODY: Uint8Array = new Uint8Array();
const REPLAYED: Readonly<Record<string, string>> = { "idempotent-replayed": "true" };
