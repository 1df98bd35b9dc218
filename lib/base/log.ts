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

/** Different errors that the default log writes. */
const MAX_ERRORS = 50;
const MAX_LETTERS = 4_000;

/**
 * Returns the log of a service whose host gives none: errors go to the console, so that a mistake of the host, such as a wrong
 * principal, is more than a 500 without a reason. It writes each error once and 50 at most, because clients decide how often one
 * occurs, and of an error only its name, message and stack: other members may contain a query's values.
 */
export function consoleLog(): Log {
  const written = new Set<string>();
  return {
    ...silentLog,
    error: (message, error) => {
      const isError = error instanceof Error;
      const kind = `${message}: ${isError ? `${error.name}: ${error.message}` : typeof error}`;
      const known = kind.slice(0, MAX_LETTERS);
      if (written.size >= MAX_ERRORS || written.has(known)) return;
      written.add(known);
      const stack = isError && error.stack?.includes(error.message) === true ? error.stack : kind;
      // The only place that knows the host's console.
      // oxlint-disable-next-line no-console
      console.error(`petstore: ${message}\n${stack.slice(0, MAX_LETTERS)}`);
    },
  };
}
