import type { Attached } from "./attached.ts";
import type { Served } from "./load.ts";
import type { Shelter } from "./shelter.ts";

/** The fixtures for all rows. */
export interface Bench {
  /** The number of animals in the listed catalogue. */
  readonly animals: number;
  /** The duration of one run under load. */
  readonly seconds: number;
  /** The runs per side; the median counts. */
  readonly runs: number;
  /** A directory on the project's disk, so that syncs have its cost. Removed at the end. */
  readonly scratch: string;
  /** Creates a data directory of that name with the animals: a copy of one written by the program. */
  readonly shelter: (name: string) => Promise<Shelter>;
  /** Creates a data directory with a site and live domains. Created once, so one program at a time. */
  readonly attached: (count: number) => Promise<Attached>;
  /** The command of the program compiled from the current sources. */
  readonly executable: () => Promise<readonly string[]>;
  /** Installs missing peers. */
  readonly installs: boolean;
  /** Reports progress on stderr. */
  readonly say: (text: string) => void;
}

/** A line of the table: one figure of the program next to the one it is compared with. */
export interface Figure {
  readonly row: number;
  readonly what: string;
  readonly ours: number;
  readonly against: string;
  readonly theirs: number;
  readonly unit: "req/s" | "/s" | "µs" | "ms" | "s" | "MB" | "queries";
  /** The ratio, or another value with a goal. */
  readonly value: number;
  /** The ratio of the CPU times per request, theirs to ours, where both are servers: a busy machine hardly changes it. */
  readonly cpuRatio?: number;
  /** Which change of `value` is an improvement. */
  readonly better: "higher" | "lower" | "nearer 1";
  readonly goal: string;
  readonly reached: boolean;
}

/** A figure that could not be measured here, and the reason. */
export interface Gap {
  readonly row: number;
  readonly what: string;
  readonly reason: string;
}

/** One or two rows of the table that are measured together. */
export interface Row {
  /** Its name for `--only`. */
  readonly name: string;
  measure(bench: Bench): Promise<readonly (Figure | Gap)[]>;
  /** Starts everything and checks the responses without measuring. */
  smoke(bench: Bench): Promise<readonly Gap[]>;
}

/** A condition for a value, and its text. */
export interface Goal {
  readonly text: string;
  readonly better: Figure["better"];
  holds(value: number): boolean;
}

/** For a figure that only informs. */
export const noGoal: Goal = { text: "none", better: "higher", holds: () => true };

export function atLeast(bound: number): Goal {
  return { text: `≥ ${bound}`, better: "higher", holds: (value) => value >= bound };
}

export function atMost(bound: number, unit: string): Goal {
  return { text: `≤ ${bound} ${unit}`, better: "lower", holds: (value) => value <= bound };
}

/** At most so many times the other. */
export function timesAtMost(bound: number): Goal {
  return { text: `≤ ${bound}`, better: "lower", holds: (value) => value <= bound };
}

/** Two times that are to be equal within `tolerance`. */
export function equalWithin(tolerance: number): Goal {
  return {
    text: `1 ± ${tolerance}`,
    better: "nearer 1",
    holds: (value) => Math.abs(value - 1) <= tolerance,
  };
}

/** Returns a figure whose value is the program's divided by the other's, unless `value` is given. */
export function figure(
  facts: Omit<Figure, "value" | "better" | "goal" | "reached"> & { readonly value?: number },
  goal: Goal,
): Figure {
  const value = facts.value ?? facts.ours / facts.theirs;
  const { text, better } = goal;
  return { ...facts, value, better, goal: text, reached: goal.holds(value) };
}

/** The figure of a server under load beside another one. */
export function loadFigure(
  facts: Pick<Figure, "row" | "what" | "against">,
  { ours, theirs }: { readonly ours: Served; readonly theirs: Served },
  goal: Goal,
): Figure {
  const rates = { ours: ours.perSecond, theirs: theirs.perSecond, unit: "req/s" } as const;
  return figure({ ...facts, ...rates, cpuRatio: theirs.cpuMicros / ours.cpuMicros }, goal);
}
