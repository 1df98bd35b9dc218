import type { Attached } from "./attached.ts";
import type { Shelter } from "./shelter.ts";

/** What every row may use. */
export interface Bench {
  /** How many animals the catalogue that is listed holds. */
  readonly animals: number;
  /** How long one run under load lasts. */
  readonly seconds: number;
  /** How often each side runs; the median counts. */
  readonly runs: number;
  /** A directory of the project's own disk, so that a sync costs what it costs there. Removed at the end. */
  readonly scratch: string;
  /** A data directory of that name with the animals, a copy of one that the program made. */
  readonly shelter: (name: string) => Promise<Shelter>;
  /** A data directory with a site and so many domains that are live. Made once, so one program at a time. */
  readonly attached: (count: number) => Promise<Attached>;
  /** The command of the program compiled from the sources as they are. */
  readonly executable: () => Promise<readonly string[]>;
  /** Installs peers that are not there. */
  readonly installs: boolean;
  /** Says on stderr what is being done. */
  readonly say: (text: string) => void;
}

/** A line of the table: one number of ours beside one that it is held against. */
export interface Figure {
  readonly row: number;
  readonly what: string;
  readonly ours: number;
  readonly against: string;
  readonly theirs: number;
  readonly unit: "req/s" | "/s" | "µs" | "ms" | "s" | "MB" | "queries";
  /** The ratio, or what else the goal is about. */
  readonly value: number;
  readonly goal: string;
  readonly reached: boolean;
}

/** Something that could not be measured here, and why. */
export interface Gap {
  readonly row: number;
  readonly what: string;
  readonly reason: string;
}

/** One or two rows of the table, measured together. */
export interface Row {
  /** What `--only` calls it. */
  readonly name: string;
  measure(bench: Bench): Promise<readonly (Figure | Gap)[]>;
  /** Starts all it measures and throws if one answers wrongly. Measures nothing. */
  smoke(bench: Bench): Promise<readonly Gap[]>;
}

/** When a value is good enough, and how that is written. */
export interface Goal {
  readonly text: string;
  holds(value: number): boolean;
}

export function atLeast(bound: number): Goal {
  return { text: `≥ ${bound}`, holds: (value) => value >= bound };
}

export function atMost(bound: number, unit: string): Goal {
  return { text: `≤ ${bound} ${unit}`, holds: (value) => value <= bound };
}

export function about(middle: number, tolerance: number): Goal {
  return {
    text: `${middle} ± ${tolerance}`,
    holds: (value) => Math.abs(value - middle) <= tolerance,
  };
}

/** Returns a figure whose value is ours divided by theirs, unless `value` says otherwise. */
export function figure(
  facts: Omit<Figure, "value" | "goal" | "reached"> & { readonly value?: number },
  goal: Goal,
): Figure {
  const value = facts.value ?? facts.ours / facts.theirs;
  return { ...facts, value, goal: goal.text, reached: goal.holds(value) };
}
