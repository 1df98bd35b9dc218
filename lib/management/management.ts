import type { LocalClient } from "../local-client.ts";
import type { Clock } from "../base/clock.ts";
import type { Digest } from "../base/digest.ts";
import type { Eventual } from "../base/eventual.ts";
import type { Random } from "../base/id.ts";
import type { Log } from "../base/log.ts";
import type { FetchContext } from "../http/exchange.ts";
import type { Jobs } from "../jobs.ts";
import type { Projects } from "../publishing/projects.ts";
import type { Store } from "../storage/store.ts";
import type { Principal } from "../accounts/principal.ts";
import type { Sessions, SignIn } from "./sessions.ts";
import type { Streams } from "./sse.ts";
import type { TokenStore } from "../accounts/token-store.ts";
import type { Tokens } from "../accounts/tokens.ts";

export interface ManagementOptions {
  readonly store: Store;
  /** Over the same database. */
  readonly tokenStore: TokenStore;
  /** `client` of a petstore over the same store. */
  readonly client: LocalClient;
  readonly projects: Projects;
  /** Address of a project's site by its slug. */
  readonly addressOf: (slug: string) => string;
  /** The host shows deploys that are not live, at `addressOf` of their `previewLabel`. Default false. */
  readonly previews?: boolean;
  /** Address of the page behind the setup link: `https://pets.example.org/setup`. */
  readonly setupAddress: string;
  /** At least 32 bytes, the petstore's. */
  readonly encryptionKey: Uint8Array;
  /** Those who signed in, besides those with a token. Default: nobody can. */
  readonly sessions?: Sessions;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly digest?: Digest;
  readonly log?: Log;
}

export interface ManagementContext extends Pick<
  FetchContext,
  "address" | "origin" | "httpsRequired"
> {
  /** Who calls, where the host knows it: then no token is asked for, and nothing is counted. */
  readonly principal?: Principal;
  /**
   * Whether browsers may sign in where this request came from. Default: over HTTPS, and where the caller typed a
   * name of the machine itself.
   */
  readonly signIn?: SignIn;
}

/** `/manage/v1`. Opens nothing, starts nothing. */
export interface Management {
  /** Answers a request. Never rejects and never throws. */
  fetch(request: Request, context?: ManagementContext): Eventual<Response>;
  /** Learns what other processes changed, writes when tokens were last used. */
  readonly jobs: Jobs;
  /** Ends the streams and stops the jobs. The stores stay open: they are the caller's. */
  close(): Promise<void>;
}

/** What handlers may use. */
export interface ManagementServices extends Required<
  Omit<ManagementOptions, "encryptionKey" | "digest" | "tokenStore" | "sessions">
> {
  readonly tokens: Tokens;
  /** Answers that last. */
  readonly streams: Streams;
  /** Aborted when the service stops: streams end then. */
  readonly stopping: AbortSignal;
}
