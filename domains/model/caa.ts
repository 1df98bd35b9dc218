import { withoutEnd } from "../../lib/base/trimmed.ts";
import type { CaaRecord } from "./answer.ts";
import type { CaaLookup } from "./caa-lookup.ts";

/** The certificate that is wanted. */
export interface CaaRequest {
  /** The issuer's names in CAA records; one of them suffices. Empty: the issuer did not report them. */
  readonly identities: readonly string[];
  /** The address of our account. Undefined: no account yet, so records that name one cannot match. */
  readonly accountUri?: string;
  /** The validation methods that this service supports, preferred first. */
  readonly methods: readonly string[];
  /** Default false. */
  readonly wildcard?: boolean;
}

/** Whether CAA records permit a certificate (RFC 8659). */
export type CaaVerdict =
  /** The permitted methods of the request, in its order. */
  | { readonly kind: "allowed"; readonly methods: readonly [string, ...string[]] }
  | {
      readonly kind: "forbidden";
      readonly reason:
        /** A record of an unknown kind is marked critical. */
        | "critical_tag"
        /** No issuer, or only other issuers, may issue. */
        | "other_issuer"
        /** The issuer may issue, but to another account. */
        | "other_account"
        /** The issuer may issue, but with none of the methods of the request. */
        | "other_method"
        /** The records that might allow it are invalid. */
        | "malformed";
    };

/** Record kinds that CAs know and that do not concern server certificates. */
const HARMLESS_TAGS: ReadonlySet<string> = new Set(["iodef", "issuemail", "issuevmc"]);
/** The critical flag, and the bit often mistaken for it. CAs respect both. */
const CRITICAL = 128 | 1;

/**
 * Evaluates a set of CAA records for an issuer (RFC 8659 §4), with account and methods (RFC 8657). An empty set allows
 * every issuer. As strict as CAs, which exceed the standards: a refused order is worse than one that was not placed.
 */
export function evaluateCaa(records: readonly CaaRecord[], request: CaaRequest): CaaVerdict {
  const tags = records.map((record) => ({ ...record, tag: record.tag.toLowerCase() }));
  const unknownCritical = tags.some(({ tag, flags }) => !isKnown(tag) && (flags & CRITICAL) !== 0);
  if (unknownCritical) return { kind: "forbidden", reason: "critical_tag" };
  const relevant = relevantOf(tags, request.wildcard === true);
  if (relevant.length === 0) return allowed(request.methods);
  const judged = relevant.map(({ value }) => judge(value, request));
  const permitted = request.methods.filter((method) =>
    judged.some((one) => typeof one === "object" && one.includes(method)),
  );
  if (permitted.length > 0) return allowed(permitted);
  // Reports the nearest miss, which takes the owner the smallest change.
  const reason = MISSES.find((miss) => judged.some((one) => one === miss)) ?? "other_method";
  return { kind: "forbidden", reason };
}

const MISSES = ["other_account", "malformed", "other_issuer"] as const;
type Miss = (typeof MISSES)[number];

/** Returns the records that decide: for a wildcard its own kind, if there is one (RFC 8659 §4.3). */
function relevantOf(records: readonly CaaRecord[], wildcard: boolean): readonly CaaRecord[] {
  const ofTag = (wanted: string) => records.filter(({ tag }) => tag === wanted);
  const wild = wildcard ? ofTag("issuewild") : [];
  return wild.length > 0 ? wild : ofTag("issue");
}

/** Returns the methods that a value permits, or why it does not apply. */
function judge(
  value: string,
  { identities, accountUri, methods }: CaaRequest,
): readonly string[] | Miss {
  const parsed = parseIssue(value);
  if (parsed === undefined) return "malformed";
  const { issuer, parameters } = parsed;
  if (!identities.includes(issuer)) return "other_issuer";
  const account = parameters.get("accounturi");
  if (account !== undefined && account !== accountUri) return "other_account";
  const listed = parameters.get("validationmethods");
  if (listed === undefined) return methods;
  const permitted = listed.split(",");
  if (!permitted.every((method) => METHOD.test(method))) return "malformed";
  return methods.filter((method) => permitted.includes(method));
}

/** The value of an `issue` record. */
export interface Issue {
  /** Empty: no issuer. */
  readonly issuer: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const METHOD = /^[a-z\d-]+$/i;
const PARAMETER_TAG = /^[a-z\d]+$/i;
/** Printable ASCII without spaces and semicolons. A backslash would encode an unprintable octet. */
const PARAMETER_VALUE = /^[\x21-\x3a\x3c-\x5b\x5d-\x7e]*$/;

/** Parses `issuer; tag=value; tag=value` (RFC 8659 §4.2). Undefined: invalid. */
export function parseIssue(value: string): Issue | undefined {
  const [issuer = "", ...rest] = value
    .replaceAll(String.raw`\009`, " ")
    .split(";")
    .map(trimBlanks);
  const parameters = new Map<string, string>();
  // A trailing semicolon is common and harmless.
  if (rest.length === 1 && rest[0] === "") return { issuer, parameters };
  for (const parameter of rest) {
    const equals = parameter.indexOf("=");
    const tag = trimBlanks(parameter.slice(0, Math.max(equals, 0)));
    const text = trimBlanks(parameter.slice(equals + 1));
    if (!PARAMETER_TAG.test(tag) || !PARAMETER_VALUE.test(text)) return undefined;
    // A duplicate is ambiguous.
    if (parameters.has(tag)) return undefined;
    parameters.set(tag, text);
  }
  return { issuer, parameters };
}

function trimBlanks(text: string): string {
  return withoutEnd(text.replace(/^ +/, ""), " ");
}

function isKnown(tag: string): boolean {
  return tag === "issue" || tag === "issuewild" || HARMLESS_TAGS.has(tag);
}

function allowed(methods: readonly string[]): CaaVerdict {
  const [first, ...rest] = methods;
  return first === undefined
    ? { kind: "forbidden", reason: "other_method" }
    : { kind: "allowed", methods: [first, ...rest] };
}

/** What CAA records say to an issuer that they bind. `unknown`: the DNS or the issuer did not answer. */
export type CaaPermission =
  | CaaVerdict
  | { readonly kind: "unknown"; readonly silent: "dns" | "issuer" };

/** Decides whether an issuer may issue, as far as the DNS and the issuer answered. */
export function caaPermission(caa: CaaLookup, request: CaaRequest): CaaPermission {
  switch (caa.kind) {
    case "absent":
      return evaluateCaa([], request);
    case "found": {
      const verdict = evaluateCaa(caa.records, request);
      if (verdict.kind === "allowed" || request.identities.length > 0) return verdict;
      // One of the names may be the issuer's. A critical record stops every issuer.
      return verdict.reason === "critical_tag" ? verdict : { kind: "unknown", silent: "issuer" };
    }
    case "unknown":
      return { kind: "unknown", silent: "dns" };
    default:
      return caa satisfies never;
  }
}
