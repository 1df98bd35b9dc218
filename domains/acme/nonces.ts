/** Nonces that a CA gave with its answers and that were not used yet: each saves a request (RFC 8555 §6.5). */
export interface Nonces {
  /** The youngest; the CA forgets the oldest first. */
  take(): string | undefined;
  /** Keeps `nonce` if it is one. */
  put(nonce: string | undefined): void;
  /** Forgets all: where one is not known any more, the others are seldom. */
  clear(): void;
}

const MAX_KEPT = 32;
const NONCE = /^[\w-]{1,512}$/;

export function createNonces(): Nonces {
  let kept: readonly string[] = [];
  return {
    take: () => {
      const youngest = kept.at(-1);
      kept = kept.slice(0, -1);
      return youngest;
    },
    put: (nonce) => {
      if (nonce !== undefined && NONCE.test(nonce)) kept = [...kept, nonce].slice(-MAX_KEPT);
    },
    clear: () => {
      kept = [];
    },
  };
}
