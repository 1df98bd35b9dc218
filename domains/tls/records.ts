/** Bytes of a connection that were read so far: of the socket, after decryption, and in an incomplete record. */
export interface Read {
  readonly sealed: number;
  readonly plain: number;
  readonly incomplete: number;
}

/** The longest record (RFC 8446 §5.2). */
const MAX_RECORD = 5 + 16_384 + 256;
/** More than what a client sends between its hello and its first request, or what a few bytes take in a record. */
const OVERHEAD = 512;

/**
 * Estimates how many bytes of an incomplete record the runtime holds, which it does not report. If something was decrypted,
 * the records before it are complete; small ones take up to three times as many bytes as their content.
 */
export function readSince(before: Read, sealed: number, plain: number): Read {
  const [arrived, opened] = [sealed - before.sealed, plain - before.plain];
  const bytes = opened > 0 ? arrived - 4 * opened : before.incomplete + arrived;
  return { sealed, plain, incomplete: Math.max(0, Math.min(bytes, MAX_RECORD)) };
}

/** Returns the bytes of an incomplete record that count: a few may be the end of the handshake. */
export function heldIn({ incomplete }: Read): number {
  return incomplete > OVERHEAD ? incomplete : 0;
}
