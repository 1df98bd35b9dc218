import type { ActionContext } from "./accounts/context.ts";
import type { PhotoService } from "./photos/photos.ts";
import { lateClient } from "./late-client.ts";
import { host, system, forActors, type Actor, type ForActors } from "./model/actor.ts";
import type { LocalClient } from "./local-client.ts";
import { systemClock } from "./base/clock.ts";
import { createClosing } from "./base/closing.ts";
import { deriveKey, webDigest, base64url, utf8 } from "./base/digest.ts";
import { andThen, once, type Eventual } from "./base/eventual.ts";
import { systemRandom, type Random } from "./base/id.ts";
import { isolated, isolatedLog } from "./base/hook.ts";
import type { ProblemCode } from "./base/problem.ts";
import { isBelow } from "./base/normal-path.ts";
import { admit, createMemo, type PublicStations } from "./http/public.ts";
import { corsOf } from "./http/cors.ts";
import { createApi, routeTable } from "./http/api.ts";
import { type Exchange, type FetchContext, requestIds, userOf } from "./http/exchange.ts";
import type { entryOf } from "./http/request-log.ts";
import { ADOPTERS_KEEP_MS } from "./catalogue/model.ts";
import {
  HANDLER_MS,
  register,
  registrationOf,
  startOf,
  type EventHandler,
  type EventOptions,
  type Registration,
} from "./events/on.ts";
import type { EventSelection } from "./events/petstore-event.ts";
import { createKeyring } from "./accounts/keyring.ts";
import type { CursorSeal } from "./http/cursor.ts";
import { templateOf } from "./http/endpoint.ts";
import { endpoints } from "./endpoints.ts";
import { createUsageCounter } from "./accounts/usage-counter.ts";
import { createJobs, type Jobs } from "./jobs.ts";
import { addressBuckets, keyBuckets } from "./accounts/buckets.ts";
import { catalogueCounter } from "./accounts/limiter.ts";
import { memoryLimiter } from "./accounts/memory-limiter.ts";
import type { DomainEvent } from "./model/event.ts";
import type { Change } from "./storage/change.ts";
import { trustedTurns } from "./base/store-clock.ts";
import type { Store } from "./storage/store.ts";
import { documents } from "./documents.ts";
import { checkPetstoreOptions, type PetstoreOptions } from "./petstore-options.ts";
import { latePhotos } from "./photos/late.ts";

/** The service for one environment. */
export interface Petstore {
  /** Answers a request. Never rejects and never throws: an internal error is a 500. The request stays unchanged. */
  fetch(request: Request, context?: FetchContext): Eventual<Response>;
  /** True when the request's path is `/v1` or below it, under `context.prefix` or else this service's prefix. */
  match(request: { readonly url: string }, context?: Pick<FetchContext, "prefix">): boolean;
  /** All actions of the service without HTTP, keys or limits: those of the host, and with `as` those of others. */
  readonly client: ForActors<LocalClient>;
  /** The photos of animals. Undefined without `images` and `blobs`. */
  readonly photos: PhotoService | undefined;
  readonly events: {
    /** The outbox after `seq`, oldest first, at most `limit` (default 100). */
    after(seq: number, limit?: number): Promise<readonly DomainEvent[]>;
    /**
     * Calls `listener` with every event that any process commits from now on, of both environments, while the jobs run. Does
     * not wait for it, and does not repeat an event if it fails.
     */
    subscribe(listener: (event: DomainEvent) => void): () => void;
    /**
     * Calls `handler` with the selected events of this environment and of whole accounts, in their order and one at a time,
     * while the jobs run. An event whose handler fails is delivered again; later ones wait for it. With `consumer` or `position`
     * in the options, each event is delivered at least once, whatever happens to the process. Returns a function that ends
     * it. Invalid arguments throw a TypeError.
     */
    on<const Selection extends EventSelection>(
      selection: Selection | readonly Selection[],
      handler: EventHandler<Selection>,
      options?: EventOptions,
    ): () => void;
  };
  readonly jobs: Jobs;
  /**
   * Stops the jobs, waits for the handlers of events that run, and saves the counters. The caller closes the store.
   */
  close(): Promise<void>;
}

