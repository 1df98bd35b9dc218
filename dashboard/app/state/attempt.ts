import { useSignal } from "@preact/signals";
import { useCallback } from "preact/hooks";

import type { Problem, Result } from "../api.ts";

/** Something that a form or a button tries to do. */
export interface Attempt {
  /** It is under way. */
  readonly busy: boolean;
  /** Why it came to nothing the last time. */
  readonly problem: Problem | undefined;
  /** Does it, unless it is under way already; `onDone` gets what came of it. */
  readonly run: <Value>(
    deed: () => Promise<Result<Value, Problem>>,
    onDone: (value: Value) => void,
  ) => Promise<void>;
}

export function useAttempt(): Attempt {
  const busy = useSignal(false);
  const problem = useSignal<Problem | undefined>(undefined);
  const run = useCallback<Attempt["run"]>(async (deed, onDone) => {
    if (busy.peek()) return;
    busy.value = true;
    problem.value = undefined;
    const result = await deed();
    busy.value = false;
    if (result.ok) onDone(result.value);
    else problem.value = result.failure;
  }, []);
  return { busy: busy.value, problem: problem.value, run };
}
