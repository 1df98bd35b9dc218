import { originOf, type Exchange, type Stations, type Target } from "../http/exchange.ts";
import { styleOf, type Style } from "../http/answer.ts";
import type { ManagementEndpoint } from "./endpoint.ts";
import type { ManagementContext, ManagementServices } from "./management.ts";
import type { RequestLimits } from "../accounts/request-limits.ts";
import { type Sessions, signInAt, type SignIn } from "./sessions.ts";
import type { TokenRing } from "../accounts/token-ring.ts";

/** The parts that answer requests of the management API. */
export interface ManagementStations extends Stations<ManagementEndpoint> {
  readonly services: ManagementServices;
  readonly tokens: TokenRing;
  /** Undefined where nobody can sign in. */
  readonly sessions: Sessions | undefined;
  /** By caller and by account. */
  readonly requests: RequestLimits;
}

/** The parameters of its path are decoded. */
export type ManagementTarget = Target<ManagementEndpoint>;

export type ManagementExchange = Exchange<ManagementStations, ManagementContext>;

/** Where the management API begins on every host that serves it. */
export const ROOT = "/manage/v1";

/** Without CORS: pages of other origins have no access. Compresses the document alone. */
export const managementStyle: Style = styleOf({
  common: {
    vary: "Authorization, Cookie, Accept, Accept-Encoding",
    "x-content-type-options": "nosniff",
  },
  compresses: false,
});

/** Whether a cookie may speak for the caller, or be given to it. */
export function signInOf(exchange: ManagementExchange): SignIn {
  return exchange.context.signIn ?? signInAt(originOf(exchange));
}
