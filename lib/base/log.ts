/** Facts of one log line. Never a secret: keys appear by their id only. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** The log of the core. Adapters must not throw. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  /** Only the operator sees `error`; it never reaches a client. */
  error(message: string, error: unknown, fields?: LogFields): void;
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
