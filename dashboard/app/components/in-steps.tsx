import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import { words } from "../words/words.ts";
import { Button } from "./button.tsx";

const STEP = 100;

/** Shows the first of many, and more of them whenever that is wanted: thousands of rows would hold the page up. */
export function InSteps<Item>({
  items,
  step = STEP,
  children,
}: {
  readonly items: readonly Item[];
  readonly step?: number;
  /** Gets those that are shown. */
  readonly children: (shown: readonly Item[]) => JSX.Element;
}): JSX.Element {
  const count = useSignal(step);
  return (
    <>
      {children(items.slice(0, count.value))}
      {items.length > count.value && (
        <div class="inside">
          <Button
            onClick={() => {
              count.value += step;
            }}
          >
            {words().common.loadMore}
          </Button>
        </div>
      )}
    </>
  );
}
