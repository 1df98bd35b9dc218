import { isoTime, readTime } from "../base/clock.ts";

/** Names of members with instants: RFC 3339 in JSON, milliseconds since the Unix epoch in the code. */
const INSTANT = /(?:^at|^eta|^until|^notBefore|^notAfter|At|Until)$/;

/** Returns a copy of a value in the form that the management API sends. */
export function toWire(value: unknown): unknown {
  return converted(value, (member) => (typeof member === "number" ? isoTime(member) : member));
}

/** Reverses `toWire`. Texts that are not instants stay unchanged. */
export function fromWire(value: unknown): unknown {
  return converted(value, (member) =>
    typeof member === "string" ? (readTime(member) ?? member) : member,
  );
}

function converted(value: unknown, instant: (member: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => converted(item, instant));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      INSTANT.test(name) ? instant(member) : converted(member, instant),
    ]),
  );
}
