/** Structured fields of a log line. Never contain a secret: a key appears only by its id. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** The core's log. What an adapter throws or rejects with is dropped. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  /** Only the operator sees `error`; it never reaches a client. */
  error(message: string, error: unknown, fields?: LogFields): void;
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
