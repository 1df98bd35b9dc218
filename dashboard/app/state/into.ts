import type { Signal } from "@preact/signals";

/** Writes what a field is given into a signal. */
export function into<Value>(signal: Signal<Value>): (value: Value) => void {
  return (value) => {
    signal.value = value;
  };
}
