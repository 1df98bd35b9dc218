import type { BodyReader } from "../http/body.ts";
import { originOf, type Exchange, type Stations, type Target } from "../http/exchange.ts";
import { styleOf, type Style } from "../http/answer.ts";
import type { Actor } from "../model/actor.ts";
import type { ManagementEndpoint } from "./endpoint.ts";
import type { ManagementContext, ManagementServices } from "./management.ts";
import type { RequestLimits } from "../accounts/request-limits.ts";
import { type Sessions, signInAt, type SignIn } from "./sessions.ts";
import type { Principal } from "../accounts/principal.ts";
import type { TokenRing } from "../accounts/token-ring.ts";

/** The services that the management API uses to answer requests. */
export interface ManagementStations extends Stations<ManagementEndpoint> {
  /** Returns the services for a caller, whose changes have this actor. */
  readonly servicesFor: (actor: Actor) => ManagementServices;
  readonly bodies: BodyReader;
  readonly tokens: TokenRing;
  /** Undefined if members cannot sign in. */
  readonly sessions: Sessions | undefined;
  /** Returns the user of the host who makes a request; undefined if no user is signed in. Rejects if anything is wrong. */
  readonly userOf: (context: ManagementContext) => Promise<Principal | undefined>;
  /** The origins whose pages may send requests of users. */
  readonly trustedOrigins: readonly string[];
  /** The limits by caller and by account. */
  readonly requests: RequestLimits;
}

/** The operation that a request calls. The parameters of its path are decoded. */
export type ManagementTarget = Target<ManagementEndpoint>;

export type ManagementExchange = Exchange<ManagementStations, ManagementContext>;

/** The path of the management API on every host that serves it. */
export const ROOT = "/manage/v1";

/** Sends no CORS headers, so pages of other origins have no access. Compresses only the document. */
export const managementStyle: Style = styleOf({
  common: {
    vary: "Authorization, Cookie, Accept, Accept-Encoding",
    "x-content-type-options": "nosniff",
  },
  compresses: false,
});

/** Returns whether the request may use or receive a session's cookie. */
export function signInOf(exchange: ManagementExchange): SignIn {
  return exchange.context.signIn ?? signInAt(originOf(exchange));
}
