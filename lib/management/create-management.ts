import {
  aBoolean,
  aClock,
  aDigest,
  aFunction,
  aLog,
  aLimiter,
  anAddress,
  aRootKey,
  aStore,
  checkOptions,
  having,
  listOf,
  optional,
  origins,
} from "../base/options.ts";
import { credentialJobs } from "../accounts/credential-ring.ts";
import { DAY_MS, systemClock } from "../base/clock.ts";
import { createClosing } from "../base/closing.ts";
import { deriveKey, webDigest } from "../base/digest.ts";
import { once } from "../base/eventual.ts";
import { systemRandom } from "../base/id.ts";
import { isolatedLog } from "../base/hook.ts";
import { bodyReader } from "../http/body.ts";
import { createApi, routeTable } from "../http/api.ts";
import type { FindRoute } from "../http/exchange.ts";
import { requestIds } from "../http/exchange.ts";
import { addressBuckets } from "../accounts/buckets.ts";
import { memoryLimiter } from "../accounts/memory-limiter.ts";
import { bodyEtag, type KeptAnswer } from "../http/answer.ts";
import { admit } from "./access.ts";
import { actorsShown } from "./actor-views.ts";
import { describeManagement } from "./describe.ts";
import type { ManagementEndpoint } from "./endpoint.ts";
import { managementEndpoints } from "./endpoints.ts";
import { createEventTail } from "./event-tail.ts";
import { isBelow } from "../base/normal-path.ts";
import { remembered } from "../base/cache.ts";
import { managementUser, principalOf, userNames } from "../accounts/host-users.ts";
import type { Change } from "../storage/change.ts";
import { managementStyle, ROOT, type ManagementStations } from "./exchange.ts";
import type { Management, ManagementOptions } from "./management.ts";
import { requestLimits } from "../accounts/request-limits.ts";
import { streamPlaces } from "./places.ts";
import { trustedTurns } from "../base/store-clock.ts";
import { createTokenRing } from "../accounts/token-ring.ts";
import { createTokens, type Tokens } from "../accounts/tokens.ts";
import { host, system, type Actor } from "../model/actor.ts";

/** The options, with operations of other modules. */
export interface ExtendedManagementOptions extends ManagementOptions {
  /** Additional operations, such as those of custom domains. Default: none. */
  readonly more?: readonly ManagementEndpoint[] | undefined;
}

/** Most cached documents. Mounts may have parameters, which callers choose. */
const MAX_DOCUMENTS = 16;
/** How long expired and revoked tokens are listed. */
const ENDED_KEPT_MS: number = 90 * DAY_MS;
const PURGE_ROWS = 500;

