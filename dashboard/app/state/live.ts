import { signal, type ReadonlySignal } from "@preact/signals";
import { useCallback, useEffect, useRef } from "preact/hooks";
import { MINUTE_MS, SECOND_MS } from "../../../lib/base/clock.ts";
import { API } from "../api.ts";

/** How changes arrive: by a stream, by polling, or not yet. */
export type Liveness = "connecting" | "live" | "polling";

const POLL_MS = 20 * SECOND_MS;
/** How long a lost stream may take to reconnect before polling starts. */
const PATIENCE_MS = 6 * SECOND_MS;

/** How long events are collected: an animal that is added makes several. */
const MOMENT_MS = 300;
/** The same while they keep coming: an import makes thousands a second. */
const LONGEST_MOMENT_MS = 5 * SECOND_MS;
/** If more arrive in a moment, the data are loaded instead. */
const MOST_EVENTS = 20;

/** An event of a stream. */
export interface LiveEvent {
  readonly type: string;
  readonly data: unknown;
}

export interface LiveOptions {
  /** Path of a stream of server-sent events below `/manage/v1`. Undefined follows nothing. */
  readonly path: string | undefined;
  /** Types of the events to receive. */
  readonly events: readonly string[];
  /**
   * Receives the events of a moment, which are few. After a reconnect the browser requests missed ones by
   * `Last-Event-ID`.
   */
  readonly onEvents: (events: readonly LiveEvent[]) => void;
  /** Loads the current data: every 20 seconds without a stream, once when the stream opens, and instead of many events. */
  readonly poll: () => Promise<void>;
}

/** Follows a stream while rendered, and polls if streams do not work. */
export function useLive(options: LiveOptions): ReadonlySignal<Liveness> {
  const liveness = useRef(signal<Liveness>("connecting")).current;
  const latest = useRef(options);
  latest.current = options;
  const { path } = options;

  useEffect(() => {
    if (path === undefined) return undefined;
    let polling: number | undefined;
    let giveUp: number | undefined;
    let again: number | undefined;
    let source: EventSource | undefined;
    let arrived: MessageEvent[] = [];
    let passing: number | undefined;
    let passedAt = 0;
    let momentMs = MOMENT_MS;

    const passOn = (): void => {
      const some = arrived.map(({ type, data }): LiveEvent => ({ type, data: parsed(data) }));
      arrived = [];
      passing = undefined;
      passedAt = performance.now();
      if (some.length > 1) momentMs = Math.min(2 * momentMs, LONGEST_MOMENT_MS);
      if (some.length > MOST_EVENTS) void latest.current.poll();
      else latest.current.onEvents(some);
    };
    const onEvent = (event: MessageEvent): void => {
      if (arrived.length <= MOST_EVENTS) arrived.push(event);
      if (passing !== undefined) return;
      if (performance.now() - passedAt > momentMs) momentMs = MOMENT_MS;
      passing = window.setTimeout(passOn, momentMs);
    };
    const fallBack = (): void => {
      if (polling !== undefined) return;
      liveness.value = "polling";
      void latest.current.poll();
      polling = window.setInterval(() => void latest.current.poll(), POLL_MS);
    };
    const recovered = (): void => {
      window.clearTimeout(giveUp);
      giveUp = undefined;
      window.clearInterval(polling);
      polling = undefined;
      // Changes between the last poll and the stream would otherwise be missed.
      void latest.current.poll();
      liveness.value = "live";
    };
    const open = (): void => {
      source = new EventSource(API + path);
      source.addEventListener("open", recovered);
      source.addEventListener("error", () => {
        giveUp ??= window.setTimeout(fallBack, PATIENCE_MS);
        // The browser reconnects unless the service refused the stream.
        if (source?.readyState !== EventSource.CLOSED) return;
        fallBack();
        again = window.setTimeout(open, MINUTE_MS);
      });
      for (const type of latest.current.events) source.addEventListener(type, onEvent);
    };

    open();
    return () => {
      source?.close();
      window.clearInterval(polling);
      window.clearTimeout(giveUp);
      window.clearTimeout(again);
      window.clearTimeout(passing);
    };
  }, [path]);

  return liveness;
}

function parsed(text: unknown): unknown {
  try {
    return typeof text === "string" ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a function whose calls of a moment become one, at its end. */
export function useSoon(call: () => void, momentMs: number): () => void {
  const latest = useRef(call);
  latest.current = call;
  const timer = useRef<number | undefined>(undefined);
  useEffect(
    () => () => {
      window.clearTimeout(timer.current);
    },
    [],
  );
  return useCallback(() => {
    timer.current ??= window.setTimeout(() => {
      timer.current = undefined;
      latest.current();
    }, momentMs);
  }, []);
}
