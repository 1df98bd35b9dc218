import type { Limiter } from "../accounts/limiter.ts";
import type { LocalClient } from "../local-client.ts";
import type { Clock } from "../base/clock.ts";
import type { Closing } from "../base/closing.ts";
import type { Digest } from "../base/digest.ts";
import type { Eventual } from "../base/eventual.ts";
import type { Random } from "../base/id.ts";
import type { TakeTurn } from "../base/rounds.ts";
import type { Log } from "../base/log.ts";
import type { GivenPrincipal, ManagementPrincipal } from "../accounts/host-users.ts";
import type { RequestContext } from "../http/exchange.ts";
import type { Jobs } from "../jobs.ts";
import type { PhotoFiles } from "../photos/files.ts";
import type { Photos, PhotoService } from "../photos/photos.ts";
import type { Projects } from "../publishing/projects.ts";
import type { ForActors } from "../model/actor.ts";
import type { Commit, Store, StoreReads } from "../storage/store.ts";
import type { Principal } from "../accounts/principal.ts";
import type { Sessions, SignIn } from "./sessions.ts";
import type { ShowActor } from "./actor-views.ts";
import type { EventTail } from "./event-tail.ts";
import type { Places, SharedPlaces } from "./places.ts";
import type { TokenStore } from "../accounts/token-store.ts";
import type { Tokens } from "../accounts/tokens.ts";

/** Options of the management API. */
export interface ManagementOptions {
  /** The store of the petstore. */
  readonly store: Store;
  /** A token store over the same database. */
  readonly tokenStore: TokenStore;
  /** `client` of a petstore over the same store. */
  readonly client: ForActors<LocalClient>;
  /** `projects` of `createPublishing`. */
  readonly projects: ForActors<Projects>;
  /** `photos` of the petstore. Default: animals have no photos. */
  readonly photos?: PhotoService | undefined;
  /** Returns the address of a project's site by its slug. */
  readonly addressOf: (slug: string) => string;
  /** The host serves deploys that are not live at `addressOf` of their `previewLabel`. Default false. */
  readonly previews?: boolean | undefined;
  /** Address of the page behind the setup link: `https://pets.example.org/setup`. */
  readonly setupAddress: string;
  /** The petstore's key, of at least 32 bytes. */
  readonly encryptionKey: Uint8Array;
  /** Identifies signed-in members. Default: members cannot sign in. */
  readonly sessions?: Sessions | undefined;
  /**
   * Origins such as `https://app.example.org` whose pages may send requests of the host's users (`principal`). Default: only
   * pages of the origin that the client used.
   */
  readonly trustedOrigins?: readonly string[] | undefined;
  /**
   * Returns the present name of a user of the host by the id of its principal, for events and the audit log; undefined if
   * there is none. Default: users have no names there.
   */
  readonly userName?:
    | ((id: string) => string | undefined | Promise<string | undefined>)
    | undefined;
  /** Shared by several processes. Default: counters in the memory of this one. */
  readonly limiter?: Limiter | undefined;
  /** Limits event streams and DNS checks over several processes. Default: this process is the only one. */
  readonly places?: SharedPlaces | undefined;
  /** Divides purging among several processes. Default: each of them purges. */
  readonly takeTurn?: TakeTurn | undefined;
  /** Default: the store's. */
  readonly clock?: Clock | undefined;
  /** Fills an array with random bytes. Default: Web Crypto. */
  readonly random?: Random | undefined;
  /** Default: Web Crypto. A synchronous one, such as `nodeDigest` of `petstore/node`, is faster. */
  readonly digest?: Digest | undefined;
  /** Receives what an operator should know, such as failed jobs. Default: errors go to the console, each once. */
  readonly log?: Log | undefined;
}

/** What the host knows about a request. */
export interface ManagementContext extends Pick<
  RequestContext,
  "address" | "prefix" | "origin" | "httpsRequired" | "onError"
> {
  /**
   * The host's own user who makes the request, which then needs no token and no session; those that were sent are ignored. A
   * request that a page of another origin may have caused is refused with 403, unless it has a bearer token. A principal that
   * is wrong, or a function that fails or takes longer than 10 seconds, is a 500. A `Principal` such as `local` is a program
   * with access to the data itself: no limit applies.
   */
  readonly principal?: Principal | GivenPrincipal<ManagementPrincipal> | undefined;
  /**
   * Whether browsers may sign in at the origin of this request. Default: over HTTPS, and at names of the machine itself
   * such as `localhost`.
   */
  readonly signIn?: SignIn;
}

/** The management API, at `/manage/v1`. */
export interface Management {
  /** Answers a request. Never rejects and never throws. */
  fetch(request: Request, context?: ManagementContext): Eventual<Response>;
  /** True when the request's path is `/manage/v1` or below it, under `context.prefix` if that is given. */
  match(request: { readonly url: string }, context?: Pick<ManagementContext, "prefix">): boolean;
  /**
   * Returns the setup link, for the first operator. If any process created one that remains valid for five minutes, it is
   * the same. Undefined if an older version of the program created it. `expiresAt` is in milliseconds since the Unix epoch.
   */
  setupLink(): Promise<{ readonly url: string; readonly expiresAt: number } | undefined>;
  /** Reads changes by other processes, and stores when tokens were last used. */
  readonly jobs: Jobs;
  /** Ends the streams and stops the jobs. The caller closes the stores. */
  close(): Promise<void>;
}

/** The options that operations use, with their defaults. */
type Given = Pick<
  ManagementOptions,
  "addressOf" | "previews" | "setupAddress" | "clock" | "random" | "log"
>;
type WithDefaults = { readonly [Name in keyof Given]-?: Exclude<Given[Name], undefined> };

/** The services that operations use. All changes that they make have the actor of the call. */
export interface ManagementServices extends WithDefaults {
  readonly store: StoreReads;
  readonly commit: Commit;
  readonly client: LocalClient;
  readonly projects: Projects;
  /** Undefined if animals have no photos. */
  readonly photos: Photos | undefined;
  readonly photoFiles: PhotoFiles | undefined;
  readonly tokens: Tokens;
  readonly showActor: ShowActor;
  /** The newest events, for all streams. */
  readonly tail: EventTail;
  /** The places for open event streams. */
  readonly streams: Places;
  /** Counts places together with other processes. */
  readonly places: SharedPlaces | undefined;
  /** Streams end when the service stops. */
  readonly stopping: Closing;
}
