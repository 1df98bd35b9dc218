import { consoleLog, type Log } from "./log.ts";

/**
 * Wraps a function of the host that is told about something: nothing that it does affects the caller. It is not awaited.
 * The first time that it throws or rejects is reported, and no later one: clients decide how often it is called.
 */
export function isolated<Args extends readonly unknown[]>(
  hook: (...args: Args) => unknown,
  report: (error: unknown) => void,
): (...args: Args) => void {
  let reported = false;
  const failed = (error: unknown): void => {
    if (reported) return;
    reported = true;
    attempt(() => report(error), ignore);
  };
  return (...args) => attempt(() => hook(...args), failed);
}

/** Calls a function, and passes on what it throws or rejects with. */
function attempt(act: () => unknown, failed: (error: unknown) => void): void {
  try {
    const done = act();
    if (isThenable(done)) done.then(undefined, failed);
  } catch (error) {
    failed(error);
  }
}

/** Returns true for a promise, also one of a library. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && isFunction(value.then);
}

function isFunction(value: unknown): boolean {
  return typeof value === "function";
}

/** Whatever reports failures has failed itself. There is nowhere left to report it. */
function ignore(): void {}

const isolatedLogs = new WeakMap<Log, Log>();

/** Wraps a log of the host likewise; without one, errors go to the console. The parts of a service that share a log share its wrapper. */
export function isolatedLog(log: Log = consoleLog()): Log {
  const known = isolatedLogs.get(log);
  if (known !== undefined) return known;
  const safe: Log = {
    debug: (...args) => attempt(() => log.debug(...args), ignore),
    info: (...args) => attempt(() => log.info(...args), ignore),
    warn: (...args) => attempt(() => log.warn(...args), ignore),
    error: (...args) => attempt(() => log.error(...args), ignore),
  };
  isolatedLogs.set(log, safe);
  isolatedLogs.set(safe, safe);
  return safe;
}

/** Returns a text that the host finds when it is asked; undefined if it fails, which is reported, or returns anything else. */
export function askedText(
  ask: () => unknown,
  report: (error: unknown) => void,
): string | undefined {
  let text: unknown;
  attempt(() => (text = ask()), report);
  return typeof text === "string" ? text : undefined;
}
