import { useEffect, useRef } from "preact/hooks";

/** Asks again and again while the page is looked at, and at once when somebody comes back to it. */
export function usePolling(everyMs: number, ask: () => Promise<unknown>): void {
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    const turn = (): void => {
      if (document.visibilityState === "visible") void latest.current();
    };
    const timer = window.setInterval(turn, everyMs);
    document.addEventListener("visibilitychange", turn);
    return () => {
      window.clearInterval(timer);
      document.removeEventListener("visibilitychange", turn);
    };
  }, [everyMs]);
}
