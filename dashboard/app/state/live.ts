import { signal, type ReadonlySignal } from "@preact/signals";
import { useEffect, useRef, useCallback } from "preact/hooks";
import { MINUTE_MS, SECOND_MS } from "../../../lib/base/clock.ts";
import { API } from "../api.ts";

/** How news come: as they happen, by asking again and again, or not yet. */
export type Liveness = "connecting" | "live" | "polling";

const POLL_MS = 20 * SECOND_MS;
/** How long the stream is given to come back before we ask for ourselves. */
const PATIENCE_MS = 6 * SECOND_MS;

export interface LiveOptions {
  /** Below `/manage/v1`; it answers with server-sent events. Undefined: nothing is followed. */
  readonly path: string | undefined;
  /** Names of the events to hear of. */
  readonly events: readonly string[];
  /** One that happened. The browser asks for those it missed by `Last-Event-ID`. */
  readonly onEvent: (type: string, data: unknown) => void;
  /** Asks for what an event would have told: while there is no stream, every 20 seconds. */
  readonly poll: () => Promise<void>;
}

/** Follows something as long as it is shown; falls back to asking where streams do not come through. */
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
      // Of what happened between the last question and the stream nobody else tells.
      void latest.current.poll();
      liveness.value = "live";
    };
    const open = (): void => {
      source = new EventSource(API + path);
      source.addEventListener("open", recovered);
      source.addEventListener("error", () => {
        giveUp ??= window.setTimeout(fallBack, PATIENCE_MS);
        // The browser comes back by itself unless it was refused.
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

/** Long enough for what belongs together to have come. */
const MOMENT_MS = 300;

/** Calls once for each name that is given within a moment: news come in flocks. */
export function useSoon(call: (name: string) => void): (name: string) => void {
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
    }, MOMENT_MS);
  }, []);
}
