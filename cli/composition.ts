import type { Answered, Environment, Log, Petstore, Servers, Store } from "../lib/index.ts";

/** What both environments of an installation have in common. */
export interface Parts {
  readonly store: Store;
  /** 32 bytes. A secret. */
  readonly encryptionKey: Uint8Array;
  readonly servers: Servers;
  readonly log: Log;
  /** Called after every answer; must not throw. */
  readonly onAnswer?: (answered: Answered) => void;
}

export type Petstores = Readonly<Record<Environment, Petstore>>;

/** How server.ts makes what the commands work with: the only knowledge of databases is there. */
export interface Composition {
  /** Rejects with `StoreUnavailable` or `NewerSchema`. */
  openStore(path: string): Promise<Store>;
  /** A store that is gone with the process. */
  openMemory(): Promise<Store>;
  createPetstores(parts: Parts): Petstores;
  /** What a store of this program has; one of an older version is brought up to it when it is opened. */
  readonly schemaVersion: number;
}
