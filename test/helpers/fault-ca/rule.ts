/** What a request to an ACME server is for. */
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

/** A request as it arrived. */
export interface SeenRequest {
  readonly method: string;
  readonly resource: Resource;
  readonly path: string;
  readonly userAgent: string;
  /** Of a signed one. */
  readonly nonce?: string;
  /** Of a signed one; undefined if it only reads. */
  readonly payload?: Readonly<Record<string, unknown>>;
}

/** An answer on its way back. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What happens instead of, or to, the answer. */
export type Action =
  /** The CA never sees the request. It gets a fresh nonce, as from a CA, unless it says otherwise. */
  | { readonly do: "reply"; readonly reply: Partial<Reply>; readonly nonce?: boolean }
  /** Nothing more comes: no answer at all, or half of its body. */
  | { readonly do: "hang"; readonly in: "headers" | "body" }
  /** The connection breaks; the CA saw the request, or did not. */
  | { readonly do: "reset"; readonly when: "before" | "after" }
  /** The connection breaks after so many bytes of the body. */
  | { readonly do: "drop-after"; readonly bytes: number }
  /** The answer waits. */
  | { readonly do: "delay"; readonly until: Promise<unknown> }
  /** The answer is another one than the CA's. */
  | { readonly do: "corrupt"; readonly change: (reply: Reply) => Reply };

export interface Rule {
  readonly match: Resource | ((request: SeenRequest) => boolean);
  /** How often it applies, the first times that it matches; default: once. */
  readonly times?: number;
  readonly action: Action;
}

type ReplyAction = Extract<Action, { readonly do: "reply" }>;

/** Returns an answer that brings no nonce for the next request. */
export function withoutNonce(action: ReplyAction): ReplyAction {
  return { ...action, nonce: false };
}

/** Returns a problem document (RFC 8555 §6.7) as an answer. */
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

/** Returns the CA's answer with other members. */
export function withMembers(members: Readonly<Record<string, unknown>>): Action {
  return {
    do: "corrupt",
    change: (reply) => ({
      ...reply,
      body: JSON.stringify({ ...JSON.parse(reply.body), ...members }),
    }),
  };
}

/** Lets `allowed` requests pass, and refuses the others as a CA does whose limit is spent. */
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
