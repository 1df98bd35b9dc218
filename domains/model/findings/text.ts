import type { Explanation, UnknownReason } from "../answer.ts";
import type { Difference, WantedRecord } from "../finding-facts.ts";
import { providerFacts, type Provider } from "../provider.ts";

/** Most items shown in a sentence; values from other servers can be numerous. */
const MAX_LISTED = 4;
/** Most texts stored as data. */
const MAX_KEPT = 20;
/** Record types that direct visitors to a server. */
const LEADING: ReadonlySet<WantedRecord["type"]> = new Set(["CNAME", "ALIAS", "A", "AAAA"]);
/** Longest text of another server that is shown, in characters. */
const MAX_QUOTED = 120;
/** Recommended TTL in seconds. */
export const RECORD_TTL_SECONDS = 3_600;

/** Formats a list: `a`, `a and b`, `a, b and 3 more`. */
export function listed(items: readonly string[], conjunction: "and" | "or" = "and"): string {
  const shown = items.length <= MAX_LISTED ? items : items.slice(0, MAX_LISTED - 1);
  const parts = shown.map(clipped);
  if (items.length > shown.length) parts.push(`${items.length - shown.length} more`);
  const last = parts.pop() ?? "";
  return parts.length === 0 ? last : `${parts.join(", ")} ${conjunction} ${last}`;
}

export function clipped(text: string): string {
  return text.length <= MAX_QUOTED ? text : `${text.slice(0, MAX_QUOTED)}…`;
}

/** Returns the first few texts, clipped, to be stored as data. */
export function firstFew(texts: readonly string[]): readonly string[] {
  return texts.slice(0, MAX_KEPT).map(clipped);
}

/**
 * Formats a duration: `45 seconds`, `10 minutes`, `2 hours`; rounded up, in the largest unit that leaves at least
 * two.
 */
export function duration(seconds: number): string {
  if (seconds < 120) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  if (seconds < 2 * 3_600) return `${Math.ceil(seconds / 60)} minutes`;
  return `${Math.ceil(seconds / 3_600)} hours`;
}

/** Describes how to add a record, in the provider's terms if it is known: `At Namecheap, add a CNAME record: …`. */
export function adding(wanted: WantedRecord): string {
  return `${atProvider(wanted)}, ${addingThere(wanted)}`;
}

/** The same without naming the provider. */
export function addingThere(wanted: WantedRecord): string {
  const { also } = knownOf(wanted.provider);
  const set = also === undefined || !LEADING.has(wanted.type) ? "" : ` ${also}`;
  return `add ${article(typeAt(wanted))} record: ${fieldsOf(wanted)}.${set}${nameHint(wanted)}`;
}

/** The same for an existing record with another value. */
export function changing(wanted: WantedRecord): string {
  return `${atProvider(wanted)}, open the ${typeAt(wanted)} record ${quoted(wanted.name)} and set its ${valueOf(wanted).replace(" ", " to ")}.`;
}

/** Names the provider: `At Namecheap`, or `At the DNS provider of shelter.org`. */
export function atProvider({ provider, zone }: WantedRecord): string {
  return provider === undefined
    ? `At the DNS provider of ${zone}`
    : `At ${providerFacts(provider).name}`;
}

/** Returns the type in the provider's terms. */
export function typeAt({ type, provider }: WantedRecord): string {
  if (type !== "ALIAS") return type;
  const { apexType } = knownOf(provider);
  return apexType === undefined || apexType === "none" ? "ALIAS (or ANAME)" : apexType;
}

function fieldsOf(wanted: WantedRecord): string {
  const { name, provider } = wanted;
  const { nameField = "name", apexName = "@" } = knownOf(provider);
  const typed = name === "@" ? apexName : name;
  const nameText = typed === "" ? `${nameField} left empty` : `${nameField} ${quoted(typed)}`;
  return `${nameText}, ${valueOf(wanted)}, TTL ${RECORD_TTL_SECONDS}`;
}

/** Returns the value with its field, as to be entered. */
function valueOf({ type, value, provider }: WantedRecord): string {
  const { valueField = "value", valueEndsInDot = false } = knownOf(provider);
  switch (type) {
    case "CNAME":
    case "ALIAS":
      return valueEndsInDot
        ? `${valueField} ${value}. (with the trailing dot)`
        : `${valueField} ${value}`;
    case "CAA": {
      const [flags = "", tag = "", ...rest] = value.split(" ");
      return `flags ${flags}, tag ${tag}, value ${rest.join(" ")}`;
    }
    case "A":
    case "AAAA":
    case "TXT":
      return `value ${value}`;
    default:
      return type satisfies never;
  }
}

/** Prevents the most common mistake: entering the domain as part of the name. */
function nameHint({ name, zone, provider }: WantedRecord): string {
  if (name === "@") return "";
  const { name: providerName = "", appendsZone } = knownOf(provider);
  if (appendsZone === true) {
    return ` Enter only ${quoted(name)}: ${providerName} adds .${zone} automatically.`;
  }
  return appendsZone === false
    ? ""
    : ` Most providers add .${zone} to the name automatically, so leave it out.`;
}

/** Describes why a server gave no answer, as the predicate of a sentence. */
export function unansweredText(reason: UnknownReason | "unresolved" | "unlearned"): string {
  return SILENCES[reason];
}

/** Formats a server's explanation (RFC 8914) as the end of a sentence; empty without one. */
export function explained(explanation: Explanation | undefined): string {
  if (explanation === undefined) return "";
  const { code, text } = explanation;
  return text === ""
    ? ` (extended error ${code})`
    : ` ("${clipped(text)}", extended error ${code})`;
}

export function quoted(text: string): string {
  return `"${clipped(text)}"`;
}

function knownOf(provider: WantedRecord["provider"]): Partial<Provider> {
  return provider === undefined ? {} : providerFacts(provider);
}

/** Prefixes `a` or `an`. */
export function article(noun: string): string {
  return /^A(?:AAA|LIAS|NAME)?\b/.test(noun) ? `an ${noun}` : `a ${noun}`;
}

const SILENCES: Readonly<Record<UnknownReason | "unresolved" | "unlearned", string>> = {
  timeout: "did not answer in time",
  unreachable: "could not be reached",
  servfail: "reported a failure",
  refused: "refused to answer",
  malformed: "sent an answer that cannot be read",
  lame: "does not serve the zone it is listed for",
  forbidden_address: "has an address outside the public Internet",
  cname_loop: "returned CNAME records that form a loop",
  cname_too_long: "returned too many CNAME records in a row",
  unresolved: "has no address",
  unlearned: "could not be looked up",
};

/** Returns where two texts differ, so that the interface can mark it. */
export function differenceOf(observed: string, expected: string): Difference {
  const shorter = Math.min(observed.length, expected.length);
  let start = 0;
  while (start < shorter && observed[start] === expected[start]) start++;
  let end = 0;
  while (end < shorter - start && observed.at(-1 - end) === expected.at(-1 - end)) end++;
  return {
    start: expected.slice(0, start),
    observed: observed.slice(start, observed.length - end),
    expected: expected.slice(start, expected.length - end),
    end: expected.slice(expected.length - end),
  };
}
