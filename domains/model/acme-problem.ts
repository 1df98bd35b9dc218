import { readTime } from "../../lib/base/clock.ts";

/** What a CA says when something is wrong (RFC 8555 §6.7, RFC 9457), as far as it could be read. */
export interface ProblemDocument {
  /** The last part of its type: `rateLimited` of `urn:ietf:params:acme:error:rateLimited`; any other type as it is. */
  readonly type?: string;
  readonly detail?: string;
  /** An address for people, where the CA wants something done (RFC 8555 §7.3.3). */
  readonly instance?: string;
  readonly subproblems?: readonly (ProblemDocument & { readonly name?: string })[];
}

/** What a CA refused, told apart by what can be done about it. Add codes, never rename them. */
export type AuthorityProblemCode = keyof typeof remedies;

export interface AuthorityProblem {
  readonly code: AuthorityProblemCode;
  /**
   * The CA's own words, without control characters and at most `MAX_WORDS` long. It may quote what a stranger's
   * server answered: text, never markup.
   */
  readonly message: string;
  /** The CA's name for it, such as `unauthorized` (RFC 8555 §6.7); absent when it gave none. */
  readonly type?: string;
  /** HTTP status; absent when the problem is no answer, or part of an order or of a challenge. */
  readonly status?: number;
  /** Not before that instant, in the CA's own words. */
  readonly retryAt?: number;
  /** Where a person can lift it: Let's Encrypt's page to unpause, or terms to agree to. Always https. */
  readonly helpUrl?: string;
  /** What is wrong with which name, at most `MAX_SUBPROBLEMS`; empty when the CA did not say. */
  readonly names: readonly NameProblem[];
}

/** What is wrong with one name of an order (RFC 8555 §6.7.1). */
export interface NameProblem {
  readonly name: string;
  readonly code: AuthorityProblemCode;
  readonly message: string;
  readonly type?: string;
}

/**
 * Who can do something about a problem, and what: the `owner` changes DNS or the web server, the `operator` an option
 * of this service; `wait` and the same step may succeed; `renew_account` makes or finds the account again; `restart`
 * begins a new order; `relax` repeats it without the wish that was refused; `nobody` can, for it is a defect of ours.
 */
export type Remedy =
  | "owner"
  | "operator"
  | "wait"
  | "renew_account"
  | "restart"
  | "relax"
  | "nobody";

const remedies = {
  /** The CA found no address for the name, or its resolver got an error. */
  dns: "owner",
  /** It could not connect to what it found there. */
  connection: "owner",
  /** It connected and TLS failed (tls-alpn-01). */
  tls: "owner",
  /** What answered there is not us, or it failed in another way to prove control. */
  wrong_answer: "owner",
  caa: "owner",
  /** The CA does not issue for such a name. */
  name_refused: "owner",
  /** After too many failures it wants a person to say that they are over; see `helpUrl`. */
  paused: "owner",
  rate_limited: "wait",
  /** It cannot be reached, is broken or busy, or what it answers makes no sense. */
  unavailable: "wait",
  /** It does not know the account, or no longer. */
  account_unknown: "renew_account",
  /** The account was closed: by us, by the CA, or by whoever else has its key. Another one has to be made. */
  account_deactivated: "operator",
  /** It knows the account and will not serve it: not allowed to do that. */
  account_refused: "operator",
  /** It takes no account key, or certificate key, like this one; also the key of another account. */
  key_refused: "operator",
  external_account_required: "operator",
  /** Terms have changed; see `helpUrl`. */
  terms_changed: "operator",
  contact_refused: "operator",
  /** The order, or the authorization, is not there any more. */
  order_gone: "restart",
  order_not_ready: "restart",
  /** There is no certificate of that profile (any more). */
  profile_refused: "relax",
  /** The certificate to be replaced has been, or is not ours to replace (RFC 9773 §7.4). */
  replaces_refused: "relax",
  already_revoked: "nobody",
  csr_refused: "nobody",
  /** It made a certificate that must not be served. */
  certificate_unusable: "nobody",
  bad_request: "nobody",
} as const satisfies Readonly<Record<string, Remedy>>;

export function remedyOf(code: AuthorityProblemCode): Remedy {
  return remedies[code];
}

/** So many problems of single names are kept of one answer. */
export const MAX_SUBPROBLEMS = 100;

