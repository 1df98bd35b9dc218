import { useSignal } from "@preact/signals";
import { useCallback, useEffect, useRef } from "preact/hooks";

import type { Problem, Result } from "../api.ts";
import { whenOutdated } from "./outdated.ts";

/** Something that the service is asked for, as far as it has been told. */
export interface Resource<Value> {
  /** What was told last; it stays while it is asked for anew. */
  readonly value: Value | undefined;
  /** Why it could not be told the last time. */
  readonly problem: Problem | undefined;
  readonly loading: boolean;
  /** Asks anew; resolves when that was answered. */
  readonly reload: () => Promise<void>;
  /** Puts what is known already in its place, as the answer to a change. */
  readonly put: (value: Value) => void;
}

interface State<Value> {
  readonly value: Value | undefined;
  readonly problem: Problem | undefined;
  readonly loading: boolean;
}

const ASKED = { value: undefined, problem: undefined, loading: true };

/**
 * Asks when it is first shown, and anew whenever `key` changes; then what was known of the old key is forgotten.
 * An answer that comes after a later question is dropped.
 */
export function useResource<Value>(
  key: string,
  load: () => Promise<Result<Value, Problem>>,
): Resource<Value> {
  const state = useSignal<State<Value>>(ASKED);
  const turn = useRef(0);
  const latest = useRef(load);
  latest.current = load;

  const reload = useCallback(async () => {
    const mine = ++turn.current;
    state.value = { ...state.peek(), loading: true };
    const result = await latest.current();
    if (mine !== turn.current) return;
    state.value = result.ok
      ? { value: result.value, problem: undefined, loading: false }
      : { ...state.peek(), problem: result.failure, loading: false };
  }, []);

  useEffect(() => {
    state.value = ASKED;
    void reload();
    const forget = whenOutdated(reload);
    return () => {
      forget();
      turn.current++;
    };
  }, [key]);

  const put = useCallback((value: Value) => {
    turn.current++;
    state.value = { value, problem: undefined, loading: false };
  }, []);

  return { ...state.value, reload, put };
}
