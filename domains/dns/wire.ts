/** A name as it stands in a message. */
export interface WireName {
  /** As it was sent, upper and lower case kept; octets that are no part of plain text as `\DDD`. */
  readonly text: string;
  /** Where the message goes on after it. */
  readonly end: number;
}

const MAX_NAME_OCTETS = 255;

/**
 * The name at `at` (RFC 1035 §4.1.4); undefined when it is broken. A pointer must lead backwards to where
 * no name of this chain has been, so that reading ends whatever the message says.
 */
export function readName(message: Uint8Array, at: number): WireName | undefined {
  const labels: string[] = [];
  let octets = 1;
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
      if (target >= floor) return undefined;
      position = target;
      floor = target;
      continue;
    }
    octets += length + 1;
    // 01 and 10 at the head of a length are kept for what never came (RFC 6891 §5).
    if (length > 63 || octets > MAX_NAME_OCTETS) return undefined;
    const label = message.subarray(position + 1, position + 1 + length);
    if (label.length < length) return undefined;
    labels.push(printable(label, { dots: false }));
    position += length + 1;
  }
}

/** The character-strings of a TXT record one after the other (RFC 1035 §3.3.14); undefined when they overrun it. */
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
 * Octets as text: printable ASCII as it is, the rest and the backslash as `\DDD` (RFC 1035 §5.1). Nothing is
 * lost and nothing can act on a terminal. Without `dots` a dot is written so too, for in a label it parts nothing.
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

/** For the numbers in a message, which are all written with the highest octet first. */
export function viewOf(octets: Uint8Array): DataView {
  return new DataView(octets.buffer, octets.byteOffset, octets.byteLength);
}

const DOT = 0x2e;
const BACKSLASH = 0x5c;
