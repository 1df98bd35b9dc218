import { signal, type Signal } from "@preact/signals";

/** Of how many views the code is being fetched. */
export const underWay: Signal<number> = signal(0);
