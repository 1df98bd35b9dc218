/** What a server says of itself to whoever reaches its socket. */
export interface ServerStatus {
  /** Of the program: one of another version is not spoken to. */
  readonly version: string;
  readonly pid: number;
  readonly addresses: Addresses;
}

/** Where a server can be reached from this machine: `http://127.0.0.1:8080`. */
export interface Addresses {
  readonly production: string;
  readonly staging: string | undefined;
  readonly https?: string | undefined;
  readonly metrics: string | undefined;
}
