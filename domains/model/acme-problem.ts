import { readTime } from "../../lib/base/clock.ts";
import { withoutEnd } from "../../lib/base/trimmed.ts";

/** A CA's error document (RFC 8555 §6.7, RFC 9457), as far as it could be read. */
export interface ProblemDocument {
  /**
   * The last part of the type: `rateLimited` of `urn:ietf:params:acme:error:rateLimited`. Other types are unchanged.
   */
  readonly type?: string;
  readonly detail?: string;
  /** A page for people where the CA requires an action (RFC 8555 §7.3.3). */
  readonly instance?: string;
  readonly subproblems?: readonly (ProblemDocument & { readonly name?: string })[];
}

/** What a CA refused, classified by the remedy. Add codes, never rename them. */
export type AuthorityProblemCode = keyof typeof remedies;

/** An error of a CA, or of the way to it. Instants are in milliseconds since the Unix epoch. */
export interface AuthorityProblem {
  readonly code: AuthorityProblemCode;
  /**
   * The CA's message without control characters, at most `MAX_WORDS` long. It may quote the answer of an unknown
   * server: treat it as text, never as markup.
   */
  readonly message: string;
  /** The CA's type, such as `unauthorized` (RFC 8555 §6.7). Absent: none. */
  readonly type?: string;
  /** HTTP status. Absent: not an HTTP response, or part of an order or a challenge. */
  readonly status?: number;
  /** Earliest retry, as named by the CA. */
  readonly retryAt?: number;
  /**
   * The message is for the operator alone, as it says how a connection failed: it may contain addresses of the operator's
   * network. Default: false.
   */
  readonly operatorOnly?: boolean;
  /**
   * Where the operator, whose account it is, can resolve it: Let's Encrypt's page to unpause, or new terms. Always https.
   */
  readonly helpUrl?: string;
  /** The problems of single names, at most `MAX_SUBPROBLEMS`. Empty: the CA named none. */
  readonly names: readonly NameProblem[];
}

/** The problem of one name in an order (RFC 8555 §6.7.1). */
export interface NameProblem {
  readonly name: string;
  readonly code: AuthorityProblemCode;
  readonly message: string;
  readonly type?: string;
}

/**
 * Who can resolve a problem, and how: the `owner` changes DNS or the web server, the `operator` an option of this
 * service; `wait`: the same step may succeed later; `renew_account`: create or find the account again; `restart`: start
 * a new order; `relax`: repeat without the refused wish; `none`: a defect in this program.
 */
export type Remedy = "owner" | "operator" | "wait" | "renew_account" | "restart" | "relax" | "none";

const remedies = {
  /** The CA found no address for the name, or its resolver failed. */
  dns: "owner",
  /** The CA could not connect to the address. */
  connection: "owner",
  /** The TLS handshake failed (tls-alpn-01). */
  tls: "owner",
  /** Another server answered, or the proof failed in another way. */
  wrong_answer: "owner",
  caa: "owner",
  /** The CA does not issue for this name. */
  name_refused: "owner",
  /** Paused after too many failures, until a person resolves it; see `helpUrl`. */
  paused: "owner",
  rate_limited: "wait",
  /** The CA is unreachable, broken or busy, or its answer is invalid. */
  unavailable: "wait",
  /** The CA does not know the account. */
  account_unknown: "renew_account",
  /** The account was deactivated by us, by the CA or by anyone with its key. A new one is needed. */
  account_deactivated: "operator",
  /** The CA knows the account but does not serve it. */
  account_refused: "operator",
  /** The CA rejects the account key or certificate key, or another account uses it. */
  key_refused: "operator",
  external_account_required: "operator",
  /** The terms have changed; see `helpUrl`. */
  terms_changed: "operator",
  contact_refused: "operator",
  /** The order or the authorization no longer exists. */
  order_gone: "restart",
  order_not_ready: "restart",
  /** The profile does not exist (any more). */
  profile_refused: "relax",
  /** The certificate to replace was already replaced, or is not ours (RFC 9773 §7.4). */
  replaces_refused: "relax",
  already_revoked: "none",
  csr_refused: "none",
  /** The CA issued a certificate that must not be served. */
  certificate_unusable: "none",
  bad_request: "none",
} as const satisfies Readonly<Record<string, Remedy>>;

