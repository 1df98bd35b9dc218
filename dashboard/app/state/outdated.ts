/** Who asks again when what is shown turns out to be gone. */
const askers = new Set<() => unknown>();

/** Has it ask again whenever a change was refused because of what others did; until the function it returns is called. */
export function whenOutdated(ask: () => unknown): () => void {
  askers.add(ask);
  return () => {
    askers.delete(ask);
  };
}

/** Something that is shown is not as it is shown. */
export function outdated(): void {
  for (const ask of askers) ask();
}
