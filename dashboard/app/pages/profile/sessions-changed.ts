import { signal, type ReadonlySignal } from "@preact/signals";

const turn = signal(0);

/** Grows when something beside the list of sessions ended some of them. */
export const sessionsTurn: ReadonlySignal<number> = turn;

export function sessionsChanged(): void {
  turn.value++;
}
