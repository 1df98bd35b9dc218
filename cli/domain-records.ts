import type { DomainRecordView } from "../lib/management/index.ts";

const stateWords: Readonly<Record<DomainRecordView["state"], string>> = {
  unchecked: "not looked at yet",
  found: "found",
  missing: "not there yet",
  wrong: "something else is there",
  propagating: "there, but not for everybody yet",
  unknown: "could not be asked",
};

/** Records to enter, a block each: a value must stand in a line of its own to be copied. */
export function recordLines(records: readonly DomainRecordView[]): readonly string[] {
  return records.flatMap((record, index) => [...(index === 0 ? [] : [""]), ...block(record)]);
}

function block({
  purpose,
  required,
  typeText,
  name,
  fqdn,
  value,
  ttl,
  state,
  found,
}: DomainRecordView): readonly string[] {
  const what = purpose === "ownership" ? "proves that the domain is yours" : "brings visitors here";
  const other = found.filter((one) => state === "wrong" && one.value !== value);
  const seen = [...new Set(other.map((one) => `${one.type} ${one.value}`))].slice(0, 3);
  return [
    `  Type   ${typeText}`,
    `  Name   ${name}${name === "@" ? "   (the domain itself)" : `   (in full: ${fqdn})`}`,
    `  Value  ${value}`,
    `  TTL    ${ttl}`,
    `  ${state === "found" ? "✓" : "•"} ${stateWords[state]}${seen.length === 0 ? "" : `: ${seen.join(", ")}`}; it ${what}${required ? "" : "; one of these is enough"}`,
  ];
}
