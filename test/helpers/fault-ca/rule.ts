/** The purpose of a request to an ACME server. */
export type Resource =
  | "directory"
  | "newNonce"
  | "newAccount"
  | "newOrder"
  | "order"
  | "authorization"
  | "challenge"
  | "finalize"
  | "certificate"
  | "revokeCert"
  | "other";

/** A received request. */
export interface SeenRequest {
  readonly method: string;
  readonly resource: Resource;
  readonly path: string;
  readonly userAgent: string;
  /** The URL in its signature. */
  readonly nonce?: string;
  /** The signed payload; undefined for a read. */
  readonly payload?: Readonly<Record<string, unknown>>;
}

/** A response before it is forwarded. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A fault that replaces or changes the response. */
export type Action =
  /** Responds without the CA, with a fresh nonce by default. */
  | { readonly do: "reply"; readonly reply: Partial<Reply>; readonly nonce?: boolean }
  /** Stalls: no response at all, or half of its body. */
  | { readonly do: "hang"; readonly in: "headers" | "body" }
  /** Disconnects, before or after the CA saw the request. */
  | { readonly do: "reset"; readonly when: "before" | "after" }
  /** Disconnects after this many bytes of the body. */
  | { readonly do: "drop-after"; readonly bytes: number }
  /** Delays the response. */
  | { readonly do: "delay"; readonly until: Promise<unknown> }
  /** Replaces the CA's response. */
  | { readonly do: "corrupt"; readonly change: (reply: Reply) => Reply | Promise<Reply> };

export interface Rule {
  readonly match: Resource | ((request: SeenRequest) => boolean);
  /** How many matches it applies to. Default: one. */
  readonly times?: number;
  readonly action: Action;
}

type ReplyAction = Extract<Action, { readonly do: "reply" }>;

/** Returns a response without a nonce for the next request. */
export function withoutNonce(action: ReplyAction): ReplyAction {
  return { ...action, nonce: false };
}

/** Returns a response with a problem document (RFC 8555 §6.7). */
export function problemReply(
  status: number,
  type: string,
  detail = `a fault of kind ${type}`,
  more: {
    readonly headers?: Readonly<Record<string, string>>;
    readonly [member: string]: unknown;
  } = {},
): ReplyAction {
  const { headers = {}, ...members } = more;
  const document = { type: `urn:ietf:params:acme:error:${type}`, detail, status, ...members };
  return {
    do: "reply",
    reply: {
      status,
      headers: { "content-type": "application/problem+json", ...headers },
      body: JSON.stringify(document),
    },
  };
}

/** Changes members of the CA's response. */
export function withMembers(members: Readonly<Record<string, unknown>>): Action {
  return {
    do: "corrupt",
    change: (reply) => ({
      ...reply,
      body: JSON.stringify({ ...JSON.parse(reply.body), ...members }),
    }),
  };
}

/** Allows `allowed` requests and refuses the others like a rate-limited CA. */
export function rateLimit(
  resource: Resource,
  allowed: number,
  headers: Readonly<Record<string, string>> = { "retry-after": "3600" },
): Rule {
  let passed = 0;
  return {
    match: (request) => request.resource === resource && ++passed > allowed,
    times: Infinity,
    action: problemReply(429, "rateLimited", "too many of these", { headers }),
  };
}