/** Creates one environment of the service over one store. Opens nothing and starts nothing. Invalid options throw a TypeError. */
export function createPetstore(options: PetstoreOptions): Petstore {
  checkPetstoreOptions(options);
  const {
    store,
    environment = "production",
    prefix = "",
    encryptionKey,
    countBy = "catalogue",
    servers,
    trustedOrigins = [],
    cors: pages = true,
    limiter: given,
    adoptersKeepMs = ADOPTERS_KEEP_MS,
    eventsReadThrough,
    takeTurn,
    clock = store.clock ?? systemClock,
    random = systemRandom,
    digest = webDigest,
    images,
    blobs,
    photoBytes,
    isShown = () => true,
    photoHost,
    onAnswer,
    requestLog,
  } = options;
  const log = isolatedLog(options.log);
  const answered =
    onAnswer &&
    isolated(onAnswer, (error) => {
      log.error("onAnswer failed; later failures are not reported", error);
    });

  const rootKey = once(() => encryptionKey ?? keptRootKey(store, random));
  const derived = (purpose: string): (() => Eventual<Uint8Array>) =>
    once(() => andThen(rootKey(), (root) => deriveKey(digest, root, purpose)));
  const pepper = derived("petstore api key pepper");
  const keyring = createKeyring({ store, digest, pepper, environment, countBy });

  const own = memoryLimiter({ clock });
  const limiter = given ?? own;
  let describeRequest: typeof entryOf | undefined;
  const loadDescription = async (): Promise<void> => {
    describeRequest = (await import("./http/request-log.ts")).entryOf;
  };
  // The stored counters are loaded before the first request, and the code that a request log needs.
  const ready = once(() =>
    andThen(requestLog && loadDescription(), () =>
      andThen(store.counters.live(clock.now()), (saved) => {
        own.restore(saved);
        return true;
      }),
    ),
  );

  const thresholds: Change[] = [];
  const usage = createUsageCounter(log, environment);
  const shared: Omit<ActionContext, "commit"> = {
    store,
    clock,
    random,
    digest,
    log,
    pepper,
    forget: keyring.forget,
    countBy,
    peek: (spender, limits) => andThen(ready(), () => limiter.peek(spender, limits)),
    clearViolations: async (keyId) => limiter.clearViolations(keyId),
  };
  const actionsOf = (actor: Actor): ActionContext => ({
    ...shared,
    commit: (changes) => store.commit(changes, actor),
  });

  const offer =
    requestLog &&
    ((exchange: Exchange, status: number, code: ProblemCode | undefined): void => {
      const { request, caller, ended, now } = exchange;
      const sent = caller === undefined ? request.headers.get("authorization") : null;
      // An unknown path is refused before its key is checked, and so is a wrong method.
      const key = caller?.key ?? ended ?? (sent === null ? undefined : keyring.recall(sent)?.key);
      const accountId = caller?.account.id ?? key?.accountId;
      const describe = describeRequest;
      if (describe === undefined || (accountId === undefined && status < 400)) return;
      requestLog.offer(accountId, status, now, () =>
        describe(exchange, {
          environment,
          keyId: key?.id,
          status,
          code,
          durationMs: clock.now() - now,
        }),
      );
    });
  /** Records an answered request. */
  const record =
    offer &&
    isolated(offer, (error) => {
      log.error("requestLog failed; later failures are not reported", error);
    });

  const cors = corsOf(pages);
  const { style } = cors;
  const trusted = [...trustedOrigins, ...cors.trusted];
  const closing = createClosing();
  // Loaded on demand: writes, lists, users of the host, and bans.
  const writing = once(async () => {
    const { createWriting } = await import("./http/writing.ts");
    return createWriting({ store, digest, clock, closing });
  });
  const seal = once(async () => {
    const { cursorSeal } = await import("./http/cursor.ts");
    return cursorSeal(digest, derived("petstore cursors"));
  });
  const cursors: CursorSeal = (list) => andThen(seal(), (sealed) => sealed(list));
  const users = once(async () => {
    const { hostUsers } = await import("./accounts/host-users.ts");
    return hostUsers({ keyring, clock, countBy, context: actionsOf(host) });
  });
  const bans = once(async () => {
    const { banImposer } = await import("./accounts/bans.ts");
    return banImposer({ store, log, learn: keyring.learnBan });
  });
  const root = prefix + VERSION;
  const stations: PublicStations = {
    store,
    servicesFor: (actor) => ({ actions: actionsOf(actor), cursors }),
    clock,
    log,
    style,
    findRoute: routeTable(endpoints),
    rootOf: (context) => (context.prefix === undefined ? root : context.prefix + VERSION),
    document: documents(environment, servers, style),
    keyring,
    users: {
      identify: (context, now) => andThen(users(), (found) => found.identify(context, now)),
    },
    userStyle: cors.userStyle,
    trustedOrigins: trusted,
    limiter,
    addresses: addressBuckets({ limiter, kind: `address-${environment}` }),
    inquiries: keyBuckets({ limiter, kind: "inquiry" }),
    bodies: { dropRest: async (request) => (await writing()).bodies.dropRest(request) },
    writing,
    memo: createMemo(),
    photoHost,
    ready,
    requestId: requestIds(random),
    traffic: store.traffic,
    ban: async (keyId, now) => (await bans())(keyId, now),
    onThreshold: ({ key, account, catalogueId, spender }, { windows }, percent) => {
      // A user who is counted alone does not use up what others share.
      if (key === undefined && spender.counter !== catalogueCounter(catalogueId)) return;
      const day = windows.find(({ name }) => name === "day");
      thresholds.push({
        kind: "event.write",
        type: "quota.threshold_reached",
        accountId: account.id,
        catalogueId,
        at: clock.now(),
        data: { percent, limit: day?.limit, resetsAt: day?.resetsAt, environment },
      });
    },
    refund: (caller, spent) =>
      andThen(limiter.refund(caller.spender, spent), () =>
        limiter.peek(caller.spender, caller.account.limits),
      ),
    report: (exchange, status, code) => {
      const { requestId, endpoint, request, caller, now } = exchange;
      record?.(exchange, status, code);
      const operation = endpoint?.operationId ?? "unknown";
      if (caller !== undefined) usage.count(caller, operation, status, now);
      if (answered === undefined) return;
      const userId = userOf(caller);
      answered({
        requestId,
        operation,
        ...(endpoint === undefined ? {} : { route: routeOf(endpoint.path) }),
        method: request.method,
        status,
        ...(code === undefined ? {} : { code }),
        ...(caller?.key === undefined ? {} : { keyId: caller.key.id }),
        ...(userId === undefined ? {} : { userId }),
        durationMs: clock.now() - now,
      });
    },
  };
  const answer = createApi(stations, admit);
  // Loaded on demand, because many processes have no photos, and others send few.
  const loadPhotos =
    images &&
    blobs &&
    once(async () => {
      const { photoService } = await import("./photos/service.ts");
      return photoService({
        ...{ store, clock, log, blobs, images, photoBytes, environment, keyring, isShown },
        users: stations.users,
        trustedOrigins: trusted,
        cors: cors.alone,
      });
    });
  const photos =
    loadPhotos &&
    latePhotos(
      async () => loadPhotos(),
      (actor) => ({ commit: (changes) => store.commit(changes, actor) }),
    );

  /** Answers a request for a photo, or for another path that looks like one. Never rejects. */
  const visited = async (request: Request, context: FetchContext): Promise<Response> => {
    const visit = await Promise.resolve(loadPhotos?.()).catch((error: unknown) => {
      log.error("the photos could not be loaded", error);
      return undefined;
    });
    return visit?.visit(request, context, stations.rootOf(context)) ?? answer(request, context);
  };

  const registrations = new Set<Registration>();
  const jobs = createJobs({
    store,
    clock,
    log,
    environment,
    random,
    registrations,
    drain: () => ({
      counters: own.drain(),
      lastUsed: keyring.drainUsed().map(({ id: keyId, at }) => ({ keyId, at })),
      more: [...thresholds.splice(0), ...usage.drain(clock.now())],
    }),
    reader: keyring,
    adoptersKeepMs,
    eventsReadThrough,
    takeTurn: trustedTurns(store, log, takeTurn),
    sweep: () => {
      own.sweep();
    },
  });

  const respond = (request: Request, context: FetchContext): Eventual<Response> => {
    const isPhoto = loadPhotos !== undefined && request.url.includes(PHOTOS);
    return isPhoto ? visited(request, context) : answer(request, context);
  };
  const { allow } = cors;

  return {
    fetch: (request, context = {}) => {
      const { principal } = context;
      // A promise may reject before the code is loaded that awaits it. Other thenables may do their work with each `then`.
      if (principal instanceof Promise) principal.catch(() => undefined);
      const reply = respond(request, context);
      if (allow === undefined) return reply;
      return andThen(reply, (response) => {
        allow(request, response);
        return response;
      });
    },
    match: (request, context) => isBelow(request, (context?.prefix ?? prefix) + VERSION),
    photos,
    client: forActors((actor) => lateClient(actionsOf(actor), environment)),
    events: {
      after: async (seq, limit = 100) => store.events.after(seq, limit),
      subscribe: (listener) =>
        register(registrations, {
          timeoutMs: HANDLER_MS,
          wants: () => true,
          start: startOf(store.events, "now"),
          handle: isolated(listener, (error) => {
            log.error("an event listener failed; its later failures are not reported", error);
          }),
        }),
      on: (selection, handler, eventOptions = {}) =>
        register(
          registrations,
          registrationOf(selection, handler, eventOptions, { events: store.events, environment }),
        ),
    },
    jobs,
    close: () => {
      closing.close();
      return jobs.stop();
    },
  };
}

/** The version that is part of every path. */
const VERSION = "/v1";

/** Returns the path of an operation as the OpenAPI document has it, version included. */
function routeOf(path: string): string {
  return VERSION + templateOf(path);
}

/** Part of the addresses of photos. */
const PHOTOS = "/v1/photos/";

const ROOT_KEY_BYTES = 32;

/** Creates the root key on first use and stores it; of simultaneous ones the first is kept. */
async function keptRootKey(store: Store, random: Random): Promise<Uint8Array> {
  const name = "root key";
  const made = base64url(random(new Uint8Array(ROOT_KEY_BYTES)));
  if ((await store.settings.get(name)) === undefined) {
    await store.commit([{ kind: "setting.init", name, value: made }], system);
  }
  return utf8((await store.settings.get(name)) ?? made);
}
