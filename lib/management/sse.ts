import { SECOND_MS, type Clock } from "../base/clock.ts";
import type { Closing } from "../base/closing.ts";
import { utf8 } from "../base/digest.ts";
import type { Log } from "../base/log.ts";
import { logFailure } from "../storage/log-failure.ts";

/** Longest silence of a stream. Proxies close idle connections. */
const HEARTBEAT_MS: number = 15 * SECOND_MS;

/** Sent at once, so that proxies pass on the headers. `retry` is the delay of a reconnect, in milliseconds. */
export const OPENING = ": open\nretry: 2000\n\n";

/** A comment that keeps the connection open. */
export const HEARTBEAT = ":\n\n";

/** Returns true if a heartbeat is due after something was sent at `since`, or if the clock was set back. */
export function needsHeartbeat(clock: Clock, since: number): boolean {
  return Math.abs(clock.now() - since) >= HEARTBEAT_MS;
}

/** Returns true if access must be checked again after a check at `since`. */
export function needsAccessCheck(clock: Clock, since: number): boolean {
  return Math.abs(clock.now() - since) >= ALLOWED_MS;
}

/** Interval of access checks, so that a stream ends within a second of a revocation or sign-out. */
const ALLOWED_MS: number = SECOND_MS / 2;

/** Returns the text of a server-sent event (HTML §9.2). JSON contains no line breaks. */
export function eventText(event: string, json: string, id?: number): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${json}\n\n`;
}

export interface EventStreamOptions {
  /** Ends the stream too, if given. */
  readonly stopping?: Closing;
  readonly until: readonly AbortSignal[];
  readonly log: Log;
  readonly clock: Pick<Clock, "now">;
  /** Called once, when the stream ends for any reason. */
  readonly onEnd: () => void;
}

/**
 * Returns the texts of `generate` as the body of a response. The next text is requested only after the last one was read,
 * so slow readers use no memory. `generate` must end soon after its signal aborts: when the reader disconnects, the service
 * stops or a signal of `until` aborts.
 */
export function eventStream(
  generate: (signal: AbortSignal) => AsyncGenerator<string, void>,
  { stopping, until, log, clock, onEnd }: EventStreamOptions,
): ReadableStream<Uint8Array> {
  const ending = new AbortController();
  const texts = generate(ending.signal);
  let ended = false;
  let abort = (): void => ending.abort();
  let unlisten = (): void => undefined;

  const end = (): void => {
    if (ended) return;
    ended = true;
    for (const signal of until) signal.removeEventListener("abort", abort);
    unlisten();
    ending.abort();
    onEnd();
  };

  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      // Without a reader, `pull` is never called.
      abort = () => {
        if (ended) return;
        end();
        controller.close();
      };
      for (const signal of until) signal.addEventListener("abort", abort, { once: true });
      unlisten = stopping?.listen(() => abort()) ?? unlisten;
      if (until.some(({ aborted }) => aborted)) abort();
    },
    pull: async (controller) => {
      const next = await texts.next().catch((error: unknown) => {
        // Ends the stream: readers reconnect with the last event that they received.
        if (!ended) logFailure(log, "a stream failed", error, { now: clock.now() });
        return undefined;
      });
      if (ended) return;
      if (next !== undefined && next.done !== true) {
        controller.enqueue(utf8(next.value));
        return;
      }
      end();
      controller.close();
    },
    cancel: () => {
      end();
      // Ends a generator that waits at `yield`; a running one ends by the signal.
      void texts.return().catch(() => undefined);
    },
  });
}

/** Returns true if the client accepts server-sent events by name; a wildcard is not enough. */
export function wantsEvents({ headers }: Request): boolean {
  const accept = headers.get("accept");
  if (accept === null) return false;
  return accept
    .slice(0, 2_000)
    .toLowerCase()
    .split(",")
    .some((range) => {
      const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
      const weight = parameters.find((part) => part.startsWith("q="));
      return type === "text/event-stream" && (weight === undefined || Number(weight.slice(2)) > 0);
    });
}
