import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import type { ExplanationView } from "../../../../../lib/management/domain-view.ts";
import { send, type Problem } from "../../../api.ts";

/** What the DNS says of a name that is being typed. */
export interface Preview {
  readonly looking: boolean;
  /** Of that very name; absent until it has come. */
  readonly explanation?: ExplanationView;
  readonly problem?: Problem;
}

const NOTHING: Preview = { looking: false };

/** A pause of that length says that a name is typed. */
const PAUSE_MS = 700;

/** Looks at a name once nobody types any more; what is told of another name is dropped. */
export function usePreview(ascii: string | undefined): Preview {
  const preview = useSignal<Preview>(NOTHING);
  useEffect(() => {
    preview.value = NOTHING;
    if (ascii === undefined) return undefined;
    let current = true;
    const timer = window.setTimeout(() => {
      preview.value = { looking: true };
      void send<ExplanationView>("POST", "/domains/explain", { domain: ascii }).then((result) => {
        if (!current) return;
        preview.value = result.ok
          ? { looking: false, explanation: result.value }
          : { looking: false, problem: result.failure };
      });
    }, PAUSE_MS);
    return () => {
      current = false;
      window.clearTimeout(timer);
    };
  }, [ascii]);
  return preview.value;
}
