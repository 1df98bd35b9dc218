import { isoTime, readTime } from "../base/clock.ts";

/**
 * Names of members with instants: RFC 3339 in JSON, milliseconds since the Unix epoch in the code. The clients have no
 * schemas, and those of event data and findings are open, so both sides go by the name. A test compares the names with
 * the members that the schemas of all operations declare as instants.
 */
const INSTANT = /(?:^at|^eta|^until|^notBefore|^notAfter|At|Until)$/;
type InstantName =
  | "at"
  | "eta"
  | "until"
  | "notBefore"
  | "notAfter"
  | `${string}At`
  | `${string}Until`;

type WireMember<Name, Value> = Name extends InstantName
  ? Value extends number
    ? string
    : Value
  : WireForm<Value>;

/** The type of a value as `toWire` returns it: instants are RFC 3339. */
export type WireForm<Value> = Value extends object
  ? { readonly [Name in keyof Value]: WireMember<Name, Value[Name]> }
  : Value;

/** Returns a value in the form that the management API sends. Parts without instants are not copied. */
export function toWire(value: unknown): unknown {
  return converted(value, (member) => (typeof member === "number" ? isoTime(member) : member));
}

/** Reverses `toWire`. Texts that are not instants stay unchanged. */
export function fromWire(value: unknown): unknown {
  return converted(value, (member) =>
    typeof member === "string" ? (readTime(member) ?? member) : member,
  );
}

/** Copies only what holds an instant: most of a large body, such as an import, is sent as it is. */
function converted(value: unknown, instant: (member: unknown) => unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  let changes: Map<string, unknown> | undefined;
  for (const [name, member] of Object.entries(value)) {
    const sent = INSTANT.test(name) ? instant(member) : converted(member, instant);
    if (sent !== member) (changes ??= new Map<string, unknown>()).set(name, sent);
  }
  if (changes === undefined) return value;
  if (Array.isArray(value)) return value.map((item, index) => changes.get(String(index)) ?? item);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      changes.has(name) ? changes.get(name) : member,
    ]),
  );
}