export function remedyOf(code: AuthorityProblemCode): Remedy {
  return remedies[code];
}

/** Most problems of single names that are stored. */
export const MAX_SUBPROBLEMS = 100;

/**
 * Classifies a CA's response to a request. `retryAt` comes from the header, on our clock. Instants in the message are
 * in the CA's time, which is `aheadMs` ahead.
 */
export function requestProblem(
  document: ProblemDocument,
  status: number,
  retryAt?: number,
  aheadMs = 0,
): AuthorityProblem {
  const detail = document.detail ?? "";
  const help = helpIn(document);
  const code = requestCode(document, status, help);
  const inWords = code === "rate_limited" ? retryInstantIn(detail) : undefined;
  const until = retryAt ?? (inWords === undefined ? undefined : inWords - aheadMs);
  return {
    ...toProblem(document, code, "request", `The CA answered with HTTP ${status}.`),
    status,
    ...(until !== undefined && { retryAt: until }),
    ...(help.url !== undefined && { helpUrl: help.url }),
  };
}

/** Classifies why a CA gave up a challenge or an order. */
export function validationProblem(document: ProblemDocument): AuthorityProblem {
  const code = codeIn(document, "validation") ?? "wrong_answer";
  const help = helpIn(document);
  return {
    ...toProblem(document, code, "validation", "The CA did not say why."),
    ...(help.url !== undefined && { helpUrl: help.url }),
  };
}

/** Creates a problem that the CA did not report. */
export function ownProblem(code: AuthorityProblemCode, message: string): AuthorityProblem {
  return { code, message: cleanText(message), names: [] };
}

/** `unauthorized` concerns the account in a response to a request, and the web server in a validation. */
type Context = "request" | "validation";

const CODES: Readonly<Record<string, AuthorityProblemCode>> = {
  accountDoesNotExist: "account_unknown",
  alreadyReplaced: "replaces_refused",
  alreadyRevoked: "already_revoked",
  badCSR: "csr_refused",
  badNonce: "unavailable",
  badPublicKey: "key_refused",
  badSignatureAlgorithm: "key_refused",
  caa: "caa",
  connection: "connection",
  dns: "dns",
  externalAccountRequired: "external_account_required",
  incorrectResponse: "wrong_answer",
  invalidContact: "contact_refused",
  invalidProfile: "profile_refused",
  orderNotReady: "order_not_ready",
  rateLimited: "rate_limited",
  rejectedIdentifier: "name_refused",
  serverInternal: "unavailable",
  tls: "tls",
  unsupportedContact: "contact_refused",
  unsupportedIdentifier: "name_refused",
  userActionRequired: "terms_changed",
};

function requestCode(
  document: ProblemDocument,
  status: number,
  help: HelpLink,
): AuthorityProblemCode {
  // Whatever the type says, a server error is temporary.
  if (status >= 500) return "unavailable";
  if (help.paused) return "paused";
  return codeIn(document, "request") ?? codeOfStatus(status);
}

/** Maps the type to a code. A compound problem counts as its first part (RFC 8555 §6.7.1). Undefined: unknown type. */
function codeIn(document: ProblemDocument, context: Context): AuthorityProblemCode | undefined {
  const { type = "", subproblems = [] } = document;
  if (context === "request" && saysAccountClosed(document)) return "account_deactivated";
  if (type === "unauthorized") return context === "request" ? "account_refused" : "wrong_answer";
  const [first] = subproblems;
  if (type === "compound" && first !== undefined) return codeIn(first, context);
  return Object.hasOwn(CODES, type) ? CODES[type] : undefined;
}

/**
 * A deactivated account has no type of its own (RFC 8555 §7.3.6). Boulder, Pebble and step-ca say it in the message.
 */
