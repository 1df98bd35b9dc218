const SECOND_MS = 1_000;

/** How far numbers are advanced in a copy of an installation, so that it does not assign those of its original again. */
export interface Gap {
  /** The gap for the ids of animals, categories and orders, which people see: they stay short. */
  readonly ids: number;
  /** The gap for numbers that only programs see, such as those of events. */
  readonly numbers: number;
  /** The least revision of a catalogue afterwards. */
  readonly revision: number;
}

/** More than an import of a large file adds at once. */
const IDS = 1_000_000;
const IDS_PER_SECOND = 10;
/** More than any database commits. */
const NUMBERS_PER_MS = 100;

/**
 * Returns the gap of a copy made at `at` and put to use at `now`, in milliseconds. The original may have assigned numbers
 * in between; the copy cannot know them.
 */
export function gapOf(at: number, now: number): Gap {
  const passed = Math.max(0, now - at);
  return {
    ids: IDS + Math.ceil(passed / SECOND_MS) * IDS_PER_SECOND,
    numbers: IDS + passed * NUMBERS_PER_MS,
    // Milliseconds pass faster than commits.
    revision: now,
  };
}

/** Returns whether a column of `catalogues` is a counter of ids: `next_pet_id`. */
export function isNextId(column: string): boolean {
  return /^next_\w+_id$/.test(column);
}

/** Returns an expression that advances a counter by the bound value, within the integers that JSON carries exactly. */
export function advanced(column: string): string {
  return `CASE WHEN ${column} > ${Number.MAX_SAFE_INTEGER} - ? THEN ${column} ELSE ${column} + ? END`;
}
