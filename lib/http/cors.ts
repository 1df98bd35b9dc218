import { aBoolean, aCount, optional, origins, type Expectation } from "../base/options.ts";
import { styleOf, type HeaderFields, type Style } from "./answer.ts";

/** The pages of other origins that may use the API, and how. */
export interface CorsOptions {
  /** Their origins, such as `https://app.example.org`, exactly as browsers send them: 1 to 100. */
  readonly origins: readonly string[];
  /** Whether they may send the cookies of the host, with which it knows its own users. Default false. */
  readonly credentials?: boolean | undefined;
  /** Names of request headers that they may send in addition to those of the API: at most 20. Default: none. */
  readonly requestHeaders?: readonly string[] | undefined;
  /** For how many seconds browsers may remember this. Default 7200. */
  readonly maxAgeSeconds?: number | undefined;
}

/** The CORS headers of an instance (Fetch, CORS protocol). */
export interface Cors {
  readonly style: Style;
  /** The style of answers to users of the host. They depend on the cookies of a login, and any page may read none of them. */
  readonly userStyle: Style;
  /** The origins whose pages may send those cookies. */
  readonly trusted: readonly string[];
  /** The headers of a response that depends on no other request header. */
  readonly alone: HeaderFields;
  /** Adds what depends on the origin of a request. Undefined if nothing does. */
  readonly allow: ((request: Request, response: Response) => void) | undefined;
}

/** Returns the CORS headers that an option stands for: `true` lets any page read, `false` leaves all of it to the host. */
export function corsOf(option: boolean | CorsOptions): Cors {
  if (option === true) return anywhere;
  if (option === false) return { ...ofHost, style: style({}), alone: {} };
  const {
    origins: listed,
    credentials = false,
    requestHeaders = [],
    maxAgeSeconds = 7_200,
  } = option;
  const allowed = new Set(listed);
  return {
    style: style(
      { vary: `${VARY}, Origin`, ...exposed },
      preflight([...REQUEST_HEADERS, ...requestHeaders], maxAgeSeconds),
    ),
    userStyle: style({ vary: `${USER_VARY}, Origin`, ...exposed }),
    trusted: credentials ? listed : [],
    alone: { vary: "Origin" },
    allow: ({ headers }, response) => {
      const origin = headers.get("origin");
      if (origin === null || !allowed.has(origin)) return;
      response.headers.set("access-control-allow-origin", origin);
      if (credentials) response.headers.set("access-control-allow-credentials", "true");
    },
  };
}

const VARY = "Authorization, Accept, Accept-Encoding";
const USER_VARY = "Authorization, Cookie, Accept, Accept-Encoding";

function style(cors: HeaderFields, asked?: (allow: string) => HeaderFields): Style {
  return styleOf({
    common: { vary: VARY, "x-content-type-options": "nosniff", ...cors },
    compresses: true,
    ...(asked && { preflight: asked }),
  });
}

/** All response headers that are documented. */
const exposed: HeaderFields = {
  "access-control-expose-headers":
    "ETag, Link, Location, Retry-After, X-Total-Count, X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, RateLimit, RateLimit-Policy, Deprecation, Sunset, Idempotent-Replayed, WWW-Authenticate, Allow",
};

const REQUEST_HEADERS: readonly string[] = [
  "Authorization, Content-Type, Accept, If-Match, If-None-Match, Idempotency-Key, X-Request-Id",
  // What browsers' libraries add without being asked: HTTP clients, caches, tracing (W3C Trace Context, Sentry).
  "X-Requested-With, Cache-Control, Pragma, traceparent, tracestate, baggage, sentry-trace",
];

function preflight(names: readonly string[], maxAgeSeconds: number) {
  return (allow: string): HeaderFields => ({
    "access-control-allow-methods": allow,
    "access-control-allow-headers": names.join(", "),
    "access-control-max-age": String(maxAgeSeconds),
  });
}

/** Lets pages of any origin read a response. */
export const everyOrigin: HeaderFields = { "access-control-allow-origin": "*" };

/** What only the host allows. */
const ofHost = { userStyle: style({ vary: USER_VARY }), trusted: [], allow: undefined } as const;

/** Pages of any origin may read: a key is needed in any case. One object for all instances, like its prepared headers. */
const anywhere: Cors = {
  ...ofHost,
  style: style({ ...everyOrigin, ...exposed }, preflight(REQUEST_HEADERS, 7_200)),
  alone: everyOrigin,
};

const MAX_HEADERS = 20;

const isFieldName = (value: unknown): boolean =>
  typeof value === "string" && /^[\w!#$%&'*+.^`|~-]{1,100}$/.test(value);

export const aCors: Expectation = {
  what: "true, false or { origins }",
  holds: (value) => typeof value === "boolean" || (typeof value === "object" && value !== null),
  members: {
    origins: origins(1),
    credentials: optional(aBoolean),
    requestHeaders: optional({
      what: `a list of at most ${MAX_HEADERS} names of headers`,
      holds: (value) =>
        Array.isArray(value) && value.length <= MAX_HEADERS && value.every(isFieldName),
    }),
    maxAgeSeconds: optional(aCount(0)),
  },
};
