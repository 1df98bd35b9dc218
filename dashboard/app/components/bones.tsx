import type { JSX } from "preact";

import { words } from "../words/words.ts";

const WIDTHS = ["90%", "70%", "80%", "55%", "75%"] as const;

/** Holds the place of what is being fetched, so that nothing jumps when it comes. */
export function Bones({ lines = 3 }: { readonly lines?: number }): JSX.Element {
  return (
    <div class="bones" role="status" aria-label={words().common.loading}>
      {Array.from({ length: lines }, (_, index) => (
        <div key={index} class="bone" style={{ width: WIDTHS[index % WIDTHS.length] }} />
      ))}
    </div>
  );
}