/** Creates the management API over one store. Opens nothing and starts nothing. Invalid options throw a TypeError. */
export function createManagement(options: ExtendedManagementOptions): Management {
  checkOptions("createManagement", options, {
    store: aStore,
    tokenStore: having("a token store, such as sqlTokenStore() makes", "commit"),
    client: having("the client of a petstore", "accounts", "keys", "as"),
    projects: having("the projects of createPublishing", "as"),
    photos: optional(having("the photos of a petstore with images", "files")),
    addressOf: aFunction,
    previews: optional(aBoolean),
    setupAddress: anAddress,
    encryptionKey: aRootKey,
    sessions: optional(having("the sessions of createMembers")),
    trustedOrigins: optional(origins(0)),
    userName: optional(aFunction),
    more: optional(listOf(having("operations"))),
    limiter: optional(aLimiter),
    places: optional(having("places, such as the program keeps for several processes", "take")),
    takeTurn: optional(aFunction),
    clock: optional(aClock),
    random: optional(aFunction),
    digest: optional(aDigest),
    log: optional(aLog),
  });
  const {
    store,
    tokenStore,
    encryptionKey,
    sessions,
    trustedOrigins = [],
    userName,
    client,
    projects,
    photos,
    takeTurn,
    clock = store.clock ?? systemClock,
    random = systemRandom,
    digest = webDigest,
    previews = false,
    more = [],
    limiter = memoryLimiter({ clock }),
    places,
    ...rest
  } = options;
  const log = isolatedLog(options.log);
  const pepper = once(() => deriveKey(digest, encryptionKey, "petstore management token pepper"));
  const ring = createTokenRing({ store, tokenStore, digest, pepper });
  const jobs = credentialJobs({
    store,
    ring,
    noun: "tokens",
    clock,
    log,
    takeTurn: trustedTurns(store, log, takeTurn),
    save: (uses) =>
      tokenStore.commit(
        [{ kind: "token.use", uses: uses.map(({ id: tokenId, at }) => ({ tokenId, at })) }],
        system,
      ),
    purge: (at) =>
      tokenStore.commit(
        [{ kind: "purge", endedBefore: at - ENDED_KEPT_MS, at, limit: PURGE_ROWS }],
        system,
      ),
  });
  const stopping = createClosing();
  const tokensOf = (actor: Actor): Tokens =>
    createTokens({
      actor,
      tokenStore,
      clock,
      random,
      digest,
      pepper,
      forget: (tokenId) => {
        ring.forget("token", tokenId);
      },
    });
  const showActor = actorsShown({
    store,
    tokenStore,
    sessions,
    userName:
      userName &&
      userNames(userName, clock, (error) => {
        log.error("userName failed", error);
      }),
  });
  const shared = {
    ...rest,
    previews,
    store,
    clock,
    random,
    log,
    showActor,
    tail: createEventTail(store, clock),
    streams: streamPlaces(places),
    places,
    stopping,
  };
  const endpoints = [...managementEndpoints, ...more];
  const context = {
    store,
    clock,
    commit: (changes: readonly Change[]) => store.commit(changes, host),
  };
  const stations: ManagementStations = {
    // Made when an operation uses them: most use one of them.
    servicesFor: (actor) => ({
      ...shared,
      commit: (changes) => store.commit(changes, actor),
      get client() {
        return client.as(actor);
      },
      get projects() {
        return projects.as(actor);
      },
      get photos() {
        return photos?.as(actor);
      },
      photoFiles: photos?.files,
      get tokens() {
        return tokensOf(actor);
      },
    }),
    clock,
    log,
    style: managementStyle,
    rootOf: ({ prefix = "" }) => prefix + ROOT,
    findRoute: decoding(routeTable(endpoints)),
    document: remembered((root) => documentOf(endpoints, root), MAX_DOCUMENTS),
    tokens: ring,
    sessions,
    userOf: async (of) => principalOf(of, clock, (value) => managementUser(value, context)),
    trustedOrigins,
    requests: requestLimits({ limiter }),
    addresses: addressBuckets({ limiter, kind: "address-management" }),
    bodies: bodyReader(clock, stopping),
    requestId: requestIds(random),
    traffic: store.traffic,
  };
  const answer = createApi(stations, admit);
  return {
    fetch: (request, given = {}) => answer(request, given),
    match: (request, { prefix = "" } = {}) => isBelow(request, prefix + ROOT),
    setupLink: async () => {
      const link = await tokensOf(system).firstSetupLink();
      if (link === undefined) return undefined;
      return { url: `${rest.setupAddress}#${link.setupToken}`, expiresAt: link.expiresAt };
    },
    jobs,
    close: async () => {
      stopping.close();
      await jobs.stop();
    },
  };
}

/** Decodes the parameters of paths. A parameter that is not percent-encoded UTF-8 matches no route. */
function decoding(find: FindRoute<ManagementEndpoint>): FindRoute<ManagementEndpoint> {
  return (path) => {
    const found = find(path);
    if (found === undefined) return undefined;
    try {
      const decoded = Object.entries(found.parameters).map(
        ([name, text]) => [name, decodeURIComponent(text)] as const,
      );
      return { route: found.route, parameters: Object.fromEntries(decoded) };
    } catch {
      return undefined;
    }
  };
}

function documentOf(endpoints: readonly ManagementEndpoint[], root: string): KeptAnswer {
  const body = JSON.stringify(describeManagement(endpoints, root));
  return { status: 200, body, etag: bodyEtag(body), blob: new Blob([body]) };
}
