import { signal, type Signal } from "@preact/signals";
import type { JSX } from "preact";

/** What somebody is asked above whatever else is open, by code that comes when it is needed; undefined: nothing. */
export const above: Signal<JSX.Element | undefined> = signal(undefined);
