import type { Wanted } from "../http/accept.ts";
import type { BodyReader } from "../http/body.ts";
import { pathStartOf } from "../http/exchange.ts";
import type { FindRoute } from "../http/match.ts";
import type { Buckets } from "../accounts/buckets.ts";
import type { Standing } from "../model/window.ts";
import type { ManagementEndpoint } from "./endpoint.ts";
import type { ManagementContext, ManagementServices } from "./management.ts";
import type { RequestLimits } from "../accounts/request-limits.ts";
import { type Sessions, signInAt, type SignIn } from "./sessions.ts";
import type { TokenRing } from "../accounts/token-ring.ts";

/** Everything that the way of a request leads past. */
export interface Stations {
  readonly services: ManagementServices;
  readonly findRoute: FindRoute<ManagementEndpoint>;
  /** The OpenAPI document: made once, when somebody asks, for anybody may ask as often as they like. */
  readonly document: () => ManagementDocument;
  readonly tokens: TokenRing;
  /** Undefined where nobody can sign in. */
  readonly sessions: Sessions | undefined;
  /** By caller and by account. */
  readonly requests: RequestLimits;
  /** Failed authentication, by address. */
  readonly addresses: Buckets;
  readonly bodies: BodyReader;
  readonly requestId: (sent: string | null, now: number) => string;
}

/** A text of JSON, and the tag of it. */
export interface ManagementDocument {
  readonly body: string;
  readonly etag: string;
  /** The body once more, for one so large that a copy for each request would be dear. */
  readonly blob?: Blob;
}

/** A request on its way, and what is known of it so far. */
export interface Exchange {
  readonly stations: Stations;
  readonly request: Request;
  readonly context: ManagementContext;
  readonly now: number;
  readonly requestId: string;
  readonly wanted: Wanted;
  endpoint: ManagementEndpoint | undefined;
  /** What the headers tell; undefined until the caller is known: the address's numbers then. */
  verdict: Standing | undefined;
}

/** Which operation a request is for, and on what. */
export interface Target<Endpoint extends ManagementEndpoint = ManagementEndpoint> {
  readonly endpoint: Endpoint;
  /** Of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** After the question mark. */
  readonly search: string;
}

/** `https://pets.example.org`: where the caller reached us. Empty where it named no host. */
export function originOf({ request: { url }, context }: Exchange): string {
  return context.origin ?? url.slice(0, pathStartOf(url));
}

/** Whether a cookie may speak for the caller, or be given to it. */
export function signInOf(exchange: Exchange): SignIn {
  return exchange.context.signIn ?? signInAt(originOf(exchange));
}

/** Where the management API begins on every host that serves it. */
export const ROOT = "/manage/v1";
