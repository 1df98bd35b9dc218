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
export function recordLines(
  records: readonly DomainRecordView[],
  { states = true }: { readonly states?: boolean } = {},
): readonly string[] {
  return records.flatMap((record, index) => [
    ...(index === 0 ? [] : [""]),
    ...fieldLines(record),
    ...(states ? [stateLine(record)] : []),
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

function stateLine({ purpose, required, value, state, found }: DomainRecordView): string {
  const what = purpose === "ownership" ? "proves that the domain is yours" : "brings visitors here";
  const other = found.filter((one) => state === "wrong" && one.value !== value);
  const seen = [...new Set(other.map((one) => `${one.type} ${one.value}`))].slice(0, 3);
  const sign = state === "found" ? "✓" : "•";
  const instead = seen.length === 0 ? "" : `: ${seen.join(", ")}`;
  const enough = required ? "" : "; one of these is enough";
  return `  ${sign} ${stateWords[state]}${instead}; it ${what}${enough}`;
}
