/** Runs a step that may legitimately block the event loop for long, and returns what it returns. */
export type LongStep = <Value>(step: () => Value) => Value;
