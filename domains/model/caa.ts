import type { CaaRecord } from "./answer.ts";
import type { CaaLookup } from "./caa-lookup.ts";

/** For whom and how a certificate is wanted. */
export interface CaaRequest {
  /** The issuer's names for itself in CAA records; one of them is enough. None: it could not be asked for them. */
  readonly identities: readonly string[];
  /** Address of our account there; undefined as long as there is none, and then no record may ask for one. */
  readonly accountUri?: string;
  /** Methods that we could use, the preferred one first. */
  readonly methods: readonly string[];
  /** The certificate is for a wildcard. Default false. */
  readonly wildcard?: boolean;
}

export type CaaVerdict =
  /** `methods` are those of the request that the records permit, in its order. */
  | { readonly kind: "allowed"; readonly methods: readonly [string, ...string[]] }
  | {
      readonly kind: "forbidden";
      readonly reason:
        /** A record of a kind that nobody here knows says that it must be understood. */
        | "critical_tag"
        /** Nobody may issue, or only others. */
        | "other_issuer"
        /** The issuer may, but for another account of its. */
        | "other_account"
        /** The issuer may, but by none of the methods that we could use. */
        | "other_method"
        /** The records that could have allowed it cannot be read. */
        | "malformed";
    };

/** Kinds of record that a CA knows of and that say nothing about certificates for servers. */
const HARMLESS_TAGS: ReadonlySet<string> = new Set(["iodef", "issuemail", "issuevmc"]);
/** The critical flag, and the bit that many took for it: CAs heed both. */
const CRITICAL = 128 | 1;

/**
 * Whether a set of CAA records lets an issuer issue (RFC 8659 §4), with its account and by which methods
 * (RFC 8657). No records let everybody. Where CAs are stricter than the standards, so is this: an order that would be
 * refused is worse than one that was not tried.
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
  // The nearest miss is told: it is what the owner can mend with the least.
  const reason = MISSES.find((miss) => judged.some((one) => one === miss)) ?? "other_method";
  return { kind: "forbidden", reason };
}

const MISSES = ["other_account", "malformed", "other_issuer"] as const;
type Miss = (typeof MISSES)[number];

/** Those that decide; for a wildcard its own kind alone, if there is any (RFC 8659 §4.3). */
function relevantOf(records: readonly CaaRecord[], wildcard: boolean): readonly CaaRecord[] {
  const ofTag = (wanted: string) => records.filter(({ tag }) => tag === wanted);
  const wild = wildcard ? ofTag("issuewild") : [];
  return wild.length > 0 ? wild : ofTag("issue");
}

/** The methods that one value permits us, or why it does not speak for us. */
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

interface Issue {
  /** Empty when nobody is meant. */
  readonly issuer: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const METHOD = /^[a-z\d-]+$/i;
const PARAMETER_TAG = /^[a-z\d]+$/i;
/** Printable, without blanks and semicolon; a backslash stands for an octet that is not printable. */
const PARAMETER_VALUE = /^[\x21-\x3a\x3c-\x5b\x5d-\x7e]*$/;

/** `issuer; tag=value; tag=value` (RFC 8659 §4.2); undefined when it is not of that form. */
function parseIssue(value: string): Issue | undefined {
  const [issuer = "", ...rest] = value
    .replaceAll(String.raw`\009`, " ")
    .split(";")
    .map(trimBlanks);
  const parameters = new Map<string, string>();
  // A semicolon at the end with nothing after it is common, and does no harm.
  if (rest.length === 1 && rest[0] === "") return { issuer, parameters };
  for (const parameter of rest) {
    const equals = parameter.indexOf("=");
    const tag = trimBlanks(parameter.slice(0, Math.max(equals, 0)));
    const text = trimBlanks(parameter.slice(equals + 1));
    if (!PARAMETER_TAG.test(tag) || !PARAMETER_VALUE.test(text)) return undefined;
    // Twice the same leaves open which one counts.
    if (parameters.has(tag)) return undefined;
    parameters.set(tag, text);
  }
  return { issuer, parameters };
}

function trimBlanks(text: string): string {
  return text.replace(/^ +| +$/g, "");
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

/** What a look for CAA records says to an issuer that they bind; `unknown`: somebody could not be asked. */
export type CaaPermission =
  | CaaVerdict
  | { readonly kind: "unknown"; readonly silent: "dns" | "issuer" };

/** Whether an issuer may issue, as far as it and the DNS could be asked. */
export function caaPermission(caa: CaaLookup, request: CaaRequest): CaaPermission {
  switch (caa.kind) {
    case "absent":
      return evaluateCaa([], request);
    case "found": {
      const verdict = evaluateCaa(caa.records, request);
      if (verdict.kind === "allowed" || request.identities.length > 0) return verdict;
      // Any of the names that are there may be its own; a critical record stops everybody.
      return verdict.reason === "critical_tag" ? verdict : { kind: "unknown", silent: "issuer" };
    }
    case "unknown":
      return { kind: "unknown", silent: "dns" };
    default:
      return caa satisfies never;
  }
}
