import { SECOND_MS, type Clock } from "../base/clock.ts";
import { utf8 } from "../base/digest.ts";
import type { Log } from "../base/log.ts";
import { logFailure } from "../storage/log-failure.ts";
import type { Principal } from "../accounts/principal.ts";

/** How long nothing may be said: proxies take silence for the end. */
const HEARTBEAT_MS: number = 15 * SECOND_MS;

/** Said at once, so that everybody on the way knows that the answer has begun; and how soon to come back. */
export const OPENING = ": open\nretry: 2000\n\n";

/** Says that nothing happened. */
export const HEARTBEAT = ":\n\n";

/** True when it is a heartbeat since then, or the clock was put back as far. */
export function isDue(clock: Clock, since: number): boolean {
  return Math.abs(clock.now() - since) >= HEARTBEAT_MS;
}

/** True when it is so long ago that a reader was found to be allowed that it is to be asked again. */
export function isDoubtful(clock: Clock, since: number): boolean {
  return Math.abs(clock.now() - since) >= ALLOWED_MS;
}

/** Whose token was revoked or who signed out hears nothing more within a second. */
const ALLOWED_MS: number = SECOND_MS / 2;

/** One server-sent event (HTML §9.2). JSON has no line breaks of its own. */
export function eventText(event: string, json: string, id?: number): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${json}\n\n`;
}

export interface EventStreamOptions {
  readonly until: readonly AbortSignal[];
  readonly log: Log;
  readonly clock: Pick<Clock, "now">;
  /** Called once, however it ends. */
  readonly onEnd: () => void;
}

/**
 * What `tell` yields, as the body of an answer. It is asked for more only when what it yielded was read, so that a
 * slow reader holds no memory. `tell` must end soon after its signal is aborted: when the reader is gone, or one of `until` is.
 */
export function eventStream(
  tell: (signal: AbortSignal) => AsyncGenerator<string, void>,
  { until, log, clock, onEnd }: EventStreamOptions,
): ReadableStream<Uint8Array> {
  const ending = new AbortController();
  const texts = tell(ending.signal);
  let ended = false;
  let abort = (): void => ending.abort();

  const end = (): void => {
    if (ended) return;
    ended = true;
    for (const signal of until) signal.removeEventListener("abort", abort);
    ending.abort();
    onEnd();
  };

  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      // Also when nobody reads, and so nobody asks for more.
      abort = () => {
        if (ended) return;
        end();
        controller.close();
      };
      for (const signal of until) signal.addEventListener("abort", abort, { once: true });
      if (until.some(({ aborted }) => aborted)) abort();
    },
    pull: async (controller) => {
      const next = await texts.next().catch((error: unknown) => {
        // It ends the stream: readers come back and say what they heard last.
        if (!ended) logFailure(log, "a stream broke off", error, { now: clock.now() });
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
      // It may be waiting for the reader; when it is at work it ends by the signal.
      void texts.return().catch(() => undefined);
    },
  });
}

/** True when the client asks for server-sent events by name: a mere wildcard does not. */
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

/** Answers that go on until somebody ends them: each holds a connection, so there may be only so many. */
export interface Streams {
  /** Takes a place for a caller; undefined when there is none. Giving it back twice does nothing. */
  open(caller: Pick<Principal, "counter" | "accountId">): (() => void) | undefined;
}

export interface StreamsOptions {
  /** Default 20. */
  readonly ofCaller?: number;
  /** However many tokens it has: it must not take the places of all others. Default 100. */
  readonly ofAccount?: number;
  /** Default 1,000. */
  readonly ofAll?: number;
}

export function createStreams({
  ofCaller = 20,
  ofAccount = 100,
  ofAll = 1_000,
}: StreamsOptions = {}): Streams {
  const taken = new Map<string, number>();
  const countOf = (holder: string): number => taken.get(holder) ?? 0;
  const add = (holder: string, more: 1 | -1): void => {
    const count = countOf(holder) + more;
    if (count === 0) taken.delete(holder);
    else taken.set(holder, count);
  };
  return {
    open: ({ counter, accountId }) => {
      const holders = [
        { name: "all", most: ofAll },
        ...(accountId === undefined ? [] : [{ name: `account ${accountId}`, most: ofAccount }]),
        { name: `caller ${counter}`, most: ofCaller },
      ];
      if (holders.some(({ name, most }) => countOf(name) >= most)) return undefined;
      for (const { name } of holders) add(name, 1);
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        for (const { name } of holders) add(name, -1);
      };
    },
  };
}
