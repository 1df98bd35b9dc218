/** A name in a message. */
export interface WireName {
  /** Letter case as sent; octets other than printable ASCII as `\DDD`. */
  readonly text: string;
  /** Offset behind the name. */
  readonly end: number;
}

const MAX_NAME_OCTETS = 255;
/** A name has at most 127 labels, each of which can follow a pointer. */
const MAX_POINTERS = 127;

/**
 * Reads the name at `at` (RFC 1035 §4.1.4); undefined if malformed. A compression pointer must point before
 * everything read so far, which guarantees termination, and their number is limited: in a message of 1,000 records, each
 * could otherwise follow thousands.
 */
export function readName(message: Uint8Array, at: number): WireName | undefined {
  const labels: string[] = [];
  let octets = 1;
  let pointers = 0;
  let position = at;
  let floor = at;
  let end: number | undefined;
  for (;;) {
    const length = message[position];
    if (length === undefined) return undefined;
    if (length === 0) return { text: labels.join("."), end: end ?? position + 1 };
    if (length >= 0xc0) {
      const low = message[position + 1];
      if (low === undefined) return undefined;
      end ??= position + 2;
      const target = (length - 0xc0) * 0x100 + low;
      if (target >= floor || ++pointers > MAX_POINTERS) return undefined;
      position = target;
      floor = target;
      continue;
    }
    octets += length + 1;
    // The label types 01 and 10 are unused (RFC 6891 §5).
    if (length > 63 || octets > MAX_NAME_OCTETS) return undefined;
    const label = message.subarray(position + 1, position + 1 + length);
    if (label.length < length) return undefined;
    labels.push(printable(label, { dots: false }));
    position += length + 1;
  }
}

/** Reads and concatenates the character-strings of a TXT record (RFC 1035 §3.3.14); undefined if malformed. */
export function readStrings(data: Uint8Array): string | undefined {
  let text = "";
  for (let at = 0; at < data.length;) {
    const length = data[at] ?? 0;
    if (at + 1 + length > data.length) return undefined;
    text += printable(data.subarray(at + 1, at + 1 + length));
    at += 1 + length;
  }
  return text;
}

/**
 * Converts octets to text: printable ASCII as it is, other octets and the backslash as `\DDD` (RFC 1035 §5.1),
 * which is lossless and safe on a terminal. Without `dots`, dots are escaped too, as required within a label.
 */
export function printable(
  octets: Uint8Array,
  { dots = true }: { readonly dots?: boolean } = {},
): string {
  let text = "";
  for (const octet of octets) {
    const plain = octet >= 0x20 && octet < 0x7f && octet !== BACKSLASH && (dots || octet !== DOT);
    text += plain ? String.fromCharCode(octet) : `\\${String(octet).padStart(3, "0")}`;
  }
  return text;
}

/** Returns a view that reads big-endian numbers. */
export function viewOf(octets: Uint8Array): DataView {
  return new DataView(octets.buffer, octets.byteOffset, octets.byteLength);
}

const DOT = 0x2e;
const BACKSLASH = 0x5c;
