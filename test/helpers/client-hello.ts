/** The content of a client hello. Absent members are omitted. */
export interface HelloContent {
  readonly serverName?: string;
  readonly protocols?: readonly string[];
}

/** Returns a client hello as a handshake message (RFC 8446 §4.1.2), with the server name last. */
export function clientHello({ serverName, protocols }: HelloContent): Uint8Array {
  const extensions: number[] = [];
  if (protocols !== undefined) {
    const list = protocols.flatMap((protocol) => vector(1, utf8(protocol)));
    extensions.push(0, 16, ...vector(2, vector(2, list)));
  }
  if (serverName !== undefined) {
    extensions.push(0, 0, ...vector(2, vector(2, [0, ...vector(2, utf8(serverName))])));
  }
  const random = Array.from({ length: 32 }, (_, index) => index);
  const body = [
    ...[3, 3],
    ...random,
    ...vector(1, []),
    ...vector(2, [0x13, 0x01]),
    ...vector(1, [0]),
    ...(extensions.length === 0 ? [] : vector(2, extensions)),
  ];
  return Uint8Array.of(1, ...vector(3, body));
}

/** Splits the message into records of at most `size` bytes. */
export function inRecords(message: Uint8Array, size = 16_384): Uint8Array {
  const records: number[] = [];
  for (let at = 0; at < message.length; at += size) {
    records.push(22, 3, 1, ...vector(2, [...message.subarray(at, at + size)]));
  }
  return Uint8Array.from(records);
}

function vector(size: number, bytes: readonly number[]): readonly number[] {
  const length = Array.from(
    { length: size },
    (_, index) => (bytes.length >> (8 * (size - 1 - index))) & 255,
  );
  return [...length, ...bytes];
}

function utf8(text: string): readonly number[] {
  return [...new TextEncoder().encode(text)];
}
