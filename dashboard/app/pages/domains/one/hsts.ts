/** How long browsers can be told to insist on HTTPS, in seconds: to try, for a while, and as long as lists want it. */
const CHOICES: readonly number[] = [0, 300, 2_592_000, 5_184_000, 31_536_000, 63_072_000];

/** What there is to choose from, with what was set by other means. */
export function hstsChoices(current: number): readonly number[] {
  return [...new Set([...CHOICES, current])].toSorted((a, b) => a - b);
}
