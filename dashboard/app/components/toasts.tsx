import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useLocation } from "preact-iso";
import { useEffect } from "preact/hooks";

import { SECOND_MS } from "../../../lib/base/clock.ts";
import { Button } from "./button.tsx";

/** What a toast offers to do, such as undo. */
export interface ToastAction {
  readonly label: string;
  readonly run: () => void;
  /** The path to which it leads: there, the toast disappears. */
  readonly to?: string;
}

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly action?: ToastAction;
}

/** Long enough to read it twice and to undo. */
const SHOWN_MS = 10 * SECOND_MS;

const shown = signal<readonly Toast[]>([]);
let count = 0;

/** Shows a message for ten seconds, and longer while the pointer or the focus is in it. */
export function toast(text: string, action?: ToastAction): void {
  const id = ++count;
  shown.value = [
    ...shown.value.slice(-2),
    { id, text, ...(action === undefined ? {} : { action }) },
  ];
  expire(id);
}

function expire(id: number): void {
  window.setTimeout(() => {
    const isHeld = document.querySelector(".toasts:hover, .toasts:focus-within") !== null;
    if (isHeld) expire(id);
    else remove(id);
  }, SHOWN_MS);
}

function remove(id: number): void {
  shown.value = shown.value.filter((one) => one.id !== id);
}

function take({ id, action }: Toast): void {
  remove(id);
  action?.run();
}

/** Runs the latest toast's action on Ctrl+Z, which is undo, unless the user is typing: the button is far by keyboard. */
function onKey(event: KeyboardEvent): void {
  const { key, target } = event;
  if (key !== "z" || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
  if (target instanceof Element && target.matches("input, textarea, select")) return;
  const last = shown.value.findLast(({ action }) => action !== undefined);
  if (last === undefined) return;
  event.preventDefault();
  take(last);
}

/** Shows the toasts; rendered once on every page. */
export function Toasts(): JSX.Element {
  const { path } = useLocation();
  useEffect(() => {
    shown.value = shown.value.filter(({ action }) => action?.to !== path);
  }, [path]);
  useEffect(() => {
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.value.map((one) => (
        <div class="toast" key={one.id}>
          <span>{one.text}</span>
          {one.action !== undefined && (
            <Button small onClick={() => take(one)}>
              {one.action.label}
            </Button>
          )}
        </div>
      ))}
    </div>
  );
}
