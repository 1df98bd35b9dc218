import type { DomainRecordView } from "../lib/management/index.ts";
import { wrap } from "./wrap.ts";

const WIDTH = 80;

const stateWords: Readonly<Record<DomainRecordView["state"], string>> = {
  unchecked: "not looked at yet",
  found: "found",
  missing: "not there yet",
  wrong: "something else is there",
  propagating: "there, but not for everybody yet",
  unknown: "could not be asked",
};

/** Records to enter, a block each: a value must stand in a line of its own to be copied. */
export function recordLines(
  records: readonly DomainRecordView[],
  { states = true }: { readonly states?: boolean } = {},
): readonly string[] {
  return records.flatMap((record, index) => [
    ...(index === 0 ? [] : [""]),
    ...fieldLines(record),
    ...stateLines(record, states),
  ]);
}

function fieldLines({ typeText, name, fqdn, value, ttl }: DomainRecordView): readonly string[] {
  return [
    `  Type   ${typeText}`,
    `  Name   ${name}${name === "@" ? "   (the domain itself)" : `   (in full: ${fqdn})`}`,
    `  Value  ${value}`,
    `  TTL    ${ttl}`,
  ];
}

function stateLines(record: DomainRecordView, states: boolean): readonly string[] {
  const words = [
    ...(states ? [stateWordsOf(record), purposeWords(record)] : []),
    ...choice(record),
  ];
  if (words.length === 0) return [];
  const [first = "", ...rest] = wrap(words.join("; "), WIDTH - 4);
  const sign = states && record.state === "found" ? "✓" : "•";
  return [`  ${sign} ${first}`, ...rest.map((line) => `    ${line}`)];
}

function stateWordsOf({ value, state, found }: DomainRecordView): string {
  const other = found.filter((one) => state === "wrong" && one.value !== value);
  const seen = [...new Set(other.map((one) => `${one.type} ${one.value}`))].slice(0, 3);
  return seen.length === 0 ? stateWords[state] : `${stateWords[state]}: ${seen.join(", ")}`;
}

function purposeWords({ purpose }: DomainRecordView): string {
  return purpose === "ownership" ? "it proves that the domain is yours" : "it brings visitors here";
}

/** Of an ALIAS and of addresses one is enough: which of them is the other one's stand-in. */
function choice({ required, purpose, type }: DomainRecordView): readonly string[] {
  if (required || purpose === "ownership") return [];
  return [type === "ALIAS" ? "only in place of the addresses" : "only in place of an ALIAS record"];
}
