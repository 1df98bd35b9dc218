import { useCallback, useEffect, useRef } from "preact/hooks";

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
