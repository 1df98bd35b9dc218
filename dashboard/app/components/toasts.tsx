import { signal } from "@preact/signals";
import type { JSX } from "preact";

import { SECOND_MS } from "../../../lib/base/clock.ts";
import { Button } from "./button.tsx";

interface Toast {
  readonly id: number;
  readonly text: string;
  /** An action it offers, such as undo. */
  readonly action?: { readonly label: string; readonly run: () => void };
}

/** Long enough to read it twice and to undo. */
const SHOWN_MS = 10 * SECOND_MS;

const shown = signal<readonly Toast[]>([]);
let count = 0;

/** Shows a message for ten seconds. */
export function toast(text: string, action?: Toast["action"]): void {
  const id = ++count;
  shown.value = [
    ...shown.value.slice(-2),
    { id, text, ...(action === undefined ? {} : { action }) },
  ];
  window.setTimeout(() => {
    remove(id);
  }, SHOWN_MS);
}

function remove(id: number): void {
  shown.value = shown.value.filter((one) => one.id !== id);
}

/** Shows the toasts; rendered once on every page. */
export function Toasts(): JSX.Element {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.value.map(({ id, text, action }) => (
        <div class="toast" key={id}>
          <span>{text}</span>
          {action !== undefined && (
            <Button
              small
              onClick={() => {
                remove(id);
                action.run();
              }}
            >
              {action.label}
            </Button>
          )}
        </div>
      ))}
    </div>
  );
}
