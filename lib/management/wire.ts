import { isoTime, readTime } from "../base/clock.ts";

/** Members that hold instants: RFC 3339 on the wire, milliseconds since the Unix epoch in the code. */
const INSTANT = /(?:^at|^eta|^until|^notBefore|^notAfter|At|Until)$/;

/** A value as the management API sends it. Arrays and objects are copied, nothing is written into them. */
export function toWire(value: unknown): unknown {
  return converted(value, (member) => (typeof member === "number" ? isoTime(member) : member));
}

/** What `toWire` made, as the code knows it. A text that names no instant stays as it is. */
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
