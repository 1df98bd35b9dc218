import { signal, type ReadonlySignal } from "@preact/signals";
import { useEffect, useRef, useCallback } from "preact/hooks";
import { MINUTE_MS, SECOND_MS } from "../../../lib/base/clock.ts";
import { API } from "../api.ts";

/** How changes arrive: by a stream, by polling, or not yet. */
export type Liveness = "connecting" | "live" | "polling";

const POLL_MS = 20 * SECOND_MS;
/** How long a lost stream may take to reconnect before polling starts. */
const PATIENCE_MS = 6 * SECOND_MS;

export interface LiveOptions {
  /** Path of a stream of server-sent events below `/manage/v1`. Undefined follows nothing. */
  readonly path: string | undefined;
  /** Types of the events to receive. */
  readonly events: readonly string[];
  /** Receives each event. After a reconnect the browser requests missed ones by `Last-Event-ID`. */
  readonly onEvent: (type: string, data: unknown) => void;
  /** Loads the current data: every 20 seconds without a stream, and once when the stream opens. */
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
      for (const type of latest.current.events) {
        source.addEventListener(type, (event) => {
          latest.current.onEvent(type, parsed(event.data));
        });
      }
    };

    open();
    return () => {
      source?.close();
      window.clearInterval(polling);
      window.clearTimeout(giveUp);
      window.clearTimeout(again);
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

/** Long enough for a burst of events to arrive. */
const MOMENT_MS = 300;

/** Collects names for a moment, then calls once for each: events arrive in bursts. */
export function useSoon(
  call: (name: string) => void,
  momentMs: number = MOMENT_MS,
): (name: string) => void {
  const latest = useRef(call);
  latest.current = call;
  const waiting = useRef(new Set<string>());
  const timer = useRef<number | undefined>(undefined);
  useEffect(
    () => () => {
      window.clearTimeout(timer.current);
    },
    [],
  );
  return useCallback((name: string) => {
    waiting.current.add(name);
    timer.current ??= window.setTimeout(() => {
      timer.current = undefined;
      const names = [...waiting.current];
      waiting.current.clear();
      for (const one of names) latest.current(one);
    }, momentMs);
  }, []);
}
