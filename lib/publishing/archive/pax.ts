/** What a pax extended header says, as far as it matters here (POSIX.1-2017, pax, "Extended Header"). */
export interface PaxHeader {
  readonly path?: Uint8Array;
  readonly size?: number;
  /** The content that follows is not the file's, but a map of its holes besides. */
  readonly sparse: boolean;
}

const SPACE = 0x20;
const EQUALS = 0x3d;
const NEWLINE = 0x0a;

/** Undefined when the records are not well-formed. Of a name that appears twice, the last counts. */
export function readPax(content: Uint8Array): PaxHeader | undefined {
  let header: PaxHeader = { sparse: false };
  let at = 0;
  while (at < content.length) {
    const space = content.indexOf(SPACE, at);
    const length = space === -1 ? undefined : decimal(content.subarray(at, space));
    if (length === undefined || at + length > content.length) return undefined;
    const equals = content.indexOf(EQUALS, space);
    const end = at + length - 1;
    if (equals === -1 || equals > end || content[end] !== NEWLINE) return undefined;
    const name = new TextDecoder().decode(content.subarray(space + 1, equals));
    const value = content.subarray(equals + 1, end);
    at += length;
    if (name === "path") header = { ...header, path: value };
    if (name.startsWith("GNU.sparse.")) header = { ...header, sparse: true };
    if (name === "size") {
      const size = decimal(value);
      if (size === undefined) return undefined;
      header = { ...header, size };
    }
  }
  return header;
}

/** At most 15 digits: exact, and more than anything here may have. */
function decimal(digits: Uint8Array): number | undefined {
  if (digits.length === 0 || digits.length > 15) return undefined;
  let value = 0;
  for (const digit of digits) {
    if (digit < 0x30 || digit > 0x39) return undefined;
    value = value * 10 + digit - 0x30;
  }
  return value;
}