/**
 * What an answer of a CA to a request means. `retryAt` is what its header said, on our clock; instants in its words are
 * read in its own time, which is `aheadMs` ahead.
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
  const inWords = code === "rate_limited" ? toldInstant(detail) : undefined;
  const until = retryAt ?? (inWords === undefined ? undefined : inWords - aheadMs);
  return {
    ...told(document, code, "request", `The CA answered with HTTP ${status}.`),
    status,
    ...(until !== undefined && { retryAt: until }),
    ...(help.url !== undefined && { helpUrl: help.url }),
  };
}

/** What made a CA give up a challenge or an order. */
export function validationProblem(document: ProblemDocument): AuthorityProblem {
  const code = codeIn(document, "validation") ?? "wrong_answer";
  const help = helpIn(document);
  return {
    ...told(document, code, "validation", "The CA did not say why."),
    ...(help.url !== undefined && { helpUrl: help.url }),
  };
}

/** A problem that the CA had no part in, or did not put into words. */
export function ownProblem(code: AuthorityProblemCode, message: string): AuthorityProblem {
  return { code, message: words(message), names: [] };
}

/** `unauthorized` is about the account in an answer to a request, and about the web server in a validation. */
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
  help: HelpfulWords,
): AuthorityProblemCode {
  // Of a type that would blame somebody, but busy is busy.
  if (status >= 500) return "unavailable";
  if (help.paused) return "paused";
  return codeIn(document, "request") ?? codeOfStatus(status);
}

/** By its type; a compound problem is what its first part is (RFC 8555 §6.7.1). Undefined: the type says nothing. */
function codeIn(document: ProblemDocument, context: Context): AuthorityProblemCode | undefined {
  const { type = "", subproblems = [] } = document;
  if (context === "request" && tellsOfClosedAccount(document)) return "account_deactivated";
  if (type === "unauthorized") return context === "request" ? "account_refused" : "wrong_answer";
  const [first] = subproblems;
  if (type === "compound" && first !== undefined) return codeIn(first, context);
  return Object.hasOwn(CODES, type) ? CODES[type] : undefined;
}

/** A closed account has no type of its own (RFC 8555 §7.3.6): Boulder, Pebble and step-ca put it into words. */
function tellsOfClosedAccount({ type = "", detail = "" }: ProblemDocument): boolean {
  const about = type === "unauthorized" || type === "accountDoesNotExist";
  return about && /\baccount\b.*\b(deactivated|revoked|not valid|not active)\b/is.test(detail);
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

function told(
  document: ProblemDocument,
  code: AuthorityProblemCode,
  context: Context,
  otherwise: string,
): AuthorityProblem {
  const { type, detail = "", subproblems = [] } = document;
  const names = subproblems.slice(0, MAX_SUBPROBLEMS).map((part): NameProblem => ({
    name: words(part.name ?? ""),
    code: codeIn(part, context) ?? code,
    message: words(part.detail ?? ""),
    ...(part.type !== undefined && { type: words(part.type) }),
  }));
  return {
    code,
    message: words(detail) || otherwise,
    ...(type !== undefined && { type: words(type) }),
    names,
  };
}

/** Of what a CA says, no more than so many characters are kept. */
export const MAX_WORDS = 1_000;

/** `text` as one line of bounded length, without control, format and other characters that are not seen. */
export function words(text: string): string {
  // Cut twice: before, so that a megabyte is not looked through, and after.
  const clean = text
    .slice(0, MAX_WORDS * 4)
    .replaceAll(/[\p{C}\p{Z}]+/gu, " ")
    .trim();
  return clean.length <= MAX_WORDS ? clean : `${clean.slice(0, MAX_WORDS - 1).trimEnd()}…`;
}

/** Where a CA sends people. */
interface HelpfulWords {
  /** The names are paused until somebody goes to `url`. */
  readonly paused: boolean;
  readonly url?: string;
}

const MAX_URL = 2_048;

/** The page that a problem sends people to: its `instance`, else Let's Encrypt's link to unpause. */
function helpIn({
  detail = "",
  instance,
}: {
  readonly detail?: string;
  readonly instance?: string;
}): HelpfulWords {
  const link = /https:\/\/[\w.-]+\/[\w./-]*unpause\b[\w.~:/?#[\]@!$&'()*+,;=%-]*/
    .exec(detail)?.[0]
    .replace(/[.,)]+$/, "");
  if (link !== undefined && link.length <= MAX_URL) return { paused: true, url: link };
  const given = instance ?? "";
  if (!given.startsWith("https://") || given.length > MAX_URL || !URL.canParse(given)) {
    return { paused: false };
  }
  return { paused: false, url: new URL(given).href };
}

/** The instant in Let's Encrypt's `retry after 2026-11-21 14:05:00 UTC`, for when the header is missing. */
export function toldInstant(detail: string): number | undefined {
  const [, date, time] = /retry after (\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)/i.exec(detail) ?? [];
  return date === undefined || time === undefined ? undefined : readTime(`${date}T${time}Z`);
}