function saysAccountClosed({ type = "", detail = "" }: ProblemDocument): boolean {
  const about = type === "unauthorized" || type === "accountDoesNotExist";
  const at = about ? detail.search(/\baccount\b/i) : -1;
  return at !== -1 && /\b(?:deactivated|revoked|not valid|not active)\b/i.test(detail.slice(at));
}

function codeOfStatus(status: number): AuthorityProblemCode {
  switch (status) {
    case 401:
    case 403:
      return "account_refused";
    case 404:
    case 410:
      return "order_gone";
    case 429:
      return "rate_limited";
    default:
      return "bad_request";
  }
}

function toProblem(
  document: ProblemDocument,
  code: AuthorityProblemCode,
  context: Context,
  otherwise: string,
): AuthorityProblem {
  const { type, detail = "", subproblems = [] } = document;
  const names = subproblems.slice(0, MAX_SUBPROBLEMS).map((part): NameProblem => ({
    name: cleanText(part.name ?? ""),
    code: codeIn(part, context) ?? code,
    message: cleanText(part.detail ?? ""),
    ...(part.type !== undefined && { type: cleanText(part.type) }),
  }));
  return {
    code,
    message: cleanText(detail) || otherwise,
    ...(type !== undefined && { type: cleanText(type) }),
    names,
  };
}

/** Creates a problem of the way to the CA, whose message may contain addresses of the operator's network. */
export function connectionProblem(message: string): AuthorityProblem {
  return { ...ownProblem("unavailable", message), operatorOnly: true };
}

/** Returns a problem's message as owners of domains may read it: without the operator's links and network. */
export function messageForOwners({ message, operatorOnly, helpUrl }: AuthorityProblem): string {
  if (operatorOnly === true) return NOT_REACHED;
  if (helpUrl === undefined) return message;
  return message.replaceAll(/https?:\/\/\S+/g, "(link for the operator of this service)");
}

/** What owners read when a CA does not answer. */
export const NOT_REACHED = "The certificate authority could not be reached.";

/** Longest CA message that is stored, in characters. */
export const MAX_TEXT = 1_000;

/** Returns `text` as one line of bounded length, without control, format and other invisible characters. */
export function cleanText(text: string): string {
  // Cut before, so that a megabyte is not searched, and after.
  const clean = text
    .slice(0, MAX_TEXT * 4)
    .replaceAll(/[\p{C}\p{Z}]+/gu, " ")
    .trim();
  return clean.length <= MAX_TEXT ? clean : `${clean.slice(0, MAX_TEXT - 1).trimEnd()}…`;
}

/** Where a CA directs people. */
interface HelpLink {
  /** The names are paused until a person opens `url`. */
  readonly paused: boolean;
  readonly url?: string;
}

const MAX_URL = 2_048;

/** Returns the page that a problem directs people to: its `instance`, else Let's Encrypt's link to unpause. */
function helpIn({
  detail = "",
  instance,
}: {
  readonly detail?: string;
  readonly instance?: string;
}): HelpLink {
  const [found = ""] =
    /https:\/\/[\w.-]+\/[\w./-]*unpause\b[\w.~:/?#[\]@!$&'()*+,;=%-]*/.exec(detail) ?? [];
  const link = withoutEnd(found, ".,)");
  if (link !== "" && link.length <= MAX_URL) return { paused: true, url: link };
  const given = instance ?? "";
  if (!given.startsWith("https://") || given.length > MAX_URL || !URL.canParse(given)) {
    return { paused: false };
  }
  return { paused: false, url: new URL(given).href };
}

/** Returns the instant in Let's Encrypt's `retry after 2026-11-21 14:05:00 UTC`, for responses without the header. */
export function retryInstantIn(detail: string): number | undefined {
  const [, date, time] = /retry after (\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)/i.exec(detail) ?? [];
  return date === undefined || time === undefined ? undefined : readTime(`${date}T${time}Z`);
}
